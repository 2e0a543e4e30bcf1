"""The pictures under an answer, over HTTP: made small here, so that no other server learns who looks at them."""

from typing import Annotated, Any

import anyio.to_thread
from fastapi import APIRouter, Path, Request, Response

from pincite.errors import NotFound
from pincite.events import Medium
from pincite.server.doors import Id, Owner, TheLibrary
from pincite.store import events, messages
from pincite.store.database import Database
from pincite.web.pictures import Pictures

_MOST = 100_000
_HEADERS = {
    "Cache-Control": "private, max-age=86400",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


def router() -> APIRouter:
    """The route of pictures."""
    routes = APIRouter(tags=["answers"])

    @routes.get(
        "/api/messages/{message}/media/{n}",
        response_class=Response,
        responses={200: {"description": "A picture.", "content": {"image/jpeg": {}}}},
    )
    async def picture(
        message: Id,
        n: Annotated[int, Path(ge=1, le=_MOST, description="Its number in the answer, from 1.")],
        owner: Owner,
        library: TheLibrary,
        request: Request,
    ) -> Response:
        """The small picture of something that was found for an answer, fetched by the server and drawn anew."""
        pictures: Pictures = request.app.state.pictures
        url = await anyio.to_thread.run_sync(_address, library.database, owner, message, n)
        return Response(await pictures.small(url), media_type="image/jpeg", headers=_HEADERS)

    return routes


def _address(database: Database, owner: str, message: str, n: int) -> str:
    """Where the small picture is; `NotFound` for whatever was not found for an answer of the owner's."""
    with database.reading() as connection:
        stored = messages.get(connection, owner, message)
        told: list[dict[str, Any]] = list((stored.answer or {}).get("media", ()))
        if not told:  # it is still being written, or was cut off
            said = events.of_type(connection, stored.conversation, "media")
            told = [item for event in said if event.messageId == stored.id for item in event.data["items"]]
    for item in map(Medium.model_validate, told):
        if item.n == n and (url := item.thumbnail or item.image):
            return url
    raise NotFound(f"There is no picture {n} with this answer.", "Its `media` tell which there are.")
