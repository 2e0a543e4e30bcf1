"""The interface of a file under construction: a PDF or a Word document."""

from collections.abc import Sequence
from typing import Protocol

from pincite.conversations.export.pdf_canvas import TextRun


class TextCanvas(Protocol):
    """Takes headings, paragraphs and tables one after the other. A place is the target of a link, or a footnote."""

    def heading(self, runs: Sequence[TextRun], level: int) -> None: ...

    def paragraph(self, runs: Sequence[TextRun], depth: int = 0, bullet: str = "", small: bool = False) -> None: ...

    def quote(self, runs: Sequence[TextRun]) -> None: ...

    def place(self) -> int: ...

    def here(self, place: int) -> None: ...

    def rule(self) -> None: ...

    def table(self, rows: Sequence[Sequence[str]]) -> None: ...
