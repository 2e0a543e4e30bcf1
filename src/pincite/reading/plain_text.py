"""Read plain text in any common encoding: the text is the file, with paragraphs between blank lines."""

import re
from collections.abc import Iterator

from pincite.reading.encoding import read_text
from pincite.reading.line_end_hyphens import resolve_hyphens
from pincite.reading.numbered_headings import mark_headings
from pincite.reading.source import Source
from pincite.types import Document, Page

_PARAGRAPH_START = re.compile(r"\n\n[ \u00a0]*")
_LINE = re.compile(r"[^\n\f]*[\n\f]?")


def read(source: Source) -> Document:
    """Read a text file; form feeds, if there are any, separate its pages.

    Hyphens that divide a word at the end of a line become U+00AD; everything else is as in the file.
    """
    written = read_text(source.path, source.limits.characters).replace("\x02", " ")  # a hyphen in PDFs alone
    text = resolve_hyphens(written, {match.end() for match in _PARAGRAPH_START.finditer(written)}, least=1)
    blocks = tuple(mark_headings(text, list(find_paragraphs(text))))
    return Document("text", text, pages=_find_pages(text), blocks=blocks)


def find_paragraphs(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield the spans between blank lines and form feeds in a range of text, without surrounding white space."""
    end = len(text) if end is None else end
    first = last = -1
    for line in _LINE.finditer(text, start, end):
        content = line[0].rstrip()
        if content:
            first = line.start() if first < 0 else first
            last = line.start() + len(content)
        if first >= 0 and (not content or line[0].endswith("\f")):
            yield first, last
            first = -1
    if first >= 0:
        yield first, last


def _find_pages(text: str) -> tuple[Page, ...]:
    if "\f" not in text.rstrip():
        return ()
    starts = [0, *(match.end() for match in re.finditer("\f", text.rstrip()))]
    ends = [*starts[1:], len(text)]
    return tuple(Page(number, start, end) for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1))
