"""Which blocks of a page are its article: those the extractor found, and those it lost inside the same element."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.reading.markup import BREAKING, HEADINGS, Piece

_WORD = re.compile(r"\w+")
_RUN = 4  # words in a row by which text is found again
_FOUND = 0.5  # of a block's runs; then the extractor took it
_HELD = 0.9  # of the words found; the smallest element with as many is the article's
_BARE = 0.85  # of the page's words; an article with as many stands on a page without menus worth leaving out
_WHOLE = 0.8  # of its words; an article of which less would be left is taken with all that stands in its element
_LINKED = 0.5  # of a block's characters in links; then it leads elsewhere
_MAIN = 0.25  # of the words found; a class with as many is that of the article's paragraphs
_BESIDE = 0.2  # of an element's words; as many in elements marked like it belong to the article too
_CONTENTS = 0.8  # of a page's words; a list with as many is what the page is there for
_PROSE = 10  # words of a block that says something
_AROUND = ("nav", "form", "button")
_LISTS = ("dl", "ul", "ol")
_MENUS = (*_AROUND, "header", "footer", "aside")
_PLACES = ("div", "section", "article", "main", "td", "body", "html")  # where an article stands; a paragraph is none

_BLOCKS = BREAKING | {"pre", *HEADINGS}

Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """An article's blocks in order, whether the page is hardly more than it, and how much the extractor lost of it."""

    pieces: tuple[Piece, ...]
    is_bare: bool
    lost: float


def find_article(pieces: Sequence[Piece], found: str) -> Article | None:
    """Find the blocks of the element that holds what an extractor found of a page; None when nothing is found again.

    Lost are blocks of prose between those found, and blocks marked like them in the same element or in one beside it
    that is marked like it, as the sections of a chapter are.
    """
    counts = [_words(piece.text) for piece in pieces]
    shares = _found_shares(counts, found)
    core = _smallest_holder(pieces, counts, shares)
    if core is None:
        return None
    alike = _alike(pieces, shares)
    place = _widen(core, pieces, counts, alike)
    held = [number for number, piece in enumerate(pieces) if _is_inside(piece.element, place)]
    kept = [number for number in held if shares[number] >= _FOUND]
    if not kept:
        return None
    peers = {peer for level in _levels(core, place) for peer in _find_peers(level)}
    main = _main_markings([pieces[number] for number in kept], [len(counts[number]) for number in kept])
    lost, inside = 0.0, []
    for number in held:
        piece, length, is_between = pieces[number], len(counts[number]), kept[0] < number < kept[-1]
        is_prose = _is_own(piece) and length >= _PROSE
        is_part = is_between or is_prose or alike[number]
        if shares[number] >= _FOUND or (is_part and not _is_around(piece.element, place)):
            inside.append(piece)
        is_lost = is_between or (_marking(piece) in main and _is_inside(piece.element, core))
        if is_prose and (is_lost or (alike[number] and not peers.isdisjoint(_levels(piece.element, place)))):
            lost += (1 - shares[number]) * length
    words = sum(len(counts[number]) for number in held)
    if sum(len(_words(piece.text)) for piece in inside) < _WHOLE * words:  # a list of links, for one
        inside = [pieces[number] for number in held]
    return Article(tuple(inside), words >= _BARE * sum(map(len, counts)), lost / words)


def is_contents(pieces: Sequence[Piece]) -> bool:
    """Tell whether a page is hardly more than one list outside its menus, as a table of contents or an index is."""
    words: Counter[Any] = Counter()
    total = 0
    for piece in pieces:
        count = len(_words(piece.text))
        total += count
        around = [piece.element, *piece.element.iterancestors()]
        lists = [element for element in around if element.tag in _LISTS]
        if lists and not any(element.tag in _MENUS for element in around):
            words[lists[-1]] += count
    return max(words.values(), default=0) > _CONTENTS * total


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
    return list(zip(*(words[place:] for place in range(_RUN)), strict=False))


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


def _widen(place: Any, pieces: Sequence[Piece], counts: Sequence[Sequence[str]], alike: Sequence[bool]) -> Any:
    """Go up from an element while what is added is mostly like what was found, or stands in elements marked like it."""
    sums: dict[Any, tuple[int, int]] = {}
    for piece, words, like in zip(pieces, counts, alike, strict=True):
        for element in (piece.element, *piece.element.iterancestors()):
            total, liked = sums.get(element, (0, 0))
            sums[element] = total + len(words), liked + like * len(words)
    for wider in list(place.iterancestors(*_PLACES)):
        (total, liked), (more, more_liked) = sums[place], sums[wider]
        beside = sum(sums.get(peer, (0, 0))[1] for peer in _find_peers(place))
        if more - total > 2 * (more_liked - liked) and beside < _BESIDE * total:
            break
        place = wider
    return place


def _find_peers(element: Any) -> list[Any]:
    """Find the elements beside one with its name and class; a `div` without a class is like no other."""
    style, parent = element.get("class"), element.getparent()
    if parent is None or (element.tag == "div" and not style):
        return []
    return [other for other in parent.iterchildren(element.tag) if other is not element and other.get("class") == style]


def _alike(pieces: Sequence[Piece], shares: Sequence[float]) -> list[bool]:
    """Tell which blocks are like those found: headings, code, text marked alike, and a list behind such text."""
    marked = {_marking(piece) for piece, share in zip(pieces, shares, strict=True) if share >= _FOUND}
    alike: list[bool] = []
    before = None
    for piece in pieces:
        is_like = piece.kind in ("heading", "code") or _marking(piece) in marked
        follows = piece.kind in ("list", "table") and before == "paragraph" and alike[-1]
        alike.append(_is_own(piece) and (is_like or follows))
        before = piece.kind
    return alike


def _main_markings(pieces: Sequence[Piece], lengths: Sequence[int]) -> set[tuple[str, str]]:
    """Return the markings with a class that hold a good part of the words of some blocks."""
    words: Counter[tuple[str, str]] = Counter()
    for piece, length in zip(pieces, lengths, strict=True):
        words[_marking(piece)] += length
    return {marking for marking, count in words.items() if marking[1] and count >= _MAIN * words.total()}


def _is_own(piece: Piece) -> bool:
    """Whether a block says something itself; a block of links leads elsewhere."""
    return piece.linked < _LINKED * len(piece.text)


def _levels(element: Any, place: Any) -> Iterator[Any]:
    """Yield an element and those around it, up to but without a place that holds it."""
    while element is not None and element is not place:
        yield element
        element = element.getparent()


def _is_inside(element: Any, place: Any) -> bool:
    return element is place or any(ancestor is place for ancestor in element.iterancestors())


def _is_around(element: Any, place: Any) -> bool:
    """Whether a block stands in a menu or a form inside the article's element."""
    return any(level.tag in _AROUND for level in _levels(element, place))


def _marking(piece: Piece) -> tuple[str, str]:
    """Return the element name and the class by which the page's style tells its paragraphs from other blocks."""
    element = piece.element
    while element.tag not in _BLOCKS and element.getparent() is not None:
        element = element.getparent()  # a paragraph may begin with a word in bold
    return str(element.tag), str(element.get("class") or "")


def _words(text: str) -> list[str]:
    return _WORD.findall(text)
