"""Answers of several subagents as one, where no model can write it: each under its name, and nothing said twice."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.agent.extractive.steps import bare
from pincite.agent.refusal import is_silent, refusal
from pincite.retrieval.references import language_of

if TYPE_CHECKING:
    from pincite.agent.subagents.running import Outcome

_MARKS = re.compile(r"\s*\[[\d.,\s]+\]")
_BETWEEN = re.compile(r"(\n\n+)")


def joined(outcomes: "Sequence[Outcome]", question: str) -> str:
    """What each subagent quotes, under the heading of its part; a part that nothing answers says so."""
    said: set[str] = set()
    parts = []
    for each in outcomes:
        fresh = "".join(_fresh(each.said.strip(), said)).strip() or refusal(language_of(question, ()))
        parts.append(f"**{_plain(each.subtask.heading or each.subtask.task)}**\n\n{fresh}")
    return "\n\n".join(parts)


def _fresh(text: str, said: set[str]) -> list[str]:
    """The paragraphs of a text that were not said before, with what stands between them."""
    kept = []
    for piece in _BETWEEN.split(text):
        bare = _MARKS.sub("", piece).strip()
        if bare and not is_silent(piece):
            if bare in said:
                continue
            said.add(bare)
        kept.append(piece)
    return kept


def _plain(heading: str) -> str:
    text = " ".join(bare(heading).replace("*", "").replace("[", "(").replace("]", ")").split())
    return text[:1].upper() + text[1:]
