"""Find the blocks of a page's article: those the extractor found, and those it missed in the same element."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.reading.html_blocks import BREAKING, HEADINGS, HtmlBlock

_WORD = re.compile(r"\w+")
_RUN = 4  # words in a row by which text is recognised
_FOUND = 0.5  # of a block's runs; with more, the extractor found the block
_HELD = 0.9  # of the words found; the smallest element with as many contains the article
_BARE = 0.85  # of the page's words; with more, the page has no menus worth leaving out
_WHOLE = 0.8  # of its words; if less of the article would remain, everything in its element is used
_LINKED = 0.5  # of a block's characters in links; with more, it only links elsewhere
_MAIN = 0.25  # of the words found; a class with as many is that of the article's paragraphs
_BESIDE = 0.2  # of an element's words; with as many in elements of the same marking, those belong to the article too
_CONTENTS = 0.8  # of a page's words; a list with as many is the content of the page
_PROSE = 10  # words in a block of prose
_AROUND = ("nav", "form", "button")
_FIELDS = ("input", "textarea", "select")
_NO_FIELDS = ("hidden", "submit", "button", "image", "reset")  # types of inputs that ask for nothing
_LISTS = ("dl", "ul", "ol")
_MENUS = (*_AROUND, "header", "footer", "aside")
_PLACES = ("div", "section", "article", "main", "form", "td", "body", "html")  # elements that may contain an article

_BLOCKS = BREAKING | {"pre", *HEADINGS}

Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Article:
    """An article's blocks in order, whether the page contains little else, and how much the extractor missed."""

    pieces: tuple[HtmlBlock, ...]
    is_bare: bool
    lost: float


def find_article(pieces: Sequence[HtmlBlock], found: str) -> Article | None:
    """Find the blocks of the element that contains the text the extractor found; None if no text is recognised.

    Missed blocks are prose between the found ones, text beside the found paragraphs without an element of its own,
    captions, and blocks with the same marking in the same element or in a neighbouring one of the same marking, such as
    the sections of a chapter.
    """
    counts = [_split_words(piece.text) for piece in pieces]
    shares = _measure_shares(counts, found)
    core = _find_smallest_holder(pieces, counts, shares)
    if core is None:
        return None
    alike = _find_alike(pieces, shares)
    place = _widen(core, pieces, counts, alike)
    held = [number for number, piece in enumerate(pieces) if _is_inside(piece.element, place)]
    kept = [number for number in held if shares[number] >= _FOUND]
    if not kept:
        return None
    peers = {peer for level in _list_levels(core, place) for peer in _find_peers(level)}
    main = _find_main_markings([pieces[number] for number in kept], [len(counts[number]) for number in kept])
    menus = _find_menus(place, core)
    lost, inside = 0.0, []
    for number in held:
        piece, length, is_between = pieces[number], len(counts[number]), kept[0] < number < kept[-1]
        is_prose = _is_own(piece) and length >= _PROSE
        is_part = is_between or is_prose or alike[number] or _is_beside(piece, core)
        if shares[number] >= _FOUND or (is_part and menus.isdisjoint(_list_levels(piece.element, place))):
            inside.append(piece)
        is_lost = is_between or (_read_marking(piece) in main and _is_inside(piece.element, core))
        if is_prose and (is_lost or (alike[number] and not peers.isdisjoint(_list_levels(piece.element, place)))):
            lost += (1 - shares[number]) * length
    words = sum(len(counts[number]) for number in held)
    if sum(len(_split_words(piece.text)) for piece in inside) < _WHOLE * words:  # such as a list of links
        inside = [pieces[number] for number in held]
    return Article(tuple(inside), words >= _BARE * sum(map(len, counts)), lost / words)


def is_contents(pieces: Sequence[HtmlBlock]) -> bool:
    """Return whether a page is mostly one list outside its menus, such as a table of contents or an index."""
    words: Counter[Any] = Counter()
    total = 0
    for piece in pieces:
        count = len(_split_words(piece.text))
        total += count
        around = [piece.element, *piece.element.iterancestors()]
        lists = [element for element in around if element.tag in _LISTS]
        if lists and not any(element.tag in _MENUS for element in around):
            words[lists[-1]] += count
    return max(words.values(), default=0) > _CONTENTS * total


def _measure_shares(pieces: Sequence[Sequence[str]], found: str) -> list[float]:
    """Return, for each block, the share of its runs of words that were found; a short block must match a whole line."""
    lines = [_split_words(line) for line in found.split("\n")]
    short = {tuple(line) for line in lines if len(line) < _RUN}
    runs = set(_list_runs([word for line in lines for word in line]))
    shares = []
    for words in pieces:
        own = [tuple(words)] if len(words) < _RUN else _list_runs(words)
        there = short if len(words) < _RUN else runs
        shares.append(sum(run in there for run in own) / len(own))
    return shares


def _list_runs(words: Sequence[str]) -> list[Run]:
    return list(zip(*(words[place:] for place in range(_RUN)), strict=False))


def _find_smallest_holder(pieces: Sequence[HtmlBlock], counts: Sequence[Sequence[str]], shares: Sequence[float]) -> Any:
    """Return the deepest element that contains nearly all found words."""
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


def _widen(place: Any, pieces: Sequence[HtmlBlock], counts: Sequence[Sequence[str]], alike: Sequence[bool]) -> Any:
    """Return the widest element around one whose added blocks are mostly like those found.

    Blocks in siblings with the same marking count too.
    """
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
    """Return the siblings of an element with the same name and class; a `div` without a class has none."""
    style, parent = element.get("class"), element.getparent()
    if parent is None or (element.tag == "div" and not style):
        return []
    return [other for other in parent.iterchildren(element.tag) if other is not element and other.get("class") == style]


def _find_alike(pieces: Sequence[HtmlBlock], shares: Sequence[float]) -> list[bool]:
    """Return which blocks are like those found: headings, code, text of the same marking, and a list after it."""
    marked = {_read_marking(piece) for piece, share in zip(pieces, shares, strict=True) if share >= _FOUND}
    alike: list[bool] = []
    before = None
    for piece in pieces:
        is_like = piece.kind in ("heading", "code") or _read_marking(piece) in marked
        follows = piece.kind in ("list", "table") and before == "paragraph" and alike[-1]
        alike.append(_is_own(piece) and (is_like or follows))
        before = piece.kind
    return alike


def _find_main_markings(pieces: Sequence[HtmlBlock], lengths: Sequence[int]) -> set[tuple[str, str]]:
    """Return the markings with a class that contain a large share of the words of some blocks."""
    words: Counter[tuple[str, str]] = Counter()
    for piece, length in zip(pieces, lengths, strict=True):
        words[_read_marking(piece)] += length
    return {marking for marking, count in words.items() if marking[1] and count >= _MAIN * words.total()}


def _is_own(piece: HtmlBlock) -> bool:
    """Return whether a block has its own text; a block of links only links elsewhere."""
    return piece.linked < _LINKED * len(piece.text)


def _list_levels(element: Any, place: Any) -> Iterator[Any]:
    """Yield an element and its ancestors, up to but without `place`."""
    while element is not None and element is not place:
        yield element
        element = element.getparent()


def _is_inside(element: Any, place: Any) -> bool:
    return element is place or any(ancestor is place for ancestor in element.iterancestors())


def _find_menus(place: Any, core: Any) -> set[Any]:
    """Return the menus in an element, and the forms that ask for something; those around the article are neither."""
    fields = (field for field in place.iter(*_FIELDS) if field.get("type") not in _NO_FIELDS)
    asking = {form for field in fields for form in field.iterancestors("form")}
    menus = {menu for menu in place.iter(*_AROUND) if menu.tag != "form" or menu in asking}
    return menus.difference(core.iterancestors(), (core,))


def _is_beside(piece: HtmlBlock, core: Any) -> bool:
    """Return whether a block is the text of the article's element itself, or a caption in it."""
    element = _find_block_element(piece)
    return _is_own(piece) and (element is core or (element.tag == "figcaption" and _is_inside(element, core)))


def _find_block_element(piece: HtmlBlock) -> Any:
    element = piece.element
    while element.tag not in _BLOCKS and element.getparent() is not None:
        element = element.getparent()  # a paragraph may begin with a bold word
    return element


def _read_marking(piece: HtmlBlock) -> tuple[str, str]:
    """Return the element name and class by which the page's style distinguishes its paragraphs."""
    element = _find_block_element(piece)
    return str(element.tag), str(element.get("class") or "")


def _split_words(text: str) -> list[str]:
    return _WORD.findall(text)
