"""Measure how often follow-up questions find the right answer among those of their own conversations.

For comparison, questions that open a conversation are asked after another one: they must be found as well as without a
history.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.evaluate.evaluation_library import ReportStatus, open_evaluation_library
from pincite.evaluate.retrieval import embed_documents, ingest_corpus
from pincite.search.follow_up import needs_subject, search_follow_up
from pincite.search.question_subject import name_subject
from pincite.search.references import needs_history
from pincite.search.search import PassageSearch
from pincite.settings import Settings
from pincite.text.language import detect_conversation_language
from pincite.types import Exchange, Hit, Scope

_DEPTHS = (1, 3, 8)


@dataclass(frozen=True, slots=True)
class FollowUpTurn:
    """A question in its conversation, its rewrite by a person, and its answer in the set."""

    question: str
    history: tuple[Exchange, ...]
    gold: str
    answer: str


FindHits = Callable[[FollowUpTurn], Sequence[Hit]]


def measure_follow_ups(
    turns: Sequence[FollowUpTurn], settings: Settings, keep: Path | None, say: ReportStatus
) -> dict[str, Any]:
    """Return hits at 1, 3 and 8 for each way of searching, for follow-ups and for self-contained questions."""
    after = [turn for turn in turns if turn.history]
    alone = list(_pair_with_others([turn for turn in turns if not turn.history], after))
    corpus = [{"_id": f"answer {n}", "text": text} for n, text in enumerate(dict.fromkeys(t.answer for t in turns))]
    with open_evaluation_library(settings, keep) as (library, model):
        ingest_corpus(library, corpus, say)
        if model:
            embed_documents(library, model, say)
        search = PassageSearch(library.database, library.index, model, settings)
        scope, most = Scope(owner=settings.owner), max(_DEPTHS)

        def as_asked(turn: FollowUpTurn) -> Sequence[Hit]:
            return search.search(turn.question, scope, most)

        def in_front(turn: FollowUpTurn) -> Sequence[Hit]:
            return search.search(f"{turn.history[-1].question} {turn.question}", scope, most)

        def beside(turn: FollowUpTurn) -> Sequence[Hit]:
            subject = name_subject(turn.question, turn.history)
            if not subject:
                return as_asked(turn)
            return search_follow_up(search, turn.question, subject, scope, most, not is_changed(turn)).hits

        def by_person(turn: FollowUpTurn) -> Sequence[Hit]:
            return search.search(turn.gold, scope, most)

        def is_changed(turn: FollowUpTurn) -> bool:
            subject, spoken = (
                name_subject(turn.question, turn.history),
                detect_conversation_language(turn.question, turn.history),
            )
            if not subject or needs_history(turn.question, turn.history):
                return bool(subject)
            found = search_follow_up(search, turn.question, subject, scope, most)
            return needs_subject(turn.question, found, spoken)

        ways: dict[str, FindHits] = {
            "as asked": as_asked,
            "last question in front": in_front,
            "with the subject beside": beside,
            "as a person rewrote it": by_person,
        }
        kinds = {"follow-ups": (after, ways), "stand alone": (alone, {w: f for w, f in ways.items() if f != by_person})}
        return {
            kind: {
                "turns": len(asked),
                "ways": {way: _count_hits(way, asked, find, say) for way, find in named.items()},
                "question_changed": sum(map(is_changed, asked)),
            }
            for kind, (asked, named) in kinds.items()
        }


def _pair_with_others(openings: Sequence[FollowUpTurn], after: Sequence[FollowUpTurn]) -> Iterator[FollowUpTurn]:
    """Yield each opening question after the conversation of another one."""
    for place, opening in enumerate(openings):
        others = [turn for turn in after if turn.history[0].question != opening.question]
        if others:
            other = others[place * len(others) // len(openings)]
            yield FollowUpTurn(opening.question, other.history, opening.gold, opening.answer)


def _count_hits(way: str, turns: Sequence[FollowUpTurn], find: FindHits, say: ReportStatus) -> dict[str, float]:
    """Return how often the text of the answer is among the first passages."""
    places = []
    for number, turn in enumerate(turns, 1):
        say(f"{way}: {number}/{len(turns)}")
        texts = [hit.text for hit in find(turn)]
        places.append(next((place for place, text in enumerate(texts, 1) if text in turn.answer), 0))
    return {f"hit@{depth}": round(sum(0 < p <= depth for p in places) / max(len(turns), 1), 4) for depth in _DEPTHS}
