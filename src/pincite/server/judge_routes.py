"""HTTP routes for the judge: the model, its agreement with readers, and measuring it in the background."""

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from fastapi import APIRouter, Request, status
from pydantic import BaseModel, Field

from pincite.errors import Measuring, PinciteError
from pincite.evaluate.judge_agreement import find_judge_name, measure_judge, open_judge
from pincite.llm.stored_models import read_stored_models
from pincite.server.dependencies import TheLibrary, get_services
from pincite.settings import Settings
from pincite.store.calibrations import get_calibration
from pincite.store.database import Database

if TYPE_CHECKING:
    from pincite.answer.services import Services

log = logging.getLogger(__name__)

State = Literal["idle", "running", "done", "failed"]


class ShownMeasure(BaseModel):
    """The last result of a judge on the calibration set."""

    agreed: Annotated[int, Field(description="Sentences on which it agreed with readers.")]
    total: Annotated[int, Field(description="Sentences in the set; half of them are true.")]
    passed: Annotated[int, Field(description="False sentences that it called supported.")]
    doubted: Annotated[int, Field(description="True sentences that it did not call supported.")]
    unjudged: Annotated[int, Field(description="Sentences without a verdict.")]
    when: Annotated[float, Field(description="Time of the measurement, in seconds since 1970.")]
    model: str


class ShownJudge(BaseModel):
    """The model that judges the sentences of an answer, with its last measurement."""

    setting: Annotated[str, Field(description="`answers.judge`: `model`, `off`, or the name of a model.")]
    model: Annotated[str, Field(description="The model that the setting selects; empty if no model judges.")]
    measured: Annotated[ShownMeasure | None, Field(description="The last measurement; null before the first.")]


class JudgeStatus(ShownJudge):
    """The judge, and the progress of its measurement."""

    state: Annotated[State, Field(description="`idle` until this server measures the judge.")]
    done: Annotated[int, Field(description="Sentences judged so far.")]
    total: Annotated[int, Field(description="Number of sentences; 0 until it is known.")]
    error: Annotated[str, Field(description="Why the measurement failed and what to do; else empty.")]


@dataclass(frozen=True, slots=True)
class CalibrationStage:
    """The progress of a measurement."""

    state: State = "idle"
    done: int = 0
    total: int = 0
    error: str = ""


class JudgeCalibration:
    """Measures the judge in the background, one measurement at a time."""

    def __init__(self, services: "Services") -> None:
        self._services = services
        self._task: asyncio.Task[dict[str, Any]] | None = None
        self.stage = CalibrationStage()

    async def start(self) -> None:
        """Start to measure the configured judge. Raise `Measuring` if one runs already, `Misuse` without a judge."""
        if self.stage.state == "running":
            raise Measuring("The judge is already being measured.", "Wait until the measurement ends.")
        settings, models = self._services.settings, self._services.models
        name = find_judge_name(await asyncio.to_thread(lambda: models.settings))
        before, self.stage = self.stage, CalibrationStage("running")
        try:
            # Report an invalid name at once. In a thread, because the provider's library may take a second to load.
            await asyncio.to_thread(open_judge, models, name, lambda _: None, settings.answers.judge_seconds)
        except BaseException:  # includes the cancellation of the request
            self.stage = before
            raise
        self._task = asyncio.create_task(
            measure_judge(settings, self._services.library.database, models, name, self._advance)
        )
        self._task.add_done_callback(self._end)

    async def stop(self) -> None:
        """Cancel the running measurement."""
        if self._task and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])

    def _advance(self, done: int, total: int) -> None:
        self.stage = CalibrationStage("running", done, total)

    def _end(self, task: asyncio.Task[dict[str, Any]]) -> None:
        done, total = self.stage.done, self.stage.total
        if task.cancelled():
            self.stage = CalibrationStage("idle")
        elif (error := task.exception()) is None:
            self.stage = CalibrationStage("done", done, total)
        elif isinstance(error, PinciteError):
            self.stage = CalibrationStage("failed", done, total, f"{error.message} {error.hint}".strip())
        else:
            log.error("The judge could not be measured.", exc_info=error)
            self.stage = CalibrationStage(
                "failed", done, total, "The judge could not be measured. The server's log has the reason."
            )


def make_shown_judge(settings: Settings, database: Database) -> ShownJudge:
    """Return the judge, of the page or of the settings file, with its last measurement."""
    settings = read_stored_models(settings, database).settings
    name = find_judge_name(settings)
    known = get_calibration(database, name) if name else None
    return ShownJudge(
        setting=settings.answers.judge,
        model=name,
        measured=ShownMeasure(
            agreed=known.agreed,
            total=known.total,
            passed=known.passed,
            doubted=known.doubted,
            unjudged=known.unjudged,
            when=known.when,
            model=known.model,
        )
        if known
        else None,
    )


def router() -> APIRouter:
    """Return the routes for the judge."""
    routes = APIRouter(tags=["about"])

    @routes.get("/api/judge")
    def judge(library: TheLibrary, request: Request) -> JudgeStatus:
        """Get the judge model, its agreement with readers, and the progress of a running measurement."""
        return _make_status(request, library.database)

    @routes.post("/api/judge/calibrate", status_code=status.HTTP_202_ACCEPTED)
    async def calibrate(library: TheLibrary, request: Request) -> JudgeStatus:
        """Measure the judge in the background, on the sentences that come with Pincite.

        The response is 409 if a measurement is already running.
        """
        await _get_calibration(request).start()
        return await asyncio.to_thread(_make_status, request, library.database)

    return routes


def _get_calibration(request: Request) -> JudgeCalibration:
    return cast(JudgeCalibration, request.app.state.calibrating)


def _make_status(request: Request, database: Database) -> JudgeStatus:
    shown, stage = make_shown_judge(get_services(request).settings, database), _get_calibration(request).stage
    return JudgeStatus(
        setting=shown.setting,
        model=shown.model,
        measured=shown.measured,
        state=stage.state,
        done=stage.done,
        total=stage.total,
        error=stage.error,
    )
