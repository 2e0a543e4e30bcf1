"""Read Word documents: paragraphs, tables, notes, text boxes, headers and footers, without deletions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from zipfile import ZipFile

from pincite.errors import Unreadable
from pincite.reading import zip_container
from pincite.reading.document_draft import Draft, add_hidden
from pincite.reading.indents import indent_labels
from pincite.reading.limits import DocumentLimits
from pincite.reading.merged_labels import MERGED
from pincite.reading.properties import read_core_properties
from pincite.reading.source import Source
from pincite.reading.word_formulas import write_formula
from pincite.reading.word_styles import Numbering, Styles, find_child, is_switched_on, read_attribute, read_local_name
from pincite.types import KEPT_APART, BlockKind, Document

_WRAPPERS = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag", "Choice", "AlternateContent"})
_LEFT_OUT = frozenset(
    {
        "del",
        "moveFrom",
        "pPr",
        "rPr",
        "instrText",
        "delText",
        "Fallback",
        "sectPr",
        "rt",
        "txbxContent",
        "pict",
        "sdtPr",
    }
)
_MARKS = frozenset({"FootnoteReference", "EndnoteReference"})  # styles
_SIGNS = {"tab": "\t", "ptab": "\t", "cr": "\n", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}
_TINY = 2  # half points; a smaller font is unreadable
_SPACE = 60  # twentieths of a point for a space
_NESTED = 5  # nested tables; deeper ones are page layout
LONG_CELL = 2000  # characters; a table with longer cells is page layout and is read as paragraphs


@dataclass(frozen=True, slots=True)
class WordParts:
    """The parts of a Word file that are read: the body, and the roots of other parts by their kind."""

    body: Any
    roots: Mapping[str, list[Any]]
    about: dict[str, str]
    problems: tuple[str, ...]
    members: Mapping[str, str]  # the names of the body's pictures in the container, by the ids that it uses
    numbers: Mapping[str, int]  # the numbers of all members, by their names


def read(source: Source) -> Document:
    """Read a Word file; footnotes and endnotes are at the end under their numbers."""
    parts = open_parts(source)
    styles = Styles(next(iter(parts.roots["styles"]), None))
    numbering = Numbering(next(iter(parts.roots["numbering"]), None), styles)
    writer = WordWriter(styles, numbering, source.limits)
    for problem in parts.problems:
        writer.draft.problem(problem)
    writer.write(parts)
    if writer.hidden:
        writer.draft.problem(KEPT_APART.capitalize())
    return add_hidden(writer.draft.document("docx", parts.about.pop("title", ""), parts.about), [writer.hidden])


def open_parts(source: Source) -> WordParts:
    """Read the parts of a Word file; raise `Unreadable` if there is no document in it."""
    with zip_container.open_zip(source.path, source.name) as package:
        main = next(
            (name for kind, name in zip_container.read_relationships(package, "").values() if kind == "officeDocument"),
            "word/document.xml",
        )
        document = zip_container.read_limited_part(package, main, source.limits)
        body = find_child(document.root, "body")
        if body is None:
            raise Unreadable(f"{source.name} has no document inside.", "Open it in Word and save it again.")
        related = zip_container.read_relationships(package, main)
        parts = list(related.values())
        roots = {
            kind: _read_parts(package, parts, kind)
            for kind in ("styles", "numbering", "header", "footer", "footnotes", "endnotes")
        }
        return WordParts(
            body,
            roots,
            read_core_properties(package),
            document.problems,
            {identity: name for identity, (kind, name) in related.items() if kind == "image"},
            {name: number for number, name in enumerate(package.namelist())},
        )


def _read_parts(package: ZipFile, parts: list[tuple[str, str]], kind: str) -> list[Any]:
    found = (zip_container.read_part(package, name) for each, name in parts if each == kind)
    return [root for root in found if root is not None]


class WordWriter:
    """Write a document's parts into a draft, with the state they share: lists, numbers, notes.

    A subclass that draws the document is told where each paragraph and table of its body is in the draft's text.
    """

    def __init__(self, styles: Styles, numbering: Numbering, limits: DocumentLimits) -> None:
        self.draft = Draft(limits)
        self._styles = styles
        self._numbering = numbering
        self._list: list[str] = []
        self._listed: list[tuple[Any, str]] = []  # the paragraphs of the list, and their labels
        self._depth = 0  # of nested tables
        self._notes: dict[tuple[str, str], int] = {}
        self._hidden: dict[Any, str] = {}

    @property
    def hidden(self) -> str:
        """The hidden words, in order."""
        return " ".join(filter(None, map(str.strip, self._hidden.values())))

    def note_paragraph(self, paragraph: Any, label: str, start: int, end: int) -> None:
        """Called after a paragraph was written, with its label and its range in the text, which may be empty."""

    def note_table(self, table: Any, rows: list[list[Any]], start: int, end: int) -> None:
        """Called after a table was written, with its rows as lists of cells and its range in the text."""

    def write(self, parts: WordParts) -> None:
        """Write the whole document."""
        self.margins(parts.roots["header"], "header")
        self.body(parts.body)
        self.notes([*parts.roots["footnotes"], *parts.roots["endnotes"]])
        self.margins(parts.roots["footer"], "footer")

    def body(self, parent: Any) -> None:
        """Write the paragraphs and tables of a body, a cell or a text box."""
        for block in _unwrap_children(parent):
            if read_local_name(block) == "p":
                self._paragraph(block)
            elif read_local_name(block) == "tbl":
                self._end_list()
                self._table(block)
        self._end_list()

    def margins(self, roots: Iterable[Any], kind: BlockKind) -> None:
        """Write headers or footers, each different one once."""
        texts = ("\n".join(filter(None, (self._words(each) for each in root.iter("{*}p")))) for root in roots)
        for text in dict.fromkeys(texts):
            if any(map(str.isalpha, text)):
                self.draft.add(text, kind)

    def notes(self, roots: Iterable[Any]) -> None:
        """Write the notes that the text refers to, in order."""
        notes = {
            (read_local_name(note), read_attribute(note, "id")): note
            for root in roots
            for note in root
            if read_local_name(note) in ("footnote", "endnote")
        }
        for key, number in list(self._notes.items()):
            if key in notes:
                words = " ".join(filter(None, (self._words(each) for each in notes[key].iter("{*}p"))))
                self.draft.add(f"[{number}] {words}")

    def _paragraph(self, paragraph: Any) -> None:
        level = self._styles.level(paragraph)
        words = self._words(paragraph)
        label = self._numbering.label(paragraph) if words else ""
        if level and words:
            self._end_list()
            self._add(paragraph, " ".join(f"{label} {words}".split()), label, "heading", level)
        elif label:
            self._list.append(f"{label} {words}")
            self._listed.append((paragraph, label))
        elif words:
            self._end_list()
            self._add(paragraph, words, "", "paragraph", 0)
        elif self._list:
            self._listed.append((paragraph, ""))
        else:
            self.note_paragraph(paragraph, "", len(self.draft), len(self.draft))
        for box in paragraph.iter("{*}txbxContent"):
            if not _is_inside(box, paragraph, ("Fallback", "txbxContent")):
                self._end_list()
                self.body(box)

    def _add(self, paragraph: Any, text: str, label: str, kind: BlockKind, level: int) -> None:
        start = len(self.draft)
        self.draft.add(text, kind, level)
        self.note_paragraph(paragraph, label, start, len(self.draft))

    def _end_list(self) -> None:
        if self._list:
            lines, self._list = self._list, []
            listed, self._listed = self._listed, []
            start = len(self.draft)
            self.draft.add("\n".join(lines), "list")
            for paragraph, label in listed:
                self.note_paragraph(paragraph, label, start, len(self.draft))

    def _table(self, table: Any) -> None:
        rows = [
            [each for each in _unwrap_children(row) if read_local_name(each) == "tc"]
            for row in _unwrap_children(table)
            if read_local_name(row) == "tr" and find_child(row, "trPr", "del") is None
        ]
        self._depth += 1
        if self._depth > _NESTED or not self._write_rows(table, rows):
            for row in rows:
                for cell in row:
                    self.body(cell)
        self._depth -= 1

    def _write_rows(self, table: Any, rows: list[list[Any]]) -> bool:
        """Write a table with data; return False for a layout table."""
        texts = [[text for cell in row for text in self._cell(cell)] for row in rows]
        indents = [self._indent(row[0]) if row else 0 for row in rows]
        lays_out = max(map(len, rows), default=0) < 2 or any(len(text) > LONG_CELL for row in texts for text in row)
        if lays_out or any(self._styles.level(each) for each in table.iter("{*}p")):
            return False
        start = len(self.draft)
        self.draft.table(indent_labels(texts, indents))
        self.note_table(table, rows, start, len(self.draft))
        return True

    def _cell(self, cell: Any) -> list[str]:
        """Return a cell's text once, a mark in the rows below it, and "" for the other positions of a merged cell."""
        text = MERGED if is_continued(cell) else " ".join(filter(None, map(self._words, list_cell_paragraphs(cell))))
        return [text, *[""] * (read_span(cell) - 1)]

    def _indent(self, cell: Any) -> int:
        """Return the indentation of a cell's first paragraph, in twentieths of a point."""
        paragraph = next(iter(cell.iter("{*}p")), None)
        if paragraph is None:
            return 0
        typed = "".join(self._inline(paragraph))
        return self._styles.indent(paragraph) + _SPACE * (len(typed) - len(typed.lstrip()))

    def _words(self, paragraph: Any) -> str:
        return "".join(self._inline(paragraph)).strip()

    def _inline(self, parent: Any) -> Iterator[str]:
        return (text for _, text in self.list_pieces(parent))

    def list_pieces(self, parent: Any, run: Any = None) -> Iterator[tuple[Any, str]]:
        """Yield the pieces of a paragraph's text, each with the run that it is in (None if it is in none)."""
        for each in parent:
            name = read_local_name(each)
            if name in _LEFT_OUT or not name:
                continue
            if name == "t":
                text = str(each.text or "")
                # A mark that repeats an earlier footnote is a number in a field, in the style of such marks.
                style = read_attribute(find_child(run, "rPr", "rStyle")) if run is not None else ""
                yield run, f"[{text}]" if style in _MARKS and text.isdecimal() else text
            elif name in _SIGNS:
                yield run, _SIGNS[name]
            elif name == "br":
                yield run, "" if read_attribute(each, "type") == "page" else "\n"
            elif name in ("footnoteReference", "endnoteReference"):
                key = (name.removesuffix("Reference"), read_attribute(each, "id"))
                yield run, f"[{self._notes.setdefault(key, len(self._notes) + 1)}]"
            elif name == "oMath":
                yield run, write_formula(each, lambda part: "".join(self._inline([part])))
            elif name == "r" and _is_hidden(each):
                # A run may be examined twice, before its position is known.
                self._hidden.setdefault(each, "".join(str(text.text or "") for text in each.iter("{*}t")))
            else:
                yield from self.list_pieces(each, each if name == "r" else run)


def list_cell_paragraphs(cell: Any) -> Iterator[Any]:
    """Yield the paragraphs of a cell that are read."""
    return (each for each in cell.iter("{*}p") if not _is_inside(each, cell, ("Fallback", "del")))


def read_span(cell: Any) -> int:
    """Return the number of columns that a cell covers."""
    span = read_attribute(find_child(cell, "tcPr", "gridSpan"))
    return max(1, min(int(span), 64)) if span.isdecimal() else 1


def is_continued(cell: Any) -> bool:
    """Return whether a cell is covered by a merged one above it."""
    merged = find_child(cell, "tcPr", "vMerge")
    return merged is not None and read_attribute(merged) != "restart"


def _unwrap_children(parent: Any) -> Iterator[Any]:
    """Yield the children of an element, with content controls and insertions replaced by theirs."""
    for each in parent:
        if read_local_name(each) in _WRAPPERS:
            yield from _unwrap_children(each)
        elif read_local_name(each):
            yield each


def _is_hidden(run: Any) -> bool:
    """Return whether a run is invisible: hidden, at most one point in size, or white without declared shading.

    In tables and text boxes a style often colours the background, so white text counts as visible there.
    """
    look = find_child(run, "rPr")
    if look is None:
        return False
    size = read_attribute(find_child(look, "sz"))
    if is_switched_on(find_child(look, "vanish")) or (size.isdecimal() and int(size) <= _TINY):
        return True
    if read_attribute(find_child(look, "color")).casefold() != "ffffff":
        return False
    paragraph = next((each for each in run.iterancestors() if read_local_name(each) == "p"), None)
    shades = (find_child(look, "shd"), find_child(look, "highlight"), find_child(paragraph, "pPr", "shd"))
    styles = (find_child(look, "rStyle"), find_child(paragraph, "pPr", "pStyle"))
    in_box = any(read_local_name(each) in ("tbl", "txbxContent") for each in run.iterancestors())
    return not in_box and all(each is None for each in (*shades, *styles))


def _is_inside(element: Any, top: Any, names: tuple[str, ...]) -> bool:
    parent = element.getparent()
    while parent is not None and parent is not top:
        if read_local_name(parent) in names:
            return True
        parent = parent.getparent()
    return False
