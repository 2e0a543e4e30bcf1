"""A checked piece of an answer as its event tells it: the sentence with its verdict, and the citations it has."""

import asyncio
from collections.abc import Iterable, Sequence

from pincite import events
from pincite.agent.cards import Card
from pincite.agent.checking import Entry
from pincite.agent.turn import Turn
from pincite.events.source_names import label_page
from pincite.proof.reasons import describe_reason
from pincite.text.display import join_broken_words
from pincite.types import Evidence, Pin, Reason, Span, Verdict


class Citations:
    """The citations of one answer: each stretch of a source has one number."""

    def __init__(self, turn: Turn, language: str) -> None:
        self._turn = turn
        self.language = language
        self._made: dict[Span, events.Citation] = {}

    @property
    def listed(self) -> list[events.Citation]:
        """All citations in the order of their numbers."""
        return sorted(self._made.values(), key=lambda citation: citation.n)

    def keep_only(self, sentences: Iterable[events.Sentence]) -> None:
        """Drop the citations that none of these sentences has."""
        kept = {n for sentence in sentences for n in (*sentence.citations, *sentence.suggested)}
        self._made = {span: each for span, each in self._made.items() if each.n in kept}

    async def cite_card(self, card: Card) -> events.Citation:
        """The citation of a passage that is shown: all of its characters, and the boxes of what is lit in it."""
        known = self._made.get(card.span)
        if known is None:
            number = max((each.n for each in self._made.values()), default=0) + 1
            made = await self._make(Pin(card.evidence, card.span), 1.0, number, card.lit)
            quote = await asyncio.to_thread(self._turn.read, card.span)
            shown = quote if card.form == "code" else join_broken_words(quote)
            known = self._made[card.span] = made.model_copy(update={"quote": shown})
        return known

    async def describe(self, entry: Entry, end: int) -> tuple[events.Sentence, list[events.Citation]]:
        """A piece as its event tells it, with its citations; `end` is the place in the answer where it ends."""
        verdict = entry.verdict
        cited = [await self._cite(pin, None if entry.is_waiting else verdict) for pin in entry.pins]
        suggested = [await self._cite(entry.suggested, None)] if entry.suggested else []
        reasons = verdict.reasons if verdict and not entry.is_waiting else ()
        sentence = events.Sentence(
            text=entry.words,
            citations=list(dict.fromkeys(citation.n for citation in cited)),
            support=None if verdict is None or _is_open(entry) else verdict.support,
            basis=verdict.basis if verdict else None,
            reasons=[describe_reason(reason, self.language) for reason in reasons],
            start=end - len(entry.words),
            end=end,
            checking=entry.is_waiting,
            unsupported=_list_words(reasons, entry.words),
            source=find_source_words(entry),
            computed=verdict.computed if verdict else "",
            judge=verdict.judge if verdict else "",
            suggested=[citation.n for citation in suggested],
            silent=entry.is_silent,
        )
        return sentence, [*cited, *suggested]

    async def _cite(self, pin: Pin, verdict: Verdict | None) -> events.Citation:
        """The citation of a pin: the one there is for the same characters, or the next."""
        known = self._made.get(pin.span)
        score = round(verdict.score, 4) if verdict else 0.0
        if known is None:
            number = max((each.n for each in self._made.values()), default=0) + 1
            known = await self._make(pin, score, number)
        # A stretch is worth as much as the sentence it supports best.
        self._made[pin.span] = known.model_copy(update={"score": max(known.score, score)})
        return self._made[pin.span]

    async def _make(self, pin: Pin, score: float, n: int, lit: Sequence[tuple[int, int]] = ()) -> events.Citation:
        evidence = self._turn.ledger.get(pin.evidence)
        assert evidence
        span = pin.span
        lit_spans = [Span(span.document, start, end) for start, end in lit] or [span]
        boxes = _merge_boxes([box for each in lit_spans for box in await self._turn.boxes(each)])
        page, label = await self._turn.page_of(lit_spans[0], evidence)
        if boxes and boxes[0].page != page:
            page, label = boxes[0].page, ""
        rows, heads = _find_rows(evidence, lit_spans[0])
        return events.Citation(
            n=n,
            evidence=evidence.number,
            document=span.document,
            title=evidence.title,
            kind=evidence.kind,
            url=evidence.url,
            page=page or None,
            quote=_show_quote(evidence, span),
            start=span.start,
            end=span.end,
            score=score,
            boxes=boxes,
            lit=list(lit),
            heads=[box for start, end in heads for box in await self._turn.boxes(Span(span.document, start, end))],
            rows=rows,
            name=evidence.name,
            label=label,
        )


def _is_open(entry: Entry) -> bool:
    """Whether nothing is known of a sentence before the judge's word on it."""
    if not entry.is_waiting:
        return False
    from pincite.proof.verdict import NOT_CITED

    return entry.verdict == NOT_CITED


def _show_quote(evidence: Evidence, span: Span) -> str:
    """The words of a cited stretch as they are shown; code stays as it is."""
    words = evidence.quote(span.start, span.end)
    is_code = any(start < span.end and span.start < end for start, end in evidence.code)
    return words if is_code else join_broken_words(words)


def _merge_boxes(boxes: Sequence[events.Boxes]) -> list[events.Boxes]:
    """Boxes with one entry for each page."""
    pages: dict[int, events.Boxes] = {}
    for box in boxes:
        known = pages.get(box.page)
        pages[box.page] = box.model_copy(update={"rects": [*known.rects, *box.rects]}) if known else box
    return list(pages.values())


def find_source_words(entry: Entry) -> str:
    """The words of the source that a contradicted sentence differs from."""
    reasons = entry.verdict.reasons if entry.verdict and entry.verdict.support == "contradicted" else ()
    return next((reason.found for reason in reasons if reason.found), "")


def describe_nearest(evidence: Evidence) -> events.Nearest:
    """A passage that was found and does not answer."""
    return events.Nearest(
        document=evidence.span.document,
        title=evidence.title,
        page=evidence.page or None,
        start=evidence.span.start,
        end=evidence.span.end,
        text=join_broken_words(evidence.text),
        name=evidence.name,
        label=label_page(evidence.kind, evidence.page, evidence.label),
    )


def _list_words(reasons: Iterable[Reason], sentence: str) -> list[str]:
    """The words of a sentence that its verdict's reasons name."""
    return [words for words in dict.fromkeys(reason.claimed for reason in reasons) if words and words in sentence]


def _find_rows(evidence: Evidence, span: Span) -> tuple[list[events.TableRow], list[tuple[int, int]]]:
    """The table rows in a cited stretch, with their heads, and where the heads stand."""
    rows: list[events.TableRow] = []
    heads: list[tuple[int, int]] = []
    for table in evidence.tables:
        own = [row for row in table.rows if row.start < span.end and row.end > span.start]
        if own:
            heads += table.heads
        rows += [
            events.TableRow(
                heads=["", *(cell.head for cell in row.cells)],
                cells=[row.label, *(cell.text for cell in row.cells)],
                note=table.note,
            )
            for row in own
        ]
    return rows, list(dict.fromkeys(heads))
