"""Follow-up questions searched for among the answers of their own conversations: how often the right one is found.

Beside them stand questions that open a conversation, asked after another one: they stand alone, and must be found as
well as if nothing had been asked before.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.evaluate.retrieval import embed, ingest
from pincite.evaluate.store import Say, evaluation_library
from pincite.retrieval.follow_up import needs_subject, search_follow_up
from pincite.retrieval.references import language_of, refers_back
from pincite.retrieval.reformulate import name_subject
from pincite.retrieval.search import Search
from pincite.settings import Settings
from pincite.types import Exchange, Hit, Scope

_DEPTHS = (1, 3, 8)


@dataclass(frozen=True, slots=True)
class FollowedTurn:
    """A question in its conversation, its rewrite by a person, and the answer that stands in the set."""

    question: str
    history: tuple[Exchange, ...]
    gold: str
    answer: str


Found = Callable[[FollowedTurn], Sequence[Hit]]


def measure_follow_ups(
    turns: Sequence[FollowedTurn], settings: Settings, keep: Path | None, say: Say
) -> dict[str, Any]:
    """Hits at 1, 3 and 8 of each way of searching, for follow-ups and for questions that stand alone."""
    after = [turn for turn in turns if turn.history]
    alone = list(_pair_with_others([turn for turn in turns if not turn.history], after))
    corpus = [{"_id": f"answer {n}", "text": text} for n, text in enumerate(dict.fromkeys(t.answer for t in turns))]
    with evaluation_library(settings, keep) as (library, model):
        ingest(library, corpus, say)
        if model:
            embed(library, model, say)
        search = Search(library.database, library.index, model, settings)
        scope, most = Scope(owner=settings.owner), max(_DEPTHS)

        def as_asked(turn: FollowedTurn) -> Sequence[Hit]:
            return search.search(turn.question, scope, most)

        def in_front(turn: FollowedTurn) -> Sequence[Hit]:
            return search.search(f"{turn.history[-1].question} {turn.question}", scope, most)

        def beside(turn: FollowedTurn) -> Sequence[Hit]:
            subject = name_subject(turn.question, turn.history)
            if not subject:
                return as_asked(turn)
            return search_follow_up(search, turn.question, subject, scope, most, not is_changed(turn)).hits

        def by_person(turn: FollowedTurn) -> Sequence[Hit]:
            return search.search(turn.gold, scope, most)

        def is_changed(turn: FollowedTurn) -> bool:
            subject, spoken = name_subject(turn.question, turn.history), language_of(turn.question, turn.history)
            if not subject or refers_back(turn.question, turn.history):
                return bool(subject)
            found = search_follow_up(search, turn.question, subject, scope, most)
            return needs_subject(turn.question, found, spoken)

        ways: dict[str, Found] = {
            "as asked": as_asked,
            "last question in front": in_front,
            "with the subject beside": beside,
            "as a person rewrote it": by_person,
        }
        kinds = {"follow-ups": (after, ways), "stand alone": (alone, {w: f for w, f in ways.items() if f != by_person})}
        return {
            kind: {
                "turns": len(asked),
                "ways": {way: _count(way, asked, find, say) for way, find in named.items()},
                "question_changed": sum(map(is_changed, asked)),
            }
            for kind, (asked, named) in kinds.items()
        }


def _pair_with_others(openings: Sequence[FollowedTurn], after: Sequence[FollowedTurn]) -> Iterator[FollowedTurn]:
    """Each opening question after the conversation of another one."""
    for place, opening in enumerate(openings):
        others = [turn for turn in after if turn.history[0].question != opening.question]
        if others:
            other = others[place * len(others) // len(openings)]
            yield FollowedTurn(opening.question, other.history, opening.gold, opening.answer)


def _count(way: str, turns: Sequence[FollowedTurn], find: Found, say: Say) -> dict[str, float]:
    """How often the answer's own text is among the first passages."""
    places = []
    for number, turn in enumerate(turns, 1):
        say(f"{way}: {number}/{len(turns)}")
        texts = [hit.text for hit in find(turn)]
        places.append(next((place for place, text in enumerate(texts, 1) if text in turn.answer), 0))
    return {f"hit@{depth}": round(sum(0 < p <= depth for p in places) / max(len(turns), 1), 4) for depth in _DEPTHS}
