"""Read OpenDocument texts (.odt): headings, paragraphs, lists, tables and notes, without deletions and comments."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from zipfile import ZipFile

from pincite.errors import Locked, Unreadable
from pincite.reading import zip_container
from pincite.reading.document_draft import Draft
from pincite.reading.indents import indent_labels
from pincite.reading.limits import DocumentLimits
from pincite.reading.merged_labels import MERGED
from pincite.reading.source import Source
from pincite.reading.word_styles import find_child, read_attribute, read_local_name
from pincite.types import BlockKind, Document

LONG_CELL = 2000  # characters; a table with longer cells is page layout and is read as paragraphs
_REPEATED = 64  # the most repetitions of a cell or row that are written
_REPEATED_TEXT = 2000  # the most characters that repeating a row may add
_DEEP = 60  # nested sections, lists and boxes
_LEFT_OUT = frozenset({"tracked-changes", "annotation", "annotation-end", "forms", "sequence-decls", "variable-decls"})
_WRAPPERS = frozenset(
    {"section", "index-body", "table-of-content", "alphabetical-index", "bibliography", "illustration-index"}
    | {"table-index", "object-index", "user-index", "index-title", "numbered-paragraph", "page-sequence", "page"}
)
_SIGNS = {"tab": "\t", "line-break": "\n"}
_LENGTH = re.compile(r"(-?[\d.]+)(cm|mm|in|pt|pc|px)?")
_POINTS = {"cm": 28.35, "mm": 2.835, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}
_FIELDS = {"title": "title", "initial-creator": "author", "creator": "author", "subject": "subject"}


def read(source: Source) -> Document:
    """Read an OpenDocument text; footnotes and endnotes are at the end under their numbers."""
    body, writer, about = open_body(source, "text")
    writer.margins("header")
    writer.body(body)
    writer.notes()
    writer.margins("footer")
    return writer.draft.document("odt", about.pop("title", ""), about)


def open_body(source: Source, name: str) -> "tuple[Any, OpenDocumentWriter, dict[str, str]]":
    """Return the body of an OpenDocument file by the name of its kind, a writer for it, and the file's properties."""
    with zip_container.open_zip(source.path, source.name) as package:
        _refuse_encrypted(package, source.name)
        part = zip_container.read_limited_part(package, "content.xml", source.limits)
        styles = _read_optional_part(package, "styles.xml")
        about = _read_properties(_read_optional_part(package, "meta.xml"))
    body = find_child(part.root, "body", name) if part.root is not None else None
    if body is None:
        raise Unreadable(f"{source.name} has no {name} inside.", "Open it in LibreOffice and save it again.")
    writer = OpenDocumentWriter(part.root, styles, source.limits)
    for problem in part.problems:
        writer.draft.problem(problem)
    return body, writer, about


class OpenDocumentWriter:
    """Write a text's parts into a draft, with the state they share: list marks, indentations, notes."""

    def __init__(self, content: Any, styles: Any, limits: DocumentLimits) -> None:
        self.draft = Draft(limits)
        self._margins = styles
        self._notes: list[Any] = []
        self._written = 0
        self._styles: dict[str, Any] = {}
        self._titles: dict[str, bool] = {}
        self._numbered: dict[str, list[bool]] = {}
        for root in (root for root in (styles, content) if root is not None):
            for style in root.iter("{*}style"):
                self._styles[read_attribute(style, "name")] = style
            for style in root.iter("{*}list-style"):
                levels = [read_local_name(level) == "list-level-style-number" for level in style]
                self._numbered[read_attribute(style, "name")] = levels

    def body(self, parent: Iterable[Any], depth: int = 0) -> None:
        """Write the blocks of a body, a section, a cell or a text box."""
        for each in parent:
            name = read_local_name(each)
            if name in ("p", "h"):
                self._paragraph(each, depth)
            elif name == "list":
                self._list(each, depth)
            elif name == "table":
                self._table(each, depth)
            elif name in _WRAPPERS and depth < _DEEP:
                self.body(each, depth + 1)
            elif name not in _LEFT_OUT:
                self._boxes(each, depth)

    def find_style(self, name: str) -> Any:
        """Return the style of a name, or None."""
        return self._styles.get(name)

    def margins(self, kind: BlockKind) -> None:
        """Write the headers or footers of the pages, each different one once."""
        styles = self._margins
        found = styles.iter(f"{{*}}{kind}", f"{{*}}{kind}-left", f"{{*}}{kind}-first") if styles is not None else ()
        texts = ("\n".join(filter(None, map(self.read_words, root.iter("{*}p", "{*}h")))) for root in found)
        for text in dict.fromkeys(texts):
            if any(map(str.isalpha, text)):
                self.draft.add(text, kind)

    def notes(self) -> None:
        """Write the notes that the text refers to, in order, if they are not written yet."""
        while self._written < len(self._notes):  # a note may refer to another
            words = " ".join(filter(None, map(self.read_words, self._notes[self._written].iter("{*}p", "{*}h"))))
            self._written += 1
            self.draft.add(f"[{self._written}] {words}")

    def _paragraph(self, paragraph: Any, depth: int) -> None:
        words = self.read_words(paragraph)
        level = read_attribute(paragraph, "outline-level") if read_local_name(paragraph) == "h" else ""
        if level.isdecimal():
            self.draft.add(" ".join(words.split()), "heading", min(max(int(level), 1), 9))
        elif self._is_title(paragraph):
            self.draft.add(" ".join(words.split()), "heading", 1)
        else:
            self.draft.add(words)
        self._boxes(paragraph, depth)

    def _boxes(self, parent: Any, depth: int) -> None:
        """Write the text boxes in a paragraph or beside it."""
        for box in parent.iter("{*}text-box"):
            if depth < _DEEP and not _is_inside(box, parent, "text-box"):
                self.body(box, depth + 1)

    def _is_title(self, paragraph: Any) -> bool:
        """Return whether a paragraph has the style that LibreOffice internally calls "Title", in every language."""
        first = name = read_attribute(paragraph, "style-name")
        seen: set[str] = set()
        while name and name not in seen and name not in self._titles:
            seen.add(name)
            if name == "Title":
                break
            name = read_attribute(self._styles.get(name), "parent-style-name")
        found = name == "Title" or self._titles.get(name, False)
        self._titles |= dict.fromkeys(seen, found)
        return found and bool(first)

    def _list(self, root: Any, depth: int) -> None:
        if next(root.iter("{*}h", "{*}table"), None) is not None:
            for item in root.iter("{*}list-item", "{*}list-header"):
                if not _is_inside(item, root, "list-item"):
                    self.body(item, depth + 1)
            return
        self.draft.add("\n".join(self._lines(root, read_attribute(root, "style-name"), 0)), "list")

    def _lines(self, root: Any, style: str, level: int) -> Iterator[str]:
        """Yield the lines of a list and its nested lists, each item with its mark and indented by its depth."""
        levels = self._numbered.get(read_attribute(root, "style-name") or style, [])
        is_numbered = level < len(levels) and levels[level]
        number = 0
        for item in root:
            if read_local_name(item) not in ("list-item", "list-header"):
                continue
            start = read_attribute(item, "start-value")
            number = int(start) if start.isdecimal() else number + 1
            mark = "  " * level + (f"{number}. " if is_numbered else "- ")
            for each in item:
                if read_local_name(each) == "list" and level < _DEEP:
                    yield from self._lines(each, style, level + 1)
                elif read_local_name(each) == "p" and (words := self.read_words(each)):
                    yield mark + words
                    mark = " " * len(mark)

    def _table(self, table: Any, depth: int) -> None:
        rows = [row for row in table.iter("{*}table-row") if not _is_inside(row, table, "table")]
        cells = [
            [each for each in row if read_local_name(each) in ("table-cell", "covered-table-cell")] for row in rows
        ]
        known = len(self._notes)
        has_structure = any(next(table.iterdescendants(name), None) is not None for name in ("{*}h", "{*}table"))
        texts = [] if has_structure else [[text for each in self.read_row(row) for text in each] for row in cells]
        widest = max((sum(1 for text in row if text.strip()) for row in texts), default=0)
        if has_structure or widest < 2 or any(len(text) > LONG_CELL for row in texts for text in row):
            del self._notes[known:]  # they are found again below
            for cell in (cell for row in cells for cell in row):
                if depth < _DEEP:
                    self.body(cell, depth + 1)
            return
        indented = indent_labels(texts, [self.measure_indent(row[0]) if row else 0.0 for row in cells])
        repeats = [count_repeats(row, "number-rows-repeated", sum(map(len, texts[i]))) for i, row in enumerate(rows)]
        self.draft.table(row for row, times in zip(indented, repeats, strict=True) for _ in range(times))

    def read_row(self, cells: Sequence[Any]) -> Iterator[list[str]]:
        """Yield the texts of each cell: a mark if a cell above covers it, and "" if one on its left does."""
        column = reach = 0
        for cell in cells:
            shown = self._read_cell(cell)
            if read_local_name(cell) == "covered-table-cell" and column >= reach:
                shown = [MERGED] * len(shown)
            yield shown
            spanned = read_attribute(cell, "number-columns-spanned")
            reach = max(reach, column + (int(spanned) if spanned.isdecimal() else 1))
            column += read_repeats(cell)

    def _read_cell(self, cell: Any) -> list[str]:
        """Return a cell's text as often as the file repeats it, and "" for the other positions of a merged cell."""
        covered = read_local_name(cell) == "covered-table-cell"
        text = "" if covered else " ".join(filter(None, map(self.read_words, _list_paragraphs(cell))))
        return [text] * count_repeats(cell, "number-columns-repeated", len(text))

    def measure_indent(self, cell: Any) -> float:
        """Return the indentation of a cell's first paragraph, in points."""
        paragraph = next(cell.iter("{*}p", "{*}h"), None)
        style = self._styles.get(read_attribute(paragraph, "style-name"))
        properties = find_child(style, "paragraph-properties") if style is not None else None
        return read_points(read_attribute(properties, "margin-left")) + read_points(
            read_attribute(properties, "text-indent")
        )

    def read_words(self, paragraph: Any) -> str:
        """Return the text of a paragraph; notes in it are collected and replaced by their number."""
        return "".join(self._inline(paragraph)).strip()

    def _inline(self, parent: Any, depth: int = 0) -> Iterator[str]:
        yield re.sub(r"\s+", " ", parent.text or "")
        for each in parent:
            name = read_local_name(each)
            if name == "s":
                times = read_attribute(each, "c")
                yield " " * (min(int(times), 100) if times.isdecimal() else 1)
            elif name in _SIGNS:
                yield _SIGNS[name]
            elif name == "note":
                note = find_child(each, "note-body")
                if note is not None:
                    self._notes.append(note)
                    yield f"[{len(self._notes)}]"
            elif name and name not in _LEFT_OUT and name not in ("text-box", "ruby-text", "desc") and depth < _DEEP:
                yield from self._inline(each, depth + 1)
            yield re.sub(r"\s+", " ", each.tail or "")


def _refuse_encrypted(package: ZipFile, name: str) -> None:
    manifest = package.read("META-INF/manifest.xml") if "META-INF/manifest.xml" in package.namelist() else b""
    if b"encryption-data" in manifest:
        raise Locked(f"{name} is protected by a password.", "Save a copy without the password.")


def _read_optional_part(package: ZipFile, name: str) -> Any:
    """Return the root of a part that may be missing or damaged without losing the text."""
    try:
        return zip_container.read_part(package, name)
    except (SyntaxError, ValueError, OSError, EOFError):
        return None


def _read_properties(root: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in root.iter() if root is not None else ():
        name, text = (
            read_local_name(element),
            " ".join((element.text or "").split()) if read_local_name(element) else "",
        )
        if name in _FIELDS and text:
            found.setdefault(_FIELDS[name], text)
        elif name == "creation-date" and (day := re.match(r"\d{4}-\d{2}-\d{2}", text)):
            found["date"] = day[0]
    return found


def read_repeats(cell: Any) -> int:
    """Return the number of columns that a cell stands for."""
    times = read_attribute(cell, "number-columns-repeated")
    return int(times) if times.isdecimal() and int(times) else 1


def count_repeats(element: Any, name: str, length: int) -> int:
    """Return how often to write a repeated cell or row of this many characters."""
    times = read_attribute(element, name)
    wanted = min(int(times), _REPEATED) if times.isdecimal() and int(times) else 1
    return max(min(wanted, _REPEATED_TEXT // max(length, 1)), 1)


def read_points(length: str) -> float:
    """Return a length such as "1.5cm" in points; 0 if it is not a length."""
    found = _LENGTH.fullmatch(length)
    try:
        return round(float(found[1]) * _POINTS[found[2] or "pt"]) if found else 0.0
    except ValueError:
        return 0.0


def _list_paragraphs(parent: Any) -> Iterator[Any]:
    """Yield the paragraphs of a cell, without those of its notes and comments."""
    for each in parent.iter("{*}p", "{*}h"):
        if not any(_is_inside(each, parent, name) for name in ("note", "annotation")):
            yield each


def _is_inside(element: Any, top: Any, name: str) -> bool:
    parent = element.getparent()
    while parent is not None and parent is not top:
        if read_local_name(parent) == name:
            return True
        parent = parent.getparent()
    return False
