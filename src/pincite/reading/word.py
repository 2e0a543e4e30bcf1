"""Word documents: paragraphs and tables in order, with notes, text boxes, headers and footers; deletions left out."""

from collections.abc import Iterable, Iterator
from typing import Any
from zipfile import ZipFile

from pincite.errors import Unreadable
from pincite.reading import archive
from pincite.reading.draft import Draft, add_hidden
from pincite.reading.indents import indent_labels
from pincite.reading.limits import Limits
from pincite.reading.properties import core_properties
from pincite.reading.source import Source
from pincite.reading.wordstyles import Numbering, Styles, child, local, switched_on, value
from pincite.types import BlockKind, Document

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
_SIGNS = {"tab": "\t", "ptab": "\t", "cr": "\n", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}
_TINY = 2  # half points: a size of type that nobody can read
_SPACE = 60  # twentieths of a point that a space is wide
_NESTED = 5  # tables in one another; deeper ones lay out the page
LONG_CELL = 2000  # characters; a table with longer cells lays out the page and is read as its paragraphs


def read(source: Source) -> Document:
    """A Word file's document; footnotes and endnotes stand at the end under their numbers."""
    with archive.open_zip(source.path, source.name) as package:
        main = next(
            (name for kind, name in archive.relationships(package, "").values() if kind == "officeDocument"),
            "word/document.xml",
        )
        document = archive.part_within(package, main, source.limits)
        body = child(document.root, "body")
        if body is None:
            raise Unreadable(f"{source.name} has no document inside.", "Open it in Word and save it again.")
        parts = list(archive.relationships(package, main).values())
        roots = {
            kind: _parts(package, parts, kind)
            for kind in ("styles", "numbering", "header", "footer", "footnotes", "endnotes")
        }
        about = core_properties(package)
    styles = Styles(next(iter(roots["styles"]), None))
    writer = _Writer(styles, Numbering(next(iter(roots["numbering"]), None), styles), source.limits)
    for problem in document.problems:
        writer.draft.problem(problem)
    writer.margins(roots["header"], "header")
    writer.body(body)
    writer.notes([*roots["footnotes"], *roots["endnotes"]])
    writer.margins(roots["footer"], "footer")
    if writer.hidden:
        writer.draft.problem("Text that cannot be seen in it is kept apart and is not searched.")
    return add_hidden(writer.draft.document("docx", about.pop("title", ""), about), [writer.hidden])


def _parts(package: ZipFile, parts: list[tuple[str, str]], kind: str) -> list[Any]:
    found = (archive.part(package, name) for each, name in parts if each == kind)
    return [root for root in found if root is not None]


class _Writer:
    """Writes a document's parts into a draft, keeping what runs through them: lists, numbers, notes."""

    def __init__(self, styles: Styles, numbering: Numbering, limits: Limits) -> None:
        self.draft = Draft(limits)
        self._styles = styles
        self._numbering = numbering
        self._list: list[str] = []
        self._depth = 0  # of tables in one another
        self._notes: dict[tuple[str, str], int] = {}
        self._hidden: dict[Any, str] = {}

    @property
    def hidden(self) -> str:
        """The words that a person cannot see, in the order they were met."""
        return " ".join(filter(None, map(str.strip, self._hidden.values())))

    def body(self, parent: Any) -> None:
        """Write the paragraphs and tables of a body, a cell or a text box."""
        for block in _unwrapped(parent):
            if local(block) == "p":
                self._paragraph(block)
            elif local(block) == "tbl":
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
        """Write the notes that the text refers to, in its order."""
        notes = {
            (local(note), value(note, "id")): note
            for root in roots
            for note in root
            if local(note) in ("footnote", "endnote")
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
            self.draft.add(" ".join(f"{label} {words}".split()), "heading", level)
        elif label:
            self._list.append(f"{label} {words}")
        elif words:
            self._end_list()
            self.draft.add(words)
        for box in paragraph.iter("{*}txbxContent"):
            if not _inside(box, paragraph, ("Fallback", "txbxContent")):
                self._end_list()
                self.body(box)

    def _end_list(self) -> None:
        if self._list:
            lines, self._list = self._list, []
            self.draft.add("\n".join(lines), "list")

    def _table(self, table: Any) -> None:
        rows = [
            [each for each in _unwrapped(row) if local(each) == "tc"]
            for row in _unwrapped(table)
            if local(row) == "tr" and child(row, "trPr", "del") is None
        ]
        self._depth += 1
        if self._depth > _NESTED or not self._write_rows(table, rows):
            for row in rows:
                for cell in row:
                    self.body(cell)
        self._depth -= 1

    def _write_rows(self, table: Any, rows: list[list[Any]]) -> bool:
        """Write a table that holds data; False for one that lays out the page."""
        texts = [[text for cell in row for text in self._cell(cell)] for row in rows]
        indents = [self._indent(row[0]) if row else 0 for row in rows]
        lays_out = max(map(len, rows), default=0) < 2 or any(len(text) > LONG_CELL for row in texts for text in row)
        if lays_out or any(self._styles.level(each) for each in table.iter("{*}p")):
            return False
        self.draft.table(indent_labels(texts, indents))
        return True

    def _cell(self, cell: Any) -> list[str]:
        """A cell's text once, and nothing for the other places that a merged cell fills."""
        merged = child(cell, "tcPr", "vMerge")
        continued = merged is not None and value(merged) != "restart"
        inside = (each for each in cell.iter("{*}p") if not _inside(each, cell, ("Fallback", "del")))
        text = "" if continued else " ".join(filter(None, map(self._words, inside)))
        span = value(child(cell, "tcPr", "gridSpan"))
        return [text, *[""] * (min(int(span), 64) - 1 if span.isdecimal() else 0)]

    def _indent(self, cell: Any) -> int:
        """How far the first paragraph of a cell is indented, in twentieths of a point."""
        paragraph = next(iter(cell.iter("{*}p")), None)
        if paragraph is None:
            return 0
        typed = "".join(self._inline(paragraph))
        return self._styles.indent(paragraph) + _SPACE * (len(typed) - len(typed.lstrip()))

    def _words(self, paragraph: Any) -> str:
        return "".join(self._inline(paragraph)).strip()

    def _inline(self, parent: Any) -> Iterator[str]:
        for each in parent:
            name = local(each)
            if name in _LEFT_OUT or not name:
                continue
            if name == "t":
                yield str(each.text or "")
            elif name in _SIGNS:
                yield _SIGNS[name]
            elif name == "br":
                yield "" if value(each, "type") == "page" else "\n"
            elif name in ("footnoteReference", "endnoteReference"):
                key = (name.removesuffix("Reference"), value(each, "id"))
                yield f"[{self._notes.setdefault(key, len(self._notes) + 1)}]"
            elif name == "r" and _is_hidden(each):
                # Looked at before it is known where it belongs, a run may come here twice.
                self._hidden.setdefault(each, "".join(str(text.text or "") for text in each.iter("{*}t")))
            else:
                yield from self._inline(each)


def _unwrapped(parent: Any) -> Iterator[Any]:
    """The children of an element, with those of content controls and insertions in their place."""
    for each in parent:
        if local(each) in _WRAPPERS:
            yield from _unwrapped(each)
        elif local(each):
            yield each


def _is_hidden(run: Any) -> bool:
    """Whether a run cannot be seen: switched off, of a point or less, or white where nothing says that it is shaded.

    In tables and text boxes the ground is often coloured by a style: there white is taken to be seen.
    """
    look = child(run, "rPr")
    if look is None:
        return False
    size = value(child(look, "sz"))
    if switched_on(child(look, "vanish")) or (size.isdecimal() and int(size) <= _TINY):
        return True
    if value(child(look, "color")).casefold() != "ffffff":
        return False
    paragraph = next((each for each in run.iterancestors() if local(each) == "p"), None)
    shades = (child(look, "shd"), child(look, "highlight"), child(paragraph, "pPr", "shd"))
    styles = (child(look, "rStyle"), child(paragraph, "pPr", "pStyle"))
    in_box = any(local(each) in ("tbl", "txbxContent") for each in run.iterancestors())
    return not in_box and all(each is None for each in (*shades, *styles))


def _inside(element: Any, top: Any, names: tuple[str, ...]) -> bool:
    parent = element.getparent()
    while parent is not None and parent is not top:
        if local(parent) in names:
            return True
        parent = parent.getparent()
    return False
