"""Find the headings of a text without styles by their numbers: "3. Deposit", "Article 1er", "TITRE II", "§ 3 Term"."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.text.part_numbers import PART_NUMBER, read_part_number
from pincite.types import Block

_LONGEST = 90  # characters of a heading
_FEWEST = 3  # headings that count up
_UNFINISHED = re.compile(r"[.;:,!?…]$")
_LABEL = re.compile(
    rf"(?:(?P<word>[^\W\d_]{{2,12}}\.?[ \u00a0]|§[ \u00a0]?)(?P<number>{PART_NUMBER})"
    r"|(?P<bare>\d{1,3}(?:\.\d{1,3}){0,4}))"
    r"[.)]?(?P<title>[ \u00a0\t]+\S.*)?"
)
_COUNTED = re.compile(
    r"(?P<form>(?:[^\W\d_]{2,12}\.?[ \u00a0]|§[ \u00a0]?)?(?:\d{1,3}\.){0,4})(?P<number>\d{1,3}|[IVX]{1,5})(?!\w)"
    r"(?P<mark>[.)]?)"
)
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class _Label:
    """A line that begins with a number: its place among the paragraphs, and the kind of heading it may be."""

    place: int
    end: int
    is_alone: bool  # in its paragraph
    kind: tuple[str, int]  # the words before the number, and how many numbers are within it
    numbers: tuple[int, ...]


def mark_headings(text: str, paragraphs: Sequence[tuple[int, int]]) -> Iterable[Block]:
    """Yield the blocks of some paragraphs; a first line whose number continues those of others is a heading."""
    labels = [label for place in range(len(paragraphs)) if (label := _read_label(text, paragraphs, place))]
    kinds = [kind for kind in dict.fromkeys(label.kind for label in labels) if _is_heading_kind(kind, labels)]
    words = list(dict.fromkeys(word for word, _ in kinds))
    fewest = {word: min(inner for other, inner in kinds if other == word) for word in words}
    headings = {label.place: label for label in labels if label.kind in kinds}
    for place, (start, end) in enumerate(paragraphs):
        if label := headings.get(place):
            word, inner = label.kind
            yield Block("heading", start, label.end, words.index(word) + 1 + inner - fewest[word])
            start = label.end + 1
        if start < end:
            yield Block("paragraph", start, end)


def is_counted(heading: str, headings: Iterable[str]) -> bool:
    """Return whether a heading begins with a number that another one continues: "Article 1" before "Article 2"."""
    first = _read_number(heading)
    return first is not None and any(_read_number(each) == (first[0], first[1] + 1) for each in headings)


def _read_number(heading: str) -> tuple[str, int] | None:
    """Return the form of the number that a heading begins with, with the words and numbers before it, and its value."""
    found = _COUNTED.match(heading.strip())
    if not found:
        return None
    return found["form"].casefold() + found["mark"], int(read_part_number(found["number"]))


def _read_label(text: str, paragraphs: Sequence[tuple[int, int]], place: int) -> _Label | None:
    """Return the label of a paragraph's first line. A bare number, as items of lists have, needs a line by itself."""
    start, end = paragraphs[place]
    line = text[start : min(end, start + _LONGEST + 1)].split("\n", 1)[0].rstrip()
    found = _LABEL.fullmatch(line)
    if not found or len(line) > _LONGEST or _UNFINISHED.search(found["title"] or ""):
        return None
    word, title = (found["word"] or "").strip(" .\u00a0").casefold(), found["title"] or ""
    number = read_part_number(found["number"] or found["bare"])
    numbers = tuple(map(int, _NUMBERS.findall(number)))
    is_alone = not text[start + len(line) : end].strip()
    if not any(map(str.isalpha, title)) if not word else title.strip()[:1].islower():
        return None
    if not word and not is_alone:
        return None
    if number[0].isalpha():
        word = f"{word} {number[0]}"
    return _Label(place, start + len(line), is_alone, (word, len(numbers) - 1), numbers)


def _is_heading_kind(kind: tuple[str, int], labels: Sequence[_Label]) -> bool:
    """Return whether labels of a kind count up and have other words between them, which items of lists have not."""
    own = [label for label in labels if label.kind == kind]
    outer = (kind[0], 0)
    if kind[1] and (not kind[0] or any(label.kind == outer for label in labels)):
        return _is_heading_kind(outer, labels)  # 2.1 and 2.2 are headings if 1, 2 and 3 are
    pairs = list(pairwise(own))
    counted = sum(_continues(one.numbers, two.numbers) for one, two in pairs)
    apart = sum(two.place > one.place + 1 or not one.is_alone for one, two in pairs)
    return len(own) >= _FEWEST and 2 * min(counted, apart) > len(pairs)


def _continues(one: tuple[int, ...], two: tuple[int, ...]) -> bool:
    """Whether a number is the next one: 4 after 3, and 121-3 or 122-1 after 121-2."""
    is_next = two[:-1] == one[:-1] and two[-1] == one[-1] + 1
    return is_next or (two[:-1] > one[:-1] and two[-1] == 1)
