"""HTTP route for the pictures of an answer. The server fetches and scales them, so that the user's browser does not."""

from typing import Annotated, Any

import anyio.to_thread
from fastapi import APIRouter, Path, Request, Response

from pincite.errors import NotFound
from pincite.events import Medium
from pincite.server.dependencies import Id, Owner, TheLibrary
from pincite.server.security_headers import DATA_POLICY
from pincite.store import events, messages
from pincite.store.database import Database
from pincite.web.gallery_pictures import PictureCache

_MOST = 100_000
_HEADERS = {
    "Cache-Control": "private, max-age=86400",
    "Content-Security-Policy": DATA_POLICY,
    "Vary": "Cookie",
}


def router() -> APIRouter:
    """Return the route for pictures."""
    routes = APIRouter(tags=["answers"])

    @routes.get(
        "/api/messages/{message}/media/{n}",
        response_class=Response,
        responses={200: {"description": "A picture.", "content": {"image/jpeg": {}}}},
    )
    async def picture(
        message: Id,
        n: Annotated[int, Path(ge=1, le=_MOST, description="Number of the picture in the answer, from 1.")],
        owner: Owner,
        library: TheLibrary,
        request: Request,
    ) -> Response:
        """Get the thumbnail of a picture or video of an answer as JPEG.

        The server fetches and re-encodes the picture, so that the other site does not learn who looks at it.
        """
        pictures: PictureCache = request.app.state.pictures
        url = await anyio.to_thread.run_sync(_find_picture_url, library.database, owner, message, n)
        return Response(await pictures.get_thumbnail(url), media_type="image/jpeg", headers=_HEADERS)

    return routes


def _find_picture_url(database: Database, owner: str, message: str, n: int) -> str:
    """Return the address of a thumbnail. Raise `NotFound` if the owner's answer has no such picture."""
    with database.reading() as connection:
        stored = messages.get(connection, owner, message)
        items: list[dict[str, Any]] = list((stored.answer or {}).get("media", ()))
        if not items:  # the answer is still being written, or was interrupted
            sent = events.find_by_type(connection, stored.conversation, "media")
            items = [item for event in sent if event.messageId == stored.id for item in event.data["items"]]
    for item in map(Medium.model_validate, items):
        if item.n == n and (url := item.thumbnail or item.image):
            return url
    raise NotFound(f"This answer has no picture {n}.", "Its `media` list the pictures.", "picture")
