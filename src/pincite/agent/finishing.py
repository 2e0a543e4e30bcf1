"""How a model's answer ended: whole, or cut by its length, a lost stream or a filter."""

from typing import TYPE_CHECKING

from pincite.agent.repetition import ends_sentence
from pincite.errors import ModelError
from pincite.events import Cut

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse


def find_cut(response: "ModelResponse") -> Cut | None:
    """Why a response is not whole; None when it is.

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
    if response.provider_name and is_silent and text and not ends_sentence(text):
        return "connection"
    return None


def cut_by(error: ModelError, text: str) -> Cut | None:
    """Why an answer is not whole whose model failed after it had written this text.

    A limit of the question is counted when a response is over: its text is cut only where it ends inside a sentence.
    """
    if error.failure in ("limit", "length"):
        return None if ends_sentence(text) else "length"
    if error.failure == "declined":
        return "filter"
    return "connection"
