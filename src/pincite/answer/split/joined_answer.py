"""Join the results of several subagents without a model: each under its heading, and no passage twice."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.answer.extractive.search_plan import strip_article
from pincite.answer.refusal import write_refusal
from pincite.answer.stream_items import AnswerPart, Note, QuotedPassage, RefusalSentence
from pincite.text.language import detect_conversation_language

if TYPE_CHECKING:
    from pincite.answer.split.subagent_run import SubtaskResult


def join_results(outcomes: "Sequence[SubtaskResult]", question: str) -> list[AnswerPart]:
    """Return the parts of each subagent under its heading. A part without an answer gets a refusal.

    Passages that are shown only on demand are left out.
    """
    shown: set[object] = set()
    parts: list[AnswerPart] = []
    for each in outcomes:
        own = [part for part in each.composed if not isinstance(part, Note) and not _is_more(part)]
        # A passage of an earlier part is repeated only where the part has nothing else.
        fresh = [part for part in own if not (isinstance(part, QuotedPassage) and part.card.span in shown)] or own
        shown |= {part.card.span for part in fresh if isinstance(part, QuotedPassage)}
        heading = Note(f"**{_flatten_heading(each.subtask.heading or each.subtask.task)}**")
        parts += [heading, *(fresh or [RefusalSentence(write_refusal(detect_conversation_language(question, ())))])]
    return parts


def _is_more(part: AnswerPart) -> bool:
    return isinstance(part, QuotedPassage) and part.card.is_more


def _flatten_heading(heading: str) -> str:
    text = " ".join(strip_article(heading).replace("*", "").replace("[", "(").replace("]", ")").split())
    return text[:1].upper() + text[1:]
