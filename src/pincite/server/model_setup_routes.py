"""HTTP routes to set the server's providers and models on the page. No route returns a key."""

import asyncio
import os
import time
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, status
from pydantic import BaseModel, Field, SecretStr

from pincite.accounts.audit import Caller, record_action
from pincite.evaluate.judge_agreement import find_judge_name
from pincite.evaluate.model_checks import try_model
from pincite.llm.local_servers import find_local_servers
from pincite.llm.model_setup import GivenProvider, ModelSetup, ProviderState, Record, name_provider
from pincite.llm.model_trial import Check, Outcome
from pincite.llm.providers import EXTRACTIVE, normalise_model_name
from pincite.llm.stored_models import StoredModels
from pincite.server.dependencies import Body, Id, TheCaller, TheLibrary, Words, get_services
from pincite.server.error_responses import Trouble, describe_trouble
from pincite.settings_models import ProviderKind
from pincite.store.database import Connection
from pincite.store.model_choices import Role

ModelName = Annotated[Words, Field(min_length=1, max_length=300, description="Name as `provider:model`.")]
Where = Literal["page", "file", ""]


class OfferedModel(BaseModel):
    """A model that can be chosen at the question."""

    name: Annotated[str, Field(description="Name as `provider:model`, or `extractive` for no model.")]
    title: Annotated[str, Field(description="The model's own name.")]
    provider: Annotated[str, Field(description="The provider's name for people; empty for `extractive`.")]
    is_default: Annotated[bool, Field(description="Whether it answers questions that name no model.")]


class OfferedModels(BaseModel):
    """The models that can be chosen at the question, and whether all answers are strict."""

    models: list[OfferedModel]
    strict: Annotated[bool, Field(description="Whether the settings file makes all answers strict.")]


class ShownProvider(BaseModel):
    """A provider of models. Its key is not included."""

    name: str
    title: str
    address: Annotated[str, Field(description="Address of its API; empty if none is known.")]
    needs_key: bool
    has_key: bool
    local: Annotated[bool, Field(description="Whether requests to it stay on this machine or network.")]
    set_in: Annotated[Where, Field(description="Where it is set: on the page, in the settings file, or nowhere.")]
    is_locked: Annotated[bool, Field(description="Whether its stored key cannot be decrypted: it must be given again.")]


class ShownModel(BaseModel):
    """A model that was added, with the results of its trials; null is not known."""

    name: str
    streams: bool | None
    tools: bool | None
    judges: bool | None
    tried: Annotated[float | None, Field(description="Time of the last trial, in seconds since 1970.")]


class ShownRole(BaseModel):
    """The model of a role, and where it was set."""

    model: Annotated[str, Field(description="Name as `provider:model`; empty if there is none.")]
    setting: Annotated[str, Field(description="What was set; the judge may be `model` or `off`.")]
    set_in: Where


class ModelSetupState(BaseModel):
    """The providers, the models that were added, and the model of each role."""

    providers: list[ShownProvider]
    models: list[ShownModel]
    chat: ShownRole
    system: ShownRole
    judge: ShownRole


class FoundServer(BaseModel):
    """A server of models on this machine."""

    provider: str
    title: str
    address: str
    models: Annotated[list[str], Field(description="Its models, each as `provider:model`.")]


class GivenProviderBody(Body):
    """The parts of a provider that are stored."""

    key: Annotated[
        SecretStr | None, Field(max_length=4000, description="Its key; null keeps the stored one, or stores none.")
    ] = None
    url: Annotated[Words, Field(max_length=2000, description="Its address; empty is the usual one.")] = ""
    kind: Annotated[ProviderKind | None, Field(description="The API it implements; null is its own, or `openai`.")] = (
        None
    )
    plain: Annotated[
        bool, Field(description="Send the key also to an address of the internet that begins with http://.")
    ] = False


class ListedModels(BaseModel):
    """The models that a provider lists."""

    models: Annotated[list[str], Field(description="Names as `provider:model`.")]


class GivenTrial(Body):
    """The model to try, and what to try."""

    model: ModelName
    check: Annotated[Check, Field(description="What to try: each is one real request.")]


class TrialResult(BaseModel):
    """The result of one real request to a model."""

    model: str
    check: Check
    outcome: Annotated[
        Outcome,
        Field(description="`works`, `partly` (badly), `missing` (it cannot), or `failed` (no answer: not known)."),
    ]
    detail: Annotated[str, Field(description="The result or the error; never contains a key.")]
    hint: str
    seconds: float
    right: Annotated[int, Field(description="Sentences judged as readers do.")]
    total: Annotated[int, Field(description="Sentences given to the judge.")]
    error: Annotated[Trouble | None, Field(description="The error of a failed request, with its code and reason.")]


class GivenRoles(Body):
    """The models to set. Null changes nothing; an empty name restores the settings file."""

    chat: Annotated[Words | None, Field(max_length=300, description="The model that answers.")] = None
    system: Annotated[Words | None, Field(max_length=300, description="The model for small tasks.")] = None
    judge: Annotated[
        Words | None, Field(max_length=300, description="The judge: a model, `model` for the system model, or `off`.")
    ] = None


class GivenModelName(Body):
    """The model to offer at the question."""

    model: ModelName


def router() -> APIRouter:
    """Return the routes that set models."""
    routes = APIRouter(tags=["models"])

    @routes.get("/api/models/choices")
    def choices(request: Request) -> OfferedModels:
        """List the models that can be chosen at the question. No provider is asked."""
        services = get_services(request)
        return OfferedModels(
            models=_list_offered(services.models.read_stored(), services.settings.models.chat),
            strict=services.settings.answers.strict,
        )

    @routes.get("/api/models/setup")
    def setup(request: Request) -> ModelSetupState:
        """Get the providers, the added models and the model of each role. Keys are never included."""
        return _make_state(_get_setup(request))

    @routes.get("/api/models/local")
    async def local(request: Request) -> list[FoundServer]:
        """Find servers of models on the server's machine, at their usual ports (Ollama, LM Studio, llama.cpp, vLLM)."""
        services = get_services(request)
        own = {services.settings.server.port}
        if server := request.scope.get("server"):
            own.add(server[1])
        stored = await asyncio.to_thread(services.models.read_stored)
        found = await find_local_servers(stored.settings, os.environ, own)
        return [
            FoundServer(
                provider=each.provider,
                title=each.title,
                address=each.address,
                models=[f"{each.provider}:{model}" for model in each.models],
            )
            for each in found
        ]

    @routes.put("/api/models/providers/{provider}")
    async def save(provider: Id, given: GivenProviderBody, caller: TheCaller, request: Request) -> ListedModels:
        """Store a provider with its key, encrypted, and list its models.

        The provider is asked first: nothing is stored if it refuses the key or cannot be reached.
        """
        asked = GivenProvider(
            provider, given.key.get_secret_value() if given.key else None, given.url, given.kind, given.plain
        )
        now = time.time()
        found = await _get_setup(request).save_provider(asked, now, _make_record(caller, now))
        name = normalise_model_name(f"{provider}:")
        return ListedModels(models=[f"{name}{model}" for model in found])

    @routes.delete("/api/models/providers/{provider}", status_code=status.HTTP_204_NO_CONTENT)
    def forget(provider: Id, caller: TheCaller, request: Request) -> None:
        """Remove a provider, its key, and its models."""
        _get_setup(request).remove_provider(provider, _make_record(caller, time.time()))

    @routes.get("/api/models/providers/{provider}/models")
    async def offered(provider: Id, request: Request) -> ListedModels:
        """List the models of a provider, as the provider lists them now."""
        name = normalise_model_name(f"{provider}:")
        return ListedModels(models=[f"{name}{model}" for model in await _get_setup(request).list_models(provider)])

    @routes.post("/api/models/try")
    async def try_one(given: GivenTrial, library: TheLibrary, request: Request) -> TrialResult:
        """Try what a model can do, with one real request. The result is stored and used.

        `streaming`: the answer appears while it is written. `tools`: the model searches by itself; otherwise Pincite
        searches first. `judge`: it can check whether sources support a sentence.
        """
        models = get_services(request).models
        tried = await try_model(models, library.database, given.model, given.check, time.time())
        return TrialResult(
            model=tried.model,
            check=tried.check,
            outcome=tried.outcome,
            detail=tried.detail,
            hint=tried.hint,
            seconds=tried.seconds,
            right=tried.right,
            total=tried.total,
            error=describe_trouble(tried.error) if tried.error else None,
        )

    @routes.put("/api/models/roles")
    def choose(given: GivenRoles, caller: TheCaller, request: Request) -> ModelSetupState:
        """Set the models of the server. The next question uses them."""
        made, now = _get_setup(request), time.time()
        roles: dict[Role, str | None] = {"chat": given.chat, "system": given.system, "judge": given.judge}
        named = {role: name.strip() for role, name in roles.items() if name is not None}
        made.set_roles(named, now, _make_record(caller, now))
        return _make_state(made)

    @routes.post("/api/models/added", status_code=status.HTTP_201_CREATED)
    def add(given: GivenModelName, caller: TheCaller, request: Request) -> ShownModel:
        """Offer a model at the question."""
        now = time.time()
        name = _get_setup(request).add_model(given.model, now, _make_record(caller, now))
        return ShownModel(name=name, streams=None, tools=None, judges=None, tried=None)

    @routes.delete("/api/models/added", status_code=status.HTTP_204_NO_CONTENT)
    def remove(
        caller: TheCaller,
        request: Request,
        model: Annotated[Words, Query(min_length=1, max_length=300, description="Name as `provider:model`.")],
    ) -> None:
        """Offer a model no longer."""
        _get_setup(request).remove_model(model, _make_record(caller, time.time()))

    return routes


def _get_setup(request: Request) -> ModelSetup:
    services = get_services(request)
    return ModelSetup(services.settings, services.library.database, services.models)


def _make_record(caller: Caller, now: float) -> Record:
    def record(connection: Connection, action: str, target: str) -> None:
        record_action(connection, caller, action, now, target=target)

    return record


def _list_offered(stored: StoredModels, in_file: str) -> list[OfferedModel]:
    default = normalise_model_name(stored.settings.models.chat) or EXTRACTIVE
    names = dict.fromkeys([default, *stored.added, normalise_model_name(in_file), EXTRACTIVE])
    return [_describe_offered(name, default, stored) for name in names if name == EXTRACTIVE or ":" in name]


def _describe_offered(name: str, default: str, stored: StoredModels) -> OfferedModel:
    provider, _, model = name.partition(":")
    return OfferedModel(
        name=name,
        title=model or name,
        provider=name_provider(provider, stored) if model else "",
        is_default=name == default,
    )


def _make_state(setup: ModelSetup) -> ModelSetupState:
    stored = setup.read()
    models, answers = stored.settings.models, stored.settings.answers
    roles: dict[Role, str] = {"chat": models.chat, "system": models.system, "judge": answers.judge}
    where: dict[Role, Where] = {role: "page" if role in stored.roles else "file" for role in roles}
    chat = normalise_model_name(models.chat) or EXTRACTIVE
    used: dict[Role, str] = {
        "chat": chat,
        "system": normalise_model_name(models.system) or chat,
        "judge": find_judge_name(stored.settings),
    }
    shown = {
        role: ShownRole(model=used[role], setting=setting, set_in=where[role] if setting else "")
        for role, setting in roles.items()
    }
    return ModelSetupState(
        providers=[_show_provider(each) for each in setup.list_providers()],
        models=[
            ShownModel(name=each.name, streams=each.streams, tools=each.tools, judges=each.judges, tried=each.tried)
            for each in stored.known
            if each.added is not None
        ],
        chat=shown["chat"],
        system=shown["system"],
        judge=shown["judge"],
    )


def _show_provider(state: ProviderState) -> ShownProvider:
    return ShownProvider(
        name=state.name,
        title=state.title,
        address=state.address,
        needs_key=state.needs_key,
        has_key=state.has_key,
        local=state.local,
        set_in=state.set_in,
        is_locked=state.is_locked,
    )
