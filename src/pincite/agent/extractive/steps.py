"""What to look up: from a question, and what was found until now, to the next tool calls."""

import re
from collections.abc import Callable, Sequence

from pincite.agent.extractive.asking import Asking
from pincite.agent.extractive.calls import FILES, PAGES, WEB
from pincite.agent.extractive.calls import LIST as LIST
from pincite.agent.extractive.calls import OUTLINE as OUTLINE
from pincite.agent.extractive.calls import SEARCH as SEARCH
from pincite.agent.extractive.calls import Call as Call
from pincite.agent.extractive.calls import Returned as Returned
from pincite.agent.extractive.outside import media_calls, web_calls, whole
from pincite.agent.extractive.words import bag
from pincite.index.stems import fold
from pincite.index.stopwords import STOP_WORDS
from pincite.store.documents import StoredDocument
from pincite.web.addresses import without_addresses

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
# What is asked of a page as a whole: what it says, to read it, to open this link.
_WHOLE = (
    "say says said tell tells read open look contain contains content contents explain page site website article link "
    "dit dis dis-moi lis lire lisez ouvre ouvrez ouvrir regarde regardez raconte contient contenu explique "
    "explique-moi expliquez lien"
)
_SIDE = 5  # passages for each side of a comparison
_FEW = 3  # documents that a name may mean


def next_calls(
    asking: Asking, offered: frozenset[str], returned: Sequence[Returned], suffices: Callable[[], bool] = lambda: False
) -> list[Call]:
    """The calls to make now, all at once; none when what was found must do.

    Pages that were read for the question come first, then the documents, then the web: each when what there is does not
    suffice.
    """
    pages = [each for each in returned if each.call.tool in PAGES]
    home = [each for each in returned if each.call.tool in (SEARCH, FILES, LIST, OUTLINE)]
    outside = [each for each in returned if each.call.tool == WEB]
    media = media_calls(asking) if len(returned) == len(pages) else []
    is_shown = any(each.media for each in returned) or any(call.tool in offered for call in media)
    if (pages and (asking.kind == "summary" or suffices())) or (is_shown and "?" not in asking.text):
        calls = media  # who wants to see something, and asks nothing, is shown it
    elif not home and not outside:
        calls = [*(_available(_first(asking), offered) or _anywhere(asking, offered)), *media]
    else:
        calls = _in_documents(asking, offered, home)
        if not calls and WEB in offered and asking.kind != "documents" and (outside or not suffices()):
            calls = _on_the_web(asking, outside)
    return [call for call in calls if call.tool in offered]


def _in_documents(asking: Asking, offered: frozenset[str], home: Sequence[Returned]) -> list[Call]:
    """What is to be looked for in the documents after the first calls, if anything."""
    first = _available(_first(asking), offered)
    lists = [each for each in home if each.call.tool == LIST]
    if not lists or any(each.call not in first for each in home):
        return []
    return _available(_second(asking, lists), offered)


def _on_the_web(asking: Asking, outside: Sequence[Returned]) -> list[Call]:
    """Searches of the web: the question as it is; its key words when nothing came of that."""
    if not outside:
        if asking.kind == "comparison":
            return web_calls(asking, whole(asking), *(bare(side) for side in asking.subjects))
        if asking.kind == "side":
            return web_calls(asking, one_sided(asking))
        # "This document" is nowhere on the web.
        query = subject(asking) if asking.kind == "summary" else whole(asking)
        return web_calls(asking, query) if query else []
    other = web_calls(asking, key_words(asking.core))
    is_over = any(each.evidence or each.failed or each.call in other for each in outside)
    return [] if is_over or not key_words(asking.core) else other


def _anywhere(asking: Asking, offered: frozenset[str]) -> list[Call]:
    """One plain search, in the documents or else on the web, where nothing better is offered."""
    return _available([_search(asking.text)], offered) or _on_the_web(asking, [])


def _available(calls: Sequence[Call], offered: frozenset[str]) -> list[Call]:
    """The calls that can be made; a search of the files stands for one of the documents."""
    if SEARCH not in offered and FILES in offered:
        calls = [
            Call(FILES, tuple(one for one in call.given if one[0] != "limit")) if call.tool == SEARCH else call
            for call in calls
        ]
    return [call for call in dict.fromkeys(calls) if call.tool in offered]


def key_words(text: str) -> str:
    """A question's words without those that say nothing about what it asks for."""
    found = (_INVERTED.sub("", _ELIDED.sub("", word)) for word in _WORD.findall(text))
    return " ".join(word for word in found if fold(word.casefold()) not in _NOTHING)


def besides_pages(question: str) -> str:
    """What a question asks besides the addresses in it; nothing when it means those pages as a whole."""
    left = without_addresses(question)
    telling = [word for word in key_words(left).split() if word.casefold() not in f"{_COMPARING} {_WHOLE}".split()]
    return left if telling else ""


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
    if asking.kind == "documents":
        return [Call(LIST, ())]
    if asking.kind == "side":
        return [_search(one_sided(asking)), _search(bare(asking.subjects[0]), limit=_SIDE)]
    return [_search(asking.text)]


def _second(asking: Asking, lists: Sequence[Returned]) -> list[Call]:
    """With the documents known that a name means: read what is to be summarised, or search in each of two."""
    if asking.kind == "documents":
        return []
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
