"""Limit how much of one document is read. The rest is left out and reported in the document's problems."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from pincite.types import Block, Document, Page

_BACK = 2000  # characters before a limit that are searched for a line's end


class ReadingLimits(Protocol):
    """The settings with the limits."""

    @property
    def max_characters(self) -> int: ...
    @property
    def max_passages(self) -> int: ...
    @property
    def max_pages(self) -> int: ...
    @property
    def max_blocks(self) -> int: ...
    @property
    def max_attributes(self) -> int: ...


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """The most characters, passages, pages and blocks of one document, and tags and attributes of its markup."""

    characters: int = 100_000_000
    passages: int = 250_000
    pages: int = 10_000
    blocks: int = 500_000
    attributes: int = 2_000_000


DEFAULTS = DocumentLimits()


def read_limits(settings: ReadingLimits) -> DocumentLimits:
    """Return the limits of the settings."""
    return DocumentLimits(
        settings.max_characters,
        settings.max_passages,
        settings.max_pages,
        settings.max_blocks,
        settings.max_attributes,
    )


def describe_character_limit(limit: int) -> str:
    return f"Read up to character {limit:,}, the limit reading.max_characters; the rest is left out."


def describe_block_limit(limit: int) -> str:
    return f"Read up to block {limit:,}, the limit reading.max_blocks; the rest is left out."


def describe_page_limit(limit: int, count: int) -> str:
    return f"Read up to page {limit:,} of {count:,}, the limit reading.max_pages; the rest is left out."


def describe_passage_limit(limit: int) -> str:
    return f"Split into {limit:,} passages, the limit reading.max_passages; the text after them is left out."


def describe_attribute_limit(limit: int) -> str:
    return f"Read up to {limit:,} tags and attributes, the limit reading.max_attributes; the rest is left out."


def enforce_limits(document: Document, limits: DocumentLimits) -> Document:
    """Cut the document to its limits, with a problem for each that was reached."""
    end, problems = len(document.text), list[str]()
    if len(document.pages) > limits.pages:
        end = document.pages[limits.pages - 1].end
        problems.append(describe_page_limit(limits.pages, len(document.pages)))
    if len(document.blocks) > limits.blocks and document.blocks[limits.blocks].start < end:
        end = document.blocks[limits.blocks - 1].end
        problems.append(describe_block_limit(limits.blocks))
    if end > limits.characters:
        end = find_cut(document.text, limits.characters)
        problems.append(describe_character_limit(limits.characters))
    return cut_document(document, end, problems) if problems else document


def find_cut(text: str, limit: int) -> int:
    """Return the last line end, or else space, shortly before the limit; the limit itself if there is none."""
    line = text.rfind("\n", max(limit - _BACK, 0), limit)
    return line if line > 0 else max(text.rfind(" ", max(limit - _BACK, 0), limit), 0) or limit


def cut_document(document: Document, end: int, problems: Iterable[str]) -> Document:
    """Return the document up to an offset, with problems that say why."""
    pages = [_shorten_page(page, end) for page in document.pages if page.start < end or page.number == 1]
    blocks = [replace(block, end=min(block.end, end)) for block in document.blocks if block.start < end]
    return replace(
        document,
        text=document.text[:end],
        pages=tuple(pages),
        blocks=tuple(block for block in blocks if _has_words(document.text, block)),
        problems=(*document.problems, *problems),
    )


def _shorten_page(page: Page, end: int) -> Page:
    return page if page.end <= end else replace(page, end=end)


def _has_words(text: str, block: Block) -> bool:
    return bool(text[block.start : block.end].strip())
