"""Record moves of the whole store in both databases, and let one process at a time work on one."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection, delete, insert, select, update

from pincite.errors import Misuse
from pincite.store import lock_keys
from pincite.store.database import Database
from pincite.store.exclusive_work import hold_lock
from pincite.store.schema import move_changes, moves

Role = Literal["source", "target"]


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move as one of its two databases records it. `other` is the address of the other one."""

    id: str
    role: Role
    state: Literal["copying", "moved", "complete"]
    other: str
    progress: dict[str, Any]
    started: float


def find(connection: Connection, role: Role) -> MoveRecord | None:
    """Return the newest record with this role."""
    query = select(moves).where(moves.c.role == role).order_by(moves.c.started.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    return MoveRecord(row.id, row.role, row.state, row.other, row.progress, row.started) if row else None


def begin(connection: Connection, id: str, role: Role, other: str, progress: dict[str, Any], now: float) -> None:
    values = {"id": id, "role": role, "state": "copying", "other": other, "progress": progress, "started": now}
    connection.execute(insert(moves).values(values))


def save_progress(connection: Connection, id: str, progress: dict[str, Any]) -> None:
    connection.execute(update(moves).where(moves.c.id == id).values(progress=progress))


def end(connection: Connection, id: str, state: Literal["moved", "complete"], now: float) -> None:
    connection.execute(update(moves).where(moves.c.id == id).values(state=state, ended=now))


def forget(connection: Connection, id: str) -> None:
    connection.execute(delete(moves).where(moves.c.id == id))


def forget_all(connection: Connection) -> None:
    """Remove all records of moves: from a copy of a database, which takes part in none."""
    connection.execute(delete(moves))
    connection.execute(delete(move_changes))


def show_address(database: Database) -> str:
    """Return the address of a database without its password, as a person may read it."""
    url = database.engine.url
    told = {name: value for name, value in url.query.items() if name in ("host", "port")}  # `password` may be there too
    return url.set(drivername=url.get_backend_name(), query=told).render_as_string().replace(":***@", "@")


@contextmanager
def hold_move(database: Database) -> Iterator[None]:
    """Be the only move that works on a database until the block ends; raise `Misuse` if another one does."""
    if database.sqlite:
        with _hold_file(Path(f"{database.engine.url.database}.moving")):
            yield
        return
    with hold_lock(database, lock_keys.MOVE) as is_alone:
        if not is_alone:
            raise _make_busy_error()
        yield


@contextmanager
def _hold_file(file: Path) -> Iterator[None]:
    with file.open("ab") as opened:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # A move that ended just now may have removed the file since it was opened.
                if not file.exists() or file.stat().st_ino != os.fstat(opened.fileno()).st_ino:
                    raise _make_busy_error()
            except OSError:
                raise _make_busy_error() from None
        try:
            yield
        finally:
            file.unlink(missing_ok=True)


def _make_busy_error() -> Misuse:
    return Misuse("Another `pincite move` is at work here.", "Wait until it has ended.", "moving")


def describe_key(key: tuple[Any, ...]) -> str:
    return json.dumps(key, ensure_ascii=False)[:80]
