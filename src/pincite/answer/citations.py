"""Describe a checked piece of an answer in events: the sentence with its verdict, and its citations."""

import asyncio
from collections.abc import Iterable, Sequence

from pincite import events
from pincite.answer.context import Context
from pincite.answer.passage_cards import Card
from pincite.answer.sentence_check import AnswerPiece
from pincite.answer.viewer import find_boxes, find_lines, find_page, read_span
from pincite.events.source_names import label_page
from pincite.proof.reasons import describe_reason
from pincite.proof.tables import find_row_note
from pincite.text.display import join_broken_words
from pincite.types import Evidence, Pin, Reason, Span, Verdict


class Citations:
    """The citations of one answer: each stretch of a source has one number, the same in the whole conversation."""

    def __init__(self, context: Context, language: str) -> None:
        self._context = context
        self.language = language
        self._made: dict[Span, events.Citation] = {}
        self._earlier = {span: n for exchange in context.asked.history for span, n in exchange.cited}

    @property
    def listed(self) -> list[events.Citation]:
        """All citations in the order of their numbers."""
        return sorted(self._made.values(), key=lambda citation: citation.n)

    def keep_only(self, sentences: Iterable[events.Sentence]) -> None:
        """Drop the citations that none of these sentences has."""
        kept = {n for sentence in sentences for n in (*sentence.citations, *sentence.suggested)}
        self._made = {span: each for span, each in self._made.items() if each.n in kept}

    async def cite_card(self, card: Card) -> events.Citation:
        """Return the citation of a shown passage: all of its characters, and the boxes of its highlighted text.

        Its page, label and heading are those of the text that answers best.
        """
        span = card.cited
        known = self._made.get(span)
        if known is None:
            made = await self._make(Pin(card.evidence, span), 1.0, self._choose_number(span), card.cited_lit)
            quote = await asyncio.to_thread(read_span, self._context, span)
            shown = quote if card.form == "code" and not card.whole else join_broken_words(quote)
            known = self._made[span] = made.model_copy(update={"quote": shown})
        return known

    async def find_last_page(self, card: Card) -> int:
        """Return the last page with highlighted text of a passage; 0 where there is none."""
        evidence = self._context.ledger.get(card.evidence)
        if not evidence or not card.cited_lit:
            return 0
        start, end = max(card.cited_lit)
        page, _ = await find_page(self._context, Span(card.span.document, max(start, end - 1), end), evidence)
        return page

    async def describe(self, piece: AnswerPiece, end: int) -> tuple[events.Sentence, list[events.Citation]]:
        """Return the event of a piece and its citations. `end` is the position in the answer where it ends."""
        verdict = piece.verdict
        cited = [await self._cite(pin, None if piece.is_waiting else verdict) for pin in piece.pins]
        suggested = [await self._cite(piece.suggested, None)] if piece.suggested else []
        reasons = verdict.reasons if verdict and not piece.is_waiting else ()
        sentence = events.Sentence(
            text=piece.words,
            citations=list(dict.fromkeys(citation.n for citation in cited)),
            support=None if verdict is None or _is_open(piece) else verdict.support,
            basis=verdict.basis if verdict else None,
            reasons=[describe_reason(reason, self.language) for reason in reasons],
            start=end - len(piece.words),
            end=end,
            checking=piece.is_waiting,
            unsupported=_list_words(reasons, piece.words),
            source=find_source_words(piece),
            computed=verdict.computed if verdict else "",
            judge=verdict.judge if verdict else "",
            suggested=[citation.n for citation in suggested],
            silent=piece.is_silent,
        )
        return sentence, [*cited, *suggested]

    async def _cite(self, pin: Pin, verdict: Verdict | None) -> events.Citation:
        """Return the citation of a pin: the existing one for the same characters, or a new one."""
        known = self._made.get(pin.span)
        score = round(verdict.score, 4) if verdict else 0.0
        if known is None:
            known = await self._make(pin, score, self._choose_number(pin.span))
        # A citation has the score of the sentence that it supports best.
        self._made[pin.span] = known.model_copy(update={"score": max(known.score, score)})
        return self._made[pin.span]

    def _choose_number(self, span: Span) -> int:
        """Return the number that a stretch had in an earlier answer of the conversation, else the next free one."""
        used = {each.n for each in self._made.values()}
        earlier = self._earlier.get(span, 0)
        # In conversations from before numbers ran through them, two stretches may have the same number.
        return earlier if earlier and earlier not in used else max({*used, *self._earlier.values()}, default=0) + 1

    async def _make(self, pin: Pin, score: float, n: int, lit: Sequence[tuple[int, int]] = ()) -> events.Citation:
        evidence = self._context.ledger.get(pin.evidence)
        assert evidence
        span = pin.span
        lit_spans = [Span(span.document, start, end) for start, end in lit] or [span]
        boxes = _merge_boxes([box for each in lit_spans for box in await find_boxes(self._context, each)])
        page, label = await find_page(self._context, lit_spans[0], evidence)
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
            heads=[
                box for start, end in heads for box in await find_boxes(self._context, Span(span.document, start, end))
            ],
            rows=rows,
            name=evidence.name,
            label=label,
            lines=await find_lines(self._context, span, evidence),
            path=evidence.path,
            heading=_find_heading(evidence, lit_spans[0].start),
        )


def _find_heading(evidence: Evidence, start: int) -> str:
    """Return the nearest heading above a place, or an empty text if there is none or it repeats the title."""
    inside = [block for block in evidence.blocks if block.kind == "heading" and block.start <= start]
    above = evidence.quote(inside[-1].start, inside[-1].end) if inside else next(reversed(evidence.headings), "")
    heading = " ".join(above.lstrip("# ").split())
    return "" if heading.casefold() == evidence.title.casefold().strip() else heading


def _is_open(piece: AnswerPiece) -> bool:
    """Whether the verdict of a sentence depends on the judge alone."""
    if not piece.is_waiting:
        return False
    from pincite.proof.verdict import NOT_CITED

    return piece.verdict == NOT_CITED


def _show_quote(evidence: Evidence, span: Span) -> str:
    """Return the text of a cited stretch as it is shown. Code is not changed."""
    words = evidence.quote(span.start, span.end)
    is_code = any(start < span.end and span.start < end for start, end in evidence.code)
    return words if is_code else join_broken_words(words)


def _merge_boxes(boxes: Sequence[events.Boxes]) -> list[events.Boxes]:
    """Merge boxes so that each page has one entry."""
    pages: dict[int, events.Boxes] = {}
    for box in boxes:
        known = pages.get(box.page)
        pages[box.page] = box.model_copy(update={"rects": [*known.rects, *box.rects]}) if known else box
    return list(pages.values())


def find_source_words(piece: AnswerPiece) -> str:
    """Return the words of the source that contradict a sentence; empty when none do."""
    reasons = piece.verdict.reasons if piece.verdict and piece.verdict.support == "contradicted" else ()
    return next((reason.found for reason in reasons if reason.found), "")


def describe_nearest(evidence: Evidence) -> events.Nearest:
    """Return the event of a passage that was found and does not answer."""
    return events.Nearest(
        document=evidence.span.document,
        title=evidence.title,
        page=evidence.page or None,
        start=evidence.span.start,
        end=evidence.span.end,
        text=join_broken_words(evidence.text),
        name=evidence.name,
        label=label_page(evidence.kind, evidence.page, evidence.label),
        lines=evidence.find_lines(evidence.span.start, evidence.span.end),
        path=evidence.path,
    )


def _list_words(reasons: Iterable[Reason], sentence: str) -> list[str]:
    """List the words of a sentence that the reasons of its verdict name."""
    return [words for words in dict.fromkeys(reason.claimed for reason in reasons) if words and words in sentence]


def _find_rows(evidence: Evidence, span: Span) -> tuple[list[events.TableRow], list[tuple[int, int]]]:
    """Return the table rows in a cited stretch, with their heads, and the positions of the heads."""
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
                note=find_row_note(table, row),
            )
            for row in own
        ]
    return rows, list(dict.fromkeys(heads))
