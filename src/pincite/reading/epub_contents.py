"""The table of contents of an EPUB book (nav.xhtml or toc.ncx), and its chapters' headings after it."""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import unquote
from zipfile import ZipFile

from pincite.reading import archive, markup
from pincite.reading.html import text_of
from pincite.reading.wordstyles import local

_DEEPEST = 6  # levels of HTML headings
_MOST = 5000  # entries
_LONGEST = 300  # characters of a title
_NEAR = 6  # elements after the place of an entry that may be its title
_SET = ("p", "div", *markup.HEADINGS)  # what may be set as a title


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the contents: where it points, its title and its level from 1."""

    member: str
    fragment: str
    title: str
    level: int


def read_contents(book: ZipFile, package: Any, package_name: str) -> list[Entry]:
    """Return the entries of a book's contents in order; none where it has no contents, or damaged ones."""
    items = {str(item.get("id")): item for item in package.iter("{*}item")}
    navs = [item for item in items.values() if "nav" in str(item.get("properties", "")).split()]
    spine = next((str(each.get("toc")) for each in package.iter("{*}spine") if each.get("toc")), "")
    old = items.get(spine)
    for item, read in ((next(iter(navs), None), _read_nav), (old, _read_ncx)):
        if item is None:
            continue
        name = archive.resolve(package_name, str(item.get("href", "")))
        try:
            found = list(islice(read(book, name), _MOST))
        except (KeyError, OSError, ValueError, SyntaxError):
            continue
        if found:
            return found
    return []


def _read_nav(book: ZipFile, name: str) -> Iterator[Entry]:
    root = markup.parse(text_of(book.read(name)))
    for nav in root.iter("nav") if root is not None else ():
        kinds = str(nav.get("epub:type") or nav.get("type") or "toc").split()
        if "toc" not in kinds:
            continue
        for link in nav.iter("a"):
            level = sum(1 for each in link.iterancestors("ol"))
            yield from _entry(name, str(link.get("href", "")), "".join(link.itertext()), level)
        return


def _read_ncx(book: ZipFile, name: str) -> Iterator[Entry]:
    root = archive.parse(book.read(name))
    for point in root.iter("{*}navPoint"):
        label = next((each for each in point if local(each) == "navLabel"), None)
        content = next((each for each in point if local(each) == "content"), None)
        if label is None or content is None:
            continue
        level = 1 + sum(1 for each in point.iterancestors("{*}navPoint"))
        yield from _entry(name, str(content.get("src", "")), "".join(label.itertext()), level)


def _entry(name: str, target: str, title: str, level: int) -> Iterator[Entry]:
    title = " ".join(title.split())[:_LONGEST]
    if title and target:
        member, fragment = archive.resolve(name, target), unquote(target.partition("#")[2])
        yield Entry(member or name, fragment, title, min(max(level, 1), _DEEPEST))


def apply_contents(body: Any, entries: list[Entry], deepest: int) -> None:
    """Make the headings of a chapter those of the contents, at their levels; its own other headings stand below them.

    An entry whose title the chapter has not set as a heading becomes one: the paragraph with these words, or a new one.
    """
    for heading in list(body.iter(*markup.HEADINGS)):
        heading.tag = f"h{min(markup.HEADINGS[heading.tag] + deepest, _DEEPEST)}"
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
    """The elements of a chapter in order, so that what an entry points to is found without another walk."""

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
        """The element that an entry points to; None for the beginning."""
        return self._anchors.get(fragment)

    def find_title(self, place: Any, title: str) -> Any:
        """The heading or short paragraph with these words: around the place, or one of the next after it."""
        wanted = _squeeze(title)
        around = [] if place is None else [each for each in place.iterancestors() if each.tag in _SET]
        at = 0 if place is None else self._places[place]
        first = bisect_left(self._texts, at, key=lambda pair: pair[0])
        following = (element for _, element in self._texts[first : first + _NEAR])
        for element in (*around, *following):
            said = _squeeze(_words(element))
            is_heading = element.tag in markup.HEADINGS
            is_named = said == wanted or (is_heading and said and (said.endswith(wanted) or wanted.endswith(said)))
            if element not in self._taken and is_named:
                self._taken.add(element)
                return element
        return None


def _words(element: Any) -> str:
    """The first words in an element, as many as a title has."""
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


def _squeeze(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in plain if char.isalnum())
