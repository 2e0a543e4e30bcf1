"""The one way from a turn to the web: `release` decides what may leave, and keeps a record of it.

An address is opened only if the user wrote it in this conversation, a search of this turn returned it, or a page that
this turn read links to it. A model names an address; what is opened is the spelling that was written, found or
linked, so nothing that the model adds (a query, a fragment, another spelling of the host) is ever sent. Links in
documents of the library do not count: the user did not choose them, and a hostile document could list any number.
"""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Literal

from pincite import events
from pincite.agent import egress
from pincite.agent.outbound import Known, Outbound, watch_address
from pincite.agent.query_check import check_query
from pincite.agent.transcripts import keep_transcript
from pincite.errors import Forbidden, Misuse
from pincite.library.archive import WEB
from pincite.library.page_links import list_page_links
from pincite.retrieval.references import language_of
from pincite.types import Scope
from pincite.web.engine import Category, Found, TimeRange
from pincite.web.youtube import transcript, video_of

if TYPE_CHECKING:
    from pincite.agent.turn import Turn
    from pincite.store.documents import StoredDocument
    from pincite.web.youtube import Transcript

_LONGEST_QUERY = 300  # characters
_CHECKED = 2_000  # characters that are checked: what is cut off later may tell how the rest is to be read
_MOST_LINKED = 12  # pages of a turn that are opened because another page links to them
_ALIKE = 8  # passages of the library that a query is compared with
_LISTED = 12  # addresses that a refusal names
_LONGEST_TOLD = 200  # characters of one


async def release(turn: "Turn", kind: Literal["page", "video", "search"], given: str) -> events.Sent:
    """Decide whether an address or a query may leave the machine, and record it; `Forbidden` or `Leak` when not.

    Every request of a turn to the web passes here, whoever makes it.
    """
    out = turn.outbound
    if kind == "search":
        given = " ".join(given.split())[:_CHECKED]
        egress.outgoing(given, turn.asked.profile, turn.allowed())
        await asyncio.to_thread(check_query, given, tuple(out.queries), *_texts(turn), partial(_find_passages, turn))
        sent = events.Sent(kind=kind, value=_shorten(given))
        out.queries.append(sent.value)
    else:
        found = await _find(turn, given)
        value = watch_address(video_of(found.url) or "") if kind == "video" else found.url
        sent = events.Sent(kind=kind, value=value, origin=found.origin)
    out.sent.append(sent)
    turn.say(sent)
    return sent


async def open_page(turn: "Turn", url: str) -> "StoredDocument":
    """The document of the page at an address; its links may be opened from then on."""
    sent = await release(turn, "page", url)
    document = await turn.house.browsing.read(sent.value, sent.origin == "user")
    if final := document.metadata.get("url"):
        turn.outbound.learn([final], sent.origin or "link")
    turn.outbound.pages.append(document.id)
    return document


async def open_transcript(turn: "Turn", url: str, language: str = "") -> "tuple[Transcript, StoredDocument]":
    """What is said in a video, in a language or in that of the question, and the document that is kept of it."""
    if video_of(url) is None:
        raise Misuse(f"{url[:_LONGEST_TOLD]} is not a video on YouTube.", "Give its address, or its id of 11 letters.")
    sent = await release(turn, "video", url)
    own = language_of(turn.asked.question, turn.asked.history)
    languages = list(dict.fromkeys(filter(None, (language, own, "en"))))
    found = await transcript(sent.value, languages, turn.house.settings)
    document = await asyncio.to_thread(keep_transcript, turn.house.library, found)
    turn.outbound.pages.append(document.id)
    return found, document


async def search_web(
    turn: "Turn",
    query: str,
    *,
    kind: Category = "general",
    language: str = "",
    time_range: TimeRange = "",
    page: int = 1,
) -> Found:
    """What the engine finds for a query; its results may be opened from then on."""
    if turn.engine is None:
        raise Misuse("There is no search engine, so the web cannot be searched.", "Set web.search_url.")
    sent = await release(turn, "search", query)
    spoken = language[:2] if len(language) == 2 or language[2:3] in ("-", "_") else ""  # no room for other words
    found = await turn.engine.search(sent.value, kind=kind, language=spoken, time_range=time_range, page=page)
    turn.outbound.learn((result.url for result in found.results), "search")
    return found


async def _find(turn: "Turn", url: str) -> Known:
    """The known address that a model means, looked for among the links of pages only when nothing else has it."""
    out = turn.outbound
    found = out.find(url)
    if found is None:
        for document in [each for each in out.pages if each not in out.searched_links]:
            out.searched_links.add(document)
            out.learn(await asyncio.to_thread(list_page_links, turn.house.library, document), "link")
        found = out.find(url)
    if found is None:
        raise _unknown(url, out)
    if found.origin == "link" and sum(each.origin == "link" for each in out.sent) >= _MOST_LINKED:
        raise Forbidden(
            f"{_MOST_LINKED} pages that others link to were opened for this question, and no more are.",
            "Answer from what was found.",
            "address",
        )
    return found


def _unknown(url: str, out: Outbound) -> Forbidden:
    """The refusal of a composed address, with those that may be opened."""
    listed = list(dict.fromkeys(each.url for each in out.known.values()))
    told = ", ".join(each[:_LONGEST_TOLD] for each in listed[:_LISTED])
    more = f" and {len(listed) - _LISTED} more" if len(listed) > _LISTED else ""
    return Forbidden(
        f"{url[:_LONGEST_TOLD]} was not opened: the user did not write it, no search returned it and no page that was "
        "read links to it.",
        f"These may be opened, exactly as they are: {told}{more}."
        if listed
        else "Search for the page first, or let the user give its address.",
        "address",
    )


def _texts(turn: "Turn") -> tuple[list[str], list[str]]:
    """What may not be repeated in a query (documents, answers before), and what may (the user, pages, titles)."""
    fetched = set(turn.outbound.pages)
    private = [each.text for each in turn.ledger.listed if each.span.document not in fetched]
    private += [each.answer for each in turn.asked.history]
    public = [each.text for each in turn.ledger.listed if each.span.document in fetched]
    return private, [*turn.outbound.written, turn.asked.location, *public, *{e.title for e in turn.ledger.listed}]


def _find_passages(turn: "Turn", words: str) -> list[str]:
    """The passages of the library that share most words with a text, whether this turn has read them or not."""
    scope = Scope(owner=turn.asked.scope.owner, without=WEB)
    return [hit.text for hit in turn.house.search.search(words, scope, _ALIKE, "lexical")]


def _shorten(query: str) -> str:
    """A query, cut after a word where it is long."""
    if len(query) <= _LONGEST_QUERY:
        return query
    return query[:_LONGEST_QUERY].rpartition(" ")[0] or query[:_LONGEST_QUERY]
