"""Read the rows of one person from any table, without secrets: for an export."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, or_, select

from pincite.store.schema import metadata

# The columns with a person's id, by table. Content of a document or a conversation belongs to it.
PERSON_COLUMNS: dict[str, tuple[str, ...]] = {
    "people": ("id",),
    "sessions": ("person",),
    "access_tokens": ("person",),
    "one_time_links": ("person", "made_by"),
    "group_members": ("person",),
    "library_shares": ("owner", "person"),
    "audit_log": ("actor", "whose"),
    "removed_people": ("id",),
    "documents": ("owner",),
    "sources": ("owner",),
    "document_tags": ("owner",),
    "jobs": ("owner",),
    "conversations": ("owner",),
    "conversation_links": ("owner",),
    "messages": ("owner",),
    "ratings": ("owner",),
    "usage": ("owner",),
    "personas": ("owner",),
    "notebooks": ("owner",),
    "notebook_items": ("owner",),
    "annotations": ("owner",),
    "workspaces": ("owner",),
    "workspace_libraries": ("owner",),
    "workspace_conversations": ("owner",),
    "workspace_notebooks": ("owner",),
    "choices": ("owner",),
    "credit_balances": ("account",),
    "credit_reservations": ("account",),
    "credit_bookings": ("account",),
    "quota_overrides": ("account",),
    "quota_warnings": ("account",),
    "referral_codes": ("person",),
    "referral_redemptions": ("redeemer", "referrer"),
}
_SECRETS = {"secret", "password"}
# Keys for comparison, and the work of processes.
_INTERNAL = {"name_key", "email_key", "process", "heartbeat", "stopping", "holder", "lease_until"}
_AT_ONCE = 200


def read_person_rows(connection: Connection, table: str, person: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table that name a person, a few hundred at a time."""
    found = metadata.tables[table]
    columns = [column for column in found.c if column.name not in _SECRETS | _INTERNAL]
    named = or_(*(found.c[name] == person for name in PERSON_COLUMNS[table]))
    query = select(*columns).where(named).order_by(*found.primary_key.columns)
    for row in connection.execute(query, execution_options={"yield_per": _AT_ONCE}).mappings():
        yield dict(row)
