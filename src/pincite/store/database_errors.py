"""Explain the errors of the database driver, and recognise those of a server that is away."""

import logging
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from json import JSONDecodeError

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pincite.errors import Damaged, DatabaseAway, DiskFull, Moved, NotSignedIn, PinciteError, RowsLocked, StorageError

log = logging.getLogger(__name__)

# PostgreSQL's codes of a server that stops, starts, refuses connections, or has become a standby.
LOST = ("57P01", "57P02", "57P03")
_AWAY = (*LOST, "53300", "25006")
_LOCKED = ("55P03", "40001", "40P01")
_LATE = "57014"
_LOG_EVERY = 10.0  # seconds

# Parts of driver messages, and their explanation for the person who runs the program.
_EXPLANATIONS = (
    (
        ("readonly", "read-only"),
        "The database is read-only.",
        "Make the data folder and its files writable for the user who runs Pincite.",
    ),
    (
        ("locked", "busy"),
        "Another process kept the database locked for too long.",
        "Wait until it is done, or stop it; `pincite doctor` helps to find it.",
    ),
    (
        ("unable to open",),
        "The database file cannot be opened.",
        "Check that the data folder exists and belongs to the user who runs Pincite.",
    ),
)
# A server that is there but lets nobody in has no code for it, only words.
_REFUSALS = (
    (
        ("authentication failed",),
        "The database server refused the user or the password.",
        "Check both in the address of `database`.",
    ),
    (
        ("no password supplied",),
        "The database server asks for a password.",
        "Set it in the address of `database`.",
    ),
    (
        ("pg_hba.conf",),
        "The database server does not accept this user from this machine.",
        "Ask its administrator for an entry in its pg_hba.conf.",
    ),
    (
        ("unsupported startup parameter",),
        "The address of the database leads to a PgBouncer.",
        "Set postgres.direct to the address of PostgreSQL itself; docs/operations.md explains it.",
    ),
    (
        ("FATAL", "does not exist"),
        "The database server has no such database or user.",
        "Check both in the address of `database`, or create them.",
    ),
)
# The message of the triggers that refuse rows of a person who was deleted.
_REMOVED = "the account was deleted"
# That of the triggers which `store.change_capture` creates, before the address.
_MOVED = "the store was moved to "
_FULL = ("disk is full", "No space left", "could not extend file")
_DAMAGED = ("malformed", "not a database", "disk I/O error", "Could not decode", "no such table")


@contextmanager
def explain_errors() -> Iterator[None]:
    """Raise errors of ours in place of the driver's."""
    try:
        yield
    except IntegrityError as error:
        if _REMOVED in str(error.orig) or _MOVED in str(error.orig):
            raise explain_error(error) from error
        raise
    except DBAPIError as error:
        raise explain_error(error) from error
    except PoolTimeout as error:
        raise DatabaseAway(
            "All connections to the database are in use.", "Try again in a moment, or raise `postgres.connections`."
        ) from error
    except (UnicodeDecodeError, JSONDecodeError, zlib.error) as error:
        # A value in the database is not the one that was written.
        raise make_damaged_error() from error


def is_table_missing(error: DBAPIError) -> bool:
    return "no such table" in str(error.orig) or get_state(error) == "42P01"


def get_state(error: DBAPIError) -> str:
    """Return PostgreSQL's code of an error; empty on SQLite, and where no connection was made."""
    return getattr(error.orig, "sqlstate", None) or ""


def make_damaged_error() -> Damaged:
    return Damaged(
        "The database file is damaged, or its disk is.",
        "`pincite doctor` says more. Restore the file from a copy, or move it away and add the documents again.",
    )


def explain_error(error: DBAPIError) -> PinciteError:
    """Return the error that tells a person what an error of the driver means."""
    reported, state = str(error.orig), get_state(error)
    if _REMOVED in reported:
        return NotSignedIn("The account was deleted.", "Sign in with another one.", "session_ended")
    if _MOVED in reported:
        return Moved(reported.partition(_MOVED)[2].split()[0])
    if is_away(error):
        _log_away(" ".join(reported.split()))
        for marks, message, hint in _REFUSALS:
            if all(mark in reported for mark in marks):
                return DatabaseAway(message, hint)
        return DatabaseAway()
    # On a full disk SQLite cannot create its shared-memory file, and reports an I/O error.
    if any(mark in reported for mark in _FULL) or getattr(error.orig, "sqlite_errorname", "") == "SQLITE_IOERR_SHMSIZE":
        return DiskFull()
    if state in _LOCKED:
        return RowsLocked("Other work kept the same rows locked for too long.", "Try again in a moment.")
    if state == _LATE:
        return StorageError(
            "The database took too long for one statement.", "Try again, or raise `postgres.statement_seconds`."
        )
    if any(mark in reported for mark in _DAMAGED):
        return make_damaged_error()
    for marks, message, hint in _EXPLANATIONS:
        if any(mark in reported for mark in marks):
            return StorageError(message, hint)
    return StorageError(
        f"The database returned an error: {reported.strip()}", "This is a fault of ours: please report it."
    )


def is_away(error: DBAPIError) -> bool:
    """Return whether an error means that the server cannot be reached, or takes no connections now."""
    if isinstance(error.orig, sqlite3.Error):
        return False
    state = get_state(error)
    is_refused = isinstance(error, OperationalError) and not state
    return bool(error.connection_invalidated) or is_refused or state in _AWAY or state.startswith("08")


class _AwayLog:
    """Writes a warning at most every ten seconds: many requests fail at once."""

    def __init__(self) -> None:
        self._logged = -_LOG_EVERY

    def __call__(self, reason: str) -> None:
        now = time.monotonic()
        if now - self._logged >= _LOG_EVERY:
            self._logged = now
            # The driver's words name the host and the user: they are for the log, not for every client.
            log.warning("The database cannot be reached: %s", reason)


_log_away = _AwayLog()
