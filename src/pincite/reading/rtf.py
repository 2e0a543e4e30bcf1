"""Rich text (RTF): paragraphs, headings by their style, lists, tables and notes; pictures and hidden text left out."""

from pincite.errors import Unreadable
from pincite.reading.draft import Draft
from pincite.reading.indents import indent_labels
from pincite.reading.limits import Limits
from pincite.reading.rtf_tokens import Group, Reader, Sink
from pincite.reading.source import Source
from pincite.reading.wordstyles import heading_level
from pincite.types import Document

_MAX_CELLS = 500  # of a row
_LONGEST = 100 * 2**20  # bytes; pictures are most of a larger file, and are written in letters


def read(source: Source) -> Document:
    """A rich text's document; footnotes stand at the end under their numbers."""
    data = source.path.read_bytes()[: _LONGEST + 1].decode("latin-1")
    writer = _Writer(source.limits)
    if len(data) > _LONGEST:
        writer.tell(f"Only the first {_LONGEST // 2**20} MB of this file are read.")
        data = data[:_LONGEST]
    Reader(writer.end_paragraph, writer.end_cell, writer.end_row, writer.end_sink).read(data)
    document = writer.finish()
    if not document.text.strip() and not data.rstrip("\0 \r\n").endswith("}"):
        raise Unreadable(f"{source.name} is a damaged RTF file.", "Open it in its own program and save it again.")
    return document


class _Writer:
    """Collects what the reader hands over: paragraphs, cells and rows of the body, and the sinks beside it."""

    def __init__(self, limits: Limits) -> None:
        self._draft = Draft(limits)
        self._list: list[str] = []
        self._mark = ""
        self._cell: list[str] = []
        self._cells: list[str] = []
        self._last: list[str] = []  # what stands in the last cell that a row may have
        self._is_wide = False
        self._indent = 0.0
        self._rows: list[list[str]] = []
        self._indents: list[float] = []
        self._notes: list[str] = []
        self._margins: list[tuple[Sink, str]] = []
        self._about: dict[str, str] = {}

    def tell(self, problem: str) -> None:
        """Add a problem to the document's."""
        self._draft.problem(problem)

    def end_paragraph(self, text: str, group: Group) -> None:
        """Write a paragraph, or keep it as a part of the cell it stands in."""
        words, mark = text.strip(), self._mark
        self._mark = ""
        if group.in_table:
            self._cell.append(f"{mark} {words}".strip())
            return
        self._end_table()
        level = group.outline or heading_level(group.style)
        if mark and words and not level:
            self._list.append(f"{mark} {words}")
            return
        self._end_list()
        if level:
            self._draft.add(" ".join(f"{mark} {words}".split()), "heading", level)
        else:
            self._draft.add(words)

    def end_cell(self, text: str, group: Group) -> None:
        """Close a cell of the row that is being read."""
        self._end_list()
        if not self._cells:
            self._indent = float(group.indent)
        words = " ".join(filter(None, (*self._cell, f"{self._mark} {text.strip()}".strip())))
        self._cell, self._mark = [], ""
        if len(self._cells) < _MAX_CELLS:
            self._cells.append(words)
        elif not self._is_wide:
            self._is_wide = True
            self.tell(f"A row has more than {_MAX_CELLS} cells; the words of the others stand in its last one.")
        if len(self._cells) == _MAX_CELLS:
            self._last.append(words)

    def end_row(self) -> None:
        """Close a row."""
        if self._cells:
            if len(self._last) > 1:
                self._cells[-1] = " ".join(filter(None, self._last))
            self._rows.append(self._cells)
            self._indents.append(self._indent)
        self._cells, self._last = [], []

    def end_sink(self, sink: Sink, text: str) -> str:
        """Keep a text that stands beside the body; what it leaves in the text comes out: the number of a note."""
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
        """The document of all that was handed over."""
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
