"""Suggest questions: the newest documents, each with a heading that describes its content."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from pincite.library.document_structure import shorten_heading
from pincite.library.web_snapshots import WEB
from pincite.store import catalogue, document_layout, documents
from pincite.store.database import Database
from pincite.store.documents import StoredDocument
from pincite.types import Status

_READY: tuple[Status, ...] = ("ready",)
_TITLE = 120  # characters
_SHORTEST, _LONGEST = 3, 80  # characters in a heading
_LOOKED_AT = 60  # headings per document
_SHOUTED = 3  # words in capitals in a heading; more belong to a letterhead or a form
_SHORT = 4  # pages; shorter documents have no cover
_NUMBER = re.compile(
    r"(?:chapter|chapitre|section|part|partie|article|titre|book|livre|annex|annexe|appendix)\s+"
    r"(?:\d+(?:\.\d+)*|[ivxlc]+|[a-z])(?=[\s.:)–—-]|$)[\s.:)–—-]*|"
    r"(?:\d{1,3}(?:\.\d{1,3})*|[ivxlc]+(?=[.:)])|[a-z](?=[.)]))[.:)–—-]*\s+",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_MARKUP = re.compile(r"[<>{}\[\]|`*_#=$\\~^\ufffd]|://|www\.|@")
_ORDER = re.compile(
    r"\b(?:ignor(?:e|ez|er)|disregard|forget|override|obey|oubli(?:e|ez|er)|you (?:must|are|will|should)|vous devez|"
    r"tu dois|répond(?:s|ez)|reply|respond|click|clique[zr]?|prompt|assistant)\b",
    re.IGNORECASE,
)
_COMMON = """
introduction; general introduction; introduction générale; contents; table of contents; sommaire; table des matières;
abstract; résumé; summary; executive summary; synthèse; overview; aperçu; conclusion; conclusions; foreword; preface;
préface; avant-propos; acknowledgements; acknowledgments; remerciements; references; références; bibliography;
bibliographie; works cited; annex; annexe; annexes; appendix; appendices; index; glossary; glossaire; notes;
footnotes; background; contexte; discussion; results; résultats; methods; méthodes; methodology; méthodologie;
materials and methods; objectives; objectifs; general; généralités; preamble; préambule; chapter; chapitre; part;
partie; section; list of figures; list of tables; liste des figures; liste des tableaux; figures; tables; tableaux;
about; à propos; contact; contacts; menu; navigation; home; accueil; readme; usage; license; licence; changelog;
untitled; sans titre; page; date; définitions; definitions
"""
# Headings that occur in any document and describe none.
_ANYWHERE = frozenset(heading.strip() for heading in _COMMON.split(";"))


@dataclass(frozen=True, slots=True)
class QuestionSuggestion:
    """A document to ask about, and a heading in it; None if no heading describes it."""

    document: str
    title: str
    heading: str | None
    language: str


def suggest_questions(database: Database, owner: str, count: int = 3) -> list[QuestionSuggestion]:
    """Suggest one heading of each of the newest documents that a user added; several if there are few documents."""
    with database.reading() as connection:
        wanted = catalogue.Filter(statuses=_READY, without=WEB)
        newest = [each for each in catalogue.find(connection, owner, wanted, 4 * count)[0] if each.passages][:count]
        found_headings: list[list[str]] = []
        for stored in newest:
            # The cover of a long document names its publisher and rarely its subject.
            inside = documents.get_page(connection, stored.id, 2).start if stored.pages > _SHORT else 0
            headings = [
                block for block in document_layout.load_blocks(connection, stored.id) if block.kind == "heading"
            ]
            headings = [block for block in headings if block.start >= inside] or headings
            words = (documents.read_text(connection, stored.id, each.start, each.end) for each in headings[:_LOOKED_AT])
            found_headings.append(list(islice(_list_distinct_headings(words, stored.title), count)))
    first = [
        _make_suggestion(stored, found[0] if found else None)
        for stored, found in zip(newest, found_headings, strict=True)
    ]
    more = (
        _make_suggestion(stored, found[place])
        for place in range(1, count)
        for stored, found in zip(newest, found_headings, strict=True)
        if place < len(found)
    )
    return [*first, *more][:count]


def clean_heading(heading: str) -> str:
    """Return a heading without its number, or "" if it describes nothing or looks like an instruction."""
    number = _NUMBER.match(heading)
    bare = heading[number.end() :] if number else heading
    bare = bare.strip(" .:–—-")
    letters = sum(map(str.isalpha, bare))
    if not _SHORTEST <= len(bare) <= _LONGEST or 2 * letters < len(bare) or bare.casefold() in _ANYWHERE:
        return ""
    if bare.isupper() and len(bare.split()) > _SHOUTED:
        return ""
    return "" if _MARKUP.search(bare) or _ORDER.search(bare) else bare


def _list_distinct_headings(headings: Iterable[str], title: str) -> Iterator[str]:
    """Yield the headings that describe something, each once, without those that the title contains."""
    seen, entitled = set[str](), set(_WORD.findall(title.casefold()))
    for heading in headings:
        cleaned = clean_heading(shorten_heading(heading))
        if cleaned.casefold() not in seen and not set(_WORD.findall(cleaned.casefold())) <= entitled:
            seen.add(cleaned.casefold())
            yield cleaned


def _make_suggestion(stored: StoredDocument, heading: str | None) -> QuestionSuggestion:
    return QuestionSuggestion(stored.id, stored.title[:_TITLE], heading, stored.language)
