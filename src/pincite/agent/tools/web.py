"""The tools that search the web and read its pages: what they read is kept, and becomes evidence like any document."""

import asyncio
from typing import Annotated, Literal

from pydantic import Field

from pincite.agent.looking import Looked, searched, within
from pincite.agent.showing import block
from pincite.agent.summarising import summarised
from pincite.agent.tool_call import RunContext, ToolReturn
from pincite.agent.tools.finding import found
from pincite.agent.turn import Turn
from pincite.agent.web_requests import open_page
from pincite.errors import Unsupported
from pincite.events.markup import shortened
from pincite.retrieval import browse
from pincite.web.engine import Category

_AT_ONCE = 8  # passages of a page that is read from its beginning
_LISTED = 6  # results that were not read
_SNIPPET = 200  # characters of what an engine says of one

Address = Annotated[
    str,
    Field(min_length=1, description="The address as the user wrote it, a search returned it or a page links to it."),
]
Wanted = Annotated[str, Field(description="What to look for on it; empty gives passages from all of it.")]


async def web_search(
    context: RunContext[Turn],
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
    turn = context.deps
    turn.searched.append(query)
    kind: Category = "news" if news else "general"
    looked = await searched(turn, query, kind=kind, language=language, time_range=time_range or "", page=page)
    if not looked.hits and looked.failures:
        raise looked.failed()
    return await found(turn, looked.hits, _unread(looked), _extra(looked))


async def scrape_web_page(
    context: RunContext[Turn],
    url: Address,
    start: Annotated[int, Field(ge=0, description="Where to go on in its text; 0 is its beginning.")] = 0,
) -> ToolReturn[str]:
    """Read a page or a file at an address from its beginning, as numbered evidence; `start` goes on in a long one."""
    turn = context.deps
    document = await open_page(turn, url)
    database = turn.house.library.database
    hits = await asyncio.to_thread(browse.from_start, database, document.id, start, _AT_ONCE + 1)
    hits, after = hits[:_AT_ONCE], hits[_AT_ONCE:]
    more = f"It goes on: call scrape_web_page with start={hits[-1].span.end}." if after else ""
    return await found(turn, hits, more)


async def url_summarization(context: RunContext[Turn], url: Address, query: Wanted = "") -> ToolReturn[str]:
    """Get what a page says in a few sentences, each with the mark of the evidence it rests on, to be cited by it."""
    turn = context.deps
    document = await open_page(turn, url)
    evidence = await turn.collect(await within(turn, document, query))
    said = await summarised(turn, evidence, query, context.usage)
    return ToolReturn(f"<evidence>\n{said}\n</evidence>" if said else "There is nothing to read.", metadata=evidence)


async def pdf_loader(context: RunContext[Turn], url: Address, query: Wanted = "") -> ToolReturn[str]:
    """Read a PDF at an address: its passages for a query as numbered evidence, or some from all of it without one."""
    turn = context.deps
    document = await open_page(turn, url)
    if document.kind != "pdf":
        raise Unsupported(f"At {url} is no PDF, but a file of the kind {document.kind}.", "scrape_web_page reads it.")
    return await found(turn, await within(turn, document, query), extra={"pages": str(document.pages)})


def _unread(looked: Looked) -> str:
    """The results that were not read, for a model: as data, and with why."""
    lines = [
        f"{each.result.title} ({each.result.url}): {shortened(each.result.snippet, _SNIPPET)}"
        + (f" – not read: {each.why}" if each.why else "")
        for each in looked.unread[:_LISTED]
    ]
    return f"Found but not read; these cannot be cited:\n{block(lines)}" if lines else ""


def _extra(looked: Looked) -> dict[str, str]:
    """What people are told of a search besides what it found."""
    extra = {"pages": str(looked.pages)}
    if looked.failures:
        extra["failed"] = str(len(looked.failures))
    if looked.unresponsive:
        extra["unresponsive"] = ", ".join(looked.unresponsive)
    return extra
