import asyncio

import pytest

from pincite.errors import ModelError
from pincite.llm.request_measure import measure_request
from pincite.telemetry.metrics import MODEL_REQUESTS, MODEL_SECONDS, TOKENS


def test_a_request_is_counted_with_its_tokens_under_the_name_of_a_model_that_answered() -> None:
    name = "gateway:test-request-measure"
    other = MODEL_REQUESTS.read().get(("other", "failed"), 0)
    with pytest.raises(ModelError), measure_request(name):
        raise ModelError("There is no such model.")
    assert MODEL_REQUESTS.read()["other", "failed"] == other + 1
    for _ in range(2):
        with measure_request(name) as measured:
            measured.input_tokens, measured.output_tokens = 7, 3
    with pytest.raises(asyncio.CancelledError), measure_request(name):
        raise asyncio.CancelledError
    assert MODEL_REQUESTS.read()[name, "done"] == 2
    assert MODEL_REQUESTS.read()[name, "stopped"] == 1
    assert (TOKENS.read()[name, "input"], TOKENS.read()[name, "output"]) == (14, 6)
    assert sum(MODEL_SECONDS.read()[(name,)][0]) == 3
