"""Compose an answer from the results: the best passages as cards, or a refusal that offers the nearest."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.answer.extractive.absent_names import (
    NO_STATISTICS,
    CorpusStatistics,
    find_held_names,
    list_missing,
    list_unknown,
    list_unrelated,
    name_subjects,
    split_mentioned,
)
from pincite.answer.extractive.card_layout import make_cards
from pincite.answer.extractive.comparison import find_sides, list_named_words, name_aspect, names_other_side
from pincite.answer.extractive.passage_ranking import RatedSection, rank_sections, score_evidence
from pincite.answer.extractive.question_kind import ParsedQuestion, strip_article
from pincite.answer.extractive.question_words import collect_words
from pincite.answer.extractive.search_plan import find_summary_subject
from pincite.answer.extractive.sufficiency import is_answered, is_sure
from pincite.answer.extractive.summary import summarise_document
from pincite.answer.extractive.tool_calls import IMAGES, LIST, NOTEBOOK, OUTLINE, PAGES, VIDEOS, WEB, CallResult
from pincite.answer.passage_cards import Card, join_numbers, write_card, write_place
from pincite.answer.refusal import SILENCE, write_refusal
from pincite.answer.stream_items import AnswerPart, Note, QuotedPassage, RefusalSentence, SourceLine
from pincite.events.source_names import count_pages
from pincite.text.citation_marks import shield_source
from pincite.text.names import is_code, is_year
from pincite.types import Evidence

if TYPE_CHECKING:
    from pincite.embedding import Embedder

_WHICH = {"en": "Which document should be summarised?", "fr": "Quel document faut-il résumer ?"}
_SHOWN = {"en": "Here is what was found for “{}”:", "fr": "Voici pour « {} » :"}
_FOUND = {
    "documents": {"en": "Found in your documents:", "fr": "Trouvé dans vos documents :"},
    "web": {"en": "Found on the web:", "fr": "Trouvé sur le web :"},
}
_NONE = {"en": "There are no documents here yet.", "fr": "Il n’y a pas encore de documents ici."}
_HAVE = {"en": "Your documents:", "fr": "Vos documents :"}
_NO_DOCUMENT = {"en": "No document mentions {}.", "fr": "Aucun document ne mentionne {}."}
_NO_PASSAGE = {
    "en": "None of the passages on this subject mentions {}.",
    "fr": "Aucun des passages sur ce sujet ne mentionne {}.",
}
_OR = {"en": " or ", "fr": " ni "}
_OF_A_SIDE = 2  # cards for each side of a comparison
_NEAREST = 3  # cards that a refusal offers
_OPENING = 100  # characters before a passage that opens a document at most


def compose_answer(
    asking: ParsedQuestion,
    returned: Sequence[CallResult],
    embedder: "Embedder | None",
    known: CorpusStatistics = NO_STATISTICS,
) -> list[AnswerPart]:
    """Return the answer to a question from the results of its searches; a refusal if they do not answer it."""
    language = "fr" if asking.language == "fr" else "en"
    if asking.kind == "documents":
        return _list_documents(returned, language)
    if asking.kind == "summary" and (made := _summarise_found(asking, returned, language, known)):
        return made
    if asking.kind == "comparison" and (compared := compare_sides(asking, returned, embedder, known)):
        return compared
    found = score_evidence(_order_searches(returned))
    rated = _keep_side(asking, rank_sections(asking, found, embedder))
    missing = _find_missing(asking, found, known)
    named = _keep_named(asking, rated, known)
    cards = make_cards(named)
    if not missing and asking.kind == "question":
        shown = [card.span.document for card in cards if not card.is_more]
        missing = list_unrelated(asking.core, shown, list(found), known)
    if missing or not _is_answered(asking, named, known):
        missing = missing or list_unknown(asking.core, list(found), known)
        told = _write_missing(missing, known, language) or [RefusalSentence(write_refusal(asking.language))]
        return list(_introduce_media(returned, language)) or [*told, *_offer_cards(make_cards(rated))]
    return [_write_opening(list(found), cards, language), *map(QuotedPassage, cards)]


def show_nearest(
    asking: ParsedQuestion, returned: Sequence[CallResult], embedder: "Embedder | None"
) -> list[QuotedPassage]:
    """Return the passages that come nearest to a question, whether they answer it or not."""
    return list(
        map(QuotedPassage, make_cards(rank_sections(asking, score_evidence(_order_searches(returned)), embedder)))
    )


def is_sufficient(
    asking: ParsedQuestion,
    returned: Sequence[CallResult],
    embedder: "Embedder | None",
    known: CorpusStatistics = NO_STATISTICS,
) -> bool:
    """Whether the results so far answer the question, so that no further search is needed.

    A page that the user named only has to answer; a search result must also be near to the question.
    """
    if asking.kind == "comparison":
        compared = compare_sides(asking, returned, embedder, known)
        return bool(compared) and not any(isinstance(each, RefusalSentence) for each in compared)
    if asking.kind in ("summary", "documents") or all(each.call.tool in PAGES for each in returned):
        return not any(isinstance(each, RefusalSentence) for each in compose_answer(asking, returned, embedder, known))
    found = score_evidence(_order_searches(returned))
    rated = _keep_named(asking, _keep_side(asking, rank_sections(asking, found, embedder)), known)
    return not _find_missing(asking, found, known) and _is_answered(asking, rated, known) and is_sure(asking, rated)


def list_codes_elsewhere(
    asking: ParsedQuestion, returned: Sequence[CallResult], known: CorpusStatistics = NO_STATISTICS
) -> list[str]:
    """Return the codes in a question that no result has, though some document has them."""
    missing = _find_missing(asking, score_evidence(_order_searches(returned)), known)
    codes = [name for name in missing if " " not in name and is_code(name) and not is_year(name)]
    return split_mentioned(codes, known)[1]


def compare_sides(
    asking: ParsedQuestion,
    returned: Sequence[CallResult],
    embedder: "Embedder | None",
    known: CorpusStatistics = NO_STATISTICS,
) -> list[AnswerPart]:
    """Return the results for each of two sides under its name; nothing if one of them was not found.

    A side with a name that no document mentions is reported as not mentioned; the other is shown alone.
    """
    told: list[AnswerPart] = []
    taken: list[Card] = []
    language = "fr" if asking.language == "fr" else "en"
    sides = find_sides(asking, returned)
    for side in sides:
        words = f"{side.name} {asking.text}"
        found = score_evidence(side.found)
        if missing := list_missing(side.name, list(found), known, is_phrase=True):
            told += [Note(f"**{side.name}**"), *_write_missing(missing, known, language)]
            continue
        if side.is_outline:
            cards = summarise_document(list(found))[: _OF_A_SIDE + 1]
        else:
            rated = rank_sections(replace(asking, text=words, core=words), found, embedder)
            others = frozenset[str]().union(*(each.own for each in sides if each is not side))
            about = [
                one
                for one in rated
                if not side.own.isdisjoint(one.unit.words | one.section.around)
                and not names_other_side(one, side.own, others)
            ]
            fresh = [
                card
                for card in make_cards(about, _OF_A_SIDE)
                if not card.is_more and card.span not in _list_spans(taken)
            ]
            cited = {card.cited for card in taken}
            cards = [card for card in join_numbers(fresh) if card.cited not in cited]
        if not cards:
            return []
        taken += cards
        told += [Note(f"**{side.name}**"), *(QuotedPassage(card, side.name) for card in cards)]
    everything = [one for side in sides for each in side.found for one in each.evidence]
    return [_write_opening(everything, taken, language), *told] if taken else []


def write_markdown(composed: Iterable[AnswerPart]) -> str:
    """Return an answer as Markdown with citation marks, like a model's, without the cards shown on demand."""
    parts: list[str] = []
    before: Card | None = None
    for each in composed:
        if isinstance(each, QuotedPassage):
            if not each.card.is_more:
                parts += [write_place(each.card, before), write_card(each.card, f" [{each.card.evidence}]")]
                before = each.card
        elif isinstance(each, SourceLine):
            parts.append(f"{each.text} [{each.evidence}]")
        else:
            parts.append(each.text)
    return "\n\n".join(filter(None, parts))


def _write_opening(found: Sequence[Evidence], cards: Sequence[Card], language: str) -> Note:
    urls = {each.number: each.url for each in found}
    is_web = all(urls.get(card.evidence) for card in cards if not card.is_more)
    return Note(_FOUND["web" if is_web else "documents"][language])


def _offer_cards(cards: Sequence[Card]) -> list[QuotedPassage]:
    """Return the nearest passages for a refusal: of each, the parts with highlighted words if there are any."""
    nearest = [card for card in cards if card.lit] or cards
    return [QuotedPassage(replace(card, is_more=True)) for card in nearest[:_NEAREST]]


def _write_missing(missing: Sequence[str], known: CorpusStatistics, language: str) -> list[AnswerPart]:
    nowhere, elsewhere = split_mentioned(missing, known)
    told = [
        RefusalSentence(
            f"{said[language].format(_OR[language].join(map(shield_source, names)))} {SILENCE}", tuple(names)
        )
        for said, names in ((_NO_DOCUMENT, nowhere), (_NO_PASSAGE, elsewhere))
        if names
    ]
    return list(told)


def _summarise_found(
    asking: ParsedQuestion, returned: Sequence[CallResult], language: str, known: CorpusStatistics
) -> list[AnswerPart]:
    pages = [each for each in returned if each.call.tool in PAGES and each.evidence]
    outlines = [each for each in returned if each.call.tool == OUTLINE and each.evidence]
    if outlines and not pages and (missing := _find_unmentioned(find_summary_subject(asking), outlines[0], known)):
        return [*_write_missing(missing, known, language), *_offer_cards(summarise_document(outlines[0].evidence))]
    if pages or outlines:
        cards = [card for each in pages or outlines[:1] for card in summarise_document(each.evidence)]
        if not cards and any(each.call.tool == NOTEBOOK for each in pages):
            return list(show_nearest(asking, pages, None))  # kept passages need not begin a section
        return list(map(QuotedPassage, cards)) or [RefusalSentence(write_refusal(asking.language))]
    if not find_summary_subject(asking) and any(each.documents for each in returned):
        return [Note(_WHICH[language])]
    return []


def _find_unmentioned(name: str, outline: CallResult, known: CorpusStatistics) -> list[str]:
    """Return the names in the requested name of a document that the document found for it does not have."""
    document, count = outline.evidence[0].span.document, known.count
    return [
        missing
        for missing in list_missing(name, outline.evidence, known, is_phrase=True)
        if count is None or not all(count(word, document) for word in missing.split())
    ]


def _list_documents(returned: Sequence[CallResult], language: str) -> list[AnswerPart]:
    lists = [each for each in returned if each.call.tool == LIST]
    openings = {one.span.document: one.number for each in lists for one in each.evidence}
    told: list[AnswerPart] = []
    listed = {document.id: document for each in lists for document in each.documents}
    for document in listed.values():
        title = " ".join(shield_source(document.title or document.name).replace("*", "").split())
        name = f" ({document.name})" if document.name and document.name != document.title else ""
        pages = f", {count_pages(document.pages)}" if document.pages else ""
        text = f"- **{title}**{name}{pages}"
        told.append(SourceLine(text, openings[document.id]) if document.id in openings else Note(text))
    return [Note(_HAVE[language]), *told] if told else [RefusalSentence(f"{_NONE[language]} {SILENCE}")]


def _keep_side(asking: ParsedQuestion, rated: Sequence[RatedSection]) -> list[RatedSection]:
    """Return what names the side of a comparison that is asked for alone; everything for other questions.

    Sections with a word of what is compared come alone if there are any.
    """
    if asking.kind != "side":
        return list(rated)
    other = collect_words(asking.subjects[1]) if len(asking.subjects) > 1 else frozenset[str]()
    side = collect_words(strip_article(asking.subjects[0]))
    own, aspect = side - other or side, collect_words(name_aspect(asking))
    rated = [one for one in rated if not names_other_side(one, own, other - side)] or rated
    rated = [one for one in rated if not aspect.isdisjoint(one.unit.words | one.section.around)] or rated
    rated = [_light_row(one, own) for one in rated]
    named = [one for one in rated if own <= list_named_words(one) | one.section.around]
    return named or [one for one in rated if not own.isdisjoint(one.unit.words | one.section.around)]


def _light_row(one: RatedSection, own: frozenset[str]) -> RatedSection:
    """Return a table in which something is highlighted with the one row that names a side highlighted instead."""
    rows = tuple(place for place, unit in enumerate(one.section.units) if not own.isdisjoint(unit.cell_words))
    return replace(one, lit=rows) if one.lit and len(rows) == 1 else one


def _is_answered(asking: ParsedQuestion, rated: Sequence[RatedSection], known: CorpusStatistics) -> bool:
    """Whether sections answer: they are near to the question, or name the side of a comparison."""
    if asking.kind == "side":
        return bool(rated)  # they name it
    return is_answered(asking, rated, known.nearest(asking.text) if known.nearest else ())


def _find_missing(asking: ParsedQuestion, found: Iterable[Evidence], known: CorpusStatistics) -> list[str]:
    """Return the names in a question that no passage has; of a comparison or a summary, those of its subjects only."""
    if asking.kind == "question" or not asking.subjects:
        return list_missing(asking.core, list(found), known)
    own = asking.subjects if asking.kind == "comparison" else asking.subjects[:1]
    missing = [list_missing(side, list(found), known, is_phrase=True) for side in own]
    return list(dict.fromkeys(name for each in missing for name in each))


def _keep_named(asking: ParsedQuestion, rated: Sequence[RatedSection], known: CorpusStatistics) -> list[RatedSection]:
    """Return the sections about the names in the question; all sections if no passage has all names.

    A passage need not repeat a name that its document's title has, or the passage that opens the document, or most
    passages found of it.
    """
    sources = {id(one.section.evidence): one.section.evidence for one in rated}
    names = name_subjects(asking.core, list(sources.values()), known) if asking.kind == "question" else []
    if not names:
        return list(rated)
    held = {key: set(find_held_names(names, source, known)) for key, source in sources.items()}
    documents: dict[str, list[set[str]]] = {}
    about: dict[str, set[str]] = {}
    for key, source in sources.items():
        documents.setdefault(source.span.document, []).append(held[key])
        opening = held[key] if source.span.start < _OPENING else set[str]()
        about.setdefault(source.span.document, set()).update(opening)
    for document, own in documents.items():
        about[document] |= {name for name in names if sum(name in one for one in own) * 2 > len(own)}
    kept = [
        one for one in rated if set(names) <= held[id(one.section.evidence)] | about[one.section.evidence.span.document]
    ]
    return kept or list(rated)


def _order_searches(returned: Sequence[CallResult]) -> list[CallResult]:
    """Return the searches: those of the web first, which run if the library did not answer, and named pages last."""
    last = {WEB: 0, **dict.fromkeys(PAGES, 2)}
    found = [each for each in returned if each.call.tool not in (LIST, IMAGES, VIDEOS)]
    return sorted(found, key=lambda each: last.get(each.call.tool, 1))


def _list_spans(cards: Iterable[Card]) -> set[object]:
    return {card.span for card in cards}


def _introduce_media(returned: Sequence[CallResult], language: str) -> Iterable[AnswerPart]:
    """Return the lead-in of pictures or videos where nothing else was found."""
    for each in returned:
        if each.media:
            yield Note(_SHOWN[language].format(dict(each.call.given)["query"]))
            return
