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
    list_configured_providers,
    normalise_model_name,
    split_model_name,
)
from pincite.llm.stored_models import StoredModels, read_stored_models
from pincite.settings import Settings
from pincite.store.database import Database
from pincite.telemetry.model_names import MODELS

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
        database: Database | None = None,
    ) -> None:
        """With a `database`, the models that were set on the page are used too, from the next question on."""
        self._settings = settings
        self._environment = os.environ if environment is None else environment
        self._database = database
        self._connections: dict[Provider, Connection[Any]] = {}

    @property
    def settings(self) -> Settings:
        """The settings with the providers and models that were set on the page. Reads the database."""
        return self.read_stored().settings

    def read_stored(self) -> StoredModels:
        """Return the models of the page and of the settings file together."""
        if self._database is None:
            return StoredModels(self._settings, self._environment)
        stored = read_stored_models(self._settings, self._database, self._environment)
        for name in stored.roles.values():
            if ":" in name:
                MODELS.admit(name)
        return stored

    def roles(self, chat: str = "", system: str = "") -> Roles:
        """Return the models for a question: those it names, else those that are set; `system` defaults to `chat`."""
        stored = self.read_stored()
        chosen = _choose_name(chat, stored)
        helper = normalise_model_name(system or stored.settings.models.system) or chosen
        first = self._make(chosen, stored)
        if helper == EXTRACTIVE:
            return Roles(first)
        return Roles(first, first if helper == chosen else self._make(helper, stored))

    def choose(self, name: str) -> ChosenModel:
        """Return the model of this name; raise `ModelError` when there is none."""
        return self._make(name, self.read_stored())

    def _make(self, name: str, stored: StoredModels) -> ChosenModel:
        if name == EXTRACTIVE:
            return ChosenModel(EXTRACTIVE, None, tools=True, local=True)
        at, model = _find_model(name, stored)
        full, limits = f"{at.name}:{model}", stored.settings.models
        made = make_model(at, self._connection(at), model, limits)
        barred = any(fnmatchcase(full.lower(), pattern.lower()) for pattern in limits.without_tools)
        tools = bool(made.profile.get("supports_tools", True)) and not barred
        return ChosenModel(full, made, tools=tools, local=at.local, context=at.context)

    async def list(self) -> list[ModelStatus]:
        """List the configured models and whether they can be reached; never a key. All providers are asked at once."""
        stored = await asyncio.to_thread(self.read_stored)
        roles = _list_roles_used(stored)
        names = list_configured_providers(stored.settings, self._environment)
        names = list(dict.fromkeys([*names, *(name.partition(":")[0] for name in stored.added)]))
        found = await asyncio.gather(*(_look(name, roles, stored) for name in names))
        misnamed = [await self.test(name) for name in roles if ":" not in name and name != EXTRACTIVE]
        extractive = ModelStatus(
            EXTRACTIVE, EXTRACTIVE, roles.get(EXTRACTIVE, ()), local=True, detail="quotes the documents; needs no key"
        )
        return [extractive, *misnamed, *(listed for each in found for listed in each)]

    async def test(self, name: str = "", within: float = _PATIENCE) -> ModelStatus:
        """Make one short request to a model; return its result and how many seconds it took."""
        stored = await asyncio.to_thread(self.read_stored)
        name = _choose_name(name, stored)
        roles = _list_roles_used(stored).get(name, ())
        if name == EXTRACTIVE:
            return ModelStatus(EXTRACTIVE, EXTRACTIVE, roles, local=True, detail="quotes the documents; needs no key")
        try:
            at, model = _find_model(name, stored)
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

    def _connection(self, at: Provider) -> "Connection[Any]":
        # A provider with another key or address gets another client; running answers keep theirs.
        if at not in self._connections:
            self._connections[at] = connect_provider(at)
        return self._connections[at]

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
                reason="late",
                params={"model": f"{at.name}:{model}"},
            ) from None
        except (AgentRunError, UserError) as error:
            raise explain_error(error, at, model) from None
        return f"answered with {response.usage.output_tokens or 'some'} tokens"


def _choose_name(name: str, stored: StoredModels) -> str:
    return normalise_model_name(name) or normalise_model_name(stored.settings.models.chat) or EXTRACTIVE


def _find_model(name: str, stored: StoredModels) -> tuple[Provider, str]:
    """Return the provider of a model and the model's own name."""
    provider, model = split_model_name(name, stored.settings)
    at = stored.find_provider(provider)
    if at.kind == "openrouter" and not all(model.partition("/")):
        raise Misnamed(
            f"`{name}` does not say which vendor has the model.",
            f"Write it as `{provider}:vendor/model`, such as `{provider}:mistralai/mistral-small`.",
            reason="misnamed",
            params={"model": name},
        )
    return at, model


def _list_roles_used(stored: StoredModels) -> dict[str, tuple[str, ...]]:
    chat = _choose_name("", stored)
    system = normalise_model_name(stored.settings.models.system) or chat
    if chat == system:
        return {chat: ("chat", "system") if chat != EXTRACTIVE else ("chat",)}
    return {chat: ("chat",), system: ("system",)}


async def _look(provider: str, roles: Mapping[str, tuple[str, ...]], stored: StoredModels) -> tuple[ModelStatus, ...]:
    from pincite.llm.list_models import list_models as offered

    mine = {name: use for name, use in roles.items() if name.partition(":")[0] == provider}
    mine = {name: () for name in stored.added if name.partition(":")[0] == provider} | mine
    try:
        at = stored.find_provider(provider)
        names = [f"{at.name}:{model}" for model in await offered(at)]
    except ModelError as error:
        lost = mine or {provider: ()}
        return tuple(
            ModelStatus(name, provider, use, False, detail=error.message, hint=error.hint) for name, use in lost.items()
        )
    # A server may accept more names than it lists; only a request shows whether a missing one works.
    return tuple(
        ModelStatus(
            name, at.name, mine.get(name, ()), local=at.local, detail="" if name in names else "not in its list"
        )
        for name in dict.fromkeys([*mine, *names])
    ) or (ModelStatus(provider, at.name, local=at.local, detail="has no models", hint="Load one there."),)
