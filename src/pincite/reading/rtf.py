"""Read rich text (RTF): paragraphs, headings by style, lists, tables and notes, without pictures and hidden text."""

from pincite.errors import Unreadable
from pincite.reading.document_draft import Draft
from pincite.reading.indents import indent_labels
from pincite.reading.limits import DocumentLimits
from pincite.reading.rtf_tokens import RtfGroup, RtfReader, Sink
from pincite.reading.source import Source
from pincite.reading.word_styles import find_heading_level
from pincite.types import Document

_MAX_CELLS = 500  # in a row
_LONGEST = 100 * 2**20  # bytes; a larger file is mostly pictures, which are encoded as text


def read(source: Source) -> Document:
    """Read a rich text; footnotes are at the end under their numbers."""
    data = source.path.read_bytes()[: _LONGEST + 1].decode("latin-1")
    writer = _RtfWriter(source.limits)
    if len(data) > _LONGEST:
        writer.tell(f"Only the first {_LONGEST // 2**20} MB of this file are read.")
        data = data[:_LONGEST]
    RtfReader(writer.end_paragraph, writer.end_cell, writer.end_row, writer.end_sink).read(data)
    document = writer.finish()
    if not document.text.strip() and not data.rstrip("\0 \r\n").endswith("}"):
        raise Unreadable(f"{source.name} is a damaged RTF file.", "Open it in its own program and save it again.")
    return document


class _RtfWriter:
    """Collect the parts that the reader passes on: paragraphs, cells and rows of the body, and the other sinks."""

    def __init__(self, limits: DocumentLimits) -> None:
        self._draft = Draft(limits)
        self._list: list[str] = []
        self._mark = ""
        self._cell: list[str] = []
        self._cells: list[str] = []
        self._last: list[str] = []  # texts of the last cell that a row may have
        self._is_wide = False
        self._indent = 0.0
        self._rows: list[list[str]] = []
        self._indents: list[float] = []
        self._notes: list[str] = []
        self._margins: list[tuple[Sink, str]] = []
        self._about: dict[str, str] = {}

    def tell(self, problem: str) -> None:
        """Add a problem to the document."""
        self._draft.problem(problem)

    def end_paragraph(self, text: str, group: RtfGroup) -> None:
        """Write a paragraph, or keep it as a part of its cell."""
        words, mark = text.strip(), self._mark
        self._mark = ""
        if group.in_table:
            self._cell.append(f"{mark} {words}".strip())
            return
        self._end_table()
        level = group.outline or find_heading_level(group.style)
        if mark and words and not level:
            self._list.append(f"{mark} {words}")
            return
        self._end_list()
        if level:
            self._draft.add(" ".join(f"{mark} {words}".split()), "heading", level)
        else:
            self._draft.add(words)

    def end_cell(self, text: str, group: RtfGroup) -> None:
        """End a cell of the current row."""
        self._end_list()
        if not self._cells:
            self._indent = float(group.indent)
        words = " ".join(filter(None, (*self._cell, f"{self._mark} {text.strip()}".strip())))
        self._cell, self._mark = [], ""
        if len(self._cells) < _MAX_CELLS:
            self._cells.append(words)
        elif not self._is_wide:
            self._is_wide = True
            self.tell(f"A row has more than {_MAX_CELLS} cells; the words of the others are in its last one.")
        if len(self._cells) == _MAX_CELLS:
            self._last.append(words)

    def end_row(self) -> None:
        """End a row."""
        if self._cells:
            if len(self._last) > 1:
                self._cells[-1] = " ".join(filter(None, self._last))
            self._rows.append(self._cells)
            self._indents.append(self._indent)
        self._cells, self._last = [], []

    def end_sink(self, sink: Sink, text: str) -> str:
        """Keep a text outside the body; return its replacement in the text: the number of a note."""
        words = " ".join(text.split())
        if sink == "mark":
            self._mark = words if any(map(str.isalnum, words)) else "-"
        elif sink == "note" and words:
            self._notes.append(words)
            return f"[{len(self._notes)}]"
        elif sink in ("header", "footer") and any(map(str.isalpha, words)):
            self._margins.append((sink, words))
        elif sink in ("title", "author", "subject") and words:
            self._about[sink] = words
        return ""

    def finish(self) -> Document:
        """Return the document of all collected parts."""
        if self._cells or self._cell:
            self.end_row()
        self._end_table()
        self._end_list()
        for number, note in enumerate(self._notes, 1):
            self._draft.add(f"[{number}] {note}")
        for sink, words in dict.fromkeys(self._margins):
            self._draft.add(words, "header" if sink == "header" else "footer")
        return self._draft.document("rtf", self._about.pop("title", ""), self._about)

    def _end_list(self) -> None:
        if self._list:
            lines, self._list = self._list, []
            self._draft.add("\n".join(lines), "list")

    def _end_table(self) -> None:
        if not self._rows:
            return
        self._end_list()
        rows, indents = self._rows, self._indents
        self._rows, self._indents = [], []
        if max(map(len, rows)) > 1:
            self._draft.table(indent_labels(rows, indents))
        else:
            for row in rows:
                self._draft.add(row[0])
