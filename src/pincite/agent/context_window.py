"""How much a model can be sent: an estimate of tokens, and the room for evidence beside everything else."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.agent.models import Chosen
    from pincite.agent.turn import Turn

CHARACTERS = 3.5  # of a token, about: prose has more, figures and code have fewer
_ANSWER = 1024  # tokens kept for an answer whose length no setting limits
_SHARE = 0.25  # of the context that is kept for it at most
_SPARE = 0.05  # of the context, for tool calls and for what the estimate misses
_LEAST = 256  # tokens of evidence that are sent in any case


def count_tokens(text: str) -> int:
    """About how many tokens a text has."""
    return int(-(-len(text) // CHARACTERS))


def evidence_room(turn: "Turn", *others: str, model: "Chosen | None" = None) -> int | None:
    """Tokens of evidence that fit beside other texts and the answer; None for a model whose context has no bound.

    The model is the one that answers, where no other is named.
    """
    context = (model or turn.models.chat).context
    if context is None:
        return None
    answer = turn.house.settings.models.answer_tokens or min(_ANSWER, int(context * _SHARE))
    left = context - answer - int(context * _SPARE) - sum(map(count_tokens, others))
    return max(left, _LEAST)
