"""A conversation so far to the part of it that goes with the next question: newest first to stay, whole exchanges.

What was cited in an earlier answer numbers that turn's evidence: such marks are taken out.
"""

from collections.abc import Sequence
from dataclasses import replace

from pincite.agent.context_window import CHARACTERS, count_tokens
from pincite.evidence.markers import unmarked
from pincite.evidence.sentences import sentences
from pincite.types import Exchange

# Of the tokens there are, what one long answer may take from the others.
_SHARE = 0.5
_FEWEST = 24


def recent(history: Sequence[Exchange], tokens: int, exchanges: int) -> tuple[Exchange, ...]:
    """The newest exchanges, in order, at most so many and of about so many tokens; a long answer is shortened."""
    kept: list[Exchange] = []
    left = tokens
    for exchange in reversed(history[-exchanges:] if exchanges > 0 else ()):
        room = left - count_tokens(exchange.question)
        if room < 0:
            break
        answer = shortened(unmarked(exchange.answer), min(room, max(int(tokens * _SHARE), _FEWEST)))
        if not answer and exchange.answer.strip() and kept:
            break
        left = room - count_tokens(answer)
        kept.append(replace(exchange, answer=answer))
    return tuple(reversed(kept))


def summary(history: Sequence[Exchange], tokens: int) -> str:
    """The conversation in a few lines, for a prompt: each question as it was understood, and how its answer begins."""
    lines: list[str] = []
    left = tokens
    for exchange in reversed(history):
        question = _line(exchange.understood or exchange.question)
        begun = shortened(_line(unmarked(exchange.answer)), max(left // 3, _FEWEST))
        said = f"- {question}" + (f" → {begun}" if begun else "")
        if count_tokens(said) > left:
            said = f"- {question}"
        if count_tokens(said) > left:
            break
        left -= count_tokens(said) + 1
        lines.append(said)
    return "\n".join(reversed(lines))


def shortened(text: str, tokens: int) -> str:
    """As many whole sentences from the beginning as fit; of a first one that is too long, its first words."""
    text = text.strip()
    room = int(tokens * CHARACTERS)
    if len(text) <= room:
        return text
    ends = [end for _, end in sentences(text, 0, room + 1) if end <= room and _is_end(text, end)]
    if ends:
        return text[: ends[-1]].rstrip() + (" …" if ends[-1] + 2 <= room else "")
    cut = text[: max(room - 1, 0)].rpartition(" ")[0].rstrip(" ,;:")
    return f"{cut} …" if cut else ""


def _is_end(text: str, end: int) -> bool:
    """Does a sentence end here, or was it only cut?"""
    return end >= len(text) or text[end - 1] in ".!?…»”\"')]。！？" or "\n" in text[end : end + 2]


def _line(text: str) -> str:
    return " ".join(text.split())
