"""The interface of a file under construction, a PDF or a Word document, and the text that it takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pincite.conversations.export.formula_tree import ShownFormula


@dataclass(frozen=True, slots=True)
class TextRun:
    """A piece of text in one style. `link` is an address, or a place in the file.

    A run with a `formula` shows that; its text is the formula on one line, for a place that has text alone.
    """

    text: str
    bold: bool = False
    italic: bool = False
    raised: bool = False
    faint: bool = False
    link: str | int | None = None
    lowered: bool = False
    mathematical: bool = False  # in the typeface of formulas, which has more signs
    formula: ShownFormula | None = None


class TextCanvas(Protocol):
    """Takes headings, paragraphs and tables one after the other. A place is the target of a link, or a footnote."""

    def heading(self, runs: Sequence[TextRun], level: int) -> None: ...

    def paragraph(self, runs: Sequence[TextRun], depth: int = 0, bullet: str = "", small: bool = False) -> None: ...

    def formula(self, runs: Sequence[TextRun]) -> None: ...

    def quote(self, runs: Sequence[TextRun]) -> None: ...

    def place(self) -> int: ...

    def here(self, place: int) -> None: ...

    def rule(self) -> None: ...

    def table(self, rows: Sequence[Sequence[Sequence[TextRun]]]) -> None: ...
