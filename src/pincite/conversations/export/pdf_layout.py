"""Lay out the Markdown of an answer in a PDF or a Word document."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pincite.conversations.export.footnotes import PLACEHOLDER, make_markdown_reader
from pincite.conversations.export.formula_text import spell_formula, write_plain
from pincite.conversations.export.formula_tree import ShownFormula
from pincite.conversations.export.text_canvas import TextCanvas, TextRun

if TYPE_CHECKING:
    from markdown_it.token import Token

_LINKED = ("http://", "https://", "mailto:")
_BULLET = "•"


class PdfLayout:
    """Lays out one answer. `places` are the link targets of its footnotes by number, `notes` are its notes, and
    `formulas` its formulas. `shown` are the numbers that its marks show in a file with several answers.
    """

    def __init__(
        self,
        canvas: TextCanvas,
        places: Mapping[int, int],
        notes: Sequence[str] = (),
        shown: Mapping[int, int] | None = None,
        formulas: Sequence[ShownFormula] = (),
    ) -> None:
        self._canvas = canvas
        self._places = places
        self._notes = notes
        self._formulas = formulas
        self._shown = shown or {}
        self._lists: list[int | None] = []  # the next number of each open list; None for a bullet list
        self._begins_item = False
        self._rows: list[list[list[TextRun]]] = []

    def lay(self, text: str) -> None:
        """Lay out a Markdown text. Nothing in it is loaded or run."""
        tokens = make_markdown_reader().parse(text)
        for number, token in enumerate(tokens):
            self._block(token, tokens[number - 1] if number else None)

    def _block(self, token: "Token", before: "Token | None") -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append(int(token.attrGet("start") or 1))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._begins_item = True
            case "table_open":
                self._rows = []
            case "tr_open":
                self._rows.append([])
            case "table_close":
                self._canvas.table(self._rows)
                self._rows = []
            case "hr":
                self._canvas.rule()
            case "fence" | "code_block":
                self._paragraph([TextRun(line or " ") for line in _split_code_lines(token.content)])
            case "inline":
                self._text(token, before)

    def _text(self, token: "Token", before: "Token | None") -> None:
        runs = self._runs(token.children or [])
        if before is not None and before.type in ("th_open", "td_open"):
            self._rows[-1].append(runs)
        elif before is not None and before.type == "heading_open":
            self._canvas.heading(runs, int(before.tag[1:]))
        else:
            self._paragraph(runs)

    def _paragraph(self, runs: Sequence[TextRun]) -> None:
        """Lay out a paragraph. A display formula has a line of its own, with the marks that follow it."""
        rest = list(runs)
        while (
            at := next((place for place, run in enumerate(rest) if run.formula and run.formula.is_display), None)
        ) is not None:
            end = at + 1
            while end < len(rest) and (rest[end].raised or rest[end].faint or not rest[end].text.strip(" .,;")):
                end += 1
            if self._begins_item or any(run.text.strip() for run in rest[:at]):
                self._running_text(rest[:at] or [TextRun(" ")])
            self._canvas.formula([run for run in rest[at:end] if run.text.strip()])
            rest = rest[end:]
        if rest or not runs:
            self._running_text(rest)

    def _running_text(self, runs: Sequence[TextRun]) -> None:
        bullet = ""
        if self._begins_item and self._lists:
            number = self._lists[-1]
            bullet = _BULLET if number is None else f"{number}."
            self._lists[-1] = None if number is None else number + 1
        self._begins_item = False
        self._canvas.paragraph(runs, len(self._lists), bullet)

    def _runs(self, tokens: Sequence["Token"]) -> list[TextRun]:
        found: list[TextRun] = []
        bold = italic = 0
        link: str | None = None
        for token in tokens:
            match token.type:
                case "strong_open" | "strong_close":
                    bold += token.nesting
                case "em_open" | "em_close":
                    italic += token.nesting
                case "link_open":
                    target = str(token.attrGet("href") or "")
                    link = target if target.startswith(_LINKED) else None
                case "link_close":
                    link = None
                case "softbreak":
                    found.append(TextRun(" "))
                case "hardbreak":
                    found.append(TextRun("\n"))
                case _:
                    found += self._held(token.content, bold > 0, italic > 0, link)
        return found

    def _held(self, text: str, bold: bool, italic: bool, link: str | None) -> list[TextRun]:
        """Return the runs of a text, with its placeholders replaced by citation marks and notes."""
        found = []
        for number, piece in enumerate(PLACEHOLDER.split(text)):
            if number % 2 == 0:
                found.append(TextRun(piece, bold, italic, link=link))
            elif piece[:1] == "c":
                n = int(piece[1:])
                found.append(TextRun(f"[{self._shown.get(n, n)}]", raised=True, link=self._places.get(n)))
            elif piece[:1] == "f":
                found.append(_make_formula_run(self._formulas[int(piece[1:])], bold))
            else:
                found.append(TextRun(f" ({self._notes[int(piece[1:])]})", italic=True, faint=True))
        return [run for run in found if run.text]


def _make_formula_run(formula: ShownFormula, bold: bool) -> TextRun:
    """Return the run of a formula. If it is not valid LaTeX, the run is its source."""
    if formula.tree is None:
        return TextRun(formula.source, bold)
    pieces = spell_formula(formula.tree)
    return TextRun(write_plain(pieces) if pieces else formula.source, bold, formula=formula)


def _split_code_lines(code: str) -> list[str]:
    """Return the lines of a code block with their line breaks and fixed spaces."""
    lines = [line.replace(" ", "\u00a0") for line in code.rstrip("\n").split("\n")]
    return [f"{line}\n" for line in lines[:-1]] + lines[-1:]
