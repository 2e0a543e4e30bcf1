"""Send every web request of an answer: `release_request` decides whether it may leave, and records it.

An address is opened only if the user wrote it in this conversation, a search for this question returned it, or a page
that was read for this question links to it. A model names an address, but the opened spelling is the one that was
written, found or linked. So nothing that the model adds (a query, a fragment, another spelling of the host) is ever
sent. Links in documents of the library do not count: the user did not choose them, and a hostile document could list
any number.
"""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Literal

from pincite import events
from pincite.answer import privacy
from pincite.answer.query_check import check_query
from pincite.answer.sent_requests import KnownAddress, Outbound, make_watch_address
from pincite.answer.video_transcripts import store_transcript
from pincite.errors import NO_SEARCH_ENGINE, Forbidden, Misuse
from pincite.library import WEB
from pincite.library.page_links import list_page_links
from pincite.types import Scope
from pincite.web.search_engine import Category, SearchResults, TimeRange
from pincite.web.youtube import fetch_transcript, parse_video_id

if TYPE_CHECKING:
    from pincite.answer.context import Context
    from pincite.store.documents import StoredDocument
    from pincite.web.youtube import VideoTranscript

_LONGEST_QUERY = 300  # characters
_CHECKED = 2_000  # characters that are checked: a decoding may need more than the part that is sent
_MOST_LINKED = 12  # pages opened for one question because another page links to them
_ALIKE = 8  # passages of the library that a query is compared with
_LISTED = 12  # addresses that a refusal names
_LONGEST_SHOWN = 200  # characters of an address in a message


async def release_request(context: "Context", kind: Literal["page", "video", "search"], given: str) -> events.Sent:
    """Record an address or a query that may leave the machine; raise `Forbidden` or `Leak` when it may not.

    Every web request of a question passes through this function.
    """
    out = context.outbound
    if kind == "search":
        given = " ".join(given.split())[:_CHECKED]
        privacy.check_outgoing(given, context.asked.profile, context.list_allowed_words())
        await asyncio.to_thread(
            check_query, given, tuple(out.queries), *_split_texts(context), partial(_find_passages, context)
        )
        sent = events.Sent(kind=kind, value=_shorten(given))
        out.queries.append(sent.value)
    else:
        found = await _find_address(context, given)
        value = make_watch_address(parse_video_id(found.url) or "") if kind == "video" else found.url
        sent = events.Sent(kind=kind, value=value, origin=found.origin)
    context.spending.take_web_request()
    out.sent.append(sent)
    context.outbox.emit(sent)
    return sent


async def open_page(context: "Context", url: str) -> "StoredDocument":
    """Return the document of the page at an address. The links of that page may be opened afterwards."""
    sent = await release_request(context, "page", url)
    document = await context.services.page_reader.read(context.asked.scope.owner, sent.value, sent.origin == "user")
    if final := document.metadata.get("url"):
        context.outbound.learn([final], sent.origin or "link")
    context.outbound.pages.append(document.id)
    return document


async def open_transcript(context: "Context", url: str, language: str = "") -> "tuple[VideoTranscript, StoredDocument]":
    """Return the transcript of a video in one language or in that of the question, and its stored document."""
    if parse_video_id(url) is None:
        raise Misuse(
            f"{url[:_LONGEST_SHOWN]} is not a video on YouTube.", "Give its address, or its id of 11 characters."
        )
    sent = await release_request(context, "video", url)
    own = context.asked.language
    languages = list(dict.fromkeys(filter(None, (language, own, "en"))))
    found = await fetch_transcript(sent.value, languages, context.services.settings)
    owner = context.asked.scope.owner
    document = await asyncio.to_thread(store_transcript, context.services.library, owner, found)
    context.outbound.pages.append(document.id)
    return found, document


async def search_web(
    context: "Context",
    query: str,
    *,
    kind: Category = "general",
    language: str = "",
    time_range: TimeRange = "",
    page: int = 1,
) -> SearchResults:
    """Return what the search engine finds for a query. The addresses of its results may be opened afterwards."""
    if context.engine is None:
        raise Misuse(
            "There is no search engine, so the web cannot be searched.", "Set web.search_url.", NO_SEARCH_ENGINE
        )
    sent = await release_request(context, "search", query)
    # A longer text is dropped: a model could put words of a document into this field.
    code = language[:2] if len(language) == 2 or language[2:3] in ("-", "_") else ""
    found = await context.engine.search(sent.value, kind=kind, language=code, time_range=time_range, page=page)
    context.outbound.learn((result.url for result in found.results), "search")
    return found


async def _find_address(context: "Context", url: str) -> KnownAddress:
    """Return the known address that a model means. Links of pages are searched only when nothing else matches."""
    out = context.outbound
    found = out.find(url)
    if found is None:
        for document in [each for each in out.pages if each not in out.searched_links]:
            out.searched_links.add(document)
            person = context.asked.scope.owner
            linked = await asyncio.to_thread(list_page_links, context.services.library, person, document)
            out.learn(linked, "link")
        found = out.find(url)
    if found is None:
        raise _make_unknown_error(url, out)
    if found.origin == "link" and sum(each.origin == "link" for each in out.sent) >= _MOST_LINKED:
        raise Forbidden(
            f"The limit of {_MOST_LINKED} linked pages for one question is reached, and no more are opened.",
            "Answer from the evidence that was found.",
            "address",
        )
    return found


def _make_unknown_error(url: str, out: Outbound) -> Forbidden:
    """Return the refusal of an address that the model composed, with the addresses that may be opened."""
    listed = list(dict.fromkeys(each.url for each in out.known.values()))
    addresses = ", ".join(each[:_LONGEST_SHOWN] for each in listed[:_LISTED])
    more = f" and {len(listed) - _LISTED} more" if len(listed) > _LISTED else ""
    return Forbidden(
        f"{url[:_LONGEST_SHOWN]} was not opened: the user did not write it, no search returned it and no page that was "
        "read links to it.",
        f"These may be opened, exactly as they are: {addresses}{more}."
        if listed
        else "Search for the page first, or let the user give its address.",
        "address",
    )


def _split_texts(context: "Context") -> tuple[list[str], list[str]]:
    """Return the texts that a query must not repeat (documents, answers) and may repeat (user, pages, titles)."""
    fetched = set(context.outbound.pages)
    private = [each.text for each in context.ledger.listed if each.span.document not in fetched]
    private += [each.answer for each in context.asked.history]
    public = [each.text for each in context.ledger.listed if each.span.document in fetched]
    return private, [
        *context.outbound.written,
        context.asked.location,
        *public,
        *{e.title for e in context.ledger.listed},
    ]


def _find_passages(context: "Context", words: str) -> list[str]:
    """Return the passages of the library that share most words with a text, whether they were read or not."""
    scope = Scope(owner=context.asked.scope.owner, without=WEB)
    return [hit.text for hit in context.services.search.search(words, scope, _ALIKE, "lexical")]


def _shorten(query: str) -> str:
    """Cut a long query after a word."""
    if len(query) <= _LONGEST_QUERY:
        return query
    return query[:_LONGEST_QUERY].rpartition(" ")[0] or query[:_LONGEST_QUERY]
