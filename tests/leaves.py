"""Documents set letter by letter, without a file: pages of cells with boxes, and the order in which they are drawn."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from pincite.locate.concordance import Concordance, build_concordance
from pincite.locate.location import Location
from pincite.reading.packed_boxes import pack_boxes, pack_places
from pincite.text.squeeze import squeeze
from pincite.types import Document, Page

WIDTH, HEIGHT, LETTER, LINE = 600.0, 800.0, 5.0, 14.0

# Words of several scripts, with accents, ligatures, digits, marks, and one broken at the end of a line.
_VOCABULARY = (
    "the of committee revenue increased quarter budget results shall be paid annually Élysée œuvre naïveté Straße "
    "réunion première hôtel ﬁnancial oﬃce eﬀect Αθήνα πόλεις Москва решение 東京都 会議 مدينة שלום हिन्दी İstanbul "
    "l'année (see) “quoted” e.g. well-known high–low com\u00ad\nmittee agree\u00ad\nment snow☃man"
)
WORDS = tuple(_VOCABULARY.split(" "))
NUMBERS = ("2023", "7", "12.5", "1,234", "1 000 000", "61", "3,5", "1,234.56", "48", "0", "19")


class Cell(NamedTuple):
    """A piece of a line of a page: its text, where its first letter stands, and when it is drawn."""

    text: str
    x: float
    line: float
    drawn: int = 0


def page(cells: Sequence[Cell]) -> tuple[str, list[tuple[float, float, float, float]], list[int]]:
    """The text of cells in the order given (a tab between two of one line), a box and a place for each character."""
    text = ""
    boxes: list[tuple[float, float, float, float]] = []
    turns: list[tuple[int, int]] = []
    nothing = (np.nan,) * 4
    for i, cell in enumerate(cells):
        if i:
            text += "\t" if cells[i - 1].line == cell.line else "\n"
            boxes.append(nothing)
            turns.append((-1, 0))
        line, x = cell.line, cell.x
        for char in cell.text:
            y = 40 + LINE * line
            boxes.append(nothing if char.isspace() else (x, y, x + LETTER, y + 10))
            turns.append((cell.drawn, len(turns)))
            # The rest of a broken word is on the line below its beginning.
            x, line = (cell.x, line + 0.5) if char == "\n" else (x + LETTER, line)
        text += cell.text
    ranks = {context: rank for rank, context in enumerate(sorted(context for context in turns if context[0] >= 0))}
    return text, boxes, [ranks.get(context, -1) for context in turns]


def pdf(*pages: Sequence[Cell]) -> Document:
    """A document of these pages."""
    text = ""
    made = []
    for number, cells in enumerate(pages, 1):
        own, boxes, drawn = page(cells)
        start = len(text)
        text += own + ("\n\n" if number < len(pages) else "")
        rows = pack_boxes(np.array(boxes, np.float32).reshape(-1, 4))
        made.append(Page(number, start, len(text), WIDTH, HEIGHT, rows, pack_places(np.array(drawn, np.int32))))
    return Document("pdf", text, pages=tuple(made))


def with_boxes(page: Page, boxes: Sequence[Sequence[float]]) -> Page:
    """The page with other boxes, one a character."""
    return replace(page, boxes=pack_boxes(np.array(boxes, np.float32).reshape(-1, 4)))


def with_places(page: Page, places: Sequence[int]) -> Page:
    """The page drawn in another order."""
    return replace(page, drawn=pack_places(np.array(places, np.int32)))


def lines(*texts: str) -> list[Cell]:
    """Cells one below the other."""
    return [Cell(text, 60, line, line) for line, text in enumerate(texts)]


def table(*rows: Sequence[str], width: float = 120) -> list[Cell]:
    """Cells side by side, row by row."""
    return [
        Cell(text, 60 + width * column, line, len(row) * line + column)
        for line, row in enumerate(rows)
        for column, text in enumerate(row)
    ]


def ready(*texts: str) -> Concordance:
    """A PDF-like document, a page for each text and a line for each of its lines, made ready."""
    return build_concordance(pdf(*(lines(*text.split("\n")) for text in texts)))


def plain(text: str) -> Concordance:
    """A document without pages, made ready."""
    return build_concordance(Document("text", text))


def letters(text: str) -> str:
    """Return the part of a text that is compared."""
    return squeeze(text).text


def lit(concordance: Concordance, found: Location) -> list[str]:
    """The texts of the spans that were found."""
    return [concordance.document.text[start:end] for start, end in found.spans]


def covered(concordance: Concordance, spans: Iterable[tuple[int, int]]) -> set[int]:
    """Which compared characters of the document stand in the spans."""
    places = concordance.squeezed.places
    bounds = (np.searchsorted(places, span).tolist() for span in spans)
    return {i for first, last in bounds for i in range(first, last)}


_word = st.one_of(*[st.sampled_from(WORDS)] * 5, st.sampled_from(NUMBERS), st.text(max_size=6))
_sentence = st.lists(_word, min_size=1, max_size=9).map(" ".join)
_cell = st.lists(st.one_of(st.sampled_from(NUMBERS), st.sampled_from(WORDS)), min_size=1, max_size=2).map(" ".join)


@st.composite
def _leaf(draw: st.DrawFn) -> list[Cell]:
    """A page: blank, of lines, of two columns, or of a table; drawn in the order it is read, or in another."""
    kind = draw(st.sampled_from(("lines", "columns", "table", "blank")))
    if kind == "blank":
        return []
    if kind == "table":
        columns = draw(st.integers(2, 4))
        row = st.lists(_cell, min_size=columns, max_size=columns)
        cells = table(*draw(st.lists(row, min_size=1, max_size=5)))
    else:
        texts = [text.replace("\n", "").replace("\t", " ") for text in draw(st.lists(_sentence, max_size=10))]
        half = (len(texts) + 1) // 2 if kind == "columns" else len(texts)
        cells = lines(*texts[:half]) + [Cell(text, 340, i, half + i) for i, text in enumerate(texts[half:])]
    turns = draw(st.one_of(st.just(range(len(cells))), st.permutations(range(len(cells)))))
    return [cell._replace(drawn=context) for cell, context in zip(cells, turns, strict=True)]


pdfs = st.lists(_leaf(), min_size=1, max_size=3).map(lambda leaves: pdf(*leaves))
texts = st.lists(st.one_of(_sentence, st.text(max_size=30)), max_size=12).map(
    lambda parts: Document("text", "\n".join(parts))
)
documents = st.one_of(texts, pdfs)
