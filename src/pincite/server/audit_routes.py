"""HTTP routes with which an owner of the server reads and exports the audit log."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from pincite.accounts.audit import NamedEntry, export_audit, list_audit, name_entries
from pincite.server.account_routes import IN_TEAM_MODE
from pincite.server.dependencies import TheCaller, TheLibrary, Words

_LARGEST_ID = 2**53 - 1  # JavaScript reads larger numbers wrongly

WhichPerson = Annotated[
    Words | None, Query(max_length=200, description="Only what the person with this id did, or what was done to them.")
]


class AuditLine(BaseModel):
    """An entry of the audit log: who did what to whose, when and from where. Names are of those who still exist."""

    id: int
    time: float
    actor: Annotated[str, Field(description="The id of the person who did it; empty for nobody who was signed in.")]
    actor_name: str
    action: Annotated[str, Field(description="Such as `role.change`; docs/accounts.md lists them.")]
    whose: Annotated[str, Field(description="The id of the person whose account, library or conversation it was.")]
    whose_name: str
    target: Annotated[str, Field(description="The id of the session, token, group, link …, or a library's name.")]
    target_name: Annotated[str, Field(description="Of a group.")]
    receiver_name: Annotated[str, Field(description="Of a share: the person or group.")]
    address: str
    details: dict[str, str | int | bool]


class AuditPage(BaseModel):
    """Entries of the audit log, the latest first."""

    entries: list[AuditLine]
    more: Annotated[bool, Field(description="Whether there are earlier ones: send the last `id` as `before`.")]


def router() -> APIRouter:
    """Return the routes for the audit log."""
    routes = APIRouter(tags=["people"], dependencies=IN_TEAM_MODE)

    @routes.get("/api/audit")
    def find(
        caller: TheCaller,
        library: TheLibrary,
        before: Annotated[
            int | None, Query(ge=0, le=_LARGEST_ID, description="Only entries with a smaller id.")
        ] = None,
        limit: Annotated[int, Query(ge=1, le=500)] = 100,
        person: WhichPerson = None,
    ) -> AuditPage:
        """Read the audit log, the latest entries first, page by page."""
        found = list_audit(library.database, caller, limit + 1, before, person)
        lines = [_make_line(each) for each in name_entries(library.database, found[:limit])]
        return AuditPage(entries=lines, more=len(found) > limit)

    @routes.get(
        "/api/audit/export",
        response_class=StreamingResponse,
        responses={
            200: {
                "description": "One JSON object in each line, the first entry first.",
                "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
            }
        },
    )
    def export(caller: TheCaller, library: TheLibrary, person: WhichPerson = None) -> StreamingResponse:
        """Export the whole audit log as JSON lines."""
        lines = export_audit(library.database, caller, person=person)
        headers = {"Content-Disposition": 'attachment; filename="audit.jsonl"'}
        return StreamingResponse(_join_lines(lines), media_type="application/x-ndjson", headers=headers)

    return routes


def _join_lines(lines: Iterator[str]) -> Iterator[str]:
    """Yield many lines at a time: each part costs a change of threads."""
    part: list[str] = []
    for line in lines:
        part.append(f"{line}\n")
        if len(part) == 200:
            yield "".join(part)
            part.clear()
    yield "".join(part)


def _make_line(named: NamedEntry) -> AuditLine:
    entry = named.entry
    return AuditLine(
        id=entry.id,
        time=entry.time,
        actor=entry.actor,
        actor_name=named.actor_name,
        action=entry.action,
        whose=entry.whose,
        whose_name=named.whose_name,
        target=entry.target,
        target_name=named.target_name,
        receiver_name=named.receiver_name,
        address=entry.address,
        details=dict(entry.details),
    )
