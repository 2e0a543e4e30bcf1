"""Decide how a model's answer ended: complete, or cut by its length, a lost stream or a filter."""

from typing import TYPE_CHECKING

from pincite.errors import ModelError
from pincite.events import Cut
from pincite.llm.repetition import has_sentence_end

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse


def find_cut(response: "ModelResponse") -> Cut | None:
    """Return why a response is incomplete; None when it is complete.

    A stream that ends without a reason may be whole, as some servers never send one: it counts as cut when its text
    ends inside a sentence.
    """
    if response.finish_reason == "length":
        return "length"
    if response.finish_reason == "content_filter":
        return "filter"
    # Models without a provider, such as the one that quotes, never send a reason. The framework assumes "stop" where
    # a provider sent none.
    is_silent = "finish_reason" not in (response.provider_details or {})
    text = (response.text or "").strip()
    if response.provider_name and is_silent and text and not has_sentence_end(text):
        return "connection"
    return None


def find_cut_by_error(error: ModelError, text: str) -> Cut | None:
    """Return why an answer is incomplete whose model failed after it had written this text.

    A limit of the question is counted when a response is over: its text is cut only where it ends inside a sentence.
    """
    if error.failure in ("limit", "length"):
        return None if has_sentence_end(text) else "length"
    if error.failure == "declined":
        return "filter"
    return "connection"
