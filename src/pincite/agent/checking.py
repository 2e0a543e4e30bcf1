"""The pieces of an answer as they are checked by code: what each cites, whether it claims something, its facts."""

import asyncio
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.agent.turn import Turn
from pincite.evidence.assembly import Said
from pincite.evidence.claims import is_claim, is_row, split_row, write_out_row
from pincite.types import Pin, Support, Verdict

if TYPE_CHECKING:  # what is copied from a source is not checked, and the proof takes a while to import
    from pincite.proof.pin import Cited
    from pincite.proof.verdict import Checked

REFUSED: frozenset[Support] = frozenset({"contradicted", "unsupported"})
_NAME = re.compile(r"(?<=[a-zà-ÿ,;’'] )[A-ZÀ-Ý][^\W\d_]{2,}")  # within a sentence
LAST_BAR = re.compile(r"(?:(?<![ \t])[ \t]+)?\|[ \t]*$")


@dataclass(slots=True, eq=False)
class Entry:
    """A piece of the answer: its words, the result of the checks, its verdict, and whether it stands in the answer."""

    said: Said
    checked: "Checked | None" = None  # None where nothing is claimed
    verdict: Verdict | None = None
    is_silent: bool = False  # says that the sources do not answer
    is_waiting: bool = False  # for the judge
    is_told: bool = False
    is_left_out: bool = False
    is_private: bool = False  # tells something of About Me, and is not shown
    suggested: Pin | None = None
    bar: str = ""  # ends a table's row, behind its marks
    heads: tuple[str, ...] = ()  # above a table's row
    before: str = ""  # the sentence before it
    copied: tuple[Pin, ...] = ()  # where it was copied from by code, which needs no check

    @property
    def pins(self) -> tuple[Pin, ...]:
        return self.checked.pinned.pins if self.checked else self.copied

    @property
    def text(self) -> str:
        return self.said.text

    @property
    def words(self) -> str:
        """The text without the bar that ends a table's row."""
        return self.said.text.removesuffix(self.bar)

    @property
    def is_refused(self) -> bool:
        return self.verdict is not None and self.verdict.support in REFUSED


class Checker:
    """Checks the pieces of one answer in their order. It remembers the sentence before and the heads of a table."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self.invented = 0
        self.restart()

    def restart(self) -> None:
        """Forget what came before: the answer begins anew."""
        self._heads: list[str] | None = None
        self._before = ""

    async def check(self, said: Said, has_judge: bool) -> Entry:
        """A piece with everything that code knows of it; `is_waiting` where only a judge can decide."""
        entry = Entry(said, before=self._before)
        is_head = self._follow_table(entry)
        self._before = _write_out(entry)
        return entry if is_head else await self._check(entry, has_judge)

    async def check_again(self, said: Said, entry: Entry, has_judge: bool) -> Entry:
        """A piece that takes the place of another, checked where that one stands."""
        bar = LAST_BAR.search(said.text) if entry.bar else None
        fixed = Entry(said, bar=bar[0] if bar else "", heads=entry.heads, before=entry.before)
        return await self._check(fixed, has_judge)

    async def _check(self, entry: Entry, has_judge: bool) -> Entry:
        from pincite.proof.judge import fits
        from pincite.proof.verdict import NOT_CITED, apply_judgement, check_sentence

        said = entry.said
        cited, is_marked_silent = self._find_cited(said)
        if not self._turn.judged or said.is_code:
            return entry
        if not is_claim(said.text, bool(said.cited)) and not self._states_fact(said.text, self._list_sources()):
            return entry
        is_silent = is_marked_silent and not cited and not self._states_fact(said.text)
        if is_silent and not has_judge:
            entry.is_silent = True
            return entry
        meaning = self._turn.meaning if self._turn.house.embedder else None
        known = frozenset(evidence.number for evidence, _ in cited)
        # A result counts only in a sentence that cites the inputs.
        calculations = tuple(
            (each.shown, each.result) for each in self._turn.calculations if {n for n, _ in each.cited} <= known
        )
        checked = await asyncio.to_thread(check_sentence, _write_out(entry), cited, entry.before, meaning, calculations)
        entry.checked = checked
        entry.is_waiting = has_judge and checked.verdict in (None, NOT_CITED) and fits(checked.claim)
        entry.is_silent = is_silent
        if is_silent:
            return entry
        entry.verdict = checked.verdict or apply_judgement(checked, None, "")
        if entry.is_refused and not entry.is_waiting:
            entry.suggested = await asyncio.to_thread(self.suggest, entry)
        return entry

    def suggest(self, entry: Entry) -> Pin | None:
        """A stretch of evidence that a refused sentence did not cite and that may support it."""
        from pincite.proof.pin import suggest_evidence

        cited = {pin.evidence for pin in entry.pins}
        return suggest_evidence(entry.text, [each for each in self._turn.ledger.listed if each.number not in cited])

    def _find_cited(self, said: Said) -> "tuple[list[Cited], bool]":
        """The evidence that a piece cites, and whether it is marked as silence; invented marks are counted."""
        cited: list[Cited] = []
        for number, sentence in said.cited:
            evidence = self._turn.ledger.get(number)
            if evidence:
                cited.append((evidence, sentence if sentence and sentence <= len(evidence.sentences) else None))
            elif number:
                self.invented += 1
        return cited, any(number == 0 for number, _ in said.cited)

    def _follow_table(self, entry: Entry) -> bool:
        """Give a row its heads and the bar that ends it; True for the row that holds the heads itself."""
        text = entry.said.text
        if not is_row(text):
            self._heads = None
            return False
        bar = LAST_BAR.search(text) if split_row(text) else None
        entry.bar = bar[0] if bar else ""
        if self._heads is None and not entry.said.cited:
            self._heads = split_row(text)
            return True
        entry.heads = tuple(self._heads or ())
        self._heads = self._heads or []
        return False

    def _states_fact(self, text: str, sources: Iterable[str] = ()) -> bool:
        """Whether words that claim nothing by their form have a figure or a name that is new.

        Known are those of the question and, for a heading, of the sources.
        """
        from pincite.evidence.quantities import quantities

        figures = [each for each in quantities(text) if each.kind != "ordinal"]
        names = {match[0].casefold() for match in _NAME.finditer(text)} if not sources else set()
        if not figures and not names:
            return False
        asked = (self._turn.asked.question, self._turn.question, *sources)
        known = {worth for words in asked for each in quantities(words) for worth in (*each.worth, *each.readings)}
        if any(known.isdisjoint((*each.worth, *each.readings)) for each in figures):
            return True
        told = " ".join((*asked, *self._list_sources())).casefold()
        return any(name not in told for name in names)

    def _list_sources(self) -> Iterator[str]:
        """The words that a heading may take its figures from: the outline, and the evidence with its titles."""
        yield from (section.heading for section in self._turn.outline)
        for each in self._turn.ledger.listed:
            yield from (each.title, *each.headings, each.text)


def _write_out(entry: Entry) -> str:
    """A piece as it is checked: a table's row with its heads, anything else as it is."""
    return write_out_row(entry.text, list(entry.heads)) if is_row(entry.text) else entry.text
