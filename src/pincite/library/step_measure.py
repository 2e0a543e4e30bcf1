"""Time a step of ingestion: a histogram, a span, and the ids of its log lines."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pincite.store.job_queue import Job
from pincite.telemetry import carry_ids, span
from pincite.telemetry.metrics import INGESTION_SECONDS


@contextmanager
def measure_step(jobs: Sequence[Job]) -> Iterator[None]:
    """Make everything in the block part of a step, of one job or of several at once, and time it, also if it fails."""
    first = jobs[0]
    ids = {"job": str(first.id), "document": first.document}
    with (
        carry_ids(**ids),
        INGESTION_SECONDS.time(first.step),
        span(f"ingest {first.step}", **ids, jobs=len(jobs), attempts=first.attempts),
    ):
        yield
