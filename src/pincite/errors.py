"""What can go wrong, as one small tree; each message is written for the person who reads it.

PinciteError
├── Misuse              the caller asked for something that cannot be        (exit status 2)
│   ├── NotFound        a name or id that does not exist
│   ├── NotReady        a document that is yet to be read
│   ├── Taken           a name that something else has already
│   └── Settled         a document that has nothing to be tried again
├── Unreadable          these bytes cannot become a document
│   ├── Encrypted       a password is needed, or the one given is wrong  (exit status 2)
│   │   └── Locked      and no password that is given would help
│   ├── Unsupported     a kind of file we do not read
│   ├── TooLarge        over the limit that the settings name
│   ├── Empty           nothing is in the file
│   ├── TimedOut        reading it takes longer than the settings allow
│   ├── MemoryExceeded  reading it takes more memory than the settings allow
│   └── ReadingFault    it may be well: the fault is ours
├── StorageError        the disk or the database refused
│   ├── DiskFull        no room is left; what was asked for can be done again when there is
│   └── Damaged         the database holds something that was not written there
├── Busy                more is asked at once than can be done; again in a moment
│   ├── Answering       an answer is still being written in this conversation
│   └── Measuring       the judge is being measured already
├── LeaseLost           this work was given to another worker meanwhile; undo, do not report
├── EmbeddingError      the embedder could not be built, or did not answer
│   └── Unreachable     its server is not there, and will not be for the next document either
├── RerankError         the reranker did not answer; callers fall back
├── ModelError          a language model could not be built, or did not answer
│   ├── Misnamed        no model can be meant by this name               (exit status 2: a Misuse too)
│   └── LimitReached    the turn used up its requests, tool calls, tokens or time
├── RetrievalStopped    the user stopped searching and reading; the model answers from what was found
├── Leak                personal details were about to leave the house
└── WebError            an address outside did not give what was asked for
    ├── Forbidden       an address that may not be reached from here
    └── Unavailable     it takes something that is not installed here
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal


class PinciteError(Exception):
    """Something a person can act on: `message` says what happened, `hint` what to do next."""

    code = "error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Misuse(PinciteError):
    code = "misuse"


class NotFound(Misuse):
    code = "not_found"


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


class StorageError(PinciteError):
    code = "storage"


class DiskFull(StorageError):
    code = "disk_full"

    def __init__(self, message: str = "The disk is full.", hint: str = "Free some space, then try again.") -> None:
        super().__init__(message, hint)


class Damaged(StorageError):
    code = "damaged"


def is_full_disk(error: OSError) -> bool:
    """Whether the system refused to write because there is no room, or because a quota is used up."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def explain_full_disk() -> Iterator[None]:
    """Raise `DiskFull` in place of what the system says when there is no room."""
    try:
        yield
    except OSError as error:
        if is_full_disk(error):
            raise DiskFull from error
        raise


class Busy(PinciteError):
    code = "busy"


class Answering(Busy):
    pass


class Measuring(Busy):
    pass


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
    """A model that could not be built or did not answer; `failure` names the kind, for a sentence in any language."""

    code = "model"

    def __init__(self, message: str, hint: str = "", failure: ModelFailure = "failed") -> None:
        super().__init__(message, hint)
        self.failure = failure


class Misnamed(ModelError, Misuse):
    pass


class LimitReached(ModelError):
    code = "limit"

    def __init__(self, message: str, hint: str = "", failure: ModelFailure = "limit") -> None:
        super().__init__(message, hint, failure)


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
]


class WebError(PinciteError):
    """An address that did not give what was asked for; `failure` names the kind, for a sentence in any language."""

    code = "web"

    def __init__(self, message: str, hint: str = "", failure: WebFailure = "failed", status: int = 0) -> None:
        super().__init__(message, hint)
        self.failure = failure
        self.status = status  # of HTTP, where the failure is `status`


class Forbidden(WebError):
    code = "forbidden"


class Unavailable(WebError):
    code = "unavailable"
