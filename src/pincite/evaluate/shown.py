"""What an answer shows, and whether the gold stands in it: in its first passage, in the first three, in what is lit.

An answer of a model shows what it cites, and an answer without one its passages; both are measured the same way.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.events import Answer, Citation, ShownPassage
from pincite.evidence.squeeze import squeeze

FIRST, THREE, LIT = "gold shown first", "gold shown in three", "gold lit"
_THREE = 3


@dataclass(frozen=True, slots=True)
class Shown:
    """One thing that an answer shows: where it stands, its words, and what of it is lit."""

    document: str
    spans: tuple[tuple[int, int], ...]
    text: str
    pages: frozenset[int]
    lit_spans: tuple[tuple[int, int], ...]
    lit_text: str


@dataclass(frozen=True, slots=True)
class Gold:
    """What should be shown: a document, and there stretches of its text, or words any of which will do, or pages."""

    documents: frozenset[str]
    spans: tuple[tuple[int, int], ...] = ()
    texts: tuple[str, ...] = ()
    pages: frozenset[tuple[str, int]] = frozenset()


def list_shown(answer: Answer) -> list[Shown]:
    """What an answer shows at once, in its order; what it shows on demand alone does not count."""
    citations = {each.n: each for each in answer.citations}
    if answer.passages:
        return [_from_passage(each, citations.get(each.n)) for each in answer.passages if not each.more]
    return [_from_citation(each) for each in answer.citations]


def measure_shown(shown: Sequence[Shown], gold: Gold) -> dict[str, float]:
    """Whether the gold stands in the first thing shown, in the first three, and in what is lit of those three."""
    three = shown[:_THREE]
    return {
        FIRST: float(any(_is_in(each, gold, False) for each in shown[:1])),
        THREE: float(any(_is_in(each, gold, False) for each in three)),
        LIT: float(any(_is_in(each, gold, True) for each in three)),
    }


def _is_in(shown: Shown, gold: Gold, is_lit: bool) -> bool:
    if gold.pages:
        return any((shown.document, page) in gold.pages for page in shown.pages)
    if gold.documents and shown.document not in gold.documents:
        return False
    if gold.spans:
        spans = shown.lit_spans if is_lit else shown.spans
        return any(start < b and a < end for start, end in spans for a, b in gold.spans)
    words = squeeze(shown.lit_text if is_lit else shown.text).text
    return any(wanted in words for text in gold.texts if (wanted := squeeze(text).text))


def _from_citation(citation: Citation) -> Shown:
    span = ((citation.start, citation.end),)
    pages = frozenset({citation.page or 0} | {boxes.page for boxes in citation.boxes})
    return Shown(citation.document, span, citation.quote, pages, span, citation.quote)


def _from_passage(passage: ShownPassage, citation: Citation | None) -> Shown:
    lines = [*(" ".join(row) for row in (*passage.heads, *passage.rows))]
    text = "\n".join((passage.lead, passage.text, *lines))
    lit = [passage.text[start:end] for start, end in passage.lit]
    lit += [_write_out(passage, passage.rows[at]) for at in passage.lit_rows]
    pages = frozenset(range(passage.page or 0, (passage.last_page or passage.page or 0) + 1))
    on = frozenset(boxes.page for boxes in citation.boxes) if citation else frozenset[int]()
    return Shown(
        passage.document,
        ((passage.start, passage.end),),
        text,
        pages | on,
        tuple(citation.lit) if citation else (),
        "\n".join(lit),
    )


def _write_out(passage: ShownPassage, row: Sequence[str]) -> str:
    heads = passage.heads[-1] if passage.heads else []
    return " ".join(_pairs(heads, row))


def _pairs(heads: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    for place, cell in enumerate(row):
        yield cell
        if place < len(heads):
            yield heads[place]
