"""Count and time a request to a model: metrics and a span."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pincite.telemetry import span
from pincite.telemetry.metrics import MODEL_REQUESTS, MODEL_SECONDS, TOKENS
from pincite.telemetry.model_names import MODELS


@dataclass(slots=True)
class MeasuredRequest:
    """The tokens of a request, known at its end."""

    input_tokens: int = 0
    output_tokens: int = 0


@contextmanager
def measure_request(name: str) -> Iterator[MeasuredRequest]:
    """Count a request that lasts as long as the block, with the tokens that are noted in it."""
    measured, outcome, begun = MeasuredRequest(), "failed", time.perf_counter()
    with span("model request", model=name) as opened:
        try:
            yield measured
            outcome = "done"
            MODELS.admit(name)
        except (asyncio.CancelledError, GeneratorExit):
            outcome = "stopped"
            raise
        finally:
            label = MODELS.choose(name)
            MODEL_REQUESTS.add(label, outcome)
            MODEL_SECONDS.observe(time.perf_counter() - begun, label)
            TOKENS.add(label, "input", amount=measured.input_tokens)
            TOKENS.add(label, "output", amount=measured.output_tokens)
            opened.set(input_tokens=measured.input_tokens, output_tokens=measured.output_tokens)
