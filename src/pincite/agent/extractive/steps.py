"""What to look up: from a question, and what was found until now, to the next tool calls."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.agent.extractive.asking import Asking
from pincite.agent.extractive.words import bag
from pincite.index.stems import fold
from pincite.index.stopwords import STOP_WORDS
from pincite.store.documents import StoredDocument
from pincite.types import Evidence

SEARCH, OUTLINE, LIST = "search_documents", "outline_document", "list_documents"

_WORD = re.compile(r"[\w&%][\w&%.'’-]*")
_ELIDED = re.compile(r"^(?:[ldnmtscj]|qu)['’](?=\w)|['’]s$|['’]$", re.I)
_INVERTED = re.compile(r"-(?:t-)?(?:il|elle|on|ils|elles|vous|nous|tu|je|ce)$", re.I)
_ARTICLE = re.compile(r"^(?:l['’]|(?:les?|la|une?|des?|du|the|an?|my|our|mon|ma|mes|notre|nos)\s+)", re.I)
_THIS = re.compile(
    r"(?:(?:this|that|the|my|our|ce|cet|cette|le|la|l['’]|mon|ma|notre)\s*)?"
    r"(?:document|file|report|text|paper|article|pdf|page|book|fichier|rapport|texte|livre|it|ça|cela|"
    r"ci-joint|attached)?",
    re.I,
)
_GENERIC = re.compile(
    r"^(?:document|file|report|text|paper|article|fichier|rapport|texte)\s+(?:called\s|named\s|about\s|on\s|of\s|intitulé\s|"
    r"sur\s)?|\s+(?:document|file|report|text|paper|article)$",
    re.I,
)
_NOTHING = STOP_WORDS["en"] | STOP_WORDS["fr"]
_COMPARING = "compare comparer comparez comparison difference différence différences between entre versus vs"
_SIDE = 5  # passages for each side of a comparison
_FEW = 3  # documents that a name may mean


@dataclass(frozen=True, slots=True)
class Call:
    """A tool, by its name, and what it is given."""

    tool: str
    given: tuple[tuple[str, str | int], ...]


@dataclass(frozen=True, slots=True)
class Returned:
    """What a call gave: evidence, in its order, or documents."""

    call: Call
    evidence: tuple[Evidence, ...] = ()
    documents: tuple[StoredDocument, ...] = ()


def next_calls(asking: Asking, offered: frozenset[str], returned: Sequence[Returned]) -> list[Call]:
    """The calls to make now, all at once; none when what was found must do."""
    first = [call for call in _first(asking) if call.tool in offered]
    if not returned:
        return first or [call for call in [_search(asking.text)] if call.tool in offered]
    if any(each.call not in first for each in returned):
        return []
    lists = [each for each in returned if each.call.tool == LIST]
    return [call for call in _second(asking, lists) if call.tool in offered] if lists else []


def key_words(text: str) -> str:
    """A question's words without those that say nothing about what it asks for."""
    found = (_INVERTED.sub("", _ELIDED.sub("", word)) for word in _WORD.findall(text))
    return " ".join(word for word in found if fold(word.casefold()) not in _NOTHING)


def subject(asking: Asking) -> str:
    """What is to be summarised, by its name; nothing when it is just "this document"."""
    named = asking.subjects[0] if asking.subjects else ""
    return "" if _THIS.fullmatch(named) else _GENERIC.sub("", bare(named)).strip() or bare(named)


def one_sided(asking: Asking) -> str:
    """What is asked of one side of a comparison, in words to look for: without those of the other side."""
    side, *others = (bare(name) for name in asking.subjects)
    said = bag(side).union(*map(bag, others), bag(_COMPARING))
    rest = [word for word in key_words(asking.text).split() if bag(word).isdisjoint(said)]
    return " ".join(dict.fromkeys([side, *rest]))


def bare(name: str) -> str:
    """A name without its article."""
    return _ARTICLE.sub("", name)


def _first(asking: Asking) -> list[Call]:
    if asking.kind == "summary":
        named = subject(asking)
        return [Call(LIST, (("words", named),) if named else ())]
    if asking.kind == "comparison":
        sides = [bare(side) for side in asking.subjects]
        return [
            _search(asking.text),
            *(_search(side, limit=_SIDE) for side in sides),
            *(Call(LIST, (("words", side),)) for side in sides),
        ]
    if asking.kind == "aspect":
        return [_search(one_sided(asking)), _search(bare(asking.subjects[0]), limit=_SIDE)]
    other = asking.subjects[0] if asking.kind == "definition" else key_words(asking.core)
    phrasings = [asking.text]
    if len(other.split()) > 1 and other.casefold() != asking.text.casefold():
        phrasings.append(other)
    return [_search(phrasing) for phrasing in phrasings]


def _second(asking: Asking, lists: Sequence[Returned]) -> list[Call]:
    """With the documents known that a name means: read what is to be summarised, or search in each of two."""
    if asking.kind == "summary":
        documents = lists[0].documents
        if documents and (subject(asking) or len(documents) == 1):
            return [_inside(OUTLINE, documents[0])]
        return [_search(subject(asking))] if subject(asking) else []
    sides = [each.documents for each in lists]
    if len(sides) != 2 or not all(0 < len(side) <= _FEW for side in sides) or sides[0][0].id == sides[1][0].id:
        return []
    known = bag(" ".join((_COMPARING, *(f"{side[0].title} {side[0].name}" for side in sides))))
    if any(bag(word).isdisjoint(known) for word in key_words(asking.text).split() if bag(word)):
        return [_inside(SEARCH, side[0], asking.text) for side in sides]
    return [_inside(OUTLINE, side[0]) for side in sides]


def _search(query: str, limit: int = 0) -> Call:
    return Call(SEARCH, (("query", query), *((("limit", limit),) if limit else ())))


def _inside(tool: str, document: StoredDocument, query: str = "") -> Call:
    return Call(tool, (*((("query", query),) if query else ()), ("document", document.id)))
