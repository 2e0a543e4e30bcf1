"""HTTP routes for a person's own data: export everything, delete the account."""

import os
import time
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import anyio.to_thread
from fastapi import APIRouter, Request, Response
from pydantic import Field
from starlette.responses import StreamingResponse

from pincite.accounts.audit import Caller
from pincite.accounts.removal import begin_removal, check_own_password
from pincite.conversations import Conversations
from pincite.library import Library
from pincite.own_data.person_deletion import PersonDeletion, delete_person
from pincite.own_data.person_export import export_person
from pincite.server.account_routes import TheAccountThreads
from pincite.server.dependencies import Body, TheCaller, TheConversations, TheLibrary
from pincite.server.session_cookie import clear_session_cookie
from pincite.store.scratch import make_scratch

_PIECE = 1 << 18  # bytes that are sent at once


class AccountRemoval(Body):
    """The password of the account that is deleted; empty for an account without one."""

    password: Annotated[str, Field(max_length=1000)] = ""


def router() -> APIRouter:
    """Return the routes for a person's own data."""
    routes = APIRouter(tags=["account"])

    @routes.get(
        "/api/account/export",
        response_class=Response,
        responses={
            200: {
                "description": "The archive.",
                "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
            }
        },
    )
    def export(caller: TheCaller, library: TheLibrary) -> Response:
        """Export everything of yours as one zip archive: documents, conversations, settings, usage, audit entries."""
        with make_scratch(library.settings.data) as folder:
            export_person(library, caller, caller.principal.user, folder / "export.zip", time.time())
            opened = (folder / "export.zip").open("rb")
        # The name of the file is removed: its bytes are freed when it is closed, or when the process ends.
        headers = {
            "Content-Disposition": 'attachment; filename="pincite-export.zip"',
            "Content-Length": str(os.fstat(opened.fileno()).st_size),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        }
        return StreamingResponse(_read_pieces(opened), media_type="application/zip", headers=headers)

    @routes.delete("/api/account", status_code=204)
    async def delete(
        given: AccountRemoval,
        request: Request,
        response: Response,
        threads: TheAccountThreads,
        caller: TheCaller,
        library: TheLibrary,
        conversations: TheConversations,
    ) -> None:
        """Delete your account and everything that belongs to it. This cannot be undone."""
        await threads.run_hashing(
            lambda hashing: check_own_password(library.database, hashing, caller, given.password, time.time())
        )
        await run_deletion(library, conversations, caller, caller.principal.user)
        clear_session_cookie(response, request.scope, library.settings)

    return routes


async def run_deletion(library: Library, conversations: Conversations, caller: Caller, person: str) -> PersonDeletion:
    """Delete a person with everything that belongs to them, after stopping their answers in this process."""
    now = time.time()
    await anyio.to_thread.run_sync(begin_removal, library.database, caller, person, now)
    await conversations.stop_owner(person)
    return await anyio.to_thread.run_sync(delete_person, library, caller, person, now)


def _read_pieces(opened: BinaryIO) -> Iterator[bytes]:
    with opened:
        while piece := opened.read(_PIECE):
            yield piece
