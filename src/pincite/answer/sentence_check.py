"""Check the pieces of an answer by code: the evidence that each cites, whether it claims something, and its facts."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from pincite.answer import privacy
from pincite.answer.context import Context
from pincite.answer.sentence_assembly import CompleteSentence
from pincite.errors import Leak
from pincite.proof.claims import is_claim, is_proposal, is_row, split_row, write_out_row
from pincite.types import Pin, Reason, Support, Verdict

if TYPE_CHECKING:  # quoted passages are not checked, and the proof takes a while to import
    from pincite.proof.judge import Judgement
    from pincite.proof.pin import Cited
    from pincite.proof.source_finder import SourceFinder
    from pincite.proof.verdict import CheckedSentence

REFUSED: frozenset[Support] = frozenset({"contradicted", "unsupported"})
_NAME = re.compile(r"(?<=[a-zà-ÿ,;’'] )[A-ZÀ-Ý][^\W\d_]{2,}")  # within a sentence
LAST_BAR = re.compile(r"(?:(?<![ \t])[ \t]+)?\|[ \t]*$")


@dataclass(slots=True, eq=False)
class AnswerPiece:
    """A piece of the answer: its words, the result of the checks, its verdict, and whether it stands in the answer."""

    sentence: CompleteSentence
    checked: "CheckedSentence | None" = None  # None where nothing is claimed
    unaided: Verdict | None = None  # the verdict without the source that code found for it
    verdict: Verdict | None = None
    is_silent: bool = False  # it says that the sources do not answer
    is_waiting: bool = False  # for the judge
    is_emitted: bool = False
    is_left_out: bool = False
    is_private: bool = False  # it repeats something of About Me, and is not shown
    suggested: Pin | None = None
    bar: str = ""  # the bar that ends a table row, after its marks
    heads: tuple[str, ...] = ()  # the column heads of a table row
    before: str = ""  # the sentence before it
    copied: tuple[Pin, ...] = ()  # the place that code copied it from; such a piece needs no check

    @property
    def pins(self) -> tuple[Pin, ...]:
        return self.checked.pinned.pins if self.checked else self.copied

    @property
    def text(self) -> str:
        return self.sentence.text

    @property
    def words(self) -> str:
        """The text without the bar that ends a table row."""
        return self.sentence.text.removesuffix(self.bar)

    @property
    def is_refused(self) -> bool:
        return self.verdict is not None and self.verdict.support in REFUSED


class Checker:
    """Checks the pieces of one answer in their order. It remembers the sentence before and the heads of the table."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.invented = 0
        self.restart()

    @cached_property
    def _finder(self) -> "SourceFinder":
        from pincite.proof.source_finder import SourceFinder

        return SourceFinder()

    def restart(self) -> None:
        """Forget the sentence before and the table: another text begins."""
        self._heads: list[str] | None = None
        self._before = ""

    async def check(self, sentence: CompleteSentence, has_judge: bool) -> AnswerPiece:
        """Check a sentence by code. `is_waiting` is set where only a judge can decide."""
        piece = AnswerPiece(sentence, before=self._before)
        is_head = self._follow_table(piece)
        self._before = _write_out(piece)
        return piece if is_head else await self._check(piece, has_judge)

    async def check_replacement(self, sentence: CompleteSentence, old: AnswerPiece, has_judge: bool) -> AnswerPiece:
        """Check a sentence that takes the place of another piece, with that piece's table and sentence before."""
        bar = LAST_BAR.search(sentence.text) if old.bar else None
        piece = AnswerPiece(sentence, bar=bar[0] if bar else "", heads=old.heads, before=old.before)
        return await self._check(piece, has_judge)

    async def apply_judgement(self, piece: AnswerPiece, judgement: "Judgement | None", judge: str) -> None:
        """Give a waiting piece the verdict of the judge of this name; None when the judge gave none."""
        assert piece.checked
        piece.is_waiting = False
        if judgement is None and piece.is_silent:
            return  # the model marked it as silent, and no judge disagrees
        from pincite.proof.verdict import NOT_CITED, apply_judgement

        piece.verdict = apply_judgement(piece.checked, judgement, judge)
        piece.is_silent = judgement is not None and judgement.opinion == "silent"
        if piece.unaided and judgement is None:
            # Shared words alone do not support it.
            piece.verdict = replace(piece.unaided, reasons=(Reason("judge_failed"),))
        elif piece.unaided == NOT_CITED and judgement and judgement.opinion in ("silent", "no_claim"):
            piece.verdict = None
        if piece.is_refused:
            piece.suggested = await asyncio.to_thread(self.suggest, piece)

    def has_private_details(self, text: str) -> bool:
        """Whether a text repeats something of About Me that neither the question nor the sources have."""
        try:
            privacy.check_outgoing(text, self.context.asked.profile, self.context.list_allowed_words())
        except Leak:
            return True
        return False

    async def _check(self, piece: AnswerPiece, has_judge: bool) -> AnswerPiece:
        from pincite.proof.judge import may_judge_whole
        from pincite.proof.verdict import NOT_CITED, apply_judgement

        sentence = piece.sentence
        cited, is_marked_silent = self._find_cited(sentence)
        if not self.context.understood.needs_evidence or sentence.is_code:
            return piece
        if self.context.project and not sentence.cited and is_proposal(sentence.text):
            return piece
        if not is_claim(sentence.text, bool(sentence.cited)) and not self._states_fact(
            sentence.text, self._list_sources()
        ):
            return piece
        is_silent = is_marked_silent and not cited and not self._states_fact(sentence.text)
        if is_silent and not has_judge:
            piece.is_silent = True
            return piece
        checked = await self._check_facts(piece, cited)
        if not is_marked_silent and checked.verdict and checked.verdict.support == "unsupported":
            checked = await self._look_for_source(piece, cited, checked, has_judge)
        piece.checked = checked
        piece.is_waiting = has_judge and checked.verdict in (None, NOT_CITED) and may_judge_whole(checked.claim)
        piece.is_silent = is_silent
        if is_silent:
            return piece
        piece.verdict = checked.verdict or apply_judgement(checked, None, "")
        if piece.is_refused and not piece.is_waiting and not piece.suggested:
            piece.suggested = await asyncio.to_thread(self.suggest, piece)
        return piece

    def suggest(self, piece: AnswerPiece) -> Pin | None:
        """Return evidence that may support a refused sentence and that the sentence does not cite."""
        cited = {pin.evidence for pin in piece.pins}
        others = [each for each in self.context.ledger.listed if each.number not in cited]
        return self._finder.find(_write_out(piece), others)

    async def _check_facts(self, piece: AnswerPiece, cited: "Sequence[Cited]") -> "CheckedSentence":
        """Check a sentence by code against the evidence that it cites."""
        from pincite.proof.verdict import check_sentence

        meaning = self.context.services.embed_texts if self.context.services.embedder else None
        known = frozenset(evidence.number for evidence, _ in cited)
        # A result counts only in a sentence that cites the inputs.
        calculations = tuple(
            (each.shown, each.result)
            for each in self.context.ledger.calculations
            if {n for n, _ in each.cited} <= known
        )
        return await asyncio.to_thread(check_sentence, _write_out(piece), cited, piece.before, meaning, calculations)

    async def _look_for_source(
        self, piece: AnswerPiece, cited: "Sequence[Cited]", checked: "CheckedSentence", has_judge: bool
    ) -> "CheckedSentence":
        """Check a sentence with a source that has its words beside those it cites, if these say nothing of it.

        Small models forget the marks, invent numbers or name another source. Shared words do not decide: what is not
        word for word in the source is for the judge, and without one it stays refused, with the source as a suggestion.
        """
        pin = await asyncio.to_thread(self._finder.find, _write_out(piece), self.context.ledger.listed)
        evidence = self.context.ledger.get(pin.evidence) if pin else None
        if not evidence:
            return checked
        others = [each for each in cited if each[0].number != evidence.number]
        again = await self._check_facts(piece, [*others, (evidence, None)])
        if again.verdict and again.verdict.support in REFUSED:
            return checked
        if not again.pinned.is_quote:
            if not has_judge:
                piece.suggested = pin
                return checked
            piece.unaided = checked.verdict
        return again

    def _find_cited(self, sentence: CompleteSentence) -> "tuple[list[Cited], bool]":
        """Return the evidence that a sentence cites, and whether it is marked as silent. Count invented marks."""
        cited: list[Cited] = []
        for number, line in sentence.cited:
            evidence = self.context.ledger.get(number)
            if evidence:
                cited.append((evidence, line if line and line <= len(evidence.sentences) else None))
            elif number:
                self.invented += 1
        return cited, any(number == 0 for number, _ in sentence.cited)

    def _follow_table(self, piece: AnswerPiece) -> bool:
        """Set the heads and the closing bar of a table row. Return True for the row of heads itself."""
        text = piece.sentence.text
        if not is_row(text):
            self._heads = None
            return False
        bar = LAST_BAR.search(text) if split_row(text) else None
        piece.bar = bar[0] if bar else ""
        if self._heads is None and not piece.sentence.cited:
            self._heads = split_row(text)
            return True
        piece.heads = tuple(self._heads or ())
        self._heads = self._heads or []
        return False

    def _states_fact(self, text: str, sources: Iterable[str] = ()) -> bool:
        """Whether a text that looks like no claim has a new figure or a new name.

        Figures and names of the question are not new. For a heading, those of the sources are not new either.
        """
        from pincite.text.quantities import find_quantities

        figures = [each for each in find_quantities(text) if each.kind != "ordinal"]
        names = {match[0].casefold() for match in _NAME.finditer(text)} if not sources else set()
        if not figures and not names:
            return False
        asked = (self.context.asked.question, self.context.question, *sources)
        known = {worth for words in asked for each in find_quantities(words) for worth in (*each.worth, *each.readings)}
        if any(known.isdisjoint((*each.worth, *each.readings)) for each in figures):
            return True
        known_text = " ".join((*asked, *self._list_sources())).casefold()
        return any(name not in known_text for name in names)

    def _list_sources(self) -> Iterator[str]:
        """Yield the texts that a heading may take figures from: the outline, and the evidence with its titles."""
        yield from (section.heading for section in self.context.ledger.outline)
        for each in self.context.ledger.listed:
            yield from (each.title, *each.headings, each.text)


def _write_out(piece: AnswerPiece) -> str:
    """Return the text of a piece as it is checked: a table row with its heads, any other text unchanged."""
    return write_out_row(piece.text, list(piece.heads)) if is_row(piece.text) else piece.text
