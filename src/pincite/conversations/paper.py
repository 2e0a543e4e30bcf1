"""Paragraphs, lists, tables and notes set on pages: the one room that knows how a PDF is drawn."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from importlib.resources import files
from typing import Any

from fpdf import FPDF, FontFace

from pincite.conversations.glyphs import fitted
from pincite.reading.finish import clean
from pincite.text.display import join_broken_words

_FACES = {"": "Regular", "B": "Semibold", "I": "It", "BI": "SemiboldIt"}
_FAMILY = "serif"
_INK, _FAINT, _ACCENT = (34, 40, 42), (96, 102, 104), (13, 92, 99)
_BODY, _SMALL, _TINY = 11.0, 9.5, 8.5  # points
_SIZES = {1: 20.0, 2: 15.0, 3: 12.5}
_LINE = 1.42
_MARGIN, _FOOT = 24.0, 22.0  # millimetres
_INDENT, _DEEPEST = 7.0, 6  # of a list in a list
_COLUMNS = 9  # of a table; a wider one is set row by row
_TOGETHER = 26.0  # millimetres under a heading, or it goes to the next page


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one look; `link` is an address, or a place in the paper."""

    text: str
    bold: bool = False
    italic: bool = False
    raised: bool = False
    faint: bool = False
    link: str | int | None = None


class _Pages(FPDF):  # type: ignore[misc]
    """Pages with their number at the foot."""

    def footer(self) -> None:
        self.set_y(-_FOOT + 8)
        self.set_font(_FAMILY, "", _TINY)
        self.set_text_color(*_FAINT)
        self.cell(0, 5, f"{self.page_no()} / {{nb}}", align="C")


class Paper:
    """One document while it is set. Characters that its typeface lacks are replaced, and counted in `lacking`."""

    def __init__(self, title: str, language: str, made: datetime) -> None:
        self.lacking = 0
        self._pdf: Any = _Pages(format="A4")
        self._pdf.set_margins(_MARGIN, _MARGIN)
        self._pdf.set_auto_page_break(True, _FOOT)
        # It tells in its log what of a font it leaves out, which is nobody's concern.
        logging.getLogger("fontTools").setLevel(logging.ERROR)
        folder = files("font_source_serif_pro") / "files"
        for style, name in _FACES.items():
            self._pdf.add_font(_FAMILY, style, str(folder / f"SourceSerifPro-{name}.ttf"))
        self._pdf.set_title(clean(title))
        self._pdf.set_lang(language)
        self._pdf.set_creator("Pincite")
        self._pdf.set_creation_date(made)
        self._pdf.add_page()
        self._look(Run(""), _BODY)

    def finished(self) -> bytes:
        """The whole as a file's bytes."""
        return bytes(self._pdf.output())

    def heading(self, runs: Sequence[Run], level: int) -> None:
        """A heading, in the outline too; it does not stay alone at the foot of a page."""
        name = " ".join(self._fitted("".join(run.text for run in runs if not run.raised)).split())
        if not name:
            return
        self._break_before(_TOGETHER)
        if level > 1:
            self._pdf.ln(3.5)
        self._pdf.start_section(name, level=min(level, 3) - 1, strict=False)
        self._set([replace(run, bold=True) for run in runs], _SIZES[min(level, 3)], after=2.0)

    def paragraph(self, runs: Sequence[Run], depth: int = 0, bullet: str = "", small: bool = False) -> None:
        """A paragraph, so many steps in, behind a bullet if it is the item of a list."""
        indent = min(depth, _DEEPEST) * _INDENT
        self._set(runs, _SMALL if small else _BODY, indent, bullet, after=1.6 if bullet else 2.6)

    def place(self) -> int:
        """A place in the paper that is not known yet; `here` says where it is."""
        return int(self._pdf.add_link())

    def here(self, place: int) -> None:
        """The place is where the next paragraph begins."""
        self._break_before(14.0)
        self._pdf.set_link(place, y=self._pdf.y)

    def rule(self) -> None:
        """A hairline over the whole width."""
        self._pdf.ln(2.5)
        self._pdf.set_draw_color(*_FAINT)
        self._pdf.set_line_width(0.15)
        self._pdf.line(_MARGIN, self._pdf.y, self._pdf.w - _MARGIN, self._pdf.y)
        self._pdf.ln(3)

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """A table; its first row says what the columns are."""
        width = max(map(len, rows), default=1)
        if width > _COLUMNS:
            for cells in rows:
                self.paragraph([Run(" | ".join(cells))], small=True)
            return
        self._look(Run(""), _SMALL)
        self._pdf.set_draw_color(*_FAINT)
        self._pdf.set_line_width(0.15)
        with self._pdf.table(
            first_row_as_headings=True,
            headings_style=FontFace(emphasis="B"),
            line_height=_SMALL * 0.5,
            padding=1,
            text_align="LEFT",
        ) as table:
            for cells in rows:
                row = table.row()
                for cell in [*cells, *[""] * (width - len(cells))]:
                    row.cell(self._fitted(cell))
        self._pdf.ln(3)

    def _set(self, runs: Sequence[Run], size: float, indent: float = 0.0, bullet: str = "", after: float = 0.0) -> None:
        self._look(Run(""), size)
        with (
            self._pdf.text_columns(line_height=_LINE) as column,
            column.paragraph(indent=indent, bullet_string=bullet, bottom_margin=after) as paragraph,
        ):
            for run in runs:
                text = self._fitted(run.text)
                self._look(run, size, text)
                paragraph.write(text, link=run.link)
        self._look(Run(""), size)

    def _look(self, run: Run, size: float, text: str = "") -> None:
        style = ("B" if run.bold else "") + ("I" if run.italic and self._has_italics(text) else "")
        self._pdf.set_font(_FAMILY, style, size)
        self._pdf.char_vpos = "SUP" if run.raised else "LINE"
        self._pdf.set_text_color(*(_ACCENT if run.link else _FAINT if run.faint else _INK))

    def _fitted(self, text: str) -> str:
        found, lacking = fitted(join_broken_words(text), self._known)
        self.lacking += lacking
        return found

    def _has_italics(self, text: str) -> bool:
        """Italics have fewer alphabets: what they lack is set upright."""
        cmap = self._pdf.fonts[f"{_FAMILY}I"].cmap
        return all(ord(character) in cmap for character in text if character != "\n")

    @cached_property
    def _known(self) -> frozenset[int]:
        return frozenset(self._pdf.fonts[_FAMILY].cmap)

    def _break_before(self, height: float) -> None:
        if self._pdf.y + height > self._pdf.h - _FOOT:
            self._pdf.add_page()
