"""Append to the audit log and read it. The database refuses to change or remove an entry."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, insert, or_, select

from pincite.store.account_schema import audit_log

Details = Mapping[str, str | int | bool]


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One entry: the `actor`, the `action`, its time and address; `target` is the id of the thing that was changed."""

    time: float
    actor: str
    action: str
    whose: str = ""
    target: str = ""
    address: str = ""
    details: Details = field(default_factory=dict)
    id: int = 0


@dataclass(frozen=True, slots=True)
class RecordedBackup:
    """A backup that was made of the server: when, and the name of its file."""

    time: float
    name: str


BACKUP = "server.backup"  # the action of an entry whose target is the name of a backup's file
MOVE = "server.move"  # … whose target is the address of the database that the store was moved to

_FIELDS = (
    audit_log.c.time,
    audit_log.c.actor,
    audit_log.c.action,
    audit_log.c.whose,
    audit_log.c.target,
    audit_log.c.address,
    audit_log.c.details,
    audit_log.c.id,
)


def append(connection: Connection, entry: AuditEntry) -> None:
    """Append an entry, in the transaction of the action that it records."""
    values = {column.name: getattr(entry, column.name) for column in _FIELDS[:-1]}
    connection.execute(insert(audit_log).values(values | {"details": dict(entry.details)}))


def find(connection: Connection, limit: int, before: int | None = None, person: str | None = None) -> list[AuditEntry]:
    """Return the latest entries before an id, or those in which one person acts or is acted on."""
    query = select(*_FIELDS).order_by(audit_log.c.id.desc()).limit(limit)
    if before is not None:
        query = query.where(audit_log.c.id < before)
    if person is not None:
        query = query.where(or_(audit_log.c.actor == person, audit_log.c.whose == person))
    return [AuditEntry(*row) for row in connection.execute(query)]


def find_after(
    connection: Connection, after: int, limit: int, since: float = 0.0, person: str | None = None
) -> list[AuditEntry]:
    """Return the first entries after an id and from a time on, or those of one person, the first one first."""
    query = select(*_FIELDS).where(audit_log.c.id > after, audit_log.c.time >= since)
    if person is not None:
        query = query.where(or_(audit_log.c.actor == person, audit_log.c.whose == person))
    return [AuditEntry(*row) for row in connection.execute(query.order_by(audit_log.c.id).limit(limit))]


def find_backups(connection: Connection) -> list[RecordedBackup]:
    """Return the backups that were made of the server, the first one first."""
    query = select(audit_log.c.time, audit_log.c.target).where(audit_log.c.action == BACKUP)
    return [RecordedBackup(row.time, row.target) for row in connection.execute(query.order_by(audit_log.c.id))]
