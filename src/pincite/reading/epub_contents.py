"""Read the table of contents of an EPUB book (nav.xhtml or toc.ncx), and apply it to its chapters' headings."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import unquote
from zipfile import ZipFile

from pincite.reading import html_blocks, zip_container
from pincite.reading.html import decode_page
from pincite.reading.word_styles import read_local_name
from pincite.text.folding import fold_alphanumerics

_DEEPEST = 6  # levels of HTML headings
_MOST = 5000  # entries
_LONGEST = 300  # characters in a title
_NEAR = 6  # elements after an entry's target that may be its title
_SET = ("p", "div", *html_blocks.HEADINGS)  # elements that may be a title


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A line of the contents: its target, its title and its level from 1."""

    member: str
    fragment: str
    title: str
    level: int


def read_contents(book: ZipFile, package: Any, package_name: str) -> list[ContentsEntry]:
    """Return the entries of a book's contents in order; none if it has no contents, or damaged ones."""
    items = {str(item.get("id")): item for item in package.iter("{*}item")}
    navs = [item for item in items.values() if "nav" in str(item.get("properties", "")).split()]
    spine = next((str(each.get("toc")) for each in package.iter("{*}spine") if each.get("toc")), "")
    old = items.get(spine)
    for item, read in ((next(iter(navs), None), _read_nav), (old, _read_ncx)):
        if item is None:
            continue
        name = zip_container.resolve_name(package_name, str(item.get("href", "")))
        try:
            found = list(islice(read(book, name), _MOST))
        except (KeyError, OSError, ValueError, SyntaxError):
            continue
        if found:
            return found
    return []


def _read_nav(book: ZipFile, name: str) -> Iterator[ContentsEntry]:
    root = html_blocks.parse_html(decode_page(book.read(name)))
    for nav in root.iter("nav") if root is not None else ():
        kinds = str(nav.get("epub:type") or nav.get("type") or "toc").split()
        if "toc" not in kinds:
            continue
        for link in nav.iter("a"):
            level = sum(1 for each in link.iterancestors("ol"))
            yield from _make_entry(name, str(link.get("href", "")), "".join(link.itertext()), level)
        return


def _read_ncx(book: ZipFile, name: str) -> Iterator[ContentsEntry]:
    root = zip_container.parse_xml(book.read(name))
    for point in root.iter("{*}navPoint"):
        label = next((each for each in point if read_local_name(each) == "navLabel"), None)
        content = next((each for each in point if read_local_name(each) == "content"), None)
        if label is None or content is None:
            continue
        level = 1 + sum(1 for each in point.iterancestors("{*}navPoint"))
        yield from _make_entry(name, str(content.get("src", "")), "".join(label.itertext()), level)


def _make_entry(name: str, target: str, title: str, level: int) -> Iterator[ContentsEntry]:
    title = " ".join(title.split())[:_LONGEST]
    if title and target:
        member, fragment = zip_container.resolve_name(name, target), unquote(target.partition("#")[2])
        yield ContentsEntry(member or name, fragment, title, min(max(level, 1), _DEEPEST))


def apply_contents(body: Any, entries: list[ContentsEntry], deepest: int) -> None:
    """Set the headings of a chapter to those of the contents, at their levels; its other headings come below them.

    An entry whose title is not a heading in the chapter becomes one: the paragraph with these words, or a new one.
    """
    for heading in list(body.iter(*html_blocks.HEADINGS)):
        heading.tag = f"h{min(html_blocks.HEADINGS[heading.tag] + deepest, _DEEPEST)}"
    if not entries:
        return
    chapter = _Chapter(body)
    for entry in entries:
        place = chapter.find_place(entry.fragment)
        heading = chapter.find_title(place, entry.title)
        if heading is None:
            heading = body.makeelement("p")
            heading.text = entry.title
            _put_before(body, place, heading)
        heading.tag = f"h{entry.level}"


class _Chapter:
    """The elements of a chapter in order, so that the target of an entry is found without another traversal."""

    def __init__(self, body: Any) -> None:
        self._anchors: dict[str, Any] = {}
        self._places: dict[Any, int] = {}
        self._texts: list[tuple[int, Any]] = []
        self._taken: set[Any] = set()
        for at, element in enumerate(body.iter()):
            self._places[element] = at
            for name in filter(None, (element.get("id"), element.get("name"))):
                self._anchors.setdefault(str(name), element)
            if element.tag in _SET:
                self._texts.append((at, element))

    def find_place(self, fragment: str) -> Any:
        """Return the element that an entry points to; None for the beginning."""
        return self._anchors.get(fragment)

    def find_title(self, place: Any, title: str) -> Any:
        """The heading or short paragraph with these words: around the place, or one of the next after it."""
        wanted = fold_alphanumerics(title)
        around = [] if place is None else [each for each in place.iterancestors() if each.tag in _SET]
        at = 0 if place is None else self._places[place]
        first = bisect_left(self._texts, at, key=lambda pair: pair[0])
        following = (element for _, element in self._texts[first : first + _NEAR])
        for element in (*around, *following):
            words = fold_alphanumerics(_read_words(element))
            is_heading = element.tag in html_blocks.HEADINGS
            is_named = words == wanted or (is_heading and words and (words.endswith(wanted) or wanted.endswith(words)))
            if element not in self._taken and is_named:
                self._taken.add(element)
                return element
        return None


def _read_words(element: Any) -> str:
    """Return the first words in an element, up to the length of a title."""
    words = ""
    for text in element.itertext():
        words += text[: 2 * _LONGEST]
        if len(words) > 2 * _LONGEST:
            break
    return words


def _put_before(body: Any, place: Any, heading: Any) -> None:
    if place is None or place is body:
        heading.tail, body.text = body.text, None
        body.insert(0, heading)
        return
    while place.getparent() is not body and place.getparent() is not None:
        place = place.getparent()
    place.addprevious(heading)
