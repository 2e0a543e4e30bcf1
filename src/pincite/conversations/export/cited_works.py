"""Make references of the documents that answers cite: author, title, date, address, and the pages that are cited."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pincite.conversations.export.bibliography import describe_pages, list_cited_pages
from pincite.conversations.export.footnotes import list_exchanges
from pincite.conversations.transcript import Conversation
from pincite.errors import NotFound
from pincite.events import Citation
from pincite.text.folding import fold_text
from pincite.types import Kind

_ADDRESS = re.compile(r"<[^<>]*>")
_DATE = re.compile(r"\s*(\d{4})(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?(?!\d)")
_SEVERAL = re.compile(r" ?; ?| (?:&|and|et) ")  # in a text with single spaces
_WORD = re.compile(r"[a-z0-9]+")
_YEAR = re.compile(r"(?<![\d.,/-])(?:19|20)\d\d(?![\d.,/-]\d|\d)")
# Files whose date is that of the file; the date of a web page, an e-book or an e-mail is declared.
_DATED_BY_FILE: frozenset[Kind] = frozenset(["pdf", "docx", "pptx", "xlsx", "rtf", "odt"])
_NAME = 4  # words of a person's name at most; a longer one is an organisation
_SHORT = 3  # letters of a word that does not make a key


@dataclass(frozen=True, slots=True)
class Author:
    """An author. `given` is empty for an organisation and for somebody with one name."""

    family: str
    given: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A cited document. `key` is unique among references that are written together; dates are year, month and day."""

    key: str
    kind: Kind
    title: str
    authors: tuple[Author, ...] = ()
    date: tuple[int, ...] = ()
    site: str = ""
    url: str = ""
    read: tuple[int, ...] = ()  # the day on which a web page was fetched
    pages: str = ""  # the cited pages, by their printed numbers


def list_references(conversation: Conversation, message: str = "", document: str = "") -> list[Reference]:
    """Return the documents that a conversation cites, each once, in the order of their first citation.

    `message` is the id of an answer, whose citations alone count. `document` is the id of the only document wanted.
    """
    said = [each for _, _, each in list_exchanges(conversation) if not message or each.message.id == message]
    if message and not said:
        raise NotFound("There is no such answer in this conversation.", "Read the conversation again.", "message")
    cited: dict[str, list[Citation]] = {}
    for citation in (citation for each in said if each.answer for citation in each.answer.citations):
        if not document or citation.document == document:
            cited.setdefault(citation.document, []).append(citation)
    if document and not cited:
        raise NotFound("This document is not cited there.", "Read the conversation again.", "document")
    made: dict[str, Reference] = {}
    for id, citations in cited.items():
        reference = _make_reference(citations, conversation.facts.get(id, {}), made)
        made[reference.key] = reference
    return list(made.values())


def _make_reference(citations: Sequence[Citation], facts: Mapping[str, str], known: Iterable[str]) -> Reference:
    first = citations[0]
    authors = split_authors(facts.get("author", ""))
    title = " ".join((first.path or first.title).split())
    date = _date_work(first.kind, title, parse_date(facts.get("date", "")))
    return Reference(
        key=_make_key(authors, date, title, set(known)),
        kind=first.kind,
        title=title,
        authors=authors,
        date=date,
        site=" ".join(facts.get("site", "").split()),
        url=first.url or "",
        read=parse_date(facts.get("fetched", "")),
        pages=describe_pages(list_cited_pages(citations)),
    )


def _date_work(kind: Kind, title: str, date: tuple[int, ...]) -> tuple[int, ...]:
    """Return the date of a document: the one year in its title if only its file is dated, and later than that year."""
    years = {int(year) for year in _YEAR.findall(title)} if kind in _DATED_BY_FILE else set()
    if len(years) != 1 or (date and date[0] <= min(years)):
        return date
    return (min(years),)


def split_authors(text: str) -> tuple[Author, ...]:
    """Return the authors that a document names in one line: "Ada Lovelace, Charles Babbage" or "Lovelace, Ada; …"."""
    plain = " ".join(_ADDRESS.sub("", text).split())
    names = [name for name in _SEVERAL.split(plain) if name]
    if len(names) == 1 and "," in plain:
        parts = [part.strip() for part in plain.split(",") if part.strip()]
        # "Lovelace, Ada" is one person; "Ada Lovelace, Charles Babbage" are two.
        if len(parts) != 2 or all(" " in part for part in parts):
            names = parts
    return tuple(_make_author(name.strip(" ,\"'")) for name in names if name.strip(" ,\"'"))


def parse_date(text: str) -> tuple[int, ...]:
    """Return year, month and day of a date as far as it tells them; empty if it tells no year."""
    found = _DATE.match(text)
    if not found:
        return ()
    year, month, day = (int(part) if part else 0 for part in found.groups())
    if not 1 <= month <= 12:
        return (year,) if year else ()
    return (year, month, day) if 1 <= day <= 31 else (year, month)


def _make_author(name: str) -> Author:
    family, comma, given = name.partition(",")
    if comma:
        return Author(family.strip(), given.strip())
    words = name.split()
    return Author(words[-1], " ".join(words[:-1])) if 1 < len(words) <= _NAME else Author(name)


def _make_key(authors: Sequence[Author], date: Sequence[int], title: str, known: set[str]) -> str:
    """Return a key such as "lovelace1843notes", with a number after it where it is taken."""
    name = "".join(_list_words(authors[0].family)) if authors else ""
    words = [word for word in _list_words(title) if len(word) > _SHORT] or _list_words(title)
    key = f"{name[:24]}{date[0] if date else ''}{words[0][:24] if words else ''}" or "source"
    taken, number = key, 1
    while taken in known:
        number += 1
        taken = f"{key}-{number}"
    return taken


def _list_words(text: str) -> list[str]:
    return _WORD.findall(fold_text(text))
