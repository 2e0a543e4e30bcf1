"""Compose an answer from what was found: the best passages as cards, or a refusal that offers the nearest."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.agent.cards import Card, write_card, write_place
from pincite.agent.extractive.absence import (
    UNKNOWN,
    Known,
    holds_names,
    list_missing,
    list_unrelated,
    name_subjects,
    split_mentioned,
)
from pincite.agent.extractive.asking import Asking
from pincite.agent.extractive.calls import IMAGES, LIST, OUTLINE, PAGES, VIDEOS, WEB, Returned
from pincite.agent.extractive.dealing import deal
from pincite.agent.extractive.ranking import Rated, list_found, rank
from pincite.agent.extractive.relevance import is_answered, is_sure
from pincite.agent.extractive.sides import sides
from pincite.agent.extractive.steps import bare, subject
from pincite.agent.extractive.summary import summarise
from pincite.agent.extractive.words import bag
from pincite.agent.hearing import Composed, Listed, Noted, Quoted, Refused
from pincite.agent.refusal import SILENCE, refusal
from pincite.evidence.markers import shielded
from pincite.types import Evidence

if TYPE_CHECKING:
    from pincite.index.embed import Embedder

_WHICH = {"en": "Which document should be summarised?", "fr": "Quel document faut-il résumer ?"}
_SHOWN = {"en": "Here is what was found for “{}”:", "fr": "Voici pour « {} » :"}
_FOUND = {
    "documents": {"en": "Found in your documents:", "fr": "Trouvé dans vos documents :"},
    "web": {"en": "Found on the web:", "fr": "Trouvé sur le web :"},
}
_NONE = {"en": "There are no documents here yet.", "fr": "Il n'y a pas encore de documents ici."}
_HAVE = {"en": "Your documents:", "fr": "Vos documents :"}
_NO_DOCUMENT = {"en": "No document mentions {}.", "fr": "Aucun document ne mentionne {}."}
_NO_PASSAGE = {
    "en": "None of the passages found mentions {}.",
    "fr": "Aucun des passages trouvés ne mentionne {}.",
}
_OR = {"en": " or ", "fr": " ni "}
_PAGES = {"en": "{} pages", "fr": "{} pages"}
_OF_A_SIDE = 2  # cards for each side of a comparison
_NEAREST = 3  # cards that a refusal offers


def compose(
    asking: Asking, returned: Sequence[Returned], embedder: "Embedder | None", known: Known = UNKNOWN
) -> list[Composed]:
    """The answer to a question from what its searches gave; a refusal when that does not answer."""
    language = "fr" if asking.language == "fr" else "en"
    if asking.kind == "documents":
        return _list_documents(returned, language)
    if asking.kind == "summary" and (made := _summarised(asking, returned, language, known)):
        return made
    if asking.kind == "comparison" and (compared := compare(asking, returned, embedder, known)):
        return compared
    found = list_found(_searches(returned))
    rated = _about_side(asking, rank(asking, found, embedder))
    missing = _find_missing(asking, found, known)
    named = _keep_named(asking, rated, known)
    cards = deal(named)
    if not missing and asking.kind == "question":
        shown = [card.span.document for card in cards if not card.is_more]
        missing = list_unrelated(asking.core, shown, list(found), known)
    if missing or not _is_answered(asking, named, known):
        told = _tell_missing(missing, known, language) or [Refused(refusal(asking.language))]
        return list(_gallery(returned, language)) or [*told, *_offer(deal(rated))]
    return [_open(list(found), cards, language), *map(Quoted, cards)]


def show_nearest(asking: Asking, returned: Sequence[Returned], embedder: "Embedder | None") -> list[Quoted]:
    """The passages that come nearest to a question, whether they answer it or not."""
    return list(map(Quoted, deal(rank(asking, list_found(_searches(returned)), embedder))))


def suffices(asking: Asking, returned: Sequence[Returned], embedder: "Embedder | None", known: Known = UNKNOWN) -> bool:
    """Whether what was found until now answers, so that nothing else need be looked for.

    A page that somebody named need only answer; whatever was searched for must be near to the question too.
    """
    if asking.kind == "comparison":
        compared = compare(asking, returned, embedder, known)
        return bool(compared) and not any(isinstance(each, Refused) for each in compared)
    if asking.kind in ("summary", "documents") or all(each.call.tool in PAGES for each in returned):
        return not any(isinstance(each, Refused) for each in compose(asking, returned, embedder, known))
    found = list_found(_searches(returned))
    rated = _keep_named(asking, _about_side(asking, rank(asking, found, embedder)), known)
    return not _find_missing(asking, found, known) and _is_answered(asking, rated, known) and is_sure(asking, rated)


def compare(
    asking: Asking, returned: Sequence[Returned], embedder: "Embedder | None", known: Known = UNKNOWN
) -> list[Composed]:
    """What was found of each of two sides, under its name; nothing when one of them was not found.

    A side that has a name which no document mentions is said not to be mentioned; the other is shown alone.
    """
    told: list[Composed] = []
    taken: list[Card] = []
    language = "fr" if asking.language == "fr" else "en"
    for side in sides(asking, returned):
        words = f"{side.name} {asking.text}"
        found = list_found(side.found)
        if missing := list_missing(side.name, list(found), known, is_phrase=True):
            told += [Noted(f"**{side.name}**"), *_tell_missing(missing, known, language)]
            continue
        if side.is_outline:
            cards = summarise(list(found))[: _OF_A_SIDE + 1]
        else:
            rated = rank(replace(asking, text=words, core=words), found, embedder)
            about = [one for one in rated if not side.own.isdisjoint(one.unit.words | one.section.around)]
            cards = [card for card in deal(about, _OF_A_SIDE) if not card.is_more and card.span not in _spans(taken)]
        if not cards:
            return []
        taken += cards
        told += [Noted(f"**{side.name}**"), *map(Quoted, cards)]
    return told if taken else []


def write(composed: Iterable[Composed]) -> str:
    """An answer as Markdown with marks of its evidence, as a model would write it; what is shown on demand is not."""
    parts: list[str] = []
    before: Card | None = None
    for each in composed:
        if isinstance(each, Quoted):
            if not each.card.is_more:
                parts += [write_place(each.card, before), write_card(each.card, f" [{each.card.evidence}]")]
                before = each.card
        elif isinstance(each, Listed):
            parts.append(f"{each.text} [{each.evidence}]")
        else:
            parts.append(each.text)
    return "\n\n".join(filter(None, parts))


def _open(found: Sequence[Evidence], cards: Sequence[Card], language: str) -> Noted:
    urls = {each.number: each.url for each in found}
    is_web = all(urls.get(card.evidence) for card in cards if not card.is_more)
    return Noted(_FOUND["web" if is_web else "documents"][language])


def _offer(cards: Sequence[Card]) -> list[Quoted]:
    """The nearest passages of a refusal, none of which answers."""
    return [Quoted(replace(card, is_more=True)) for card in cards[:_NEAREST]]


def _tell_missing(missing: Sequence[str], known: Known, language: str) -> list[Composed]:
    nowhere, elsewhere = split_mentioned(missing, known)
    told = [
        Refused(f"{said[language].format(_OR[language].join(map(shielded, names)))} {SILENCE}", tuple(names))
        for said, names in ((_NO_DOCUMENT, nowhere), (_NO_PASSAGE, elsewhere))
        if names
    ]
    return list(told)


def _summarised(asking: Asking, returned: Sequence[Returned], language: str, known: Known) -> list[Composed]:
    pages = [each for each in returned if each.call.tool in PAGES and each.evidence]
    outlines = [each for each in returned if each.call.tool == OUTLINE and each.evidence]
    if outlines and not pages and (missing := _find_unmentioned(subject(asking), outlines[0], known)):
        return [*_tell_missing(missing, known, language), *_offer(summarise(outlines[0].evidence))]
    if pages or outlines:
        cards = [card for each in pages or outlines[:1] for card in summarise(each.evidence)]
        return list(map(Quoted, cards)) or [Refused(refusal(asking.language))]
    if not subject(asking) and any(each.documents for each in returned):
        return [Noted(_WHICH[language])]
    return []


def _find_unmentioned(name: str, outline: Returned, known: Known) -> list[str]:
    """The names in that of a document which the document that was found for it does not have anywhere."""
    document, count = outline.evidence[0].span.document, known.count
    return [
        missing
        for missing in list_missing(name, outline.evidence, known, is_phrase=True)
        if count is None or not all(count(word, document) for word in missing.split())
    ]


def _list_documents(returned: Sequence[Returned], language: str) -> list[Composed]:
    lists = [each for each in returned if each.call.tool == LIST]
    openings = {one.span.document: one.number for each in lists for one in each.evidence}
    told: list[Composed] = []
    listed = {document.id: document for each in lists for document in each.documents}
    for document in listed.values():
        title = " ".join(shielded(document.title or document.name).replace("*", "").split())
        name = f" ({document.name})" if document.name and document.name != document.title else ""
        pages = f", {_PAGES[language].format(document.pages)}" if document.pages else ""
        text = f"- **{title}**{name}{pages}"
        told.append(Listed(text, openings[document.id]) if document.id in openings else Noted(text))
    return [Noted(_HAVE[language]), *told] if told else [Refused(f"{_NONE[language]} {SILENCE}")]


def _about_side(asking: Asking, rated: Sequence[Rated]) -> list[Rated]:
    """Of one side of a comparison that is asked for by itself, what names it; else all."""
    if asking.kind != "side":
        return list(rated)
    other = bag(asking.subjects[1]) if len(asking.subjects) > 1 else frozenset[str]()
    own = bag(bare(asking.subjects[0])) - other or bag(bare(asking.subjects[0]))
    named = [one for one in rated if own <= one.unit.words | one.section.around]
    return named or [one for one in rated if not own.isdisjoint(one.unit.words | one.section.around)]


def _is_answered(asking: Asking, rated: Sequence[Rated], known: Known) -> bool:
    """Whether sections answer: they are near to the question, or name the side of a comparison."""
    if asking.kind == "side":
        return bool(rated)  # they name it
    return is_answered(asking, rated, known.nearest(asking.text) if known.nearest else ())


def _find_missing(asking: Asking, found: Iterable[Evidence], known: Known) -> list[str]:
    """The names that a question asks about and no passage has; of a side or a summary, those in its own name."""
    if asking.kind == "question" or not asking.subjects:
        return list_missing(asking.core, list(found), known)
    own = asking.subjects if asking.kind == "comparison" else asking.subjects[:1]
    missing = [list_missing(side, list(found), known, is_phrase=True) for side in own]
    return list(dict.fromkeys(name for each in missing for name in each))


def _keep_named(asking: Asking, rated: Sequence[Rated], known: Known) -> list[Rated]:
    """The sections about whom and what the question names; all where no passage has all names.

    A passage need not repeat a name that its document's title has, or that most passages found of the document have.
    """
    sources = {id(one.section.evidence): one.section.evidence for one in rated}
    names = name_subjects(asking.core, list(sources.values()), known) if asking.kind == "question" else []
    if not names:
        return list(rated)
    held = {key: set(holds_names(names, source, known)) for key, source in sources.items()}
    documents: dict[str, list[set[str]]] = {}
    for key, source in sources.items():
        documents.setdefault(source.span.document, []).append(held[key])
    about = {
        document: {name for name in names if sum(name in one for one in own) * 2 > len(own)}
        for document, own in documents.items()
    }
    kept = [
        one for one in rated if set(names) <= held[id(one.section.evidence)] | about[one.section.evidence.span.document]
    ]
    return kept or list(rated)


def _searches(returned: Sequence[Returned]) -> list[Returned]:
    """What was searched, with that first which was looked for because the rest did not answer."""
    last = {WEB: 0, **dict.fromkeys(PAGES, 2)}
    found = [each for each in returned if each.call.tool not in (LIST, IMAGES, VIDEOS)]
    return sorted(found, key=lambda each: last.get(each.call.tool, 1))


def _spans(cards: Iterable[Card]) -> set[object]:
    return {card.span for card in cards}


def _gallery(returned: Sequence[Returned], language: str) -> Iterable[Composed]:
    """What leads in the pictures or videos that were found, where nothing else was."""
    for each in returned:
        if each.media:
            yield Noted(_SHOWN[language].format(dict(each.call.given)["query"]))
            return
