"""HTTP routes to list the models and to test one."""

import time
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pincite.server.dependencies import Body, TheCaller, Words, get_services

_PATIENCE = 20.0  # seconds for a model to answer the test


class Model(BaseModel):
    """A configured model: its roles, and whether it can be reached."""

    name: Annotated[str, Field(description="Name as `provider:model`; use it as `chatModel`.")]
    provider: str
    roles: Annotated[list[str], Field(description="`chat` writes the answer, `system` does small tasks.")]
    reachable: bool
    local: Annotated[bool, Field(description="Whether requests to it stay on this machine or network.")]
    detail: str
    hint: Annotated[str, Field(description="What to do if it cannot be reached.")]


class GivenModel(Body):
    """The model to test."""

    model: Annotated[
        Words,
        Field(min_length=1, max_length=300, description="Name as `provider:model`, or `extractive` for no model."),
    ]


class Tried(BaseModel):
    """The result of a test of a model."""

    model: Annotated[str, Field(description="Name of the model as `provider:model`.")]
    ok: Annotated[bool, Field(description="Whether the model answered.")]
    detail: Annotated[str, Field(description="The result or the error; never contains a key.")]
    hint: Annotated[str, Field(description="What to do if it did not answer.")]
    seconds: Annotated[float, Field(description="Duration of the test.")]


def router() -> APIRouter:
    """Return the routes for models."""
    routes = APIRouter(tags=["about"])

    @routes.get("/api/models")
    async def models(caller: TheCaller, request: Request) -> list[Model]:
        """List the configured models, and whether each can be reached now. Keys are never included.

        `detail` and `hint`, which may name addresses and settings of the server, need the scope `admin`.
        """
        sees_server = "admin" in caller.principal.scopes
        return [
            Model(
                name=each.name,
                provider=each.provider,
                roles=list(each.roles),
                reachable=each.reachable,
                local=each.local,
                detail=each.detail if sees_server else "",
                hint=each.hint if sees_server else "",
            )
            for each in await get_services(request).models.list()
        ]

    @routes.post("/api/models/test")
    async def test(given: GivenModel, request: Request) -> Tried:
        """Test a model with a short request.

        If the model is unavailable or does not answer, the response says so in `ok`, `detail` and `hint`.
        """
        begun = time.monotonic()
        found = await get_services(request).models.test(given.model, _PATIENCE)
        seconds = round(time.monotonic() - begun, 3)
        return Tried(model=found.name, ok=found.reachable, detail=found.detail, hint=found.hint, seconds=seconds)

    return routes
