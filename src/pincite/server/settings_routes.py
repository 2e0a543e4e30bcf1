"""HTTP routes for the settings (without secrets) and the usage of models."""

import time
from typing import Annotated, Literal, get_args

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from pincite import __version__
from pincite.server.dependencies import Owner, TheLibrary, get_services
from pincite.server.judge_routes import ShownJudge, make_shown_judge
from pincite.settings import Settings
from pincite.store import usage as used
from pincite.store import user_settings
from pincite.store.database import Database
from pincite.types import Focus

_DAY = 86_400


class ShownSettings(BaseModel):
    """The settings that a page needs. Keys and paths are not included."""

    version: str
    owner: str
    chat_model: Annotated[str, Field(description="Empty means `extractive`, which quotes documents and needs no key.")]
    system_model: Annotated[str, Field(description="Empty means the chat model.")]
    embedding_provider: str
    embedding_model: str
    reranks: bool
    strict: Annotated[bool, Field(description="Whether sentences that no source supports are left out.")]
    focus_modes: list[Focus]
    max_file_mb: int
    ocr: str
    search_url: Annotated[str, Field(description="Address of the search engine; empty if none is set.")]
    search_url_from: Annotated[
        Literal["page", "file", ""],
        Field(description="Where `search_url` was set: on the page, or in the settings file."),
    ]
    judge: Annotated[ShownJudge, Field(description="The model that judges the sentences of an answer.")]


class Used(BaseModel):
    """The usage of one model on one day in one role."""

    day: Annotated[str, Field(description="ISO day, UTC.")]
    model: str
    role: Literal["chat", "system"]
    answers: int
    requests: int
    input_tokens: int
    output_tokens: int


class Totals(BaseModel):
    """Total usage."""

    answers: int
    requests: int
    input_tokens: int
    output_tokens: int


class UsageReport(BaseModel):
    """The usage of models by day, the latest first, and in total."""

    days: list[Used]
    totals: Totals


def make_shown_settings(settings: Settings, owner: str, database: Database) -> ShownSettings:
    """Return the settings that a page may see, including those set on the page."""
    with database.reading() as connection:
        url, set_in = user_settings.find_search_url(connection, owner, settings.web)
    return ShownSettings(
        version=__version__,
        owner=owner,
        chat_model=settings.models.chat,
        system_model=settings.models.system,
        embedding_provider=settings.embedding.provider,
        embedding_model=settings.embedding.model,
        reranks=bool(settings.rerank.url),
        strict=settings.answers.strict,
        focus_modes=list(get_args(Focus)),
        max_file_mb=settings.reading.max_file_mb,
        ocr=settings.reading.ocr,
        search_url=url,
        search_url_from=set_in,
        judge=make_shown_judge(settings, database),
    )


def make_usage_report(database: Database, owner: str, days: int) -> UsageReport:
    """Return the usage of models by an owner's answers in the last days."""
    since = (time.time() // _DAY - days + 1) * _DAY
    with database.reading() as connection:
        found = used.list_by_day(connection, owner, since)
    return UsageReport(
        days=[
            Used(
                day=each.day,
                model=each.model,
                role=each.role,
                answers=each.answers,
                requests=each.requests,
                input_tokens=each.input_tokens,
                output_tokens=each.output_tokens,
            )
            for each in found
        ],
        totals=Totals(
            answers=sum(each.answers for each in found),
            requests=sum(each.requests for each in found),
            input_tokens=sum(each.input_tokens for each in found),
            output_tokens=sum(each.output_tokens for each in found),
        ),
    )


def router() -> APIRouter:
    """Return the routes for settings and usage."""
    routes = APIRouter(tags=["about"])

    @routes.get("/api/settings")
    def settings(owner: Owner, library: TheLibrary, request: Request) -> ShownSettings:
        """Get the settings that a client needs. Secrets are not included."""
        return make_shown_settings(get_services(request).settings, owner, library.database)

    @routes.get("/api/usage")
    def usage(
        owner: Owner,
        library: TheLibrary,
        days: Annotated[int, Query(ge=1, le=3660, description="Number of days, up to today.")] = 30,
    ) -> UsageReport:
        """Get the usage of models by your answers, for each day and model, and in total."""
        return make_usage_report(library.database, owner, days)

    return routes
