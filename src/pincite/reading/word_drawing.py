"""Draw a Word document: how its paragraphs and tables look, and where their words are in the text.

The document is written again as the reader writes it, so that the ranges are those of the text that was stored.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, Literal

from pincite.errors import PinciteError, Unreadable
from pincite.reading.drawing import (
    PART_HEAD,
    DrawnBlock,
    DrawnCell,
    DrawnFigure,
    DrawnParagraph,
    DrawnPicture,
    DrawnRun,
    DrawnTable,
    ReadStretch,
    list_block_runs,
)
from pincite.reading.finish import clean_characters
from pincite.reading.office_flaws import OFFICE_FLAWS
from pincite.reading.slide_text_styles import choose_font, read_number
from pincite.reading.source import Source
from pincite.reading.text_alignment import TextAligner
from pincite.reading.word import WordWriter, is_continued, list_cell_paragraphs, open_parts, read_span
from pincite.reading.word_looks import Look, WordLooks, read_colour
from pincite.reading.word_styles import Numbering, Styles, find_child, read_attribute, read_local_name

_PART = 20_000  # characters of one part, about
_MOST_BYTES = 24_000_000  # of all parts
_MOST_PART_BYTES = 4_000_000
_EMU = 12_700
_LONGEST = 20_000.0
_FIGURES = 100  # pictures of one paragraph
_DESCRIPTION = 500
_ALIGNMENTS: dict[str, Literal["left", "center", "right", "justify"]] = {
    "center": "center",
    "right": "right",
    "end": "right",
    "both": "justify",
    "distribute": "justify",
}
_BULLET = "-"  # the label of a paragraph with any sign before it

_Note = tuple[Any, str, list[list[Any]] | None]  # a paragraph with its label, or a table with its rows


def draw_word(source: Source) -> Iterator[bytes]:
    """Yield the parts of a document in order: the range of each in the text, and JSON of `ReadStretch`."""
    try:
        parts = open_parts(source)
        looks = WordLooks(next(iter(parts.roots["styles"]), None))
        styles = Styles(next(iter(parts.roots["styles"]), None))
        numbering = Numbering(next(iter(parts.roots["numbering"]), None), styles)
        writer = _NotingWriter(styles, numbering, source)
        writer.write(parts)
    except PinciteError:
        raise
    except Exception as error:  # a library may raise any error for a damaged file
        raise Unreadable(f"{source.name} cannot be drawn.", "Open the original file.") from error
    text = clean_characters(writer.draft.text)
    pictures = {
        identity: number for identity, name in parts.members.items() if (number := parts.numbers.get(name)) is not None
    }
    artist = _WordArtist(writer, looks, styles, numbering, pictures, text)
    width = _read_width(parts.body)
    size = 0
    for start, end, blocks in _split_parts(artist.draw(), len(text)):
        stretch = ReadStretch(start=start, text=text[start:end], width=width, blocks=blocks)
        data = stretch.model_dump_json(exclude_defaults=True).encode("utf-8", "replace")
        size += len(data)
        if size > _MOST_BYTES:
            return
        if len(data) <= _MOST_PART_BYTES:
            yield PART_HEAD.pack(start, end) + data


class _NotingWriter(WordWriter):
    """Write a document, and note where its paragraphs and tables are in the text."""

    def __init__(self, styles: Styles, numbering: Numbering, source: Source) -> None:
        super().__init__(styles, numbering, source.limits)
        self.noted: list[tuple[tuple[int, int], _Note]] = []

    def note_paragraph(self, paragraph: Any, label: str, start: int, end: int) -> None:
        self.noted.append(((start, end), (paragraph, label, None)))

    def note_table(self, table: Any, rows: list[list[Any]], start: int, end: int) -> None:
        self.noted.append(((start, end), (table, "", rows)))


class _WordArtist:
    """Draws the paragraphs and tables of one document."""

    def __init__(
        self,
        writer: _NotingWriter,
        looks: WordLooks,
        styles: Styles,
        numbering: Numbering,
        pictures: Mapping[str, int],
        text: str,
    ) -> None:
        self._writer = writer
        self._looks = looks
        self._styles = styles
        self._numbering = numbering
        self._pictures = pictures
        self._text = text
        self._tight: list[DrawnParagraph] = []  # those without space between them

    def draw(self) -> Iterator[list[DrawnBlock]]:
        """Yield the blocks of each range in order. A range, such as that of a list, is drawn whole or not at all."""
        for (start, end), noted in groupby(self._writer.noted, key=lambda each: each[0]):
            aligner = TextAligner(self._text, start, end)
            drawn: list[DrawnBlock] = []
            try:
                for _, note in noted:
                    if block := self._draw_block(note, aligner, start):
                        drawn.append(block)
                aligner.finish()
            except OFFICE_FLAWS:  # its words are shown as text
                continue
            if drawn:
                _close_list(drawn, self._tight)
                yield drawn

    def _draw_block(self, note: _Note, aligner: TextAligner, start: int) -> DrawnBlock | None:
        element, label, rows = note
        if rows is not None:
            block = DrawnBlock(start=start, end=start, table=self._draw_table(element, rows, aligner))
        else:
            paragraph = self._draw_paragraph(element, label, aligner)
            if not paragraph.runs and not paragraph.figures:
                return None
            block = DrawnBlock(start=start, end=start, level=min(9, self._styles.level(element)), paragraph=paragraph)
        ranges = [(run.start, run.end) for run in list_block_runs(block) if run.start is not None and run.end]
        if ranges:
            block.start, block.end = ranges[0][0] or 0, ranges[-1][1] or 0
        elif rows is not None:
            return None
        else:  # a picture at the end of the text belongs to its last character
            block.start = block.end = min(start, max(0, len(self._text) - 1))
        return block

    def _draw_paragraph(
        self, paragraph: Any, label: str, aligner: TextAligner, row: Look | None = None, ground: str | None = None
    ) -> DrawnParagraph:
        pieces = list(self._writer.list_pieces(paragraph))
        texts = [f"{label} ", *(text for _, text in pieces)] if label else [text for _, text in pieces]
        found = aligner.take_paragraph(texts)
        sources = self._looks.list_run_sources(paragraph)
        level = self._numbering.find_level(paragraph) if label else None
        look = self._looks.read_paragraph(paragraph, find_child(level, "pPr"))
        drawn = DrawnParagraph(
            align=_ALIGNMENTS.get(look.align, "left"),
            margin=_limit(look.left / 20),
            indent=_limit(look.first / 20),
            before=_limit(look.before / 20),
            after=_limit(look.after / 20),
            line=min(5.0, max(0.5, round(look.line, 2))),
            figures=list(self._list_figures(paragraph)),
        )
        if look.is_tight:
            self._tight.append(drawn)
        if label:
            place, found = found[0], found[1:]
            if label == _BULLET:
                drawn.bullet = "•"
            elif place is not None:
                mark = [find_child(paragraph, "pPr", "rPr"), *sources]
                drawn.label = _draw_run(self._looks.read_run(None, mark, row), ground)
                drawn.label.start, drawn.label.end = place[0], place[0] + len(self._text[place[0] : place[1]].rstrip())
        last: Look | None = None
        for (run, _), range_ in zip(pieces, found, strict=True):
            if range_ is None:
                continue
            own = self._looks.read_run(run, sources, row)
            before = drawn.runs[-1] if drawn.runs else None
            # Word splits a sentence into many runs that look alike.
            if before and before.end == range_[0] and own == last:
                before.end = range_[1]
            else:
                made = _draw_run(own, ground)
                made.start, made.end = range_
                drawn.runs.append(made)
            last = own
        return drawn

    def _draw_table(self, table: Any, rows: list[list[Any]], aligner: TextAligner) -> DrawnTable:
        head = self._looks.read_table_head(table)
        grid = [read_number(read_attribute(each, "w"), 0) / 20 for each in _list_named(find_child(table, "tblGrid"))]
        made = []
        for number, row in enumerate(rows):
            cells = []
            column = 0
            is_head = number == 0 and head is not None
            for cell in row:
                span = read_span(cell)
                if not is_continued(cell):
                    fill = read_colour(read_attribute(find_child(cell, "tcPr", "shd"), "fill"))
                    fill = fill or (head.ground if head and is_head else None)
                    drawn = [
                        self._draw_paragraph(each, "", aligner, head if is_head else None, fill)
                        for each in list_cell_paragraphs(cell)
                    ]
                    cells.append(
                        DrawnCell(
                            paragraphs=[_tighten(each) for each in drawn if each.runs or each.figures],
                            columns=span,
                            rows=_count_rows(rows, number, column),
                            fill=fill,
                        )
                    )
                column += span
            made.append(cells)
        return DrawnTable(widths=[_limit(each) for each in grid[:1_000]], rows=made, line=self._looks.read_line(table))

    def _list_figures(self, paragraph: Any) -> Iterator[DrawnFigure]:
        """Yield the pictures of a paragraph that are in the file."""
        found = (each for each in paragraph.iter("{*}drawing") if not _is_repeated(each, paragraph))
        for drawing in list(found)[:_FIGURES]:
            blip = next(iter(drawing.iter("{*}blip")), None)
            number = self._pictures.get(read_attribute(blip, "embed"))
            size = next(iter(drawing.iter("{*}extent")), None)
            width, height = (read_number(read_attribute(size, side), 0) / _EMU for side in ("cx", "cy"))
            if number is None or width <= 0 or height <= 0:
                continue
            about = read_attribute(next(iter(drawing.iter("{*}docPr")), None), "descr")
            picture = DrawnPicture(number=number, description=about[:_DESCRIPTION])
            yield DrawnFigure(picture=picture, width=_limit(width), height=_limit(height))


def _close_list(blocks: Sequence[DrawnBlock], tight: list[DrawnParagraph]) -> None:
    """Take the space from between the paragraphs of a list that have none, and forget these."""
    known = set(map(id, tight))
    for one, other in pairwise(each.paragraph for each in blocks):
        if one and other and id(one) in known and id(other) in known:
            one.after = other.before = 0
    tight.clear()


def _split_parts(groups: Iterator[list[DrawnBlock]], length: int) -> Iterator[tuple[int, int, list[DrawnBlock]]]:
    """Join groups of blocks into parts that follow each other and cover the whole text."""
    start, some = 0, list[DrawnBlock]()
    for group in groups:
        first = group[0].start
        if first - start > _PART and some:
            yield start, first, some
            start, some = first, []
        some += group
    yield start, length, some


def _count_rows(rows: Sequence[Sequence[Any]], number: int, column: int) -> int:
    """Return the number of rows that a cell covers."""
    count = 1
    for row in rows[number + 1 : number + 1_000]:
        at = 0
        for cell in row:
            if at >= column:
                break
            at += read_span(cell)
        else:
            cell = None
        if cell is None or at != column or not is_continued(cell):
            break
        count += 1
    return count


def _is_repeated(drawing: Any, top: Any) -> bool:
    """Return whether a drawing stands in for another one, or belongs to a paragraph of a text box."""
    for parent in drawing.iterancestors():
        if parent is top:
            return False
        if read_local_name(parent) in ("Fallback", "txbxContent", "del"):
            return True
    return True


def _draw_run(look: Look, ground: str | None) -> DrawnRun:
    # A light word needs a dark ground; one that is not known may be in a style that is not drawn.
    is_seen = look.colour is None or look.ground or ground or not _is_light(look.colour)
    return DrawnRun(
        size=min(1_000.0, max(1.0, look.size)),
        bold=look.bold,
        italic=look.italic,
        underline=look.underline,
        strike=look.strike,
        shift=look.shift,
        colour=look.colour if is_seen else None,
        ground=look.ground,
        font=choose_font(look.font),
    )


def _tighten(paragraph: DrawnParagraph) -> DrawnParagraph:
    paragraph.before = paragraph.after = 0
    return paragraph


def _is_light(colour: str) -> bool:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue > 200


def _list_named(element: Any) -> list[Any]:
    return [each for each in element if read_local_name(each)] if element is not None else []


def _read_width(body: Any) -> float:
    """Return the width of the lines: that of the last section's paper without its margins."""
    section = find_child(body, "sectPr")
    paper, edges = find_child(section, "pgSz"), find_child(section, "pgMar")
    width = read_number(read_attribute(paper, "w"), 12_240)
    room = width - sum(read_number(read_attribute(edges, side), 1_440) for side in ("left", "right"))
    return min(2_000.0, max(200.0, room / 20))


def _limit(length: float) -> float:
    return round(min(_LONGEST, max(-_LONGEST, length)), 2)
