"""The tools of an agent. A tool's docstring is its prompt, and its findings become numbered evidence."""

import logging
import uuid
from collections.abc import Callable, Coroutine
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pincite.answer import privacy
from pincite.answer.context import Context
from pincite.answer.tool_call import RunContext, ToolFailed, ToolReturn
from pincite.errors import PinciteError, RetrievalStopped
from pincite.telemetry import span
from pincite.telemetry.metrics import TOOL_CALLS

if TYPE_CHECKING:
    from pydantic_ai.tools import Tool

log = logging.getLogger(__name__)

# A tool takes a `RunContext[Context]`, then its own arguments.
ToolFunction = Callable[..., Coroutine[Any, Any, ToolReturn[str]]]

# Every tool with its module, which is imported when the tool is first called.
TOOLS = {
    "search_documents": "library_tools",
    "file_search": "library_tools",
    "outline_document": "library_tools",
    "read_document": "library_tools",
    "list_documents": "library_tools",
    "calculate": "calculate",
    "navigate": "library_tools",
    "highlight": "library_tools",
    "web_search": "web_tools",
    "scrape_web_page": "web_tools",
    "url_summarization": "web_tools",
    "pdf_loader": "web_tools",
    "image_search": "media_tools",
    "video_search": "media_tools",
    "youtube_transcript": "media_tools",
    "read_files": "project_tools",
    "search_project": "project_tools",
    "list_files": "project_tools",
}
_DOCUMENTS = frozenset({"search_documents", "outline_document", "read_document", "list_documents"})
_PROJECT = frozenset({"read_files", "search_project", "list_files"})
_VIEWER = frozenset({"navigate", "highlight"})
_PAGES = frozenset({"scrape_web_page", "url_summarization", "youtube_transcript", "pdf_loader"})
_TRANSCRIPTS = frozenset({"youtube_transcript"})  # it needs a package that may not be installed
_ENGINE = frozenset({"web_search", "image_search", "video_search"})


def load_toolset() -> "list[Tool[Context]]":
    """Return every tool for the agent framework. `list_offered_tools` chooses those that a question may use."""
    from pincite.answer.tools.framework_tools import make_toolset

    return make_toolset()


@cache
def find_tool(name: str) -> ToolFunction:
    """Return the function of a tool."""
    found: ToolFunction = getattr(import_module(f"{__name__}.{TOOLS[name]}"), name)
    return found


def list_offered_tools(context: Context) -> frozenset[str]:
    """Return the names of the tools that may be called: those of the context, else those of the focus."""
    found = context.tools
    if context.project:
        # Words of a project's files are sent to a search engine only if the user chose the web.
        found = _PROJECT | {"calculate"}
        if context.asked.focus != "documents":
            found |= _PAGES
        if context.asked.focus == "web":
            found |= _ENGINE
    elif found is None:
        found = _VIEWER | {"calculate"}
        if context.asked.focus != "web":
            found |= _DOCUMENTS
        if context.asked.focus != "documents":
            found |= _PAGES | _ENGINE
    if not context.asked.web:
        found -= _PAGES
    if not found.isdisjoint(_TRANSCRIPTS) and not has_transcripts():
        found -= _TRANSCRIPTS
    return found if context.engine and context.asked.web else found - _ENGINE


def has_transcripts() -> bool:
    """Whether the package that reads transcripts of videos is installed."""
    return find_spec("youtube_transcript_api") is not None


async def call_tool(name: str, run: RunContext[Context], **given: Any) -> ToolReturn[str]:
    """Call a tool after the checks that it may be called and sends no personal details, and within its time limit.

    An error is raised as `ToolFailed`. The model reads its message, and the answer goes on.
    """
    label = name if name in TOOLS else "other"
    with span("tool", tool=label):
        try:
            found = await _call_tool(name, run, **given)
        except ToolFailed:
            TOOL_CALLS.add(label, "failed")
            raise
    TOOL_CALLS.add(label, "done")
    return found


async def _call_tool(name: str, run: RunContext[Context], **given: Any) -> ToolReturn[str]:
    context = run.deps
    seconds = context.services.settings.answers.tool_seconds
    if name not in list_offered_tools(context):  # the model was not offered it, and called it anyway
        raise ToolFailed(f"{name} is not among the tools of this task.")
    try:
        privacy.check_outgoing(privacy.join_argument_words(given), context.asked.profile, context.list_allowed_words())
        async with context.agent.order.call(seconds):
            work = find_tool(name)(run, **given)
            return await (work if name in _VIEWER else context.stop.run_retrieval(work))
    except RetrievalStopped as error:
        raise ToolFailed(error.message) from error
    except PinciteError as error:
        message = f"{error.message} {error.hint}".strip()
        if name in _PAGES | _ENGINE:
            # The hint names the setting to change when a search engine does not answer.
            context.ledger.problems.append(message if name in _ENGINE else error.message)
        raise ToolFailed(message) from error
    except TimeoutError as error:
        raise ToolFailed(f"It took longer than {seconds:g} seconds.") from error
    except Exception as error:
        id = uuid.uuid4().hex[:8]
        log.exception("A tool failed (%s).", id)
        raise ToolFailed(f"The tool failed inside (fault {id}).") from error
