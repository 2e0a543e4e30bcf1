"""Draw headings, paragraphs, lists and tables on the pages of a PDF. Only this module uses the PDF library."""

import logging
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from importlib.resources import files
from io import BytesIO
from typing import Any

from fpdf import FPDF, FontFace

from pincite.conversations.export.font_glyphs import fit_text
from pincite.conversations.export.formula_drawing import draw_formula
from pincite.conversations.export.formula_text import spell_formula
from pincite.conversations.export.text_canvas import TextRun
from pincite.text.display import join_broken_words
from pincite.text.storable import clean_text

_FACES = {"": "Regular", "B": "Semibold", "I": "It", "BI": "SemiboldIt"}
_FAMILY, _MATHS = "serif", "maths"
_INK, _FAINT, _ACCENT = (34, 40, 42), (96, 102, 104), (13, 92, 99)
_BODY, _SMALL, _TINY = 11.0, 9.5, 8.5  # points
_SIZES = {1: 20.0, 2: 15.0, 3: 12.5}
_LINE = 1.42
_MARGIN, _FOOT = 24.0, 22.0  # millimetres
_INDENT, _DEEPEST = 7.0, 6  # of a list in a list
_POINT = 25.4 / 72  # millimetres
_BESIDE = 30.0  # millimetres beside a formula for its citation marks
_COLUMNS = 9  # of a table; a wider one is set row by row
_TOGETHER = 26.0  # millimetres that must be free below a heading; else it goes to the next page


class _NumberedPages(FPDF):  # type: ignore[misc]
    """A PDF with page numbers at the bottom."""

    def footer(self) -> None:
        self.set_y(-_FOOT + 8)
        self.set_font(_FAMILY, "", _TINY)
        self.set_text_color(*_FAINT)
        self.cell(0, 5, f"{self.page_no()} / {{nb}}", align="C")


class PdfCanvas:
    """A PDF under construction. Characters that its typeface lacks are replaced, and counted in `lacking`."""

    def __init__(self, title: str, language: str, made: datetime) -> None:
        self.lacking = 0
        self._pdf: Any = _NumberedPages(format="A4")
        self._pdf.set_margins(_MARGIN, _MARGIN)
        self._pdf.set_auto_page_break(True, _FOOT)
        # fontTools logs which parts of a font it leaves out, which does not matter here.
        logging.getLogger("fontTools").setLevel(logging.ERROR)
        folder = files("font_source_serif_pro") / "files"
        for style, name in _FACES.items():
            self._pdf.add_font(_FAMILY, style, str(folder / f"SourceSerifPro-{name}.ttf"))
        self._pdf.set_title(clean_text(title))
        self._pdf.set_lang(language)
        self._pdf.set_creator("Pincite")
        self._pdf.set_creation_date(made)
        self._pdf.add_page()
        self._look(TextRun(""), _BODY)

    def make_bytes(self) -> bytes:
        """Return the PDF as bytes."""
        return bytes(self._pdf.output())

    def heading(self, runs: Sequence[TextRun], level: int) -> None:
        """Add a heading, also to the outline. It is never the last line of a page."""
        name = " ".join(self._fit_text("".join(run.text for run in runs if not run.raised)).split())
        if not name:
            return
        self._break_before(_TOGETHER)
        if level > 1:
            self._pdf.ln(3.5)
        self._pdf.start_section(name, level=min(level, 3) - 1, strict=False)
        self._set([replace(run, bold=True) for run in runs], _SIZES[min(level, 3)], after=2.0)

    def paragraph(self, runs: Sequence[TextRun], depth: int = 0, bullet: str = "", small: bool = False) -> None:
        """Add a paragraph, indented by `depth` steps, with a bullet if it is a list item."""
        indent = min(depth, _DEEPEST) * _INDENT
        self._set(runs, _SMALL if small else _BODY, indent, bullet, after=1.6 if bullet else 2.6)

    def formula(self, runs: Sequence[TextRun]) -> None:
        """Add a formula on a line of its own, drawn if possible, with its citation marks beside it."""
        first, *rest = runs
        tree = first.formula.tree if first.formula else None
        drawn = draw_formula(tree) if tree else None
        if first.formula is None or drawn is None:
            self._set(runs, _BODY, 2 * _INDENT, after=2.6)
            return
        left = _MARGIN + 2 * _INDENT
        room = self._pdf.w - _MARGIN - left - (_BESIDE if rest else 0)
        width = min(drawn.width * _POINT, room)
        height = width / drawn.width * drawn.height
        self._break_before(height + 4)
        top = self._pdf.y + 1
        svg = BytesIO(drawn.svg.encode())
        self._pdf.image(svg, left, top, width, height, alt_text=first.formula.tex)
        self._pdf.set_y(top + height / 2 - _BODY * _LINE * _POINT / 2)
        if rest:
            self._set(rest, _BODY, left + width + 1 - _MARGIN)
        self._pdf.set_y(max(self._pdf.y, top + height) + 3.6)

    def quote(self, runs: Sequence[TextRun]) -> None:
        """Add a paragraph that quotes a source."""
        self._set([replace(run, italic=not run.raised) for run in runs], _BODY, _INDENT, after=2.6)

    def place(self) -> int:
        """Return a new link target without a position; `here` sets its position."""
        return int(self._pdf.add_link())

    def here(self, place: int) -> None:
        """Set a link target to the beginning of the next paragraph."""
        self._break_before(14.0)
        self._pdf.set_link(place, y=self._pdf.y)

    def rule(self) -> None:
        """Add a thin line over the whole width."""
        self._pdf.ln(2.5)
        self._pdf.set_draw_color(*_FAINT)
        self._pdf.set_line_width(0.15)
        self._pdf.line(_MARGIN, self._pdf.y, self._pdf.w - _MARGIN, self._pdf.y)
        self._pdf.ln(3)

    def table(self, rows: Sequence[Sequence[Sequence[TextRun]]]) -> None:
        """Add a table. Its first row has the headings."""
        texts = [["".join(run.text for run in cell) for cell in cells] for cells in rows]
        width = max(map(len, texts), default=1)
        if width > _COLUMNS:
            for cells in texts:
                self.paragraph([TextRun(" | ".join(cells))], small=True)
            return
        self._look(TextRun(""), _SMALL)
        self._pdf.set_draw_color(*_FAINT)
        self._pdf.set_line_width(0.15)
        with self._pdf.table(
            first_row_as_headings=True,
            headings_style=FontFace(emphasis="B"),
            line_height=_SMALL * 0.5,
            padding=1,
            text_align="LEFT",
        ) as table:
            for cells in texts:
                row = table.row()
                for cell in [*cells, *[""] * (width - len(cells))]:
                    row.cell(self._fit_text(cell))
        self._pdf.ln(3)

    def _set(
        self, runs: Sequence[TextRun], size: float, indent: float = 0.0, bullet: str = "", after: float = 0.0
    ) -> None:
        self._look(TextRun(""), size)
        with (
            self._pdf.text_columns(line_height=_LINE) as column,
            column.paragraph(indent=indent, bullet_string=bullet, bottom_margin=after) as paragraph,
        ):
            for run in [part for each in runs for part in self._spell_run(each)]:
                text = run.text if run.mathematical else self._fit_text(run.text)
                self._look(run, size, text)
                paragraph.write(text, link=run.link)
        self._look(TextRun(""), size)

    def _spell_run(self, run: TextRun) -> list[TextRun]:
        """Return a formula as runs on one line, or its LaTeX if it needs several lines or signs that are lacking."""
        if run.formula is None:
            return [run]
        pieces = spell_formula(run.formula.tree) if run.formula.tree else None
        # An accent stands over its letter only in the typeface of formulas.
        lacking = [
            bool(fit_text(piece.text, self._known)[1]) or any(map(unicodedata.combining, piece.text))
            for piece in pieces or ()
        ]
        if pieces is None or not all(
            set(map(ord, piece.text)) <= self._signs
            for piece, is_lacking in zip(pieces, lacking, strict=True)
            if is_lacking
        ):
            return [replace(run, text=run.formula.source, formula=None)]
        return [
            replace(
                run,
                text=piece.text,
                formula=None,
                bold=run.bold or piece.bold,
                italic=piece.italic,
                raised=piece.level > 0,
                lowered=piece.level < 0,
                mathematical=is_lacking,
            )
            for piece, is_lacking in zip(pieces, lacking, strict=True)
        ]

    def _look(self, run: TextRun, size: float, text: str = "") -> None:
        style = ("B" if run.bold else "") + ("I" if run.italic and self._has_italics(text) else "")
        self._pdf.set_font(_MATHS if run.mathematical else _FAMILY, "" if run.mathematical else style, size)
        self._pdf.char_vpos = "SUP" if run.raised else "SUB" if run.lowered else "LINE"
        self._pdf.set_text_color(*(_ACCENT if run.link else _FAINT if run.faint else _INK))

    def _fit_text(self, text: str) -> str:
        found, lacking = fit_text(join_broken_words(text), self._known)
        self.lacking += lacking
        return found

    def _has_italics(self, text: str) -> bool:
        """Return whether the italic typeface has all characters of a text; else it is set upright."""
        cmap = self._pdf.fonts[f"{_FAMILY}I"].cmap
        return all(ord(character) in cmap for character in text if character != "\n")

    @cached_property
    def _known(self) -> frozenset[int]:
        return frozenset(self._pdf.fonts[_FAMILY].cmap)

    @cached_property
    def _signs(self) -> frozenset[int]:
        """The characters of the typeface of formulas, which is loaded with the first sign that needs it."""
        self._pdf.add_font(_MATHS, "", str(files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf"))
        return frozenset(self._pdf.fonts[_MATHS].cmap)

    def _break_before(self, height: float) -> None:
        if self._pdf.y + height > self._pdf.h - _FOOT:
            self._pdf.add_page()
