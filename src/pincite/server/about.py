"""What is set and what it cost: settings without secrets, usage."""

import time
from typing import Annotated, Literal, get_args

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from pincite import __version__
from pincite.server.doors import Owner, TheLibrary, house
from pincite.server.judge import ShownJudge, show_judge
from pincite.settings import Settings
from pincite.store import choices
from pincite.store import usage as used
from pincite.store.database import Database
from pincite.types import Focus

_DAY = 86_400


class ShownSettings(BaseModel):
    """What a page needs to know of the settings; keys and places are not among it."""

    version: str
    owner: str
    chat_model: Annotated[str, Field(description="Empty means `extractive`, which quotes and needs no key.")]
    system_model: Annotated[str, Field(description="Empty means the chat model.")]
    embedding_provider: str
    embedding_model: str
    reranks: bool
    strict: Annotated[bool, Field(description="Whether sentences that no source supports are left out.")]
    focus_modes: list[Focus]
    max_file_mb: int
    ocr: str
    search_url: Annotated[str, Field(description="Where the web is searched; empty means nowhere.")]
    search_url_from: Annotated[
        Literal["page", "file", ""], Field(description="Whether that was set on the page, or in the settings' file.")
    ]
    judge: Annotated[ShownJudge, Field(description="The model that judges an answer's sentences.")]


class Used(BaseModel):
    """What one model cost on one day in one role."""

    day: Annotated[str, Field(description="ISO day, UTC.")]
    model: str
    role: Literal["chat", "system"]
    answers: int
    requests: int
    input_tokens: int
    output_tokens: int


class Totals(BaseModel):
    """The same, added up."""

    answers: int
    requests: int
    input_tokens: int
    output_tokens: int


class Usage(BaseModel):
    """What answers cost: day by day, the latest first, and in all."""

    days: list[Used]
    totals: Totals


def shown(settings: Settings, owner: str, database: Database) -> ShownSettings:
    """The settings as a page may see them, with what was set on it."""
    with database.reading() as connection:
        url, set_in = choices.search_url(connection, owner, settings.web)
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
        judge=show_judge(settings, database),
    )


def router() -> APIRouter:
    """The routes that tell about the house."""
    routes = APIRouter(tags=["about"])

    @routes.get("/api/settings")
    def settings(owner: Owner, library: TheLibrary, request: Request) -> ShownSettings:
        """The settings that matter to who asks; nothing secret is here."""
        return shown(house(request).settings, owner, library.database)

    @routes.get("/api/usage")
    def usage(
        owner: Owner,
        library: TheLibrary,
        days: Annotated[int, Query(ge=1, le=3660, description="How many days back.")] = 30,
    ) -> Usage:
        """What your answers cost, for each day and model, and in all."""
        since = (time.time() // _DAY - days + 1) * _DAY
        with library.database.reading() as connection:
            found = used.by_day(connection, owner, since)
        return Usage(
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

    return routes
