"""The models of a turn: which one answers, which one does the small work, what is set and what can be reached."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import anyio

from pincite.agent.faults import explained as explained
from pincite.agent.providers import EXTRACTIVE, Provider, canonical, configured, named, split
from pincite.agent.wires import connect, wire
from pincite.errors import Misnamed, ModelError
from pincite.settings import Settings

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.providers import Provider as Connection

_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Chosen:
    """A model: its name as `provider:model`, whether it can call tools, whether what it is told stays on this side.

    `context` is the tokens it can take in and give out together; None is no bound that matters.
    """

    name: str
    model: "Model | None" = field(repr=False)  # None is the one that quotes, and runs without the framework
    tools: bool = True
    local: bool = False
    context: int | None = None


@dataclass(frozen=True, slots=True)
class Roles:
    """The model that answers and the one for the small work; none where nothing but quoting is set."""

    chat: Chosen
    system: Chosen | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A model or a provider as people are told of it: what it is used for, whether it is there, what to do if not."""

    name: str
    provider: str
    roles: tuple[str, ...] = ()
    reachable: bool = True
    local: bool = False
    detail: str = ""
    hint: str = ""


class Models:
    """Finds models by name. Holds one client for each provider, and nothing about any question."""

    def __init__(
        self,
        settings: Settings,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._settings = settings
        self._environment = os.environ if environment is None else environment
        self._connections: dict[str, Connection[Any]] = {}

    def roles(self, chat: str = "", system: str = "") -> Roles:
        """The models for a question: those named with it, else those of the settings; `system` follows `chat`."""
        chosen = self._configured(chat)
        helper = canonical(system or self._settings.models.system) or chosen
        first = self.choose(chosen)
        if helper == EXTRACTIVE:
            return Roles(first)
        return Roles(first, first if helper == chosen else self.choose(helper))

    def choose(self, name: str) -> Chosen:
        """The model of this name, or a `ModelError` that says what to do."""
        if name == EXTRACTIVE:
            return Chosen(EXTRACTIVE, None, tools=True, local=True)
        at, model = self._at(name)
        full = f"{at.name}:{model}"
        made = wire(at, self._connection(at), model, self._settings.models)
        barred = any(fnmatchcase(full.lower(), pattern.lower()) for pattern in self._settings.models.without_tools)
        tools = bool(made.profile.get("supports_tools", True)) and not barred
        return Chosen(full, made, tools=tools, local=at.local, context=at.context)

    async def list(self) -> list[Listed]:
        """What is configured and whether it can be reached, all providers asked at once; never a key."""
        roles = self._in_use()
        names = configured(self._settings, self._environment)
        found = await asyncio.gather(*(self._look(name, roles) for name in names))
        misnamed = [await self.test(name) for name in roles if ":" not in name and name != EXTRACTIVE]
        extractive = Listed(
            EXTRACTIVE, EXTRACTIVE, roles.get(EXTRACTIVE, ()), local=True, detail="quotes the documents; needs no key"
        )
        return [extractive, *misnamed, *(listed for each in found for listed in each)]

    async def test(self, name: str = "", within: float = _PATIENCE) -> Listed:
        """One cheap call to a model, and what came of it in so many seconds."""
        name = self._configured(name)
        roles = self._in_use().get(name, ())
        if name == EXTRACTIVE:
            return Listed(EXTRACTIVE, EXTRACTIVE, roles, local=True, detail="quotes the documents; needs no key")
        try:
            at, model = self._at(name)
            said = await self._ask(at, model, within)
        except ModelError as error:
            return Listed(name, name.partition(":")[0], roles, False, detail=error.message, hint=error.hint)
        return Listed(f"{at.name}:{model}", at.name, roles, local=at.local, detail=said)

    async def close(self) -> None:
        """Let go of every connection."""
        while self._connections:
            _, connection = self._connections.popitem()
            async with connection:
                pass  # leaving is what closes a client

    def _configured(self, name: str) -> str:
        return canonical(name) or canonical(self._settings.models.chat) or EXTRACTIVE

    def _at(self, name: str) -> tuple[Provider, str]:
        provider, model = split(name, self._settings)
        at = named(provider, self._settings, self._environment)
        if at.kind == "openrouter" and not all(model.partition("/")):
            raise Misnamed(
                f"`{name}` does not say which vendor has the model.",
                f"Write it as `{provider}:vendor/model`, such as `{provider}:mistralai/mistral-small`.",
            )
        return at, model

    def _connection(self, at: Provider) -> "Connection[Any]":
        if at.name not in self._connections:
            self._connections[at.name] = connect(at)
        return self._connections[at.name]

    def _in_use(self) -> dict[str, tuple[str, ...]]:
        chat = self._configured("")
        system = canonical(self._settings.models.system) or chat
        if chat == system:
            return {chat: ("chat", "system") if chat != EXTRACTIVE else ("chat",)}
        return {chat: ("chat",), system: ("system",)}

    async def _look(self, provider: str, roles: Mapping[str, tuple[str, ...]]) -> tuple[Listed, ...]:
        from pincite.agent.reach import models as offered

        mine = {name: use for name, use in roles.items() if name.partition(":")[0] == provider}
        try:
            at = named(provider, self._settings, self._environment)
            names = [f"{at.name}:{model}" for model in await offered(at)]
        except ModelError as error:
            lost = mine or {provider: ()}
            return tuple(
                Listed(name, provider, use, False, detail=error.message, hint=error.hint) for name, use in lost.items()
            )
        # A server may know a model by more names than it lists: whether one that is missing can be had, a test tells.
        return tuple(
            Listed(name, at.name, mine.get(name, ()), local=at.local, detail="" if name in names else "not in its list")
            for name in dict.fromkeys([*mine, *names])
        ) or (Listed(provider, at.name, local=at.local, detail="has no models", hint="Load one there."),)

    async def _ask(self, at: Provider, model: str, within: float) -> str:
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import AgentRunError, UserError
        from pydantic_ai.messages import ModelRequest

        within = min(within, self._settings.models.deadline)
        try:
            made = wire(at, self._connection(at), model, self._settings.models)
            with anyio.fail_after(within):  # all tries together
                response = await model_request(
                    made,
                    [ModelRequest.user_text_prompt("Answer with the one word: ready")],
                    model_settings={"max_tokens": 16, "request_timeout": within},
                )
        except TimeoutError:
            raise ModelError(
                f"The model {at.name}:{model} did not answer within {within:g} seconds.",
                "It may still be loading: try it again in a moment.",
            ) from None
        except (AgentRunError, UserError) as error:
            raise explained(error, at, model) from None
        return f"answered with {response.usage.output_tokens or 'some'} tokens"
