"""Choose the models of a question: one that answers, one for small tasks; and check which can be reached."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import anyio

from pincite.errors import Misnamed, ModelError
from pincite.llm.clients import connect_provider, make_model
from pincite.llm.model_errors import explain_error as explain_error
from pincite.llm.providers import (
    EXTRACTIVE,
    Provider,
    find_provider,
    list_configured_providers,
    normalise_model_name,
    split_model_name,
)
from pincite.settings import Settings

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.providers import Provider as Connection

_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A model: its name as `provider:model`, whether it calls tools, and whether its provider is local.

    `context` is the tokens it can take in and give out together; None is no bound that matters.
    """

    name: str
    model: "Model | None" = field(repr=False)  # None for `extractive`, which runs without the framework
    tools: bool = True
    local: bool = False
    context: int | None = None


@dataclass(frozen=True, slots=True)
class Roles:
    """The model that answers and the one for small tasks; None where only `extractive` is set."""

    chat: ChosenModel
    system: ChosenModel | None = None


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """A model or a provider: what it is used for, whether it can be reached, and what to do if not."""

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
        """Return the models for a question: those it names, else those of the settings; `system` defaults to `chat`."""
        chosen = self._choose_name(chat)
        helper = normalise_model_name(system or self._settings.models.system) or chosen
        first = self.choose(chosen)
        if helper == EXTRACTIVE:
            return Roles(first)
        return Roles(first, first if helper == chosen else self.choose(helper))

    def choose(self, name: str) -> ChosenModel:
        """Return the model of this name; raise `ModelError` when there is none."""
        if name == EXTRACTIVE:
            return ChosenModel(EXTRACTIVE, None, tools=True, local=True)
        at, model = self._at(name)
        full = f"{at.name}:{model}"
        made = make_model(at, self._connection(at), model, self._settings.models)
        barred = any(fnmatchcase(full.lower(), pattern.lower()) for pattern in self._settings.models.without_tools)
        tools = bool(made.profile.get("supports_tools", True)) and not barred
        return ChosenModel(full, made, tools=tools, local=at.local, context=at.context)

    async def list(self) -> list[ModelStatus]:
        """List the configured models and whether they can be reached; never a key. All providers are asked at once."""
        roles = self._list_roles_used()
        names = list_configured_providers(self._settings, self._environment)
        found = await asyncio.gather(*(self._look(name, roles) for name in names))
        misnamed = [await self.test(name) for name in roles if ":" not in name and name != EXTRACTIVE]
        extractive = ModelStatus(
            EXTRACTIVE, EXTRACTIVE, roles.get(EXTRACTIVE, ()), local=True, detail="quotes the documents; needs no key"
        )
        return [extractive, *misnamed, *(listed for each in found for listed in each)]

    async def test(self, name: str = "", within: float = _PATIENCE) -> ModelStatus:
        """Make one short request to a model; return its result and how many seconds it took."""
        name = self._choose_name(name)
        roles = self._list_roles_used().get(name, ())
        if name == EXTRACTIVE:
            return ModelStatus(EXTRACTIVE, EXTRACTIVE, roles, local=True, detail="quotes the documents; needs no key")
        try:
            at, model = self._at(name)
            said = await self._ask(at, model, within)
        except ModelError as error:
            return ModelStatus(name, name.partition(":")[0], roles, False, detail=error.message, hint=error.hint)
        return ModelStatus(f"{at.name}:{model}", at.name, roles, local=at.local, detail=said)

    async def close(self) -> None:
        """Close every connection."""
        while self._connections:
            _, connection = self._connections.popitem()
            async with connection:
                pass  # leaving the block closes the client

    def _choose_name(self, name: str) -> str:
        return normalise_model_name(name) or normalise_model_name(self._settings.models.chat) or EXTRACTIVE

    def _at(self, name: str) -> tuple[Provider, str]:
        provider, model = split_model_name(name, self._settings)
        at = find_provider(provider, self._settings, self._environment)
        if at.kind == "openrouter" and not all(model.partition("/")):
            raise Misnamed(
                f"`{name}` does not say which vendor has the model.",
                f"Write it as `{provider}:vendor/model`, such as `{provider}:mistralai/mistral-small`.",
            )
        return at, model

    def _connection(self, at: Provider) -> "Connection[Any]":
        if at.name not in self._connections:
            self._connections[at.name] = connect_provider(at)
        return self._connections[at.name]

    def _list_roles_used(self) -> dict[str, tuple[str, ...]]:
        chat = self._choose_name("")
        system = normalise_model_name(self._settings.models.system) or chat
        if chat == system:
            return {chat: ("chat", "system") if chat != EXTRACTIVE else ("chat",)}
        return {chat: ("chat",), system: ("system",)}

    async def _look(self, provider: str, roles: Mapping[str, tuple[str, ...]]) -> tuple[ModelStatus, ...]:
        from pincite.llm.list_models import list_models as offered

        mine = {name: use for name, use in roles.items() if name.partition(":")[0] == provider}
        try:
            at = find_provider(provider, self._settings, self._environment)
            names = [f"{at.name}:{model}" for model in await offered(at)]
        except ModelError as error:
            lost = mine or {provider: ()}
            return tuple(
                ModelStatus(name, provider, use, False, detail=error.message, hint=error.hint)
                for name, use in lost.items()
            )
        # A server may accept more names than it lists; only a request shows whether a missing one works.
        return tuple(
            ModelStatus(
                name, at.name, mine.get(name, ()), local=at.local, detail="" if name in names else "not in its list"
            )
            for name in dict.fromkeys([*mine, *names])
        ) or (ModelStatus(provider, at.name, local=at.local, detail="has no models", hint="Load one there."),)

    async def _ask(self, at: Provider, model: str, within: float) -> str:
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import AgentRunError, UserError
        from pydantic_ai.messages import ModelRequest

        within = min(within, self._settings.models.deadline)
        try:
            made = make_model(at, self._connection(at), model, self._settings.models)
            with anyio.fail_after(within):  # for all tries together
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
            raise explain_error(error, at, model) from None
        return f"answered with {response.usage.output_tokens or 'some'} tokens"
