"""HTTP routes to change the search engine from the page and to test one."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pincite.server.dependencies import Body, TheCaller, TheLibrary, Words, get_services
from pincite.server.search_engine_trials import EngineTrials
from pincite.server.settings_routes import ShownSettings, make_shown_settings
from pincite.store import user_settings
from pincite.web import searxng

_LONGEST = 2000  # characters of an address


class GivenSettings(Body):
    """Settings to change."""

    search_url: Annotated[
        Words,
        Field(
            max_length=_LONGEST,
            description="Address of a SearXNG server, such as http://localhost:8080. Empty restores the settings file.",
        ),
    ]


class GivenEngine(Body):
    """The search engine to test."""

    url: Annotated[
        Words, Field(min_length=1, max_length=_LONGEST, description="Its address, such as http://localhost:8080.")
    ]


class TriedEngine(BaseModel):
    """The result of a test search."""

    ok: Annotated[bool, Field(description="Whether the search found results.")]
    detail: Annotated[str, Field(description="The result or the error.")]
    hint: Annotated[str, Field(description="What to do about an error.")]
    results: Annotated[int, Field(description="Number of results.")]


def router() -> APIRouter:
    """Return the routes that change settings."""
    routes = APIRouter(tags=["about"])

    @routes.put("/api/settings")
    def choose(given: GivenSettings, caller: TheCaller, library: TheLibrary, request: Request) -> ShownSettings:
        """Set the address of the search engine. It overrides the settings file; an empty address restores it."""
        url = searxng.normalise_address(given.search_url) if given.search_url.strip() else ""
        with library.database.writing() as connection:
            user_settings.set_choice(connection, caller.principal.user, user_settings.SEARCH_URL, url)
        return make_shown_settings(get_services(request).settings, caller.principal, library.database)

    @routes.post("/api/settings/search/test")
    async def test(given: GivenEngine, request: Request) -> TriedEngine:
        """Test a search engine with one search.

        If no SearXNG server answers, `ok` is false; the response and its delay do not depend on the reason. At most
        ten addresses can be tested in a minute.
        """
        trials: EngineTrials = request.app.state.engine_trials
        found = await trials.run(given.url)
        return TriedEngine(ok=found.ok, detail=found.detail, hint=found.hint, results=found.results)

    return routes
