"""Models over HTTP: which there are, and whether one answers."""

import time
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pincite.server.doors import Body, Words, house

_PATIENCE = 20.0  # seconds a model that is tried has for its few words


class Model(BaseModel):
    """A model that is configured: what it is used for, and whether it can be reached."""

    name: Annotated[str, Field(description="As `provider:model`, which is what `chatModel` takes.")]
    provider: str
    roles: Annotated[list[str], Field(description="`chat` writes the answer, `system` does the small work.")]
    reachable: bool
    local: Annotated[bool, Field(description="Whether what it is told stays on this machine or network.")]
    detail: str
    hint: Annotated[str, Field(description="What to do when it cannot be reached.")]


class GivenModel(Body):
    """Which model is to be tried."""

    model: Annotated[
        Words,
        Field(min_length=1, max_length=300, description="As `provider:model`, or `extractive`, which needs none."),
    ]


class Tried(BaseModel):
    """What came of asking a model for a few words."""

    model: Annotated[str, Field(description="Its name as it is written here.")]
    ok: Annotated[bool, Field(description="Whether it answered.")]
    detail: Annotated[str, Field(description="What it did, or what went wrong; never a key.")]
    hint: Annotated[str, Field(description="What to do when it did not answer.")]
    seconds: Annotated[float, Field(description="How long it took.")]


def router() -> APIRouter:
    """The routes of models."""
    routes = APIRouter(tags=["about"])

    @routes.get("/api/models")
    async def models(request: Request) -> list[Model]:
        """The models that are configured, each with whether it can be reached now. Never a key."""
        return [
            Model(
                name=each.name,
                provider=each.provider,
                roles=list(each.roles),
                reachable=each.reachable,
                local=each.local,
                detail=each.detail,
                hint=each.hint,
            )
            for each in await house(request).models.list()
        ]

    @routes.post("/api/models/test")
    async def test(given: GivenModel, request: Request) -> Tried:
        """Ask a model for a few words, now; that it cannot be had or does not answer is told, and no error."""
        begun = time.monotonic()
        found = await house(request).models.test(given.model, _PATIENCE)
        seconds = round(time.monotonic() - begun, 3)
        return Tried(model=found.name, ok=found.reachable, detail=found.detail, hint=found.hint, seconds=seconds)

    return routes
