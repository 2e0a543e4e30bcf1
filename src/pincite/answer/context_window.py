"""Compute how much evidence fits into a model's context."""

from typing import TYPE_CHECKING

from pincite.text.token_count import count_tokens

if TYPE_CHECKING:
    from pincite.answer.context import Context
    from pincite.llm.model_roles import ChosenModel

_ANSWER = 1024  # tokens reserved for the answer when no setting limits it
_SHARE = 0.25  # of the context, reserved for the answer at most
_SPARE = 0.05  # of the context, for tool calls and for errors of the estimate
_LEAST = 256  # tokens of evidence that are always sent


def count_free_tokens(context: "Context", *others: str, model: "ChosenModel | None" = None) -> int | None:
    """Return the tokens of evidence that fit beside other texts and the answer; None for an unlimited context.

    The model is the one that answers, unless another is given.
    """
    size = (model or context.models.chat).context
    if size is None:
        return None
    answer = context.services.settings.models.answer_tokens or min(_ANSWER, int(size * _SHARE))
    left = size - answer - int(size * _SPARE) - sum(map(count_tokens, others))
    return max(left, _LEAST)
