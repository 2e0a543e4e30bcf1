"""HTTP routes for those who run a server: `/health`, `/ready` and `/metrics`."""

from typing import Any, Literal, cast

import anyio
import anyio.to_thread
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from pincite import __version__
from pincite.library.process_numbers import ProcessNumbers
from pincite.server.error_responses import Problem, Trouble
from pincite.server.readiness import PartName, PartState, Readiness, ReadyReport
from pincite.server.watchers import may_read_details, may_read_metrics
from pincite.settings import Settings

_SECONDS = 1.0  # to find out who asks: the database that knows may be away


class PartReport(BaseModel):
    """A part of the server. `detail` is there for administrators, and for programs of the server's machine."""

    name: PartName
    state: PartState
    message: str = ""
    hint: str = ""
    detail: str = ""


class ReadyResponse(BaseModel):
    """A server that can answer questions. `degraded`: some part is away, and answers are worse without it."""

    status: Literal["ready", "degraded"]
    waiting: int
    parts: list[PartReport]


class NotReadyResponse(Problem):
    """A server that cannot answer questions now."""

    status: Literal["not_ready"] = "not_ready"
    waiting: int
    parts: list[PartReport]


def router() -> APIRouter:
    routes = APIRouter(tags=["operations"])

    @routes.head("/health", include_in_schema=False)
    @routes.get("/health")
    async def health() -> dict[str, str]:
        """Check that the server process responds. Nothing else is asked."""
        return {"status": "ok", "version": __version__}

    @routes.head("/ready", include_in_schema=False, response_model=None)
    @routes.get("/ready", response_model=ReadyResponse, responses={503: {"model": NotReadyResponse}})
    async def ready(request: Request) -> JSONResponse:
        """Check that this server can answer questions: database, index, files and embedder.

        The status is 503 if it cannot, and while it starts and stops. `waiting` is the number of queued steps.
        """
        checked = await cast(Readiness, request.app.state.readiness).check()
        has_details = False
        with anyio.move_on_after(_SECONDS):
            has_details = await may_read_details(request.scope, request.app.state.settings)
        body, status = describe_report(checked, has_details)
        return JSONResponse(body, status)

    @routes.get("/metrics", response_class=Response)
    async def metrics(request: Request) -> Response:
        """Return all metrics in the format of Prometheus. The setting `telemetry.metrics` says who may read them."""
        settings: Settings = request.app.state.settings
        if not await may_read_metrics(request.scope, settings):
            if settings.telemetry.metrics == "off":
                raise HTTPException(404)
            # One refusal for everybody: it does not tell which tokens exist.
            raise HTTPException(401, "The metrics need a token.", {"WWW-Authenticate": "Bearer"})
        numbers: ProcessNumbers = request.app.state.numbers
        written, content_type = await anyio.to_thread.run_sync(numbers.render, request.headers.get("accept", ""))
        return Response(written, headers={"Content-Type": content_type})

    return routes


def describe_report(report: ReadyReport, has_details: bool) -> tuple[dict[str, Any], int]:
    """Return the body and the status of the response to `/ready`."""
    parts = [
        PartReport(
            name=part.name,
            state=part.state,
            message=part.message,
            hint=part.hint,
            detail=part.detail if has_details else "",
        )
        for part in report.parts
    ]
    if failed := report.failed:
        trouble = Trouble(code=failed.code, message=failed.message, hint=failed.hint)
        return NotReadyResponse(error=trouble, waiting=report.waiting, parts=parts).model_dump(), 503
    status: Literal["ready", "degraded"] = "degraded" if report.is_degraded else "ready"
    return ReadyResponse(status=status, waiting=report.waiting, parts=parts).model_dump(), 200
