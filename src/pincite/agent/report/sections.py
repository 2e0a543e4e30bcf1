"""What a section's writer said to what stands in the report: nothing twice, no heading but its own."""

import re
from collections.abc import Iterator

from pincite.evidence.markers import unmarked

_ROW = r"\[\d{1,3}(?:\.\d{1,3})?(?:\s?[,;]\s?\d{1,3}(?:\.\d{1,3})?)*\]"
_MARKS = re.compile(rf"{_ROW}(?:[ \t]*{_ROW})*(?:[.!?…](?=\s|$))?")
_MARK = re.compile(r"(\d{1,3})(?:\.(\d{1,3}))?")
_BRACKETS = re.compile(r"\[([\d.,;\s]+)\]")
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$", re.M)
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_BLOCKS = re.compile(r"\n\s*\n")

Cited = tuple[int, int | None]


def cited(said: str) -> list[Cited]:
    """The evidence that a text names, and the sentences of it, in their order, each once."""
    found = (mark for row in _BRACKETS.findall(said) for mark in _MARK.findall(row))
    return list(dict.fromkeys((int(number), int(sentence) if sentence else None) for number, sentence in found))


def bare(sentence: str) -> str:
    """A sentence as it is known again: its words alone, without marks, capitals and breaks."""
    return " ".join(unmarked(sentence).casefold().split())


def fresh(said: str, heading: str, known: set[str]) -> str:
    """A section's text without its own heading and without what was said before word for word, which `known` keeps."""
    blocks = (_fresh(block, known) for block in _BLOCKS.split(_unheaded(said, heading)))
    return "\n\n".join(block for block in blocks if block.strip())


def _unheaded(said: str, heading: str) -> str:
    """The text with its headings below the section's, which is not said again."""

    def lowered(match: re.Match[str]) -> str:
        is_own = match[2].strip(" #*:").casefold() == heading.casefold()
        return "" if is_own else f"### {match[2]}"

    return _HEADING.sub(lowered, said).strip()


def _fresh(block: str, known: set[str]) -> str:
    """The lines of a block, each without the cited sentences that were said before."""
    lines = (" ".join(filter(None, _units(line, known))) for line in block.split("\n"))
    return "\n".join(line for line in lines if line.strip() and not _ITEM.fullmatch(f"{line} "))


def _units(line: str, known: set[str]) -> Iterator[str]:
    """The bullet of a line, the cited sentences of it that are new, and what cites nothing."""
    bullet = _ITEM.match(line)
    at = bullet.end() if bullet else 0
    if bullet:
        yield bullet[0].rstrip()
    # By their marks, which end them: a search for sentences that end so would begin anew at every letter.
    for marks in _MARKS.finditer(line, at):
        unit = line[at : marks.end()].strip()
        words = bare(unit)
        if not words:
            continue  # marks before any word belong to what comes after them
        if words not in known:
            known.add(words)
            yield unit
        at = marks.end()
    yield line[at:].rstrip() if not at else line[at:].strip()
