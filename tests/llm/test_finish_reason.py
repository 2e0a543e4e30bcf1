"""How a model's last response ended is read from what its provider sent."""

from typing import Any

import pytest
from pydantic_ai.messages import ModelResponse, TextPart

from pincite.errors import LimitReached, ModelError
from pincite.llm.finish_reason import find_cut, find_cut_by_error

WHOLE, HALF = "The dam is 33 m high [1.2].", "The dam is 33 m high [1.2]. It was"


def response(text: str, reason: Any, details: Any = None, provider: str | None = "vllm") -> ModelResponse:
    return ModelResponse(parts=[TextPart(text)], finish_reason=reason, provider_details=details, provider_name=provider)


@pytest.mark.parametrize("text", [WHOLE, HALF])
def test_a_provider_says_why_it_ended(text: str) -> None:
    assert find_cut(response(text, "length", {"finish_reason": "length"})) == "length"
    assert find_cut(response(text, "content_filter", {"finish_reason": "content_filter"})) == "filter"
    assert find_cut(response(text, "stop", {"finish_reason": "stop"})) is None


@pytest.mark.parametrize("reason", ["stop", None])
def test_a_stream_that_ends_without_a_reason_is_cut_where_a_sentence_is_not_whole(reason: str | None) -> None:
    assert find_cut(response(HALF, reason)) == "connection"
    assert find_cut(response(WHOLE, reason)) is None


def test_a_model_without_a_provider_is_never_cut() -> None:
    assert find_cut(response(HALF, None, provider=None)) is None


def test_a_model_that_fails_while_it_writes_is_cut() -> None:
    assert find_cut_by_error(ModelError("It broke off.", failure="broken"), WHOLE) == "connection"
    assert find_cut_by_error(ModelError("It is late.", failure="late"), HALF) == "connection"
    assert find_cut_by_error(LimitReached("Its tokens are used up."), HALF) == "length"
    assert find_cut_by_error(LimitReached("Its tokens are used up."), WHOLE) is None
