"""Suggest questions: about the newest documents, and about one document in its own language.

They come from headings, captions of figures and tables, by a few templates for each language.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.library import WEB
from pincite.library.document_structure import shorten_heading
from pincite.library.real_headings import find_real_headings
from pincite.proof.tables import read_tables
from pincite.store import catalogue, document_layout, document_text
from pincite.store.database import Connection, Database
from pincite.store.documents import StoredDocument
from pincite.text.dates import find_dates
from pincite.text.display import put_on_one_line
from pincite.text.stopwords import ENGLISH_OR_FRENCH
from pincite.types import Block, Status

_READ: tuple[Status, ...] = ("searchable", "embedding", "ready")  # they can be asked about
_TITLE = 120  # characters
_SHORTEST, _LONGEST = 3, 80  # characters in a heading
_LOOKED_AT = 60  # headings per document
_SHOUTED = 3  # words in capitals in a heading; more belong to a letterhead or a form
_SPOKEN = 4  # letters in a word in capitals; a shorter one may be an abbreviation
_BELOW = 600  # characters of the text below a heading
_SHORT = 4  # pages; shorter documents have no cover
_LABEL = re.compile(
    r"(?:chapter|chapitre|section|part|partie|article|titre|book|livre|annex|annexe|appendix|item)\s+"
    r"(?:\d+(?:\.\d+)*[a-z]?|[ivxlc]+|[a-z])(?=[\s.:)–—-]|$)[\s.:)–—-]*",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:\d{1,3}(?:\.\d{1,3})*|[ivxlc]+(?=[.:)])|[a-z](?=[.)]))[.:)–—-]*\s+",
    re.IGNORECASE,
)
_LABELS = 3  # of one heading: a page number, "Part II", "Item 5."
_WORD = re.compile(r"\w+")
_BRACKETS = re.compile(r"\([^()]*\)")
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


_CAPTION = re.compile(
    r"(?:fig(?:ure|ura|\.)?|abb(?:ildung|\.)|schéma|graphique|chart|diagram|table(?:au)?|tab(?:elle|\.))\s*\d+",
    re.IGNORECASE,
)
_CAPTION_LENGTH = 90  # characters
_TABLES = 5  # tables of a document that are looked at
_YEAR = re.compile(r"(?:19|20)\d\d")  # a row may be that of a year: "Net sales" for "2023"
_FROM_NUMBER = re.compile(r"\d.*", re.DOTALL)
_HEAD = 40  # characters of the head of a column, and of the label of a row


# The labels of sums and of what is left over: they name nothing by themselves.
_REST = re.compile(
    r"(?:(?:sub-?|sous-|grand )?(?:total|totaux)|sums?|sommes?|others?|autres?|divers|misc(?:ellaneous|\.)?|"
    r"gesamt|summe|sonstige[rs]?|andere|otr[oa]s?|altr[ioae]|totale)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QuestionTemplates:
    """The forms of questions in one language."""

    heading: str
    caption: str
    cell: str
    whole: str
    summary: str


_TEMPLATES = {
    "en": QuestionTemplates(
        "What does it say about “{}”?",
        "What does “{}” show?",
        "What is “{}” for “{}”?",
        "What is it about?",
        "Summarise “{}”.",
    ),
    "fr": QuestionTemplates(
        "Que dit ce document sur «\xa0{}\xa0»\xa0?",
        "Que montre «\xa0{}\xa0»\xa0?",
        "Quelle est la valeur de «\xa0{}\xa0» pour «\xa0{}\xa0»\xa0?",
        "De quoi parle ce document\xa0?",
        "Résumez «\xa0{}\xa0».",
    ),
    "de": QuestionTemplates(
        "Was steht hier über „{}“?",
        "Was zeigt „{}“?",
        "Wie lautet „{}“ für „{}“?",
        "Worum geht es in diesem Dokument?",
        "Fassen Sie „{}“ zusammen.",
    ),
    "es": QuestionTemplates(
        "¿Qué dice sobre «{}»?",
        "¿Qué muestra «{}»?",
        "¿Cuál es «{}» para «{}»?",
        "¿De qué trata este documento?",
        "Resuma «{}».",
    ),
    "it": QuestionTemplates(
        "Che cosa dice su «{}»?",
        "Che cosa mostra «{}»?",
        "Qual è «{}» per «{}»?",
        "Di che cosa parla questo documento?",
        "Riassuma «{}».",
    ),
}


@dataclass(frozen=True, slots=True)
class DocumentQuestions:
    """Questions about one document in its own language, and the request for a summary of it."""

    questions: tuple[str, ...]
    summary: str


@dataclass(frozen=True, slots=True)
class QuestionSuggestion:
    """A document to ask about, and a heading in it; None if no heading describes it."""

    document: str
    title: str
    heading: str | None
    language: str


def suggest_questions(
    database: Database, owner: str, count: int = 3, language: str | None = None
) -> list[QuestionSuggestion]:
    """Suggest one heading of each of the newest documents that a user added; several if there are few documents.

    Of the newest ones, those in `language` come first. Of reports that differ by a number, only the first counts.
    """
    with database.reading() as connection:
        wanted = catalogue.Filter(statuses=_READ, without=WEB)
        newest = [each for each in catalogue.find(connection, owner, wanted, 4 * count)[0] if each.passages]
        newest = sorted(newest, key=lambda each: language is not None and each.language != language)
        newest = _drop_alike(newest)[:count]
        found_headings: list[list[str]] = []
        for stored in newest:
            blocks = document_layout.load_blocks(connection, stored.id)
            found_headings.append(_find_headings(connection, stored, blocks, count))
    first = [
        make_suggestion(stored, found[0] if found else None)
        for stored, found in zip(newest, found_headings, strict=True)
    ]
    more = (
        make_suggestion(stored, found[place])
        for place in range(1, count)
        for stored, found in zip(newest, found_headings, strict=True)
        if place < len(found)
    )
    return [*first, *more][:count]


def _drop_alike(found: Iterable[StoredDocument]) -> list[StoredDocument]:
    """Return the first document of each group whose titles differ only from their first number on."""
    first: dict[str, StoredDocument] = {}
    for stored in found:
        first.setdefault(_FROM_NUMBER.sub("", stored.title).strip() or stored.title, stored)
    return list(first.values())


def suggest_document_questions(database: Database, stored: StoredDocument, count: int = 3) -> DocumentQuestions:
    """Suggest questions about a document in its language: on a figure, a table and headings of its own."""
    forms = _TEMPLATES.get(stored.language[:2], _TEMPLATES["en"])
    with database.reading() as connection:
        blocks = document_layout.load_blocks(connection, stored.id)
        headings = _find_headings(connection, stored, blocks, count)
        caption = _find_caption(connection, stored.id, blocks)
        cell = find_cell(connection, stored.id, blocks)
    about = [heading if heading.endswith("?") else forms.heading.format(heading) for heading in headings]
    of_figures = [forms.caption.format(caption)] if caption else []
    of_tables = [forms.cell.format(*cell)] if cell else []
    found = [*about[:1], *of_tables, *of_figures, *about[1:], forms.whole]
    return DocumentQuestions(tuple(dict.fromkeys(found))[:count], forms.summary.format(stored.title[:_TITLE]))


def _find_headings(connection: Connection, stored: StoredDocument, blocks: Sequence[Block], count: int) -> list[str]:
    """Return headings that describe something, from all parts of the document.

    Those of which the text below speaks come before the others: a general heading says little about its section.
    """
    # The cover of a long document names its publisher and rarely its subject.
    inside = document_text.get_page(connection, stored.id, 2).start if stored.pages > _SHORT else 0
    headings = [block for block in blocks if block.kind == "heading"]
    headings = [block for block in headings if block.start >= inside] or headings
    headings = _drop_title_heading(headings)
    headings = [headings[place] for place in _spread(len(headings), _LOOKED_AT)]
    texts = [document_text.read_text(connection, stored.id, each.start, each.end + _BELOW) for each in headings]
    titles = [shorten_heading(text[: each.end - each.start]) for text, each in zip(texts, headings, strict=True)]
    real = find_real_headings(titles) if stored.kind == "pdf" else range(len(titles))
    parents = {above for above, below in pairwise(blocks) if below.kind == "heading"}
    spoken_of = [
        place
        for place in real
        if headings[place] not in parents
        and _is_spoken_of(titles[place], texts[place][headings[place].end - headings[place].start :])
    ]
    best, all_found = (
        list(_list_distinct_headings((titles[place] for place in places), stored.title)) for places in (spoken_of, real)
    )
    others = [heading for heading in all_found if heading not in best]
    return [*(best[place] for place in _spread(len(best), count)), *others][:count]


def _spread(length: int, count: int) -> list[int]:
    """Return so many places in a list of this length: the first of each of as many equal parts."""
    return [place * length // count for place in range(count)] if length > count else list(range(length))


def _is_spoken_of(heading: str, below: str) -> bool:
    """Whether the text below a heading has one of its words."""
    words = split_words(heading) - ENGLISH_OR_FRENCH
    return any(word.isalpha() and len(word) >= _SHORTEST and word in below.casefold() for word in words)


def _drop_title_heading(headings: list[Block]) -> list[Block]:
    """Return the headings without the first one if it stands above all others: it is a title of the document."""
    is_above = len(headings) > 1 and all(headings[0].level < block.level for block in headings[1:])
    return headings[1:] if is_above else headings


def _find_caption(connection: Connection, document: str, blocks: Sequence[Block]) -> str:
    """Return the first caption of a figure or table, shortened, or ""."""
    shown = [place for place, block in enumerate(blocks) if block.kind in ("figure", "table")]
    beside = sorted(
        {near for place in shown[:_LOOKED_AT] for near in (place - 1, place + 1) if 0 <= near < len(blocks)}
    )
    for block in (blocks[place] for place in beside if blocks[place].kind == "paragraph"):
        words = put_on_one_line(document_text.read_text(connection, document, block.start, block.end))
        if _CAPTION.match(words) and not _MARKUP.search(words) and not _ORDER.search(words):
            return words if len(words) <= _CAPTION_LENGTH else words[:_CAPTION_LENGTH].rsplit(" ", 1)[0] + "…"
    return ""


def find_cell(connection: Connection, document: str, blocks: Sequence[Block], near: int = 0) -> tuple[str, str] | None:
    """Return the head of a column with figures and the label of a row, of a table near a place that has both."""

    def read(start: int, end: int) -> str:
        return document_text.read_text(connection, document, start, end)

    found = sorted((each for each in blocks if each.kind == "table"), key=lambda block: abs(block.start - near))
    for block in found[:_TABLES]:
        for table in read_tables(read, blocks, block.start, block.end):
            for row in reversed(table.rows):
                for cell in row.cells:
                    is_named = _is_name(cell.head) and (_is_name(row.label) or _YEAR.fullmatch(row.label))
                    if is_named and any(map(str.isdigit, cell.text)):
                        return cell.head, row.label
    return None


def write_cell_question(stored: StoredDocument, cell: tuple[str, str]) -> str:
    """Return the question on a cell of a table, in the language of its document."""
    return _TEMPLATES.get(stored.language[:2], _TEMPLATES["en"]).cell.format(*cell)


def _is_name(words: str) -> bool:
    """Whether the words of a table may stand in a question: "Net sales", not "2024", "1M..inf" or "Total"."""
    is_worded = 3 * sum(map(str.isalpha, words)) >= 2 * len(words.replace(" ", ""))
    is_part = words[:1] in ".…" or words[-1:] in ".,;:" or "›" in words
    is_date = any(each.end - each.start >= len(words) for each in find_dates(words))
    is_plain = not is_part and not is_date and not _REST.fullmatch(words)
    return 1 < len(words) <= _HEAD and is_worded and is_plain and not _MARKUP.search(words) and not _ORDER.search(words)


def clean_heading(heading: str) -> str:
    """Return a heading without its number, or "" if it describes nothing or looks like an instruction."""
    bare = heading
    for _ in range(_LABELS):
        label = _LABEL.match(bare) or (_NUMBER.match(bare) if bare == heading else None)
        bare = bare[label.end() :] if label else bare
    bare = bare.strip(" .:–—-")
    letters = sum(map(str.isalpha, bare))
    if not _SHORTEST <= len(bare) <= _LONGEST or 2 * letters < len(bare) or bare.casefold() in _ANYWHERE:
        return ""
    if bare.isupper() and len(bare.split()) > _SHOUTED:
        return ""
    return "" if _MARKUP.search(bare) or _ORDER.search(bare) else bare


def write_in_sentence_case(heading: str) -> str:
    """Return a heading in capitals with small letters, unless it may be an abbreviation or has one."""
    words = heading.split()
    is_plain = all(word.isalpha() for word in words) and all(
        len(word) >= _SPOKEN or (0 < place < len(words) - 1 and word.casefold() in ENGLISH_OR_FRENCH)
        for place, word in enumerate(words)
    )
    return heading.capitalize() if heading.isupper() and is_plain else heading


def split_words(text: str) -> set[str]:
    """Return the words of a text, folded."""
    return set(_WORD.findall(text.casefold()))


def _list_distinct_headings(headings: Iterable[str], title: str) -> Iterator[str]:
    """Yield the headings that describe something, each once, without those that the title contains.

    An aside is not compared: "Corvel Cycles (an invented company)" repeats the title "Corvel Cycles: annual report",
    while "Sales (Europe)" does not repeat "Sales 2023".
    """
    seen, entitled = set[str](), split_words(title)
    for heading in headings:
        cleaned = write_in_sentence_case(clean_heading(shorten_heading(heading)))
        if cleaned.casefold() not in seen and not split_words(_drop_aside(cleaned)) <= entitled:
            seen.add(cleaned.casefold())
            yield cleaned


def _drop_aside(heading: str) -> str:
    """Return a heading without its brackets if most of its words stand in them."""
    outside = _BRACKETS.sub(" ", heading)
    words, all_words = _WORD.findall(outside), _WORD.findall(heading)
    return outside if 0 < 2 * len(words) < len(all_words) else heading


def make_suggestion(stored: StoredDocument, heading: str | None) -> QuestionSuggestion:
    """Return the suggestion of a heading of a document."""
    return QuestionSuggestion(stored.id, stored.title[:_TITLE], heading, stored.language)
