"""Choose the part of a conversation that goes with the next question: the newest exchanges, whole.

Citation marks in earlier answers number the evidence of those answers, so they are removed.
"""

from collections.abc import Sequence
from dataclasses import replace

from pincite.text.citation_marks import strip_marks
from pincite.text.sentences import split_sentences
from pincite.text.token_count import CHARACTERS_PER_TOKEN, count_tokens
from pincite.types import Exchange

_SHARE = 0.5  # of the tokens, for one long answer at most
_CUT = "\n…\n"  # stands where the middle of a text was
_FEWEST = 24  # tokens of an answer at least


def keep_recent(history: Sequence[Exchange], tokens: int, exchanges: int) -> tuple[Exchange, ...]:
    """Return the newest exchanges in order, within both limits. A long answer is shortened."""
    chosen: list[Exchange] = []
    left = tokens
    for exchange in reversed(history[-exchanges:] if exchanges > 0 else ()):
        room = left - count_tokens(exchange.question)
        if room < 0:
            break
        reported = cut_middle(exchange.reported, min(room, int(tokens * _SHARE)))
        room -= count_tokens(reported)
        answer = shorten_text(strip_marks(exchange.answer), min(room, max(int(tokens * _SHARE), _FEWEST)))
        if not answer and exchange.answer.strip() and chosen:
            break
        left = room - count_tokens(answer)
        chosen.append(replace(exchange, answer=answer, reported=reported))
    return tuple(reversed(chosen))


def summarise_history(history: Sequence[Exchange], tokens: int) -> str:
    """Summarise the conversation for a prompt: each question as it was understood, and how its answer begins."""
    lines: list[str] = []
    left = tokens
    for exchange in reversed(history):
        question = _join_lines(exchange.understood or exchange.question)
        begun = shorten_text(_join_lines(strip_marks(exchange.answer)), max(left // 3, _FEWEST))
        reported = shorten_text(_join_lines(exchange.reported), max(left // 3, _FEWEST)) if exchange.reported else ""
        line = f"- {question}" + (f" → {begun}" if begun else "") + (f" ({reported})" if reported else "")
        if count_tokens(line) > left:
            line = f"- {question}"
        if count_tokens(line) > left:
            break
        left -= count_tokens(line) + 1
        lines.append(line)
    return "\n".join(reversed(lines))


def shorten_text(text: str, tokens: int) -> str:
    """Return as many whole sentences as fit. If the first is too long, return its first words."""
    text = text.strip()
    room = int(tokens * CHARACTERS_PER_TOKEN)
    if len(text) <= room:
        return text
    ends = [end for _, end in split_sentences(text, 0, room + 1) if end <= room and _is_sentence_end(text, end)]
    if ends:
        return text[: ends[-1]].rstrip() + (" …" if ends[-1] + 2 <= room else "")
    cut = text[: max(room - 1, 0)].rpartition(" ")[0].rstrip(" ,;:")
    return f"{cut} …" if cut else ""


def cut_middle(text: str, tokens: int) -> str:
    """Return a text without its middle if it is too long: a report says what was done first, and what failed last."""
    room = int(tokens * CHARACTERS_PER_TOKEN)
    if len(text) <= room:
        return text
    head = room // 3
    tail = max(room - head - len(_CUT), 0)
    return f"{text[:head]}{_CUT}{text[len(text) - tail :]}" if room > len(_CUT) else ""


def _is_sentence_end(text: str, end: int) -> bool:
    """Whether a sentence ends here, and was not only cut."""
    return end >= len(text) or text[end - 1] in ".!?…»”\"')]。！？" or "\n" in text[end : end + 2]


def _join_lines(text: str) -> str:
    return " ".join(text.split())
