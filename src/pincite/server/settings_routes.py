"""HTTP routes for the settings (without secrets) and the usage of models."""

import time
from typing import Annotated, Literal, get_args

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from pincite import __version__
from pincite.accounts.audit import Caller
from pincite.accounts.principal import Principal
from pincite.accounts.quota import get_month
from pincite.accounts.quota_accounts import find_account
from pincite.accounts.usage_report import UsageInfo, get_usage_info, list_monthly_usage, list_recent_months
from pincite.llm.stored_models import read_stored_models
from pincite.server.dependencies import TheCaller, TheLibrary, get_services
from pincite.server.judge_routes import ShownJudge, make_shown_judge
from pincite.settings import Settings
from pincite.store import usage as used
from pincite.store import user_settings
from pincite.store.database import Database
from pincite.types import Focus

_DAY = 86_400
_MONTHS = 6


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
    search_url: Annotated[
        str,
        Field(description="Address of the search engine; empty without one, and for one of the file without `admin`."),
    ]
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


class MonthCredits(BaseModel):
    """The credits that you spent in one month."""

    month: Annotated[str, Field(description="The month in UTC, as 2031-05.")]
    used: float


class UsageReport(BaseModel):
    """The usage of models by day, the latest first, and in total; and the credits of this month and the last ones."""

    days: list[Used]
    totals: Totals
    quota: UsageInfo
    months: Annotated[list[MonthCredits], Field(description="The last six months, the first one first.")]


def make_shown_settings(settings: Settings, caller: Principal, database: Database) -> ShownSettings:
    """Return the settings that a page may see, including those set on the page.

    Only the scope `admin` shows the address of a search engine from the settings file: it may be one of a private
    network.
    """
    owner = caller.user
    with database.reading() as connection:
        url, set_in = user_settings.find_search_url(connection, owner, settings.web)
    if set_in == "file" and "admin" not in caller.scopes:
        url = ""
    models = read_stored_models(settings, database).settings.models
    return ShownSettings(
        version=__version__,
        owner=owner,
        chat_model=models.chat,
        system_model=models.system,
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


def make_usage_report(
    database: Database, settings: Settings, caller: Caller, days: int, show_user: bool = False
) -> UsageReport:
    """Return the usage of models by a person's answers in the last days, and the credits of this month.

    `show_user` is passed on: whether the client shows the credits to the person without being asked.
    """
    now, principal = time.time(), caller.principal
    since = (now // _DAY - days + 1) * _DAY
    # The key under which guests are counted may have to be made.
    with database.writing() if principal.role == "guest" else database.reading() as connection:
        found = used.list_by_day(connection, principal.user, since)
        account = find_account(connection, principal, caller.address, get_month(now))
        quota = get_usage_info(connection, settings.quota, account, now, show_user)
        monthly = {each.month: each.used for each in list_monthly_usage(connection, now, _MONTHS, account.id)}
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
        quota=quota,
        months=[
            MonthCredits(month=month, used=monthly.get(month, 0.0))
            for month in reversed(list_recent_months(now, _MONTHS))
        ],
    )


def router() -> APIRouter:
    """Return the routes for settings and usage."""
    routes = APIRouter(tags=["about"])

    @routes.get("/api/settings")
    def settings(caller: TheCaller, library: TheLibrary, request: Request) -> ShownSettings:
        """Get the settings that a client needs. Secrets are not included."""
        return make_shown_settings(get_services(request).settings, caller.principal, library.database)

    @routes.get("/api/usage")
    def usage(
        request: Request,
        caller: TheCaller,
        library: TheLibrary,
        days: Annotated[int, Query(ge=1, le=3660, description="Number of days, up to today.")] = 30,
    ) -> UsageReport:
        """Get the usage of models by your answers, for each day and model and in total, and your credits."""
        return make_usage_report(library.database, get_services(request).settings, caller, days)

    return routes
