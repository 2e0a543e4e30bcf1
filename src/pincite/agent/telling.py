"""An answer while it is told: the model's words become sentences, each shown, checked and cited, and later judged.

A sentence is shown as soon as it is complete. Its verdict follows when the judge has settled it, in an event of the
same index. In strict mode a sentence waits for its verdict, and is left out when its sources do not support it.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite import events
from pincite.agent import egress
from pincite.agent.cards import Card, describe_card, write_pieces, write_place
from pincite.agent.checking import LAST_BAR, Checker, Entry
from pincite.agent.citing import Citations, describe_nearest, find_source_words
from pincite.agent.hearing import Folded, Heard, Listed, Noted, Paused, Quoted, Refused, Spoken
from pincite.agent.judging import Judging, Settled
from pincite.agent.refusal import SILENCE, describe_search
from pincite.agent.repetition import ends_sentence
from pincite.agent.turn import Turn
from pincite.errors import Leak, PinciteError
from pincite.evidence.assembly import Assembly, Said, Shown
from pincite.evidence.claims import is_row
from pincite.evidence.commands import Highlight, Navigate
from pincite.evidence.markers import Item, Mark, Markers, Words
from pincite.proof.reasons import describe_reason
from pincite.retrieval.references import language_of
from pincite.store.calibrations import Measured, measured
from pincite.types import Pin, Verdict

if TYPE_CHECKING:
    from pincite.agent.repairing import Correction, Flawed
    from pincite.proof.judge import Judgement

_NEAREST = 3
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")


class Telling:
    """One answer while it is told. `Text` events, put together, are the answer until a repair replaces it."""

    def __init__(self, turn: Turn, judging: Judging | None = None) -> None:
        self.turn = turn
        strict = turn.asked.strict
        self.strict = turn.house.settings.answers.strict if strict is None else strict
        self.judging = judging
        self.text = ""
        self.sentences: list[events.Sentence] = []
        self.repairs: list[events.Repair] = []
        self._citations = Citations(turn, language_of(turn.asked.question, turn.asked.history))
        self._checker = Checker(turn)
        self._entries: list[Entry] = []
        self._told: list[Entry] = []  # those with a sentence, in the order of `sentences`
        self._waiting: list[Entry] = []  # all that were given to the judge, by their key
        self._measured: Measured | None = None
        self._fired: set[Navigate | Highlight] = set()
        self._is_whole = False
        self.passages: list[events.ShownPassage] = []
        self.missing: list[str] = []
        self._is_absent = False
        self._card: Card | None = None  # the one told last
        self._begin()

    async def hear(self, heard: Heard | Settled) -> AsyncIterator[events.Data]:
        """The events that one more thing that was heard gives."""
        if isinstance(heard, Settled):
            async for data in self._settle(heard):
                yield data
        elif isinstance(heard, Spoken):
            for item in self._markers.feed(heard.text):
                async for data in self._tell(item):
                    yield data
        elif isinstance(heard, Folded):
            yield self._fold()
        elif isinstance(heard, Paused):
            async for data in self._rest():
                yield data
        elif isinstance(heard, Noted):
            async for data in self._note(heard.text):
                yield data
        elif isinstance(heard, Quoted):
            async for data in self._quote(heard.card):
                yield data
        elif isinstance(heard, Listed):
            async for data in self._list(heard):
                yield data
        elif isinstance(heard, Refused):
            async for data in self._refuse(heard):
                yield data
        else:
            yield heard

    async def end(self) -> AsyncIterator[events.Data]:
        """The events for what is left when the model has said all; a sentence that was cut off is not judged."""
        async for data in self._rest():
            yield data
        self._is_whole = True

    async def close(self) -> AsyncIterator[events.Data]:
        """The last words: of a refusal, what was looked for. The judge's own figures are looked up."""
        if self.judging and self._count_judged():
            database, name = self.turn.house.library.database, self.judging.judge.name
            self._measured = await asyncio.to_thread(measured, database, name)
        if self.refused and (more := await asyncio.to_thread(describe_search, self.turn, self.text)):
            yield self._add(more)

    @property
    def refused(self) -> bool:
        """Whether nothing was answered: the sources are said to be silent, or nothing that was said could stay."""
        if not self.turn.judged or not self._is_whole or any(map(str.strip, self._unsaid)):
            return False
        if self._is_absent and not any(sentence.support is not None for sentence in self.sentences):
            return True
        if not self.sentences:
            return True
        if not len(self.turn.ledger):
            # Nothing was found that could support anything.
            return any(sentence.support is not None or sentence.silent for sentence in self.sentences)
        has_claim = any(sentence.support is not None for sentence in self.sentences)
        return not has_claim and any(sentence.silent for sentence in self.sentences)

    def list_flawed(self) -> "list[Flawed]":
        """The sentences that their sources contradict or do not support, for the writer to correct."""
        from pincite.agent.repairing import Flawed

        return [
            Flawed(
                number,
                entry.text,
                tuple(describe_reason(reason, "en") for reason in entry.verdict.reasons),
                frozenset(number for number, _ in entry.said.cited),
            )
            for number, entry in enumerate(self._entries)
            if entry.verdict and entry.is_refused and not entry.is_private
        ]

    async def repair(self, corrections: "Sequence[Correction]") -> AsyncIterator[events.Data]:
        """Put corrected sentences in the place of flawed ones. They are judged anew and stay only if better."""
        fixed = {each.number: await self._check_correction(each) for each in corrections if each.text}
        waiting = [entry for entry in fixed.values() if entry and entry.is_waiting and entry.checked]
        if waiting and self.judging:
            judgements = await self.judging.ask([entry.checked.claim for entry in waiting if entry.checked])
            for entry, judgement in zip(waiting, judgements, strict=True):
                await self._give_verdict(entry, judgement)
        for each in corrections:
            old, new = self._entries[each.number], fixed.get(each.number)
            assert old.verdict
            if each.text and (new is None or not self._is_better(new)):
                continue  # the correction is no better: the sentence stays, with its mark
            if new:
                self._entries[each.number] = new
            else:
                old.is_left_out = True
            after = new.text if new else ""
            source = find_source_words(old)
            self.repairs.append(events.Repair(before=old.text, after=after, support=old.verdict.support, source=source))
        if self.repairs:
            await self._rebuild()
            yield events.Repaired(
                answer=self.text, sentences=self.sentences, citations=self._citations.listed, repairs=self.repairs
            )

    async def settle_rest(self) -> AsyncIterator[events.Data]:
        """Give the sentences that no judge came to the verdict that they have without one."""
        for entry in self._told:
            if entry.is_waiting:
                async for data in self._settle(Settled(self._waiting.index(entry), None)):
                    yield data

    def answer(self, stopped: bool = False) -> events.Answer:
        """The whole answer."""
        turn, refused = self.turn, self.refused
        text = self.text
        sentences = list(self.sentences)
        if begun := "".join(self._unsaid):
            # It was cut off in a sentence, which people have seen: it stays, unjudged.
            text += begun
            bare = begun.strip()
            end = len(text.rstrip())
            sentences.append(events.Sentence(text=bare, citations=[], support=None, start=end - len(bare), end=end))
        return events.Answer(
            answer=text,
            refused=refused,
            question=turn.question or turn.asked.question,
            model=turn.models.chat.name,
            sentences=sentences,
            citations=self._citations.listed,
            usage=turn.usage,
            used_location=turn.used_location,
            used_personalization=turn.used_profile,
            unread=turn.unread,
            nearest=[describe_nearest(each) for each in turn.ledger.listed[:_NEAREST]] if refused else [],
            invented=self._checker.invented,
            stopped=stopped,
            media=turn.media,
            subagents=turn.executions,
            outline=turn.outline,
            judge=self._describe_judge(),
            repairs=self.repairs,
            cut=turn.cut,
            corrected=turn.corrected,
            passages=self.passages,
            missing=self.missing,
            sent=list(turn.outbound.sent),
        )

    def _begin(self) -> None:
        """From here on everything that is said may yet be folded."""
        self._markers, self._assembly = Markers(), Assembly()
        self._checker.restart()
        self._mark, self._spoken, self._heard = len(self.text), len(self.sentences), len(self._entries)
        self._unsaid: list[str] = []
        self._gap = self._pause = ""  # the break before the next piece that stands, and after a note

    def _fold(self) -> events.Thought:
        """Take back what was said since the last tool call: it was a thought on the way."""
        spoken = self.text[self._mark :] + "".join(self._unsaid)
        self.text, self.sentences = self.text[: self._mark], self.sentences[: self._spoken]
        del self._told[self._spoken :], self._entries[self._heard :]
        self._citations.keep_only(self.sentences)
        self._begin()
        return events.Thought(text=spoken, retracted=len(spoken))

    async def _note(self, text: str) -> AsyncIterator[events.Data]:
        """A sentence of ours, such as why the answer only quotes: a paragraph of its own that claims nothing."""
        async for data in self._open_paragraph():
            yield data
        async for data in self._copy(Entry(Said("\n\n" if self.text else "", text, ()), is_told=True)):
            yield data
        self._begin()
        self._pause = "\n\n"

    async def _quote(self, card: Card) -> AsyncIterator[events.Data]:
        """A passage that code copied: its event, and unless it is shown on demand alone, its words in the answer."""
        citation = await self._citations.cite_card(card)
        shown = describe_card(card, citation)
        self.passages.append(shown)
        yield shown
        if card.is_more:
            return
        async for data in self._open_paragraph():
            yield data
        place = write_place(replace(card, page=shown.page or 0), self._card, citation.label, self._citations.language)
        pin = Pin(card.evidence, card.span)
        is_cited = False
        lead = "\n\n" if self.text else ""
        pieces = list(write_pieces(card))
        has_mark = any(is_marked for *_, is_marked, _ in pieces)
        if place:
            copied = () if has_mark else (pin,)
            async for data in self._copy(Entry(Said(lead, place, ()), is_told=True, copied=copied)):
                yield data
            lead = "\n\n"
        for before, words, end, is_cited, _ in pieces:
            said = Said(lead or before, words + end, (), is_code=not is_cited and words.startswith("`"))
            verdict = Verdict("verified", "quote", 1.0) if is_cited else None
            entry = Entry(said, is_told=True, bar=end, verdict=verdict, copied=(pin,) if is_cited else ())
            async for data in self._copy(entry):
                yield data
            lead = ""
        self._card = card
        self._begin()
        self._pause = "\n\n"

    async def _list(self, heard: Listed) -> AsyncIterator[events.Data]:
        """A line of ours that names a source and cites it; it claims nothing of its own."""
        evidence = self.turn.ledger.get(heard.evidence)
        is_item = self.text.rpartition("\n")[2].startswith("- ")
        lead = "" if not self.text else "\n" if is_item else "\n\n"
        # It leads to where the source begins; nothing there answers, so nothing is lit.
        copied = (Pin(evidence.number, replace(evidence.span, end=evidence.span.start)),) if evidence else ()
        self._begin()
        async for data in self._copy(Entry(Said(lead, heard.text, ()), is_told=True, copied=copied)):
            yield data
        self._begin()
        self._pause = "\n\n"

    async def _refuse(self, heard: Refused) -> AsyncIterator[events.Data]:
        """A sentence that says the sources are silent, and the names that they do not have."""
        self._is_absent = True
        self.missing += [name for name in heard.missing if name not in self.missing]
        async for data in self._open_paragraph():
            yield data
        text = heard.text.removesuffix(SILENCE).rstrip()
        lead = " " if self.text and self.sentences[-1].silent else "\n\n" if self.text else ""
        async for data in self._copy(Entry(Said(lead, text, ()), is_told=True, is_silent=True)):
            yield data
        self._begin()
        self._pause = "\n\n"

    async def _open_paragraph(self) -> AsyncIterator[events.Data]:
        """End what was said before, so that something else can follow."""
        async for data in self._rest():
            yield data
        self._begin()

    async def _copy(self, entry: Entry) -> AsyncIterator[events.Data]:
        """Tell a piece that needs no check, with its marks."""
        yield self._add(entry.said.lead + entry.words)
        self._entries.append(entry)
        self._told.append(entry)
        sentence, cited = await self._citations.describe(entry, len(self.text))
        self.sentences.append(sentence)
        yield events.Cited(index=len(self.sentences) - 1, sentence=sentence, citations=cited)
        if closing := _write_marks(sentence) + entry.bar:
            yield self._add(closing)

    async def _rest(self) -> AsyncIterator[events.Data]:
        """Everything that was held back because more might have belonged to it."""
        for item in self._markers.end():
            async for data in self._tell(item):
                yield data
        for piece in self._assembly.end():
            if isinstance(piece, Said) and self.turn.cut and not _is_finished(piece):
                continue
            async for data in self._piece(piece):
                yield data

    async def _tell(self, item: Item) -> AsyncIterator[events.Data]:
        if isinstance(item, Words | Mark):
            for piece in self._assembly.feed(item):
                async for data in self._piece(piece):
                    yield data
        elif item not in self._fired:
            self._fired.add(item)
            try:
                if isinstance(item, Navigate):
                    yield await self.turn.navigated(item)
                else:
                    yield await self.turn.highlighted(item)
            except PinciteError as error:
                yield events.Thought(text=f"Not shown: {error.message}")

    async def _piece(self, piece: Shown | Said) -> AsyncIterator[events.Data]:
        if isinstance(piece, Shown):
            if not self._holds and (delta := self._show(piece.text)):
                yield events.Text(delta=delta)
            return
        self._unsaid.clear()
        if self._pause:
            piece, self._pause = replace(piece, lead=self._pause + piece.lead), ""
        entry = await self._checker.check(piece, self.judging is not None)
        entry.is_private = entry.is_left_out = self._tells_on_the_person(piece.text)
        self._entries.append(entry)
        if entry.is_waiting and self.judging and entry.checked:
            self._waiting.append(entry)
            self.judging.add(len(self._waiting) - 1, entry.checked.claim)
        async for data in self._release():
            yield data

    def _show(self, text: str) -> str:
        """Words that may be shown now. The bar that ends a table's row waits: the row's marks go before it."""
        if self._pause and not self._unsaid:
            text = self._pause + text
        if self._unsaid and LAST_BAR.fullmatch(self._unsaid[-1]):
            text = self._unsaid.pop() + text
        line = ("".join(self._unsaid) + text).lstrip().rpartition("\n")[2]
        bar = LAST_BAR.search(text) if is_row(line) and line.strip() != "|" else None
        shown = text[: bar.start()] if bar else text
        self._unsaid += [part for part in (shown, bar[0] if bar else "") if part]
        return shown

    async def _release(self) -> AsyncIterator[events.Data]:
        """Tell the pieces that are next: all there are, or in strict mode those whose verdict is known."""
        for entry in self._entries[self._heard :]:
            if entry.is_told:
                continue
            if self.strict and entry.is_waiting:
                return
            entry.is_left_out |= self.strict and entry.is_refused
            entry.is_told = True
            async for data in self._tell_entry(entry):
                yield data

    async def _tell_entry(self, entry: Entry) -> AsyncIterator[events.Data]:
        said = entry.said
        if self._holds:
            if entry.is_left_out:
                self._gap = _wider(self._gap, said.lead)
                return
            lead = _wider(self._gap, said.lead) if self.text else ""
            self._gap = ""
            yield self._add(lead + entry.words)
        else:
            self.text += said.lead + entry.words
        sentence, cited = await self._citations.describe(entry, len(self.text))
        self.sentences.append(sentence)
        self._told.append(entry)
        yield events.Cited(index=len(self.sentences) - 1, sentence=sentence, citations=cited)
        if closing := _write_marks(sentence) + entry.bar:
            yield self._add(closing)

    async def _settle(self, settled: Settled) -> AsyncIterator[events.Data]:
        """A judge's word: the sentence's verdict, told again under its index."""
        entry = self._waiting[settled.key]
        await self._give_verdict(entry, settled.judgement)
        if entry in self._told:
            index = self._told.index(entry)
            sentence, cited = await self._citations.describe(entry, self.sentences[index].end)
            self.sentences[index] = sentence
            yield events.Cited(index=index, sentence=sentence, citations=cited)
        async for data in self._release():
            yield data

    async def _give_verdict(self, entry: Entry, judgement: "Judgement | None") -> None:
        assert entry.checked
        assert self.judging
        entry.is_waiting = False
        if judgement is None and entry.is_silent:
            return  # the model marked it, and nobody says otherwise
        from pincite.proof.verdict import apply_judgement

        entry.verdict = apply_judgement(entry.checked, judgement, self.judging.judge.name)
        entry.is_silent = judgement is not None and judgement.opinion == "silent"
        if entry.is_refused:
            entry.suggested = await asyncio.to_thread(self._checker.suggest, entry)

    @property
    def _holds(self) -> bool:
        """Whether a sentence is shown only when it was checked: it may have to be left out."""
        return self.strict or bool(self.turn.asked.profile)

    async def _check_correction(self, correction: "Correction") -> Entry | None:
        """A corrected sentence as the checker finds it; None when it is not one sentence of the same form."""
        entry = self._entries[correction.number]
        pieces = _assemble(_ITEM.sub("", correction.text))
        if len(pieces) != 1 or is_row(pieces[0].text) != is_row(entry.text):
            return None
        item = _ITEM.match(entry.text)
        said = replace(pieces[0], lead=entry.said.lead, text=(item[0] if item else "") + pieces[0].text)
        return await self._checker.check_again(said, entry, self.judging is not None)

    def _is_better(self, entry: Entry) -> bool:
        """Whether a correction may stand: it claims something that its source does not deny, and tells on nobody."""
        is_claim = entry.verdict is not None or entry.is_silent
        return is_claim and not entry.is_refused and not self._tells_on_the_person(entry.text)

    async def _rebuild(self) -> None:
        """Put the answer together anew from its pieces, after some were changed."""
        self.text, self.sentences, self._told = "", [], []
        gap = ""
        for entry in self._entries:
            if entry.is_left_out:
                gap = _wider(gap, entry.said.lead)
                continue
            lead, gap = (_wider(gap, entry.said.lead) if self.text else ""), ""
            self.text += lead + entry.words
            sentence, _ = await self._citations.describe(entry, len(self.text))
            self.sentences.append(sentence)
            self._told.append(entry)
            self.text += _write_marks(sentence) + entry.bar
        self._citations.keep_only(self.sentences)

    def _tells_on_the_person(self, text: str) -> bool:
        """Whether a sentence has something of About Me that neither the question nor the sources have."""
        try:
            egress.outgoing(text, self.turn.asked.profile, self.turn.allowed())
        except Leak:
            return True
        return False

    def _describe_judge(self) -> events.Judge | None:
        """The judge, with its result on the calibration set where it was measured."""
        if self.judging is None or not self._count_judged():
            return None
        known = self._measured
        told = {"agreed": known.agreed, "passed": known.passed, "total": known.total} if known else {}
        return events.Judge(model=self.judging.judge.name, sentences=self._count_judged(), **told)

    def _count_judged(self) -> int:
        return sum(bool(sentence.judge) for sentence in self.sentences)

    def _add(self, text: str) -> events.Text:
        self.text += text
        return events.Text(delta=text)


def _assemble(text: str) -> list[Said]:
    """The pieces of a text that is whole."""
    markers, assembly = Markers(), Assembly()

    def pieces() -> Iterator[Shown | Said]:
        for item in (*markers.feed(text), *markers.end()):
            if isinstance(item, Words | Mark):
                yield from assembly.feed(item)
        yield from assembly.end()

    return [piece for piece in pieces() if isinstance(piece, Said)]


def _is_finished(said: Said) -> bool:
    """Whether a piece at the end of an answer that was cut off is whole."""
    return ends_sentence(said.text) or said.text.rstrip().endswith("|") or said.is_code


def _write_marks(sentence: events.Sentence) -> str:
    return "".join(f" [{n}]" for n in sentence.citations)


def _wider(one: str, other: str) -> str:
    """Of two breaks the one with more line ends: a paragraph stays one when a piece before it is left out."""
    return one if one.count("\n") > other.count("\n") else other
