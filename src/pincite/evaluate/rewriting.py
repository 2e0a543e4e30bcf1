"""Follow-up questions made self-standing, against what people made of them: the words a search would look for."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import Misuse
from pincite.evaluate.follow_ups import FollowedTurn, measure_follow_ups
from pincite.evaluate.machine import about
from pincite.evaluate.store import Say
from pincite.index.analysis import terms
from pincite.retrieval.references import language_of
from pincite.retrieval.reformulate import add_subject, name_subject
from pincite.settings import Settings
from pincite.types import Exchange

_SHAPE = '{"question": …, "gold_rewrite": …, "history": [{"user": …, "assistant": …}], "year": …, "id": …}'


@dataclass(frozen=True, slots=True)
class Turn:
    """A question in its conversation, and what a person made of it so that it stands alone."""

    question: str
    history: tuple[Exchange, ...]
    gold: str
    group: str

    def words(self, text: str) -> frozenset[str]:
        """What a search would look for: stems of the words that say something."""
        return frozenset(terms(text, language_of(self.gold)))

    @property
    def needs(self) -> bool:
        """Whether the person put in words that the question does not have, from a conversation that there is."""
        return bool(self.history) and self.words(self.gold) != self.words(self.question)


Rewriting = Callable[[Turn], str]


def evaluate(folder: Path, settings: Settings, keep: Path | None, say: Say) -> dict[str, Any]:
    """Precision, recall and F1 of the words of each way of rewriting, and hits among the conversations' answers."""
    entries = _entries(folder)
    turns = [turn for turn, _ in entries]
    answered = list(_with_answers(entries))
    ways: dict[str, Rewriting] = {
        "as asked": lambda turn: turn.question,
        "last question in front": _prepended,
        "with its subject": lambda turn: add_subject(turn.question, name_subject(turn.question, turn.history)),
    }
    groups = {"all": turns} | {name: [turn for turn in turns if turn.group == name] for name in _groups(turns)}
    return {
        "set": folder.name,
        "turns": len(turns),
        "about": f"{folder.name}: {len(turns)} turns, {sum(t.needs for t in turns)} that need rewriting; {about()}",
        "groups": {
            name: {
                "turns": len(within),
                "need_rewriting": sum(turn.needs for turn in within),
                "ways": {way: _scores(within, rewritten) for way, rewritten in ways.items()},
            }
            for name, within in groups.items()
        },
        "found": measure_follow_ups(answered, settings, keep, say) if answered else {},
    }


def _scores(turns: Sequence[Turn], rewritten: Rewriting) -> dict[str, dict[str, float]]:
    scored = [(turn.needs, _overlap(turn.words(rewritten(turn)), turn.words(turn.gold))) for turn in turns]
    return {
        "all": _means([score for _, score in scored]),
        "need_rewriting": _means([score for needs, score in scored if needs]),
    }


def _overlap(ours: frozenset[str], gold: frozenset[str]) -> tuple[float, float, float]:
    if not ours and not gold:
        return 1.0, 1.0, 1.0
    shared = len(ours & gold)
    return shared / max(len(ours), 1), shared / max(len(gold), 1), 2 * shared / (len(ours) + len(gold))


def _means(scores: Sequence[tuple[float, float, float]]) -> dict[str, float]:
    columns = zip(*scores, strict=True) if scores else ((0.0,),) * 3
    return {
        name: round(sum(column) / max(len(scores), 1), 4)
        for name, column in zip(("precision", "recall", "f1"), columns, strict=True)
    }


def _with_answers(entries: Sequence[tuple[Turn, str]]) -> Iterator[FollowedTurn]:
    """The turns whose answer stands in the set: in the history of a later turn of their conversation."""
    answers: dict[tuple[str, ...], str] = {}
    for turn, conversation in entries:
        for end, exchange in enumerate(turn.history, 1):
            if exchange.answer:
                answers[(conversation, *(each.question for each in turn.history[:end]))] = exchange.answer
    for turn, conversation in entries:
        answer = answers.get((conversation, *(each.question for each in turn.history), turn.question))
        if answer:
            yield FollowedTurn(turn.question, turn.history, turn.gold, answer)


def _prepended(turn: Turn) -> str:
    return " ".join((*(exchange.question for exchange in turn.history[-1:]), turn.question))


def _groups(turns: Sequence[Turn]) -> list[str]:
    return sorted({turn.group for turn in turns} - {""})


def _entries(folder: Path) -> list[tuple[Turn, str]]:
    """The turns of a set, each with the name of its conversation."""
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise Misuse(f"There is no .jsonl file in {folder}.", f"Each of its lines is {_SHAPE}.")
    turns = []
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if line.strip():
                try:
                    turns.append(_turn(json.loads(line)))
                except (ValueError, KeyError, TypeError, AttributeError):
                    raise Misuse(f"{path}, line {number} is not a turn.", f"Each line is {_SHAPE}.") from None
    if not turns:
        raise Misuse(f"There are no turns in {folder}.", f"Each line of a .jsonl file is {_SHAPE}.")
    return turns


def _turn(entry: dict[str, Any]) -> tuple[Turn, str]:
    history = tuple(Exchange(str(said["user"]), str(said.get("assistant") or "")) for said in entry["history"])
    group = str(entry.get("year", ""))
    turn = Turn(str(entry["question"]), history, str(entry["gold_rewrite"]), group)
    return turn, f"{group} {str(entry.get('id', '')).partition('_')[0]}"
