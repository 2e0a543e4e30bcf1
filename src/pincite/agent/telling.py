"""What is heard to what is told: words to sentences, each pinned, judged and cited, and at the end the whole answer."""

import asyncio
from collections.abc import AsyncIterator

from pincite import events
from pincite.agent import egress, opinion
from pincite.agent.hearing import Folded, Heard, Paused, Spoken
from pincite.agent.refusal import is_refusal, looked_for
from pincite.agent.turn import Turn
from pincite.errors import Leak, PinciteError
from pincite.evidence.assembly import Assembly, Said, Shown
from pincite.evidence.claims import is_claim
from pincite.evidence.commands import Highlight, Navigate
from pincite.evidence.markers import Item, Mark, Markers, Words
from pincite.evidence.pin import Pinned, pin
from pincite.evidence.reasons import told
from pincite.retrieval.references import language_of
from pincite.types import Evidence, Pin, Span, Verdict

_NEAREST = 3


class Telling:
    """One answer while it is told. What `Text` events say, put together, is the answer."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        strict = turn.asked.strict
        self.strict = turn.house.settings.answers.strict if strict is None else strict
        self._language = language_of(turn.asked.question, turn.asked.history)
        self.text = ""
        self.sentences: list[events.Sentence] = []
        self.invented = 0
        self._citations: dict[Span, events.Citation] = {}
        self._fired: set[Navigate | Highlight] = set()
        self._gap = ""
        self._is_whole = False
        self._begin()

    async def hear(self, heard: Heard) -> AsyncIterator[events.Data]:
        """What one more thing that was heard lets be told."""
        if isinstance(heard, Spoken):
            for item in self._markers.feed(heard.text):
                async for data in self._tell(item):
                    yield data
        elif isinstance(heard, Folded):
            spoken = self.text[self._mark :] + "".join(self._unsaid)
            self.text, self.sentences = self.text[: self._mark], self.sentences[: self._spoken]
            cited = {n for sentence in self.sentences for n in sentence.citations}
            self._citations = {span: each for span, each in self._citations.items() if each.n in cited}
            self._begin()
            yield events.Thought(text=spoken, retracted=len(spoken))
        elif isinstance(heard, Paused):
            async for data in self._rest():
                yield data
        else:
            yield heard

    async def end(self) -> AsyncIterator[events.Data]:
        """What is left to tell when the model has said all."""
        async for data in self._rest():
            yield data
        self._is_whole = True
        if self.refused:
            more = await asyncio.to_thread(looked_for, self.turn, self.text)
            if more:
                yield self._add(more)

    @property
    def refused(self) -> bool:
        """Whether nothing was answered: it says so, or nothing that was said could stay."""
        if not self.turn.judged or not self._is_whole:
            return False
        return all(sentence.support is None and is_refusal(sentence.text) for sentence in self.sentences)

    def answer(self, stopped: bool = False) -> events.Answer:
        """The whole answer."""
        turn, refused = self.turn, self.refused
        text, sentences = self.text, self.sentences
        if begun := "".join(self._unsaid):
            # It was cut off in a sentence, which people have seen: it stays, unjudged.
            text += begun
            bare = begun.strip()
            end = len(text.rstrip())
            sentences = [
                *sentences,
                events.Sentence(text=bare, citations=[], support=None, start=end - len(bare), end=end),
            ]
        return events.Answer(
            answer=text,
            refused=refused,
            question=turn.question or turn.asked.question,
            model=turn.models.chat.name,
            sentences=sentences,
            citations=sorted(self._citations.values(), key=lambda citation: citation.n),
            usage=turn.usage,
            used_location=turn.used_location,
            used_personalization=turn.used_profile,
            nearest=[_near(evidence) for evidence in turn.ledger.listed[:_NEAREST]] if refused else [],
            invented=self.invented,
            stopped=stopped,
            media=turn.media,
            subagents=turn.executions,
            outline=turn.outline,
        )

    def _begin(self) -> None:
        """From here on what is said may yet be folded."""
        self._markers, self._assembly = Markers(), Assembly()
        self._mark, self._spoken = len(self.text), len(self.sentences)
        self._unsaid: list[str] = []

    async def _rest(self) -> AsyncIterator[events.Data]:
        """What was held back because more might have belonged to it."""
        for item in self._markers.end():
            async for data in self._tell(item):
                yield data
        for piece in self._assembly.end():
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
            if not self._holds:
                self._unsaid.append(piece.text)
                yield events.Text(delta=piece.text)
            return
        self._unsaid.clear()
        pinned = await self._judge(piece)
        is_kept = not self._tells_on_the_person(piece.text)
        if self.strict and pinned and pinned.verdict.support == "unsupported":
            is_kept = False
        if self._holds:
            if not is_kept:
                # What stood between paragraphs stays between those that are left.
                self._gap = self._gap or piece.lead if "\n" in piece.lead else self._gap
                return
            lead = (self._gap or piece.lead) if self.text else ""
            self._gap = ""
            yield events.Text(delta=lead + piece.text)
            self.text += lead + piece.text
        else:
            self.text += piece.lead + piece.text
        cited = [await self._citation(each) for each in pinned.pins] if pinned else []
        sentence = events.Sentence(
            text=piece.text,
            citations=[citation.n for citation in cited],
            support=pinned.verdict.support if pinned else None,
            reasons=[told(reason, self._language) for reason in pinned.verdict.reasons] if pinned else [],
            start=len(self.text) - len(piece.text),
            end=len(self.text),
        )
        self.sentences.append(sentence)
        yield events.Cited(index=len(self.sentences) - 1, sentence=sentence, citations=cited)
        if cited:
            yield self._add("".join(f" [{n}]" for n in dict.fromkeys(sentence.citations)))

    @property
    def _holds(self) -> bool:
        """Whether a sentence is shown only when it was judged: it may have to be left out."""
        return self.strict or bool(self.turn.asked.profile)

    async def _judge(self, said: Said) -> Pinned | None:
        """What a sentence rests on; None where nothing is claimed."""
        cited: list[tuple[Evidence, int | None]] = []
        for number, sentence in said.cited:
            evidence = self.turn.ledger.get(number)
            if evidence is None:
                self.invented += 1
            else:
                cited.append((evidence, sentence if sentence and sentence <= len(evidence.sentences) else None))
        if not self.turn.judged or (not cited and is_refusal(said.text)):
            return None
        # A report has hundreds of sources, and all their words are gone through for a heading.
        if not cited and not await asyncio.to_thread(is_claim, said.text, self._known()):
            return None
        meaning = self.turn.meaning if self.turn.house.embedder else None
        pinned = await asyncio.to_thread(pin, said.text, cited, self.turn.ledger.listed, meaning)
        is_asked = self.turn.house.settings.answers.second_opinion
        return await opinion.second(self.turn, said.text, pinned) if is_asked else pinned

    def _known(self) -> list[str]:
        """The words of the question, the outline and the sources: a line of these alone is a heading, not a claim."""
        found = [word for each in self.turn.ledger.listed for word in (each.title, *each.headings, each.text)]
        parts = [section.heading for section in self.turn.outline]
        return [self.turn.asked.question, self.turn.question, *parts, *found]

    def _tells_on_the_person(self, text: str) -> bool:
        """Whether a sentence has something of About Me that neither the question nor the sources have."""
        try:
            egress.outgoing(text, self.turn.asked.profile, self.turn.allowed())
        except Leak:
            return True
        return False

    async def _citation(self, pinned: Pin) -> events.Citation:
        """The citation of a pin: the one there is for the same characters, or the next."""
        known = self._citations.get(pinned.span)
        if known is None:
            known = self._citations[pinned.span] = await self._new(pinned, len(self._citations) + 1)
        return known

    async def _new(self, pinned: Pin, n: int) -> events.Citation:
        evidence = self.turn.ledger.get(pinned.evidence)
        assert evidence
        span = pinned.span
        boxes = await self.turn.boxes(span)
        return events.Citation(
            n=n,
            evidence=evidence.number,
            document=span.document,
            title=evidence.title,
            kind=evidence.kind,
            url=evidence.url,
            page=boxes[0].page if boxes else evidence.page or None,
            quote=self.turn.quote(span, evidence.number),
            start=span.start,
            end=span.end,
            score=round(_score(pinned.verdict), 4),
            boxes=boxes,
        )

    def _add(self, text: str) -> events.Text:
        self.text += text
        return events.Text(delta=text)


def _score(verdict: Verdict) -> float:
    return min(max(verdict.score, 0.0), 1.0)


def _near(evidence: Evidence) -> events.Nearest:
    return events.Nearest(
        document=evidence.span.document,
        title=evidence.title,
        page=evidence.page or None,
        start=evidence.span.start,
        end=evidence.span.end,
        text=evidence.text,
    )
