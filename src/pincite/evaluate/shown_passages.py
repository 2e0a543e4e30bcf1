"""Measure whether an answer shows the gold: in its first passage, in the first three, or in their highlights.

An answer of a model shows its citations, an answer without a model its passages; both are measured the same way.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.events import Answer, Citation, ShownPassage
from pincite.text.squeeze import squeeze

FIRST, THREE, LIT = "gold shown first", "gold shown in three", "gold lit"
_THREE = 3


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item that an answer shows: its position, its text, and its highlighted part."""

    document: str
    spans: tuple[tuple[int, int], ...]
    text: str
    pages: frozenset[int]
    lit_spans: tuple[tuple[int, int], ...]
    lit_text: str


@dataclass(frozen=True, slots=True)
class Gold:
    """The expected result: a document with spans of its text, alternative words, or pages."""

    documents: frozenset[str]
    spans: tuple[tuple[int, int], ...] = ()
    texts: tuple[str, ...] = ()
    pages: frozenset[tuple[str, int]] = frozenset()


def list_shown(answer: Answer) -> list[ShownItem]:
    """Return the items that an answer shows at once, in order; items shown only on demand do not count."""
    citations = {each.n: each for each in answer.citations}
    if answer.passages:
        shown = [each for each in answer.passages if not each.more]
        parts: dict[int, list[ShownItem]] = {}
        for each in shown:
            parts.setdefault(each.part_of or -each.n, []).append(_make_passage_item(each, citations.get(each.n)))
        return [_join_items(some) for some in parts.values()]
    return [_make_citation_item(each) for each in answer.citations]


def measure_shown(shown: Sequence[ShownItem], gold: Gold) -> dict[str, float]:
    """Return whether the gold is in the first item, in the first three, and in the highlights of those three."""
    three = shown[:_THREE]
    return {
        FIRST: float(any(_is_gold_shown(each, gold, False) for each in shown[:1])),
        THREE: float(any(_is_gold_shown(each, gold, False) for each in three)),
        LIT: float(any(_is_gold_shown(each, gold, True) for each in three)),
    }


def _is_gold_shown(shown: ShownItem, gold: Gold, is_lit: bool) -> bool:
    if gold.pages:
        return any((shown.document, page) in gold.pages for page in shown.pages)
    if gold.documents and shown.document not in gold.documents:
        return False
    if gold.spans:
        spans = shown.lit_spans if is_lit else shown.spans
        return any(start < b and a < end for start, end in spans for a, b in gold.spans)
    words = squeeze(shown.lit_text if is_lit else shown.text).text
    return any(wanted in words for text in gold.texts if (wanted := squeeze(text).text))


def _make_citation_item(citation: Citation) -> ShownItem:
    span = ((citation.start, citation.end),)
    pages = frozenset({citation.page or 0} | {boxes.page for boxes in citation.boxes})
    return ShownItem(citation.document, span, citation.quote, pages, span, citation.quote)


def _make_passage_item(passage: ShownPassage, citation: Citation | None) -> ShownItem:
    lines = [*(" ".join(row) for row in (*passage.heads, *passage.rows))]
    text = "\n".join((passage.lead, passage.text, *lines))
    lit = [passage.text[start:end] for start, end in passage.lit]
    lit += [_write_row(passage, passage.rows[at]) for at in passage.lit_rows]
    pages = frozenset(range(passage.page or 0, (passage.last_page or passage.page or 0) + 1))
    on = frozenset(boxes.page for boxes in citation.boxes) if citation else frozenset[int]()
    return ShownItem(
        passage.document,
        ((passage.start, passage.end),),
        text,
        pages | on,
        tuple(citation.lit) if citation else (),
        "\n".join(lit),
    )


def _join_items(parts: Sequence[ShownItem]) -> ShownItem:
    """Return the parts of one passage as one item."""
    return ShownItem(
        parts[0].document,
        tuple(span for part in parts for span in part.spans),
        "\n".join(part.text for part in parts),
        frozenset[int]().union(*(part.pages for part in parts)),
        tuple(span for part in parts for span in part.lit_spans),
        "\n".join(part.lit_text for part in parts),
    )


def _write_row(passage: ShownPassage, row: Sequence[str]) -> str:
    heads = passage.heads[-1] if passage.heads else []
    return " ".join(_pair_cells(heads, row))


def _pair_cells(heads: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    for place, cell in enumerate(row):
        yield cell
        if place < len(heads):
            yield heads[place]
