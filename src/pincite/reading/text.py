"""Plain text in any common encoding: the text is the file, paragraphs stand between blank lines."""

import re
from collections.abc import Iterator

from pincite.reading.encoding import read_text
from pincite.reading.source import Source
from pincite.types import Block, Document, Page

_LINE = re.compile(r"[^\n\f]*[\n\f]?")


def read(source: Source) -> Document:
    """A text file's document; form feeds, where there are any, part its pages."""
    text = read_text(source.path, source.limits.characters)
    blocks = tuple(Block("paragraph", start, end) for start, end in paragraphs(text))
    return Document("text", text, pages=_pages(text), blocks=blocks)


def paragraphs(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The spans between blank lines and form feeds in a stretch of text, without the white space around them."""
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


def _pages(text: str) -> tuple[Page, ...]:
    if "\f" not in text.rstrip():
        return ()
    starts = [0, *(match.end() for match in re.finditer("\f", text.rstrip()))]
    ends = [*starts[1:], len(text)]
    return tuple(Page(number, start, end) for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1))
