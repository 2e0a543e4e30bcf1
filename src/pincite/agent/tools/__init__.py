"""The tools a turn has. A tool's docstring is its prompt; what it finds joins the turn's evidence, numbered."""

import logging
import uuid
from collections.abc import Callable, Coroutine
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pincite.agent import egress
from pincite.agent.tool_call import RunContext, ToolFailed, ToolReturn
from pincite.agent.turn import Turn
from pincite.errors import PinciteError, RetrievalStopped

if TYPE_CHECKING:
    from pydantic_ai.tools import Tool

log = logging.getLogger(__name__)

# Takes a `RunContext[Turn]`, then its own arguments.
ToolFunction = Callable[..., Coroutine[Any, Any, ToolReturn[str]]]

# Every tool with the module it stands in, which is imported when the tool is first called.
TOOLS = {
    "search_documents": "library",
    "file_search": "library",
    "outline_document": "library",
    "read_document": "library",
    "list_documents": "library",
    "calculate": "calculate",
    "navigate": "library",
    "highlight": "library",
    "web_search": "web",
    "scrape_web_page": "web",
    "url_summarization": "web",
    "pdf_loader": "web",
    "image_search": "media",
    "video_search": "media",
    "youtube_transcript": "media",
}
_DOCUMENTS = frozenset({"search_documents", "outline_document", "read_document", "list_documents"})
_VIEWER = frozenset({"navigate", "highlight"})
_PAGES = frozenset({"scrape_web_page", "url_summarization", "youtube_transcript", "pdf_loader"})
_TRANSCRIPTS = frozenset({"youtube_transcript"})  # it takes a package that may not be installed
_ENGINE = frozenset({"web_search", "image_search", "video_search"})


def toolset() -> "list[Tool[Turn]]":
    """Every tool as the agent framework calls it; which of them a turn is offered, `offered` says."""
    from pincite.agent.tools.framework import make_toolset

    return make_toolset()


@cache
def find_tool(name: str) -> ToolFunction:
    """The function of a tool."""
    found: ToolFunction = getattr(import_module(f"{__name__}.{TOOLS[name]}"), name)
    return found


def offered(turn: Turn) -> frozenset[str]:
    """The names of the tools that a turn may call: those it was given, else those of its focus."""
    found = turn.tools
    if found is None:
        found = _VIEWER | {"calculate"}
        if turn.asked.focus != "web":
            found |= _DOCUMENTS
        if turn.asked.focus != "documents":
            found |= _PAGES | _ENGINE
    if not turn.asked.web:
        found -= _PAGES
    if not found.isdisjoint(_TRANSCRIPTS) and not has_transcripts():
        found -= _TRANSCRIPTS
    return found if turn.engine and turn.asked.web else found - _ENGINE


def has_transcripts() -> bool:
    """Whether the package that reads transcripts of videos is installed."""
    return find_spec("youtube_transcript_api") is not None


async def call_tool(name: str, context: RunContext[Turn], **given: Any) -> ToolReturn[str]:
    """Call a tool behind the checks of who may call it, of what leaves, and of the time it takes.

    What goes wrong in it is raised as `ToolFailed`, is told to the model, and ends no turn.
    """
    turn = context.deps
    seconds = turn.house.settings.answers.tool_seconds
    if name not in offered(turn):  # it was not shown: this is for whoever calls it all the same
        raise ToolFailed(f"{name} is not among the tools of this task.")
    try:
        egress.outgoing(egress.spoken(given), turn.asked.profile, turn.allowed())
        async with turn.order.call(seconds):
            work = find_tool(name)(context, **given)
            return await (work if name in _VIEWER else turn.retrieve(work))
    except RetrievalStopped as error:
        raise ToolFailed(error.message) from error
    except PinciteError as error:
        told = f"{error.message} {error.hint}".strip()
        if name in _PAGES | _ENGINE:
            # Of an engine that does not answer, people must know which setting to change.
            turn.problems.append(told if name in _ENGINE else error.message)
        raise ToolFailed(told) from error
    except TimeoutError as error:
        raise ToolFailed(f"It took longer than {seconds:g} seconds.") from error
    except Exception as error:
        id = uuid.uuid4().hex[:8]
        log.exception("A tool failed (%s).", id)
        raise ToolFailed(f"The tool failed inside (fault {id}).") from error
