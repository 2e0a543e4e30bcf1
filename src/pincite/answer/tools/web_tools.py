"""The tools that search the web and read its pages. The pages are stored, and become evidence like any document."""

import asyncio
from typing import Annotated, Literal

from pydantic import Field

from pincite.answer.collect import collect_evidence
from pincite.answer.context import Context
from pincite.answer.evidence_prompt import write_data_block
from pincite.answer.page_summary import summarise_page
from pincite.answer.tool_call import RunContext, ToolReturn
from pincite.answer.tools.found_evidence import return_evidence
from pincite.answer.web_requests import open_page
from pincite.answer.web_search import WebSearchResult, find_in_document, search_pages
from pincite.errors import Unsupported
from pincite.events.tool_markup import shorten_value
from pincite.search import browse
from pincite.web.search_engine import Category

_AT_ONCE = 8  # passages of a page that is read from its beginning
_LISTED = 6  # results that were not read
_SNIPPET = 200  # characters of the engine's description of a result

Address = Annotated[
    str,
    Field(min_length=1, description="The address as the user wrote it, a search returned it or a page links to it."),
]
PageQuery = Annotated[str, Field(description="What to look for on it; empty gives passages from all of it.")]


async def web_search(
    run: RunContext[Context],
    query: Annotated[str, Field(min_length=1, description="A question or key words, as for a search engine.")],
    language: Annotated[str, Field(description="Two letters, such as `fr`; empty is any.", max_length=10)] = "",
    time_range: Annotated[
        Literal["day", "week", "month", "year"] | None, Field(description="Only what is no older than this.")
    ] = None,
    page: Annotated[int, Field(ge=1, le=10, description="2 for the results after the first ones.")] = 1,
    news: Annotated[bool, Field(description="Only news, for what happened lately.")] = False,
) -> ToolReturn[str]:
    """Search the web, read the best pages, and get their passages for the query as numbered evidence.

    Use it for what the user's documents do not say, or what may have changed since. Results that were not read are
    listed after the evidence: they cannot be cited until scrape_web_page has read them.
    """
    context = run.deps
    context.ledger.searched.append(query)
    kind: Category = "news" if news else "general"
    found = await search_pages(context, query, kind=kind, language=language, time_range=time_range or "", page=page)
    if not found.hits and found.failures:
        raise found.make_error()
    return await return_evidence(context, found.hits, _describe_unread(found), _describe_search(found))


async def scrape_web_page(
    run: RunContext[Context],
    url: Address,
    start: Annotated[int, Field(ge=0, description="Where to go on in its text; 0 is its beginning.")] = 0,
) -> ToolReturn[str]:
    """Read a page or a file at an address from its beginning, as numbered evidence; `start` goes on in a long one."""
    context = run.deps
    document = await open_page(context, url)
    database = context.services.library.database
    hits = await asyncio.to_thread(
        browse.list_passages_after, database, context.asked.scope.owner, document.id, start, _AT_ONCE + 1
    )
    hits, after = hits[:_AT_ONCE], hits[_AT_ONCE:]
    more = f"It goes on: call scrape_web_page with start={hits[-1].span.end}." if after else ""
    return await return_evidence(context, hits, more)


async def url_summarization(run: RunContext[Context], url: Address, query: PageQuery = "") -> ToolReturn[str]:
    """Get what a page says in a few sentences, each with the mark of the evidence it rests on, to be cited by it."""
    context = run.deps
    document = await open_page(context, url)
    evidence = await collect_evidence(context, await find_in_document(context, document, query))
    summary = await summarise_page(context, evidence, query, run.usage)
    return ToolReturn(
        f"<evidence>\n{summary}\n</evidence>" if summary else "There is nothing to read.", metadata=evidence
    )


async def pdf_loader(run: RunContext[Context], url: Address, query: PageQuery = "") -> ToolReturn[str]:
    """Read a PDF at an address: its passages for a query as numbered evidence, or some from all of it without one."""
    context = run.deps
    document = await open_page(context, url)
    if document.kind != "pdf":
        raise Unsupported(f"At {url} is no PDF, but a file of the kind {document.kind}.", "scrape_web_page reads it.")
    return await return_evidence(
        context, await find_in_document(context, document, query), extra={"pages": str(document.pages)}
    )


def _describe_unread(found: WebSearchResult) -> str:
    """Describe the unread results for a model, as data and with the reasons."""
    lines = [
        f"{each.result.title} ({each.result.url}): {shorten_value(each.result.snippet, _SNIPPET)}"
        + (f" – not read: {each.why}" if each.why else "")
        for each in found.unread[:_LISTED]
    ]
    return f"Found but not read; these cannot be cited:\n{write_data_block(lines)}" if lines else ""


def _describe_search(found: WebSearchResult) -> dict[str, str]:
    """Return the details of a search that its event shows to people."""
    extra = {"pages": str(found.pages)}
    if found.failures:
        extra["failed"] = str(len(found.failures))
    if found.unresponsive:
        extra["unresponsive"] = ", ".join(found.unresponsive)
    return extra
