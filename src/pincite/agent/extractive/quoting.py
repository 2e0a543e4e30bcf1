"""Sentences as an answer quotes them: word for word, each with its mark, items of a list on lines of their own."""

import re
from collections.abc import Sequence

from pincite.agent.extractive.choosing import Candidate
from pincite.agent.extractive.words import plain
from pincite.evidence.markers import shielded

_BULLET = re.compile(r"^(?:[-–—*+•‣◦▪▫●○■□➢➤✓✔·\uf000-\uf0ff]\s*)+(?=\S)")
_NUMBERED = re.compile(r"^\(?(?:\d{1,3}|[a-zA-Z])[.)]\s")
_ITEM = re.compile(r"- |\(?(?:\d{1,3}|[a-zA-Z])[.)]\s")
_HASHES = re.compile(r"^[#>]+\s*")
_FENCE = re.compile(r"`{3,}[\w+-]*\s*")
_STOPPED = re.compile(r"[.!?…][\"'”’)\]»]*$")
_ITEM_BEGINS = re.compile(r"[\W\d]*[A-ZÀ-Þ]|[-–—*+•‣◦▪●]\s|\(?\w{1,3}[.)]\s")
_COLON = re.compile(r":[ \t\u00a0]*\n")
_MOST_ITEMS = 10
_LONGEST_ITEM = 300


def quoted(chosen: Sequence[Candidate], everything: Sequence[Candidate]) -> str:
    """The chosen sentences as Markdown; one that leads in a list brings its items, out of `everything`."""
    blocks: list[list[str]] = []
    is_list = False
    said: set[tuple[str, int]] = set()
    for one in chosen:
        if one.place in said:
            continue
        for line, is_item in _lines(one, everything, said):
            if blocks and is_item == is_list:
                blocks[-1].append(line)
            else:
                blocks.append([line])
            is_list = is_item
    return "\n\n".join(("\n" if _ITEM.match(block[0]) else " ").join(block) for block in blocks)


def leads_in(one: Candidate, everything: Sequence[Candidate]) -> bool:
    """Does a sentence lead in a list that can be quoted with it?"""
    return bool(_itemised(one) or items(one, everything))


def items(one: Candidate, everything: Sequence[Candidate]) -> list[Candidate]:
    """The sentences that are the items under this one, which ends with a colon."""
    if not one.text.endswith(":"):
        return []
    after = sorted(
        (other for other in everything if other.evidence is one.evidence and other.number > one.number),
        key=lambda other: other.number,
    )
    found: list[Candidate] = []
    for other in after[:_MOST_ITEMS]:
        previous = found[-1] if found else one
        gap = one.evidence.quote(previous.end, other.start)
        marked = bool(_BULLET.match(other.raw) or _NUMBERED.match(other.raw))
        apart = gap.count("\n") > 1 and bool(found)
        if "\n" not in gap or (
            not marked and (apart or _STOPPED.search(other.text) or len(other.text) > _LONGEST_ITEM)
        ):
            break
        found.append(other)
    return found if len(found) > 1 else []


def _lines(one: Candidate, everything: Sequence[Candidate], said: set[tuple[str, int]]) -> list[tuple[str, bool]]:
    """A sentence as its lines, and whether each is an item; with the items that it leads in."""
    said.add(one.place)
    own = _itemised(one)
    if own:
        return own
    under = items(one, everything)
    head = [other for other in _columns(one, everything) if other.place not in said]
    said.update(other.place for other in (*head, *under))
    return [
        *(_line(other, other.raw, True) for other in head),
        _line(one, one.raw),
        *(_line(other, other.raw, True) for other in under),
    ]


def _columns(one: Candidate, everything: Sequence[Candidate]) -> list[Candidate]:
    """The first row of the table that a row stands in, which says what its cells are."""
    return [
        other
        for other in everything
        if " | " in one.text
        and other.evidence is one.evidence
        and other.number == one.number
        and other.is_title
        and other.start < one.start
    ]


def _itemised(one: Candidate) -> list[tuple[str, bool]]:
    """A sentence whose lines after a colon are a list, as those lines; none when they are not."""
    colon = _COLON.search(one.raw)
    lines = [line for line in one.raw[colon.end() :].split("\n") if line.strip()] if colon else []
    if not colon or len(lines) < 2 or not all(_ITEM_BEGINS.match(line) for line in lines):
        return []
    return [_line(one, one.raw[: colon.start() + 1]), *(_line(one, line, True) for line in lines[:_MOST_ITEMS])]


def _line(one: Candidate, raw: str, is_item: bool = False) -> tuple[str, bool]:
    text = _closed(_HASHES.sub("", plain(raw)))
    bare = _BULLET.sub("", text)
    is_item = is_item or bare != text or bool(_NUMBERED.match(text)) or not _STOPPED.search(text)
    if bare.endswith(":"):
        is_item = False
    bullet = "- " if is_item and not _NUMBERED.match(bare) else ""
    return f"{bullet}{shielded(bare)} [{one.evidence.number}.{one.number}]", is_item


def _closed(text: str) -> str:
    """A text of which no mark of Markdown is left open: what follows, the source's number too, would be code."""
    text = _FENCE.sub("", text).replace("**", "")
    return (text.replace("`", "") if text.count("`") % 2 else text).strip()
