"""Join the results of several subagents without a model: each under its heading, and no passage twice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.answer.extractive.question_kind import strip_article
from pincite.answer.passage_cards import are_same_place, join_numbers, merge_cards
from pincite.answer.refusal import write_refusal
from pincite.answer.stream_items import AnswerPart, Note, QuotedPassage, RefusalSentence
from pincite.text.language import detect_conversation_language

if TYPE_CHECKING:
    from pincite.answer.split.subagent_run import SubtaskResult


@dataclass(slots=True)
class _Group:
    """The findings of one subagent, or of several that found the same passages."""

    headings: list[str]
    parts: list[AnswerPart]


def join_results(outcomes: "Sequence[SubtaskResult]", question: str) -> list[AnswerPart]:
    """Return the parts of each subagent under its heading. A part without an answer gets a refusal.

    A passage is shown once, with the highlights of all parts. Two parts with the same passages are one, under both
    headings: "London" and "Paris" are two highlighted rows of one table. Passages that are shown only on demand are
    left out.
    """
    refusal = RefusalSentence(write_refusal(detect_conversation_language(question, ())))
    groups: list[_Group] = []
    for each in outcomes:
        heading = _flatten_heading(each.subtask.heading or each.subtask.task)
        own: list[AnswerPart] = [part for part in each.composed if not isinstance(part, Note) and not _is_more(part)]
        fresh = [part for part in own if not any(_is_shown(part, group.parts) for group in groups)]
        same = next((group for group in groups if own and _are_same_passages(group.parts, own)), None)
        if fresh or same:
            for group in groups:
                group.parts = [_add_part(part, own) for part in group.parts]
        if same:
            same.headings.append(heading)
        else:
            # A passage of an earlier part is repeated only where this part has nothing else.
            groups.append(_Group([heading], fresh or own or [refusal]))
    return [*_find_opening(outcomes), *(part for group in groups for part in _write_group(group))]


def _find_opening(outcomes: "Sequence[SubtaskResult]") -> list[AnswerPart]:
    """Return the line that says where the passages were found, if it is the same for all parts that have some."""
    parts = [each.composed for each in outcomes if any(isinstance(part, QuotedPassage) for part in each.composed)]
    openings = {part.text: part for own in parts for part in own[:1] if isinstance(part, Note)}
    return list(openings.values()) if len(openings) == 1 else []


def _write_group(group: _Group) -> list[AnswerPart]:
    heading = " · ".join(group.headings)
    cards = iter(join_numbers([part.card for part in group.parts if isinstance(part, QuotedPassage)]))
    named = [QuotedPassage(next(cards), heading) if isinstance(part, QuotedPassage) else part for part in group.parts]
    return [Note(f"**{heading}**"), *named]


def _are_same_passages(parts: Sequence[AnswerPart], others: Sequence[AnswerPart]) -> bool:
    """Whether two subagents found the same passages, and nothing else; the text around what answers does not count."""
    return all(_is_shown(part, others) for part in _list_answering(parts)) and all(
        _is_shown(part, parts) for part in _list_answering(others)
    )


def _list_answering(parts: Sequence[AnswerPart]) -> Sequence[AnswerPart]:
    """List the passages with highlighted words; everything if there are none."""
    return [part for part in parts if isinstance(part, QuotedPassage) and part.card.lit] or parts


def _is_shown(part: AnswerPart, among: Sequence[AnswerPart]) -> bool:
    """Whether a part is a passage that is among others."""
    return isinstance(part, QuotedPassage) and any(
        isinstance(other, QuotedPassage) and are_same_place(part.card, other.card) for other in among
    )


def _add_part(part: AnswerPart, others: Sequence[AnswerPart]) -> AnswerPart:
    """Return a passage joined with those of other parts that show the same place; any other part as it is."""
    if not isinstance(part, QuotedPassage):
        return part
    card = part.card
    for other in others:
        if isinstance(other, QuotedPassage) and are_same_place(card, other.card):
            card = merge_cards(card, other.card)
    return QuotedPassage(card)


def _is_more(part: AnswerPart) -> bool:
    return isinstance(part, QuotedPassage) and part.card.is_more


def _flatten_heading(heading: str) -> str:
    text = " ".join(strip_article(heading).replace("*", "").replace("[", "(").replace("]", ")").split())
    return text[:1].upper() + text[1:]
