"""Clean the text of a section: drop sentences that were written before, and its own heading."""

import re
from collections.abc import Iterator

from pincite.text.citation_marks import find_mark_groups, strip_marks

_HEADING = re.compile(r"^(#{1,6})\s+(.*)$", re.M)
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_BLOCKS = re.compile(r"\n\s*\n")


def normalise_sentence(sentence: str) -> str:
    """Return the words of a sentence for comparison, without marks, capitals and line breaks."""
    return " ".join(strip_marks(sentence).casefold().split())


def drop_repeated_sentences(text: str, heading: str, known: set[str]) -> str:
    """Return a section's text without its heading and without sentences in `known`; add its own to `known`."""
    blocks = (_drop_repeated_lines(block, known) for block in _BLOCKS.split(_lower_headings(text, heading)))
    return "\n\n".join(block for block in blocks if block.strip())


def _lower_headings(text: str, heading: str) -> str:
    """Return the text with its headings below the section's, and without the section's own."""

    def lower(match: re.Match[str]) -> str:
        is_own = match[2].strip(" #*:").casefold() == heading.casefold()
        return "" if is_own else f"### {match[2]}"

    return _HEADING.sub(lower, text).strip()


def _drop_repeated_lines(block: str, known: set[str]) -> str:
    """Return the lines of a block, without the cited sentences that are known."""
    lines = (" ".join(filter(None, _list_new_units(line, known))) for line in block.split("\n"))
    return "\n".join(line for line in lines if line.strip() and not _ITEM.fullmatch(f"{line} "))


def _list_new_units(line: str, known: set[str]) -> Iterator[str]:
    """Yield the bullet of a line, its new cited sentences, and its text without citations."""
    bullet = _ITEM.match(line)
    at = bullet.end() if bullet else 0
    if bullet:
        yield bullet[0].rstrip()
    # Search for the marks that end the sentences: a pattern for whole sentences would restart at every letter.
    for _, end in find_mark_groups(line, at):
        unit = line[at:end].strip()
        words = normalise_sentence(unit)
        if not words:
            continue  # marks before any word belong to the text after them
        if words not in known:
            known.add(words)
            yield unit
        at = end
    yield line[at:].rstrip() if not at else line[at:].strip()
