"""Answers of several subagents as one, where no model can write it: each under its name, and nothing shown twice."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.agent.extractive.steps import bare
from pincite.agent.hearing import Composed, Noted, Quoted, Refused
from pincite.agent.refusal import refusal
from pincite.retrieval.references import language_of

if TYPE_CHECKING:
    from pincite.agent.subagents.running import Outcome


def joined(outcomes: "Sequence[Outcome]", question: str) -> list[Composed]:
    """What each subagent found, under the heading of its part; a part that nothing answers says so.

    What a part offers on demand alone is left out.
    """
    shown: set[object] = set()
    parts: list[Composed] = []
    for each in outcomes:
        own = [part for part in each.composed if not isinstance(part, Noted) and not _is_more(part)]
        # What a part before has shown is shown again only where the part has nothing else.
        fresh = [part for part in own if not (isinstance(part, Quoted) and part.card.span in shown)] or own
        shown |= {part.card.span for part in fresh if isinstance(part, Quoted)}
        heading = Noted(f"**{_plain(each.subtask.heading or each.subtask.task)}**")
        parts += [heading, *(fresh or [Refused(refusal(language_of(question, ())))])]
    return parts


def _is_more(part: Composed) -> bool:
    return isinstance(part, Quoted) and part.card.is_more


def _plain(heading: str) -> str:
    text = " ".join(bare(heading).replace("*", "").replace("[", "(").replace("]", ")").split())
    return text[:1].upper() + text[1:]
