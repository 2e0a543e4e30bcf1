"""What a person might ask about: the newest documents, each with a heading that says what it speaks of."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from pincite.library.archive import WEB
from pincite.library.structure import one_line
from pincite.store import catalogue, documents, layout
from pincite.store.database import Database
from pincite.store.documents import StoredDocument
from pincite.types import Status

_READY: tuple[Status, ...] = ("ready",)
_TITLE = 120  # characters
_SHORTEST, _LONGEST = 3, 80  # characters of a heading
_LOOKED_AT = 60  # headings of a document
_SHOUTED = 3  # words in capitals that may still be a heading; more are a letterhead, or a form's
_SHORT = 4  # pages, of what has no cover
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
# Headings that stand in any document, and say nothing of this one.
_ANYWHERE = frozenset(heading.strip() for heading in _COMMON.split(";"))


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A document to ask about, and what in it; no heading where none says anything."""

    document: str
    title: str
    heading: str | None
    language: str


def suggestions(database: Database, owner: str, count: int = 3) -> list[Suggestion]:
    """What to ask about: of the newest documents that somebody added one thing each; of few documents, several."""
    with database.reading() as connection:
        wanted = catalogue.Filter(statuses=_READY, without=WEB)
        newest = [each for each in catalogue.find(connection, owner, wanted, 4 * count)[0] if each.passages][:count]
        told: list[list[str]] = []
        for stored in newest:
            # What stands on the cover of a long document says who made it, and rarely what it speaks of.
            inside = documents.page(connection, stored.id, 2).start if stored.pages > _SHORT else 0
            headings = [block for block in layout.blocks(connection, stored.id) if block.kind == "heading"]
            headings = [block for block in headings if block.start >= inside] or headings
            words = (documents.text(connection, stored.id, each.start, each.end) for each in headings[:_LOOKED_AT])
            told.append(list(islice(_different(words, stored.title), count)))
    first = [_suggestion(stored, found[0] if found else None) for stored, found in zip(newest, told, strict=True)]
    more = (
        _suggestion(stored, found[place])
        for place in range(1, count)
        for stored, found in zip(newest, told, strict=True)
        if place < len(found)
    )
    return [*first, *more][:count]


def telling(heading: str) -> str:
    """A heading without its number, or "" when it would say nothing, or something else than what there is to read."""
    number = _NUMBER.match(heading)
    bare = heading[number.end() :] if number else heading
    bare = bare.strip(" .:–—-")
    letters = sum(map(str.isalpha, bare))
    if not _SHORTEST <= len(bare) <= _LONGEST or 2 * letters < len(bare) or bare.casefold() in _ANYWHERE:
        return ""
    if bare.isupper() and len(bare.split()) > _SHOUTED:
        return ""
    return "" if _MARKUP.search(bare) or _ORDER.search(bare) else bare


def _different(headings: Iterable[str], title: str) -> Iterator[str]:
    """Those headings that tell something, each once, and none that the document's title says already."""
    seen, entitled = set[str](), set(_WORD.findall(title.casefold()))
    for heading in headings:
        told = telling(one_line(heading))
        if told.casefold() not in seen and not set(_WORD.findall(told.casefold())) <= entitled:
            seen.add(told.casefold())
            yield told


def _suggestion(stored: StoredDocument, heading: str | None) -> Suggestion:
    return Suggestion(stored.id, stored.title[:_TITLE], heading, stored.language)
