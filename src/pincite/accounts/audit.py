"""Record who did what to whose, when and from where; read and export the record."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pincite.accounts.principal import TERMINAL, Principal
from pincite.errors import Denied, NotFound
from pincite.store import audit_log, groups, people
from pincite.store.audit_log import AuditEntry
from pincite.store.database import Connection, Database


@dataclass(frozen=True, slots=True)
class Caller:
    """A principal and the network address of its request."""

    principal: Principal
    address: str = ""


AT_TERMINAL = Caller(TERMINAL, "terminal")
_AT_ONCE = 500


def record_action(
    connection: Connection,
    caller: Caller,
    action: str,
    now: float,
    whose: str = "",
    target: str = "",
    **details: str | int | bool,
) -> None:
    """Append an action to the audit log, in the transaction that does it. Details hold no secret and no text."""
    entry = AuditEntry(now, caller.principal.user, action, whose, target, caller.address, details)
    audit_log.append(connection, entry)


def check_owner(connection: Connection, caller: Caller) -> None:
    """Raise `Denied` unless the caller is an owner now and the request has the scope `admin`.

    The role is read again: another owner may have changed it since the request began.
    """
    caller.principal.check_scope("admin")
    if caller.principal == TERMINAL:
        return
    try:
        person = people.get(connection, caller.principal.user)
    except NotFound:
        raise _make_owner_error() from None
    if person.role != "owner" or person.disabled:
        raise _make_owner_error()


@dataclass(frozen=True, slots=True)
class NamedEntry:
    """An entry with the names of the people and groups in it that still exist; empty for others."""

    entry: AuditEntry
    actor_name: str = ""
    whose_name: str = ""
    target_name: str = ""  # of a group; a library is named in the entry itself
    receiver_name: str = ""  # of a share


def list_audit(
    database: Database, caller: Caller, limit: int = 100, before: int | None = None, person: str | None = None
) -> list[AuditEntry]:
    """Return the latest entries for an owner of the server."""
    with database.reading() as connection:
        check_owner(connection, caller)
        return audit_log.find(connection, limit, before, person)


def name_entries(database: Database, entries: Sequence[AuditEntry]) -> list[NamedEntry]:
    """Return entries with the names of their people and groups, found by two queries for all of them."""
    receivers = {entry.id: str(entry.details.get("receiver", "")) for entry in entries}
    ids = {each for entry in entries for each in (entry.actor, entry.whose, entry.target)} | {*receivers.values()}
    with database.reading() as connection:
        names = groups.find_names(connection, ids) | people.find_names(connection, ids)
    return [
        NamedEntry(
            entry,
            names.get(entry.actor, ""),
            names.get(entry.whose, ""),
            names.get(entry.target, ""),
            names.get(receivers[entry.id], ""),
        )
        for entry in entries
    ]


def export_audit(database: Database, caller: Caller, since: float = 0.0, person: str | None = None) -> Iterator[str]:
    """Return the audit log as JSON lines, the first entry first. Each few hundred entries are read when they are due.

    No transaction is open between them, so that a slow reader keeps nothing waiting.
    """
    with database.reading() as connection:
        check_owner(connection, caller)
    return _iterate_lines(database, since, person)


def _iterate_lines(database: Database, since: float, person: str | None) -> Iterator[str]:
    last = 0
    while True:
        with database.reading() as connection:
            found = audit_log.find_after(connection, last, _AT_ONCE, since, person)
        if not found:
            return
        for named in name_entries(database, found):
            yield json.dumps(describe_entry(named), ensure_ascii=False)
        last = found[-1].id


def describe_entry(named: NamedEntry) -> dict[str, object]:
    """Return an entry as JSON: its time in ISO 8601, and the names beside the ids of people."""
    entry = named.entry
    return {
        "id": entry.id,
        "time": datetime.fromtimestamp(entry.time, UTC).isoformat(timespec="milliseconds"),
        "actor": entry.actor,
        "actor_name": named.actor_name,
        "action": entry.action,
        "whose": entry.whose,
        "whose_name": named.whose_name,
        "target": entry.target,
        "target_name": named.target_name,
        "receiver_name": named.receiver_name,
        "address": entry.address,
        "details": dict(entry.details),
    }


def _make_owner_error() -> Denied:
    return Denied("Only an owner of the server may do this.", "Ask an owner.", "role")
