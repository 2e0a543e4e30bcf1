"""Write sentences as quotes: word for word, each with its mark, list items on lines of their own."""

import re
from collections.abc import Sequence

from pincite.answer.extractive.flat_text import BULLET, NUMBERED, flatten_markdown
from pincite.answer.extractive.sentence_candidates import CandidateSentence
from pincite.text.citation_marks import shield_source

_ITEM = re.compile(r"- |\(?(?:\d{1,3}|[a-zA-Z])[.)]\s")
_STOPPED = re.compile(r"[.!?…][\"'”’)\]»]*$")
_ITEM_BEGINS = re.compile(r"[\W\d]*[A-ZÀ-Þ]|[-–—*+•‣◦▪●]\s|\(?\w{1,3}[.)]\s")
_COLON = re.compile(r":[ \t\u00a0]*\n")
_MOST_ITEMS = 10
_LONGEST_ITEM = 300


def quote_sentences(chosen: Sequence[CandidateSentence], everything: Sequence[CandidateSentence]) -> str:
    """Return the chosen sentences as Markdown; one that leads in a list brings its items, out of `everything`."""
    blocks: list[list[str]] = []
    is_list = False
    said: set[tuple[str, int]] = set()
    for one in chosen:
        if one.place in said:
            continue
        for line, is_item in _write_lines(one, everything, said):
            if blocks and is_item == is_list:
                blocks[-1].append(line)
            else:
                blocks.append([line])
            is_list = is_item
    return "\n\n".join(("\n" if _ITEM.match(block[0]) else " ").join(block) for block in blocks)


def find_items(one: CandidateSentence, everything: Sequence[CandidateSentence]) -> list[CandidateSentence]:
    """Return the sentences that are the items under this one, which ends with a colon."""
    if not one.text.endswith(":"):
        return []
    after = sorted(
        (other for other in everything if other.evidence is one.evidence and other.number > one.number),
        key=lambda other: other.number,
    )
    found: list[CandidateSentence] = []
    for other in after[:_MOST_ITEMS]:
        previous = found[-1] if found else one
        gap = one.evidence.quote(previous.end, other.start)
        marked = bool(BULLET.match(other.raw) or NUMBERED.match(other.raw))
        apart = gap.count("\n") > 1 and bool(found)
        if "\n" not in gap or (
            not marked and (apart or _STOPPED.search(other.text) or len(other.text) > _LONGEST_ITEM)
        ):
            break
        found.append(other)
    return found if len(found) > 1 else []


def _write_lines(
    one: CandidateSentence, everything: Sequence[CandidateSentence], said: set[tuple[str, int]]
) -> list[tuple[str, bool]]:
    """Return a sentence as its lines, and whether each is an item; with the items that it leads in."""
    said.add(one.place)
    own = _split_inline_list(one)
    if own:
        return own
    under = find_items(one, everything)
    head = [other for other in _find_head_row(one, everything) if other.place not in said]
    said.update(other.place for other in (*head, *under))
    return [
        *(_write_line(other, other.raw, True) for other in head),
        _write_line(one, one.raw),
        *(_write_line(other, other.raw, True) for other in under),
    ]


def _find_head_row(one: CandidateSentence, everything: Sequence[CandidateSentence]) -> list[CandidateSentence]:
    """Return the first row of the table that a row stands in, with the names of its columns."""
    return [
        other
        for other in everything
        if " | " in one.text
        and other.evidence is one.evidence
        and other.number == one.number
        and other.is_title
        and other.start < one.start
    ]


def _split_inline_list(one: CandidateSentence) -> list[tuple[str, bool]]:
    """Return a sentence whose lines after a colon are a list, as those lines; none when they are not."""
    colon = _COLON.search(one.raw)
    lines = [line for line in one.raw[colon.end() :].split("\n") if line.strip()] if colon else []
    if not colon or len(lines) < 2 or not all(_ITEM_BEGINS.match(line) for line in lines):
        return []
    return [
        _write_line(one, one.raw[: colon.start() + 1]),
        *(_write_line(one, line, True) for line in lines[:_MOST_ITEMS]),
    ]


def _write_line(one: CandidateSentence, raw: str, is_item: bool = False) -> tuple[str, bool]:
    text = flatten_markdown(raw)
    bare = BULLET.sub("", text)
    is_item = is_item or bare != text or bool(NUMBERED.match(text)) or not _STOPPED.search(text)
    if bare.endswith(":"):
        is_item = False
    bullet = "- " if is_item and not NUMBERED.match(bare) else ""
    return f"{bullet}{shield_source(bare)} [{one.evidence.number}.{one.number}]", is_item
