"""Sources in words: titles that are alike told apart by their file names, and pages as a person names them.

A page is "p. 6", "p. iv (page 6)" where the printed number is another, or "slide 2" of a presentation. A file
of a project is named by its path and its lines.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pincite.types import Kind

if TYPE_CHECKING:
    from pincite.events import Citation, Nearest

_SLIDE = "slide"
_SLIDES = {"en": ("slide", "slides"), "fr": ("diapositive", "diapositives")}


def label_page(kind: Kind, page: int, printed: str = "") -> str:
    """Return the label of a page on the wire: the printed number where it is another, or "slide 2"; else ""."""
    if not page:
        return ""
    if kind == "pptx":
        return f"{_SLIDE} {page}"
    return printed if printed != str(page) else ""


def describe_page(page: int | None, label: str = "", language: str = "en", last: int = 0, word: str = "p.") -> str:
    """Write a page with its label, or those from `page` to `last`, as a person names them; "" without a page."""
    if not page:
        return ""
    until = f"–{last}" if last > page else ""
    if label == f"{_SLIDE} {page}":
        return f"{_SLIDES.get(language, _SLIDES['en'])[bool(until)]} {page}{until}"
    if label:
        return f"{word} {label} (page {page}{until})"
    return f"{'pages' if until and word == 'page' else word} {page}{until}"


def count_pages(count: int) -> str:
    """Write a number of pages, in English as in French."""
    return f"{count} {'page' if count == 1 else 'pages'}"


def describe_cited_page(citation: "Citation", language: str = "en", word: str = "p.") -> str:
    """Write the page of a citation, or the first and the last one if its words go over a page end."""
    last = max((box.page for box in citation.boxes), default=0)
    return describe_page(citation.page, citation.label, language, last, word)


def describe_lines(path: str, lines: tuple[int, int] | None) -> str:
    """Write the place of a project's file as editors do: "src/cart.py:12", or "src/cart.py:12–20"."""
    if not lines:
        return path
    first, last = lines
    return f"{path}:{first}–{last}" if last > first else f"{path}:{first}"


def add_file_name(title: str, name: str, is_alike: bool) -> str:
    """Write a title, with the file name beside it where another document has the same title."""
    return f"{title} ({name})" if is_alike and name and name != title else title


def find_shared_titles(sources: "Iterable[Citation | Nearest]") -> set[str]:
    """Return the titles that several documents among these sources have."""
    documents: dict[str, set[str]] = {}
    for each in sources:
        documents.setdefault(each.title, set()).add(each.document)
    return {title for title, found in documents.items() if len(found) > 1}
