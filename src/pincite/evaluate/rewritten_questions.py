"""Measure the rewriting of follow-up questions against human rewrites, by the words a search would use."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import Misuse
from pincite.evaluate.evaluation_library import ReportStatus
from pincite.evaluate.follow_ups import FollowUpTurn, measure_follow_ups
from pincite.evaluate.machine_info import describe_machine
from pincite.index.terms import list_terms
from pincite.search.question_subject import add_subject, name_subject
from pincite.settings import Settings
from pincite.text.language import detect_conversation_language
from pincite.types import Exchange

_SHAPE = '{"question": …, "gold_rewrite": …, "history": [{"user": …, "assistant": …}], "year": …, "id": …}'


@dataclass(frozen=True, slots=True)
class RewriteTurn:
    """A question in its conversation, and a person's self-contained rewrite of it."""

    question: str
    history: tuple[Exchange, ...]
    gold: str
    group: str

    def words(self, text: str) -> frozenset[str]:
        """Return the stems of the content words, which a search would look for."""
        return frozenset(list_terms(text, detect_conversation_language(self.gold)))

    @property
    def needs_rewriting(self) -> bool:
        """Whether the person added words that the question lacks, and there is a conversation."""
        return bool(self.history) and self.words(self.gold) != self.words(self.question)


Rewriting = Callable[[RewriteTurn], str]


def evaluate(folder: Path, settings: Settings, keep: Path | None, say: ReportStatus) -> dict[str, Any]:
    """Return precision, recall and F1 of the words for each way of rewriting; also return hits among the answers."""
    entries = _read_entries(folder)
    turns = [turn for turn, _ in entries]
    answered = list(_find_answered(entries))
    ways: dict[str, Rewriting] = {
        "as asked": lambda turn: turn.question,
        "last question in front": _prepend_question,
        "with its subject": lambda turn: add_subject(turn.question, name_subject(turn.question, turn.history)),
    }
    groups = {"all": turns} | {name: [turn for turn in turns if turn.group == name] for name in _list_groups(turns)}
    return {
        "set": folder.name,
        "turns": len(turns),
        "about": f"{folder.name}: {len(turns)} turns, "
        f"{sum(t.needs_rewriting for t in turns)} that need rewriting; {describe_machine()}",
        "groups": {
            name: {
                "turns": len(within),
                "need_rewriting": sum(turn.needs_rewriting for turn in within),
                "ways": {way: _score_turns(within, rewritten) for way, rewritten in ways.items()},
            }
            for name, within in groups.items()
        },
        "found": measure_follow_ups(answered, settings, keep, say) if answered else {},
    }


def _score_turns(turns: Sequence[RewriteTurn], rewritten: Rewriting) -> dict[str, dict[str, float]]:
    scored = [
        (turn.needs_rewriting, _measure_overlap(turn.words(rewritten(turn)), turn.words(turn.gold))) for turn in turns
    ]
    return {
        "all": _compute_means([score for _, score in scored]),
        "need_rewriting": _compute_means([score for needs, score in scored if needs]),
    }


def _measure_overlap(ours: frozenset[str], gold: frozenset[str]) -> tuple[float, float, float]:
    if not ours and not gold:
        return 1.0, 1.0, 1.0
    shared = len(ours & gold)
    return shared / max(len(ours), 1), shared / max(len(gold), 1), 2 * shared / (len(ours) + len(gold))


def _compute_means(scores: Sequence[tuple[float, float, float]]) -> dict[str, float]:
    columns = zip(*scores, strict=True) if scores else ((0.0,),) * 3
    return {
        name: round(sum(column) / max(len(scores), 1), 4)
        for name, column in zip(("precision", "recall", "f1"), columns, strict=True)
    }


def _find_answered(entries: Sequence[tuple[RewriteTurn, str]]) -> Iterator[FollowUpTurn]:
    """Yield the turns whose answer is in the set: in the history of a later turn of their conversation."""
    answers: dict[tuple[str, ...], str] = {}
    for turn, conversation in entries:
        for end, exchange in enumerate(turn.history, 1):
            if exchange.answer:
                answers[(conversation, *(each.question for each in turn.history[:end]))] = exchange.answer
    for turn, conversation in entries:
        answer = answers.get((conversation, *(each.question for each in turn.history), turn.question))
        if answer:
            yield FollowUpTurn(turn.question, turn.history, turn.gold, answer)


def _prepend_question(turn: RewriteTurn) -> str:
    return " ".join((*(exchange.question for exchange in turn.history[-1:]), turn.question))


def _list_groups(turns: Sequence[RewriteTurn]) -> list[str]:
    return sorted({turn.group for turn in turns} - {""})


def _read_entries(folder: Path) -> list[tuple[RewriteTurn, str]]:
    """Read the turns of a set, each with the name of its conversation."""
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise Misuse(f"There is no .jsonl file in {folder}.", f"Each of its lines is {_SHAPE}.")
    turns = []
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if line.strip():
                try:
                    turns.append(_parse_turn(json.loads(line)))
                except (ValueError, KeyError, TypeError, AttributeError):
                    raise Misuse(f"{path}, line {number} is not a turn.", f"Each line is {_SHAPE}.") from None
    if not turns:
        raise Misuse(f"There are no turns in {folder}.", f"Each line of a .jsonl file is {_SHAPE}.")
    return turns


def _parse_turn(entry: dict[str, Any]) -> tuple[RewriteTurn, str]:
    history = tuple(
        Exchange(str(exchange["user"]), str(exchange.get("assistant") or "")) for exchange in entry["history"]
    )
    group = str(entry.get("year", ""))
    turn = RewriteTurn(str(entry["question"]), history, str(entry["gold_rewrite"]), group)
    return turn, f"{group} {str(entry.get('id', '')).partition('_')[0]}"
