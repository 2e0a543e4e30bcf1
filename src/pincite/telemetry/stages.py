"""Time the stages of an answer: in a histogram, and as spans."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from pincite.telemetry.metrics import STAGE_SECONDS
from pincite.telemetry.spans import TraceSpan, span

Stage = Literal["understand", "route", "gather", "write", "cite"]


@contextmanager
def measure_stage(stage: Stage) -> Iterator[TraceSpan]:
    """Time a stage while the block lasts, also when it fails."""
    with STAGE_SECONDS.time(stage), span(stage) as opened:
        yield opened
