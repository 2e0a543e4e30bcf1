"""The judge over HTTP: which model judges, how far it agrees with readers, and measuring that in the background."""

import asyncio
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from fastapi import APIRouter, Request, status
from pydantic import BaseModel, Field

from pincite.errors import Measuring, PinciteError
from pincite.evaluate.judge import find_judge_name, measure, open_judge
from pincite.server.doors import TheLibrary, house
from pincite.settings import Settings
from pincite.store.calibrations import measured
from pincite.store.database import Database

if TYPE_CHECKING:
    from pincite.agent.house import House

log = logging.getLogger(__name__)

State = Literal["idle", "running", "done", "failed"]


class ShownMeasure(BaseModel):
    """How a judge did on the calibration set, the last time that it was measured."""

    agreed: Annotated[int, Field(description="Sentences that it judged as readers do.")]
    total: Annotated[int, Field(description="Sentences of the set; half of them are true.")]
    passed: Annotated[int, Field(description="False sentences that it let pass.")]
    doubted: Annotated[int, Field(description="True sentences that it did not call supported.")]
    unjudged: Annotated[int, Field(description="Sentences on which it gave no verdict.")]
    when: Annotated[float, Field(description="When that was, in seconds since 1970.")]
    model: str


class ShownJudge(BaseModel):
    """The model that judges an answer's sentences, and how far it can be trusted."""

    setting: Annotated[str, Field(description="`answers.judge`: `model`, `off`, or the name of a model.")]
    model: Annotated[str, Field(description="The model that this means; empty when no model judges.")]
    measured: Annotated[ShownMeasure | None, Field(description="Null until it was measured.")]


class JudgeStatus(ShownJudge):
    """The same, and how far measuring it is."""

    state: Annotated[State, Field(description="`idle` until it was measured by this server.")]
    done: Annotated[int, Field(description="Sentences that are judged.")]
    total: Annotated[int, Field(description="Sentences in all; 0 until that is known.")]
    error: Annotated[str, Field(description="Why measuring failed, and what to do; else empty.")]


@dataclass(frozen=True, slots=True)
class Stage:
    """How far measuring a judge is."""

    state: State = "idle"
    done: int = 0
    total: int = 0
    error: str = ""


class Calibrating:
    """Measures the judge in the background, one measurement at a time."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._task: asyncio.Task[dict[str, Any]] | None = None
        self.stage = Stage()

    async def start(self) -> None:
        """Begin to measure the judge that is set; `Measuring` when that is under way, `Misuse` when none is set."""
        if self.stage.state == "running":
            raise Measuring("The judge is being measured already.", "Wait until that is done.")
        settings, models = self._house.settings, self._house.models
        name = find_judge_name(settings)
        before, self.stage = self.stage, Stage("running")
        try:
            # A name that cannot be is said at once. The provider's library may take a second to load.
            await asyncio.to_thread(open_judge, models, name, lambda _: None, settings.answers.judge_seconds)
        except BaseException:  # a request that was given up is cancelled here
            self.stage = before
            raise
        self._task = asyncio.create_task(measure(settings, self._house.library.database, models, name, self._advance))
        self._task.add_done_callback(self._end)

    async def stop(self) -> None:
        """Give up what is under way."""
        if self._task and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])

    def _advance(self, done: int, total: int) -> None:
        self.stage = Stage("running", done, total)

    def _end(self, task: asyncio.Task[dict[str, Any]]) -> None:
        done, total = self.stage.done, self.stage.total
        if task.cancelled():
            self.stage = Stage("idle")
        elif (error := task.exception()) is None:
            self.stage = Stage("done", done, total)
        elif isinstance(error, PinciteError):
            self.stage = Stage("failed", done, total, f"{error.message} {error.hint}".strip())
        else:
            log.error("The judge could not be measured.", exc_info=error)
            self.stage = Stage("failed", done, total, "The judge could not be measured. The server's log says why.")


def show_judge(settings: Settings, database: Database) -> ShownJudge:
    """The judge that is set, with its last measurement."""
    name = find_judge_name(settings)
    known = measured(database, name) if name else None
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
    """The routes of the judge."""
    routes = APIRouter(tags=["about"])

    @routes.get("/api/judge")
    def judge(library: TheLibrary, request: Request) -> JudgeStatus:
        """The model that judges sentences, how far it agrees with readers, and how far measuring that is."""
        return _tell(request, library.database)

    @routes.post("/api/judge/calibrate", status_code=status.HTTP_202_ACCEPTED)
    async def calibrate(library: TheLibrary, request: Request) -> JudgeStatus:
        """Measure the judge on the sentences that come with Pincite, in the background; 409 while that is done."""
        await _calibrating(request).start()
        return await asyncio.to_thread(_tell, request, library.database)

    return routes


def _calibrating(request: Request) -> Calibrating:
    return cast(Calibrating, request.app.state.calibrating)


def _tell(request: Request, database: Database) -> JudgeStatus:
    shown, stage = show_judge(house(request).settings, database), _calibrating(request).stage
    return JudgeStatus(
        setting=shown.setting,
        model=shown.model,
        measured=shown.measured,
        state=stage.state,
        done=stage.done,
        total=stage.total,
        error=stage.error,
    )
