"""Plan the next tool calls from a question and the results so far."""

import re
from collections.abc import Callable, Sequence

from pincite.answer.extractive.question_kind import ParsedQuestion, strip_article
from pincite.answer.extractive.question_words import collect_words
from pincite.answer.extractive.tool_calls import FILES, LIST, OUTLINE, PAGES, SEARCH, WEB, Call, CallResult
from pincite.answer.extractive.web_calls import plan_media_calls, plan_web_calls, write_engine_query
from pincite.store.documents import StoredDocument
from pincite.text.folding import fold_accents
from pincite.text.stopwords import ENGLISH_OR_FRENCH
from pincite.text.words import strip_word
from pincite.web.addresses import strip_addresses

_WORD = re.compile(r"[\w&%][\w&%.'’-]*")
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
COMPARING = "compare comparer comparez comparison difference différence différences between entre versus vs"
# Words that ask about a page or a notebook as a whole: what it says, to read it, to open this link.
_WHOLE = (
    "say says said tell tells read open look contain contains content contents explain page site website article link "
    "dit dis dis-moi lis lire lisez ouvre ouvrez ouvrir regarde regardez raconte contient contenu explique "
    "explique-moi expliquez lien notebook carnet"
)
_SIDE = 5  # passages for each side of a comparison
_FEW = 3  # documents that a name may mean, and codes that are searched for


def plan_next_calls(
    asking: ParsedQuestion,
    offered: frozenset[str],
    returned: Sequence[CallResult],
    suffices: Callable[[], bool] = lambda: False,
    list_elsewhere: Callable[[], Sequence[str]] = list,
) -> list[Call]:
    """Return the calls to make now, all at once; none if the results must suffice.

    Pages that were read for the question come first, then the documents, then the web. Each is used only if the
    results so far do not suffice. `list_elsewhere` gives the codes of the question that some document has, and none of
    the results.
    """
    pages = [each for each in returned if each.call.tool in PAGES]
    home = [each for each in returned if each.call.tool in (SEARCH, FILES, LIST, OUTLINE)]
    outside = [each for each in returned if each.call.tool == WEB]
    media = plan_media_calls(asking) if len(returned) == len(pages) else []
    is_shown = any(each.media for each in returned) or any(call.tool in offered for call in media)
    if (pages and (asking.kind == "summary" or suffices())) or (is_shown and "?" not in asking.text):
        calls = media  # the user wants to see something, and asks no question
    elif not home and not outside:
        calls = [*(_keep_available(_plan_first_calls(asking), offered) or _plan_plain_search(asking, offered)), *media]
    else:
        calls = _plan_document_calls(asking, offered, home) or _plan_code_searches(
            asking, offered, home, list_elsewhere
        )
        if not calls and WEB in offered and asking.kind != "documents" and (outside or not suffices()):
            calls = _plan_web_searches(asking, outside)
    return [call for call in calls if call.tool in offered]


def _plan_document_calls(asking: ParsedQuestion, offered: frozenset[str], home: Sequence[CallResult]) -> list[Call]:
    """Return the calls on the documents that follow the first calls, if any."""
    first = _keep_available(_plan_first_calls(asking), offered)
    lists = [each for each in home if each.call.tool == LIST]
    if not lists or any(each.call not in first for each in home):
        return []
    return _keep_available(_plan_second_calls(asking, lists), offered)


def _plan_code_searches(
    asking: ParsedQuestion,
    offered: frozenset[str],
    home: Sequence[CallResult],
    list_elsewhere: Callable[[], Sequence[str]],
) -> list[Call]:
    """Return a search for each of the first codes that the search for the whole question did not find, once."""
    if asking.kind != "question" or len(home) != 1:
        return []
    return _keep_available([_make_search(code, limit=_SIDE) for code in list_elsewhere()[:_FEW]], offered)


def _plan_web_searches(asking: ParsedQuestion, outside: Sequence[CallResult]) -> list[Call]:
    """Return the searches of the web: the question as it is, then its key words if that found nothing."""
    if not outside:
        if asking.kind == "comparison":
            return plan_web_calls(
                asking, write_engine_query(asking), *(strip_article(side) for side in asking.subjects)
            )
        if asking.kind == "side":
            return plan_web_calls(asking, write_side_query(asking))
        # "This document" is nowhere on the web.
        query = find_summary_subject(asking) if asking.kind == "summary" else write_engine_query(asking)
        return plan_web_calls(asking, query) if query else []
    other = plan_web_calls(asking, extract_key_words(asking.core))
    is_over = any(each.evidence or each.failed or each.call in other for each in outside)
    return [] if is_over or not extract_key_words(asking.core) else other


def _plan_plain_search(asking: ParsedQuestion, offered: frozenset[str]) -> list[Call]:
    """Return one plain search, in the documents or else on the web, where nothing better is offered."""
    return _keep_available([_make_search(asking.text)], offered) or _plan_web_searches(asking, [])


def _keep_available(calls: Sequence[Call], offered: frozenset[str]) -> list[Call]:
    """Return the calls that can be made; a search of the files stands for one of the documents."""
    if SEARCH not in offered and FILES in offered:
        calls = [
            Call(FILES, tuple(one for one in call.given if one[0] != "limit")) if call.tool == SEARCH else call
            for call in calls
        ]
    return [call for call in dict.fromkeys(calls) if call.tool in offered]


def extract_key_words(text: str) -> str:
    """Return a question's words without its stop words."""
    found = (strip_word(word) for word in _WORD.findall(text))
    return " ".join(word for word in found if fold_accents(word.casefold()) not in ENGLISH_OR_FRENCH)


def strip_page_addresses(question: str) -> str:
    """Return the question without the addresses in it; empty if it asks about those pages as a whole."""
    left = strip_addresses(question)
    telling = [
        word for word in extract_key_words(left).split() if word.casefold() not in f"{COMPARING} {_WHOLE}".split()
    ]
    return left if telling else ""


def find_summary_subject(asking: ParsedQuestion) -> str:
    """Return the name of the text to summarise; empty if it is just "this document"."""
    named = asking.subjects[0] if asking.subjects else ""
    return "" if _THIS.fullmatch(named) else _GENERIC.sub("", strip_article(named)).strip() or strip_article(named)


def write_side_query(asking: ParsedQuestion) -> str:
    """Return the search words for one side of a comparison, without those of the other side."""
    side, *others = (strip_article(name) for name in asking.subjects)
    said = collect_words(side).union(*map(collect_words, others), collect_words(COMPARING))
    rest = [word for word in extract_key_words(asking.text).split() if collect_words(word).isdisjoint(said)]
    return " ".join(dict.fromkeys([side, *rest]))


def _plan_first_calls(asking: ParsedQuestion) -> list[Call]:
    if asking.kind == "summary":
        named = find_summary_subject(asking)
        return [Call(LIST, (("words", named),) if named else ())]
    if asking.kind == "comparison":
        sides = [strip_article(side) for side in asking.subjects]
        return [
            _make_search(asking.text),
            *(_make_search(side, limit=_SIDE) for side in sides),
            *(Call(LIST, (("words", side),)) for side in sides),
        ]
    if asking.kind == "documents":
        return [Call(LIST, ())]
    if asking.kind == "side":
        return [_make_search(write_side_query(asking)), _make_search(strip_article(asking.subjects[0]), limit=_SIDE)]
    return [_make_search(asking.text)]


def _plan_second_calls(asking: ParsedQuestion, lists: Sequence[CallResult]) -> list[Call]:
    """Return the calls on documents that were found by name: read the one to summarise, or search in each of two."""
    if asking.kind == "documents":
        return []
    if asking.kind == "summary":
        documents = lists[0].documents
        if documents and (find_summary_subject(asking) or len(documents) == 1):
            return [_make_document_call(OUTLINE, documents[0])]
        return [_make_search(find_summary_subject(asking))] if find_summary_subject(asking) else []
    sides = [each.documents for each in lists]
    if len(sides) != 2 or not all(0 < len(side) <= _FEW for side in sides) or sides[0][0].id == sides[1][0].id:
        return []
    known = collect_words(" ".join((COMPARING, *(f"{side[0].title} {side[0].name}" for side in sides))))
    if any(
        collect_words(word).isdisjoint(known) for word in extract_key_words(asking.text).split() if collect_words(word)
    ):
        return [_make_document_call(SEARCH, side[0], asking.text) for side in sides]
    return [_make_document_call(OUTLINE, side[0]) for side in sides]


def _make_search(query: str, limit: int = 0) -> Call:
    return Call(SEARCH, (("query", query), *((("limit", limit),) if limit else ())))


def _make_document_call(tool: str, document: StoredDocument, query: str = "") -> Call:
    return Call(tool, (*((("query", query),) if query else ()), ("document", document.id)))
