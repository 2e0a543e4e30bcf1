"""Errors that a person can act on.

Each error has a `code` for programs, a `message` that says what happened and a `hint` that says what to do. Where one
code covers several cases, `reason` names the case and `params` holds its values, so that each interface can word the
error itself. Nothing decides on the words of a message.

PinciteError
├── Misuse              the caller asked for something that cannot be        (exit status 2)
│   ├── NotFound        a name or id that does not exist
│   ├── NotReady        a document that has not been read yet
│   ├── Taken           a name that is already in use
│   ├── Settled         a document that has nothing to retry, or a call that has its result
│   ├── NotSignedIn     no valid password, session, token or link came with the request
│   ├── Denied          the account may not do this
│   └── ReferralRefused a referral code cannot be redeemed; `reason` says why
├── Unreadable          these bytes cannot become a document
│   ├── Encrypted       a password is needed, or the one given is wrong  (exit status 2)
│   │   └── Locked      no password would help
│   ├── Unsupported     a kind of file we do not read
│   ├── TooLarge        larger than the settings allow
│   ├── Empty           the file has no bytes
│   ├── TimedOut        reading it takes longer than the settings allow
│   ├── MemoryExceeded  reading it takes more memory than the settings allow
│   ├── ReadingFault    a bug in a reader; the file may be fine
│   └── SetAside        worker processes died at it again and again
├── StorageError        the disk or the database refused
│   ├── DiskFull        no space is left; the same request works once there is
│   ├── DatabaseAway    the database server cannot be reached now; `seconds` says when to try again
│   ├── RowsLocked      other work held the same rows for too long, or the two waited for each other
│   ├── FilesAway       the storage of the files does not answer; the same request works once it does
│   ├── Damaged         the database file is corrupt
│   └── Moved           the store was moved to another database
├── Busy                too many requests at once; try again in a moment
│   ├── Answering       an answer is still being written in this conversation
│   └── Measuring       a measurement of the judge is already running
├── TooManyAttempts     too many failed sign-ins; `seconds` says how long to wait
├── IssuerError         the OpenID issuer did not answer, or its answer is not valid
├── QuotaReached        the credits of the month are used up
├── RateLimited         too many requests in a minute; `seconds` says how long to wait
├── QueueFull           too many documents of one owner wait; `seconds` says how long to wait
├── LeaseLost           another worker took over this job; undo, do not report
├── EmbeddingError      the embedder could not be built, or did not answer
│   └── Unreachable     its server is down, for the next document too
├── RerankError         the reranker did not answer; callers fall back
├── ModelError          a language model could not be built, or did not answer
│   ├── Misnamed        no model has this name               (exit status 2: a Misuse too)
│   └── LimitReached    the question used up its requests, tool calls, tokens or time
├── RetrievalStopped    the user stopped searching and reading; the model answers from the evidence so far
├── Leak                personal details were about to be sent over the network
└── WebError            a web address did not return the page
    ├── Forbidden       an address that must not be requested from here
    └── Unavailable     a package that is not installed is needed
"""

import errno
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Literal

Params = Mapping[str, str | int]
_NO_PARAMS: Params = MappingProxyType({})
_WORD = re.compile(r"\S+")


class PinciteError(Exception):
    """The base of all errors; see the module for what its fields are."""

    code = "error"

    def __init__(self, message: str, hint: str = "", reason: str = "", params: Params = _NO_PARAMS) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.reason = reason
        self.params = params


class Misuse(PinciteError):
    code = "misuse"


NO_SEARCH_ENGINE = "no_search_engine"  # a reason of Misuse


MissingThing = Literal[
    "document",
    "conversation",
    "message",
    "persona",
    "workspace",
    "library",
    "tag",
    "page",
    "picture",
    "file",
    "project",
    "call",
    "change",
    "person",
    "group",
    "session",
    "token",
    "link",
    "share",
    "notebook",
    "item",
    "annotation",
    "provider",
    "model",
]


class NotFound(Misuse):
    """Nothing has the given name or id; `thing` says what kind of thing was looked up."""

    code = "not_found"

    def __init__(
        self, message: str, hint: str = "", thing: MissingThing | Literal[""] = "", params: Params = _NO_PARAMS
    ) -> None:
        super().__init__(message, hint, thing, params)


class NotReady(Misuse):
    code = "not_ready"


class Taken(Misuse):
    code = "taken"


class Settled(Misuse):
    code = "settled"


class Unreadable(PinciteError):
    code = "unreadable"


class Encrypted(Unreadable):
    code = "encrypted"


PASSWORD_NEEDED, PASSWORD_WRONG = "password_needed", "password_wrong"  # reasons of Encrypted


class Locked(Encrypted):
    code = "locked"


class Unsupported(Unreadable):
    code = "unsupported"


class TooLarge(Unreadable):
    code = "too_large"


class Empty(Unreadable):
    code = "empty"


class TimedOut(Unreadable):
    code = "timeout"


class MemoryExceeded(Unreadable):
    code = "memory"


class ReadingFault(Unreadable):
    code = "fault"


class SetAside(Unreadable):
    code = "set_aside"


class StorageError(PinciteError):
    code = "storage"


class DiskFull(StorageError):
    code = "disk_full"

    def __init__(self, message: str = "The disk is full.", hint: str = "Free some space, then try again.") -> None:
        super().__init__(message, hint)


class FilesAway(StorageError):
    """The storage of the files does not answer; `seconds` says when to try again."""

    code = "files_away"
    seconds = 5

    def __init__(self, message: str, hint: str = "Try again in a moment.") -> None:
        super().__init__(message, hint, params={"seconds": self.seconds})


class Damaged(StorageError):
    code = "damaged"


class RowsLocked(StorageError):
    pass


class Moved(StorageError):
    """The store was moved to another database, whose address `params` has without its password.

    Clients of a server get the error without the address: it names a host and a user, or a folder.
    """

    code = "moved"

    def __init__(self, address: str = "") -> None:
        hint = "Set `database` to that address and start again. `pincite move --undo` makes this one usable again."
        super().__init__(
            f"This store was moved to {address or 'another database'}.",
            hint if address else "The person who runs the server must start it again with the new address.",
            params={"address": address} if address else {},
        )


class DatabaseAway(StorageError):
    """The database server does not answer, or has no free connection: the same request works once it has."""

    code = "database_away"
    seconds = 5

    def __init__(
        self,
        message: str = "The database cannot be reached.",
        hint: str = "Try again in a moment. If it lasts, check the address in `database` and that the server is up.",
    ) -> None:
        super().__init__(message, hint, params={"seconds": self.seconds})


def hide_logins(text: str) -> str:
    """Return a text with an ellipsis for the name and the password of each address."""
    return _WORD.sub(_hide_login, text) if "@" in text else text


def _hide_login(word: re.Match[str]) -> str:
    scheme, slashes, rest = word[0].partition("//")
    login, _, server = rest.rpartition("@")
    return f"{scheme}//…@{server}" if slashes and login else word[0]


def is_full_disk(error: OSError) -> bool:
    """Whether a write failed because the disk is full or a quota is used up."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def explain_full_disk() -> Iterator[None]:
    """Raise `DiskFull` in place of the system's error when the disk is full."""
    try:
        yield
    except OSError as error:
        if is_full_disk(error):
            raise DiskFull from error
        raise


class Busy(PinciteError):
    code = "busy"


class Answering(Busy):
    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, "answering")


class Measuring(Busy):
    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, "measuring")


class NotSignedIn(Misuse):
    code = "not_signed_in"


class Denied(Misuse):
    code = "denied"


class TooManyAttempts(PinciteError):
    code = "too_many_attempts"

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "There were too many failed sign-ins.", f"Try again in {seconds} s.", "attempts", {"seconds": seconds}
        )
        self.seconds = seconds


class IssuerError(PinciteError):
    code = "issuer"


ReferralReason = Literal["unknown_code", "own_code", "maxed_code", "old_account", "second_redemption", "no_account"]


class ReferralRefused(Misuse):
    code = "referral"

    def __init__(self, message: str, hint: str, reason: ReferralReason, params: Params = _NO_PARAMS) -> None:
        super().__init__(message, hint, reason, params)


class QuotaReached(PinciteError):
    """The monthly limit of a person or of the server is reached; the params are listed in docs/quotas.md."""

    code = "quota"

    def __init__(self, message: str, hint: str, params: Params) -> None:
        super().__init__(message, hint, "monthly_limit", params)


class RateLimited(PinciteError):
    """Too many requests of one kind in a minute.

    `seconds` is the time until the next one is accepted, `reset_seconds` the time until `limit` are accepted at once.
    """

    code = "rate_limited"

    def __init__(self, kind: str, seconds: int, limit: int, reset_seconds: int) -> None:
        super().__init__(
            "There were too many requests in a short time.", f"Try again in {seconds} s.", kind, {"seconds": seconds}
        )
        self.seconds = seconds
        self.limit = limit
        self.reset_seconds = reset_seconds


class QueueFull(PinciteError):
    """An owner has so many documents in the queue that no more are accepted for now."""

    code = "queue_full"

    def __init__(self, most: int, seconds: int = 60) -> None:
        super().__init__(
            f"{most:,} documents already wait to be read and embedded: no more are accepted for now.",
            f"Try again in {seconds} s, when some of them are done.",
            params={"seconds": seconds, "limit": most},
        )
        self.seconds = seconds


class LeaseLost(PinciteError):
    code = "lease_lost"


class EmbeddingError(PinciteError):
    code = "embedding"


class Unreachable(EmbeddingError):
    code = "unreachable"


class RerankError(PinciteError):
    code = "rerank"


ModelFailure = Literal["failed", "unreachable", "late", "refused", "declined", "limit", "length", "empty", "broken"]


class ModelError(PinciteError):
    """A model could not be built or did not answer; `failure` says in which way."""

    code = "model"

    def __init__(
        self,
        message: str,
        hint: str = "",
        failure: ModelFailure = "failed",
        reason: str = "",
        params: Params = _NO_PARAMS,
    ) -> None:
        super().__init__(message, hint, reason or ("" if failure == "failed" else failure), params)
        self.failure = failure


class Misnamed(ModelError, Misuse):
    pass


Limit = Literal["requests", "tool_calls", "tokens", "seconds", "credits"]


class LimitReached(ModelError):
    """The question used up one of its limits; `limit` says which."""

    code = "limit"

    def __init__(self, message: str, hint: str = "", limit: Limit = "requests") -> None:
        super().__init__(message, hint, "late" if limit == "seconds" else "limit", limit)


class RetrievalStopped(PinciteError):
    code = "retrieval_stopped"

    def __init__(self) -> None:
        super().__init__("Retrieval was stopped by the user; answer from what was found.")


class Leak(PinciteError):
    code = "leak"


WebFailure = Literal[
    "failed",
    "status",
    "timeout",
    "unknown_host",
    "connection",
    "redirects",
    "private",
    "robots",
    "address",
    "script",
    "consent",
    "blocked",
    "transcript",
    "not_installed",
    "credits",
]


class WebError(PinciteError):
    """A web address did not return the page; `failure` says in which way."""

    code = "web"

    def __init__(
        self, message: str, hint: str = "", failure: WebFailure = "failed", status: int = 0, host: str = ""
    ) -> None:
        given: Params = {"status": status, "host": host}
        params = {name: value for name, value in given.items() if value}
        super().__init__(message, hint, "" if failure == "failed" else failure, params)
        self.failure = failure
        self.status = status  # the HTTP status, where `failure` is `status`
        self.host = host  # where another host failed than the one that was asked


class Forbidden(WebError):
    code = "forbidden"


class Unavailable(WebError):
    code = "unavailable"
