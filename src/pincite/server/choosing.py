"""What may be set from the page over HTTP: where the web is searched."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pincite.server.about import ShownSettings, shown
from pincite.server.doors import Body, Owner, TheLibrary, Words, house
from pincite.server.engine_trials import EngineTrials
from pincite.store import choices
from pincite.web import searxng

_LONGEST = 2000  # characters of an address


class GivenSettings(Body):
    """What is to be set."""

    search_url: Annotated[
        Words,
        Field(
            max_length=_LONGEST, description="Where SearXNG is, as http://localhost:8080; empty is as the file says."
        ),
    ]


class GivenEngine(Body):
    """Which search engine is to be tried."""

    url: Annotated[
        Words, Field(min_length=1, max_length=_LONGEST, description="Where it is, as http://localhost:8080.")
    ]


class TriedEngine(BaseModel):
    """What came of one search."""

    ok: Annotated[bool, Field(description="Whether it found something.")]
    detail: Annotated[str, Field(description="What it did, or what went wrong.")]
    hint: Annotated[str, Field(description="What to do when something did.")]
    results: Annotated[int, Field(description="How much it found.")]


def router() -> APIRouter:
    """The routes that set something."""
    routes = APIRouter(tags=["about"])

    @routes.put("/api/settings")
    def choose(given: GivenSettings, owner: Owner, library: TheLibrary, request: Request) -> ShownSettings:
        """Set where the web is searched, in place of what the settings' file says; empty turns back to that."""
        url = searxng.address(given.search_url) if given.search_url.strip() else ""
        with library.database.writing() as connection:
            choices.keep(connection, owner, choices.SEARCH_URL, url)
        return shown(house(request).settings, owner, library.database)

    @routes.post("/api/settings/search/test")
    async def test(given: GivenEngine, request: Request) -> TriedEngine:
        """Search once at an address; that no SearXNG answers there is told, and no error.

        Whatever else is there, or nothing, gets the same answer after the same time, and ten are tried in a minute.
        """
        trials: EngineTrials = request.app.state.engine_trials
        found = await trials.run(given.url)
        return TriedEngine(ok=found.ok, detail=found.detail, hint=found.hint, results=found.results)

    return routes
