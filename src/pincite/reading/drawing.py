"""Describe how slides and pages look, as numbers, colours and ranges of the document's text.

The isolated process makes these from a file. The parent checks them here and fills in the texts: nothing else of a file
reaches a style sheet. All lengths are in points.
"""

import struct
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Colour = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}(?:[0-9a-f]{2})?$")]
Length = Annotated[float, Field(ge=-20_000, le=20_000, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=1_000)]
Offset = Annotated[int, Field(ge=0, le=2**31 - 1)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]

PART_HEAD = struct.Struct("<II")  # before each part of a drawn document: its range of the text

_MANY = 5_000  # runs, cells or shapes in one list
_LONG = 200_000  # characters
_DESCRIPTION = 500


class _Drawn(BaseModel):
    model_config = ConfigDict(extra="forbid")


class DrawnRun(_Drawn):
    """Words that look the same. Words that are not in the document's text, such as a slide's number, have no range."""

    start: Annotated[Offset | None, Field(description="First character in the document's text.")] = None
    end: Annotated[Offset | None, Field(description="End, exclusive.")] = None
    text: Annotated[str, Field(max_length=_LONG)] = ""
    size: Annotated[float, Field(ge=1, le=1_000, allow_inf_nan=False, description="Points.")] = 18
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    shift: Annotated[int, Field(ge=-1, le=1, description="1: superscript. -1: subscript.")] = 0
    colour: Colour | None = None
    ground: Annotated[Colour | None, Field(description="The colour behind the words.")] = None
    font: Literal["sans", "serif", "mono"] = "sans"
    breaks: Annotated[int, Field(ge=0, le=20, description="Number of line ends before it.")] = 0


class DrawnPicture(_Drawn):
    """A picture of the file: its number for `GET …/pictures/{number}`, and the shares that are cut off at its edges."""

    number: Offset
    description: Annotated[str, Field(max_length=_DESCRIPTION, description="Written by the author; untrusted.")] = ""
    left: Share = 0
    top: Share = 0
    right: Share = 0
    bottom: Share = 0


class DrawnFigure(_Drawn):
    """A picture in a text, and its size."""

    picture: DrawnPicture
    width: Length
    height: Length


class DrawnParagraph(_Drawn):
    """A paragraph. `line` is the height of a line, as a multiple of the font's."""

    label: Annotated[DrawnRun | None, Field(description="The number before it, which is in the text.")] = None
    runs: Annotated[list[DrawnRun], Field(max_length=_MANY)] = []
    align: Literal["left", "center", "right", "justify"] = "left"
    margin: Length = 0
    indent: Annotated[Length, Field(description="Of the first line, beside the margin.")] = 0
    before: Length = 0
    after: Length = 0
    line: Annotated[float, Field(ge=0.5, le=5, allow_inf_nan=False)] = 1
    bullet: Annotated[str, Field(max_length=40, description="A sign or number that is not in the text.")] = ""
    figures: Annotated[list[DrawnFigure], Field(max_length=100)] = []


class DrawnCell(_Drawn):
    """A cell of a table, over several columns and rows if it is merged."""

    paragraphs: Annotated[list[DrawnParagraph], Field(max_length=_MANY)] = []
    columns: Count = 1
    rows: Count = 1
    fill: Colour | None = None


class DrawnTable(_Drawn):
    """A table: the widths of its columns, the least heights of its rows, and its cells."""

    widths: Annotated[list[Length], Field(max_length=1_000)] = []
    heights: Annotated[list[Length], Field(max_length=_MANY)] = []
    rows: Annotated[list[list[DrawnCell]], Field(max_length=_MANY)] = []
    line: Annotated[Colour | None, Field(description="Of the lines between cells; null draws none.")] = None


class DrawnShape(_Drawn):
    """A shape of a slide and what is in it. Shapes are in reading order; `layer` tells which one covers another."""

    left: Length
    top: Length
    width: Length
    height: Length
    layer: Annotated[int, Field(ge=0, le=100_000)] = 0
    turn: Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False, description="Degrees, clockwise.")] = 0
    form: Literal["box", "round", "ellipse", "down", "up"] = "box"
    fill: Colour | None = None
    line: Colour | None = None
    thickness: Length = 0
    picture: DrawnPicture | None = None
    anchor: Literal["top", "middle", "bottom"] = "top"
    insets: Annotated[tuple[Length, Length, Length, Length], Field(description="Left, top, right, bottom.")] = (
        7.2,
        3.6,
        7.2,
        3.6,
    )
    wraps: bool = True
    paragraphs: Annotated[list[DrawnParagraph], Field(max_length=_MANY)] = []
    table: DrawnTable | None = None


class DrawnSlide(_Drawn):
    """A slide: its size, its background and its shapes."""

    width: Annotated[float, Field(gt=0, le=20_000, allow_inf_nan=False)]
    height: Annotated[float, Field(gt=0, le=20_000, allow_inf_nan=False)]
    background: Colour | None = None
    picture: DrawnPicture | None = None
    shapes: Annotated[list[DrawnShape], Field(max_length=_MANY)] = []


class ReadSlide(_Drawn):
    """A slide that was read again: its text, and its drawing with ranges of that text; null if it cannot be drawn."""

    text: str
    drawing: DrawnSlide | None = None


class DrawnBlock(_Drawn):
    """A paragraph or a table of a document without slides, at its range of the text."""

    start: Offset
    end: Offset
    level: Annotated[int, Field(ge=0, le=9, description="Level of a heading, from 1 (highest); else 0.")] = 0
    paragraph: DrawnParagraph | None = None
    table: DrawnTable | None = None


class ReadStretch(_Drawn):
    """A stretch of a document that was read again: its text, its blocks, and the width of its lines."""

    start: Offset
    text: str
    width: Annotated[float, Field(ge=36, le=20_000, allow_inf_nan=False)] = 468
    blocks: list[DrawnBlock] = []


def list_block_runs(block: DrawnBlock) -> Iterator[DrawnRun]:
    """Yield the runs of a block in order."""
    if block.paragraph:
        yield from list_runs([block.paragraph])
    if block.table:
        yield from list_table_runs(block.table)


def list_shape_runs(shape: DrawnShape) -> Iterator[DrawnRun]:
    """Yield the runs of a shape in order."""
    yield from list_runs(shape.paragraphs)
    if shape.table:
        yield from list_table_runs(shape.table)


def list_table_runs(table: DrawnTable) -> Iterator[DrawnRun]:
    """Yield the runs of a table in order."""
    for row in table.rows:
        for cell in row:
            yield from list_runs(cell.paragraphs)


def list_runs(paragraphs: list[DrawnParagraph]) -> Iterator[DrawnRun]:
    """Yield the runs of paragraphs in order."""
    for paragraph in paragraphs:
        if paragraph.label:
            yield paragraph.label
        yield from paragraph.runs
