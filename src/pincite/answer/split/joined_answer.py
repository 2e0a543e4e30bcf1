"""Join the results of several subagents without a model: each under its heading, and no passage twice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.answer.extractive.question_kind import strip_article
from pincite.answer.passage_cards import merge_highlights
from pincite.answer.refusal import write_refusal
from pincite.answer.stream_items import AnswerPart, Note, QuotedPassage, RefusalSentence
from pincite.text.language import detect_conversation_language

if TYPE_CHECKING:
    from pincite.answer.split.subagent_run import SubtaskResult


@dataclass(slots=True)
class _Group:
    """What one subagent found, or several that found the same passages."""

    headings: list[str]
    parts: list[AnswerPart]


def join_results(outcomes: "Sequence[SubtaskResult]", question: str) -> list[AnswerPart]:
    """Return the parts of each subagent under its heading. A part without an answer gets a refusal.

    Parts with the same passages are one, under both headings, so that "London" and "Paris" are two highlighted rows of
    one table. Passages that are shown only on demand are left out.
    """
    refusal = RefusalSentence(write_refusal(detect_conversation_language(question, ())))
    groups: list[_Group] = []
    for each in outcomes:
        heading = _flatten_heading(each.subtask.heading or each.subtask.task)
        own: list[AnswerPart] = [part for part in each.composed if not isinstance(part, Note) and not _is_more(part)]
        same = next((group for group in groups if _has_passages(group, own)), None)
        if same is not None:
            same.headings.append(heading)
            same.parts = [_add_highlights(part, own) for part in same.parts]
            continue
        shown = {part.card.span for group in groups for part in group.parts if isinstance(part, QuotedPassage)}
        # A passage of an earlier part is repeated only where the part has nothing else.
        fresh = [part for part in own if not (isinstance(part, QuotedPassage) and part.card.span in shown)] or own
        groups.append(_Group([heading], fresh or [refusal]))
    return [part for group in groups for part in (Note(f"**{' · '.join(group.headings)}**"), *group.parts)]


def _has_passages(group: _Group, parts: Sequence[AnswerPart]) -> bool:
    """Whether parts are passages, and a group shows all of them."""
    shown = {part.card.span for part in group.parts if isinstance(part, QuotedPassage)}
    return bool(parts) and all(isinstance(part, QuotedPassage) and part.card.span in shown for part in parts)


def _add_highlights(part: AnswerPart, others: Sequence[AnswerPart]) -> AnswerPart:
    """Return a passage with what other parts highlight in it; any other part as it is."""
    if not isinstance(part, QuotedPassage):
        return part
    card = part.card
    for other in others:
        if isinstance(other, QuotedPassage) and other.card.span == card.span:
            card = merge_highlights(card, other.card)
    return QuotedPassage(card)


def _is_more(part: AnswerPart) -> bool:
    return isinstance(part, QuotedPassage) and part.card.is_more


def _flatten_heading(heading: str) -> str:
    text = " ".join(strip_article(heading).replace("*", "").replace("[", "(").replace("]", ")").split())
    return text[:1].upper() + text[1:]
