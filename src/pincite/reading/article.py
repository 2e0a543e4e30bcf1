"""Which blocks of a page are its article: those the extractor found, and those it lost inside the same element."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pincite.reading.markup import Piece

_WORD = re.compile(r"\w+")
_RUN = 4  # words in a row by which text is found again
_FOUND = 0.5  # of a block's runs; then the extractor took it
_HELD = 0.9  # of the words found; the smallest element with as many is the article's
_BARE = 0.85  # of the page's words; an article with as many stands on a page without menus worth leaving out
_WHOLE = 0.8  # of its words; an article of which less would be left is taken with all that stands in its element
_LINKED = 0.5  # of a block's characters in links; then it leads elsewhere
_PROSE = 10  # words of a block that says something
_AROUND = ("nav", "form", "button")
_PLACES = ("div", "section", "article", "main", "td", "body", "html")  # where an article stands; a paragraph is none

Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """An article's blocks in order, whether the page is hardly more than it, and how much the extractor lost of it."""

    pieces: tuple[Piece, ...]
    is_bare: bool
    lost: float


def find_article(pieces: Sequence[Piece], found: str) -> Article | None:
    """Find the blocks of the element that holds what an extractor found of a page; None when nothing is found again."""
    counts = [_words(piece.text) for piece in pieces]
    shares = _found_shares(counts, found)
    place = _smallest_holder(pieces, counts, shares)
    if place is None:
        return None
    place = _widen(place, pieces, counts, shares)
    held = [number for number, piece in enumerate(pieces) if _is_inside(piece.element, place)]
    kept = [number for number in held if shares[number] >= _FOUND]
    if not kept:
        return None
    marked = {_marking(pieces[number]) for number in kept}
    lost, inside = 0.0, []
    for number in held:
        piece, length, is_between = pieces[number], len(counts[number]), kept[0] < number < kept[-1]
        is_own = piece.linked < _LINKED * len(piece.text)
        is_prose = is_own and length >= _PROSE
        is_part = is_between or is_prose or (is_own and _marking(piece) in marked)
        if shares[number] >= _FOUND or (is_part and not _is_around(piece.element, place)):
            inside.append(piece)
        lost += (1 - shares[number]) * length if is_between and is_prose else 0.0
    words = sum(len(counts[number]) for number in held)
    if sum(len(_words(piece.text)) for piece in inside) < _WHOLE * words:  # a list of links, for one
        inside = [pieces[number] for number in held]
    return Article(tuple(inside), words >= _BARE * sum(map(len, counts)), lost / words)


def _found_shares(pieces: Sequence[Sequence[str]], found: str) -> list[float]:
    """Return, for each block, the share of its runs of words that were found; a block of few words must be a line."""
    lines = [_words(line) for line in found.split("\n")]
    short = {tuple(line) for line in lines if len(line) < _RUN}
    runs = set(_runs([word for line in lines for word in line]))
    shares = []
    for words in pieces:
        own = [tuple(words)] if len(words) < _RUN else _runs(words)
        there = short if len(words) < _RUN else runs
        shares.append(sum(run in there for run in own) / len(own))
    return shares


def _runs(words: Sequence[str]) -> list[Run]:
    return [tuple(words[place : place + _RUN]) for place in range(len(words) - _RUN + 1)]


def _smallest_holder(pieces: Sequence[Piece], counts: Sequence[Sequence[str]], shares: Sequence[float]) -> Any:
    """Return the deepest element that holds nearly all the words that were found."""
    held: Counter[Any] = Counter()
    total = 0
    for piece, words, share in zip(pieces, counts, shares, strict=True):
        if share >= _FOUND and words:
            total += len(words)
            for element in (piece.element, *piece.element.iterancestors()):
                if element.tag in _PLACES:
                    held[element] += len(words)
    enough = [element for element, words in held.items() if words >= _HELD * total]
    return max(enough, key=lambda element: sum(1 for _ in element.iterancestors()), default=None)


def _widen(place: Any, pieces: Sequence[Piece], counts: Sequence[Sequence[str]], shares: Sequence[float]) -> Any:
    """Go up from an element while what is added is mostly marked like what was found in it."""
    marked = {_marking(piece) for piece, share in zip(pieces, shares, strict=True) if share >= _FOUND}
    sums: dict[Any, tuple[int, int]] = {}
    for piece, words in zip(pieces, counts, strict=True):
        is_own = piece.linked < _LINKED * len(piece.text)
        like = is_own and (piece.kind in ("heading", "code") or _marking(piece) in marked)
        for element in (piece.element, *piece.element.iterancestors()):
            total, alike = sums.get(element, (0, 0))
            sums[element] = total + len(words), alike + like * len(words)
    for wider in list(place.iterancestors(*_PLACES)):
        (total, alike), (more, more_alike) = sums[place], sums[wider]
        if more - total > 2 * (more_alike - alike):
            break
        place = wider
    return place


def _is_inside(element: Any, place: Any) -> bool:
    return element is place or any(ancestor is place for ancestor in element.iterancestors())


def _is_around(element: Any, place: Any) -> bool:
    """Whether a block stands in a menu or a form inside the article's element."""
    while element is not None and element is not place:
        if element.tag in _AROUND:
            return True
        element = element.getparent()
    return False


def _marking(piece: Piece) -> tuple[str, str]:
    """Return the element name and the class by which the page's style tells its paragraphs from other blocks."""
    return str(piece.element.tag), str(piece.element.get("class") or "")


def _words(text: str) -> list[str]:
    return _WORD.findall(text)
