"""The tools a turn has. A tool's docstring is its prompt; what it finds joins the turn's evidence, numbered."""

import functools
import inspect
import logging
import uuid
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec

from pydantic_ai import RunContext, ToolReturn
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.tools import Tool, ToolDefinition

from pincite.agent import egress
from pincite.agent.tools import calculate, library, media, web
from pincite.agent.turn import Turn
from pincite.errors import PinciteError, RetrievalStopped
from pincite.web.youtube import has_transcripts

log = logging.getLogger(__name__)

P = ParamSpec("P")
Ran = Callable[Concatenate[RunContext[Turn], P], Coroutine[Any, Any, ToolReturn[str]]]

_DOCUMENTS = frozenset({"search_documents", "outline_document", "read_document", "list_documents"})
_VIEWER = frozenset({"navigate", "highlight"})
_PAGES = frozenset({"scrape_web_page", "url_summarization", "youtube_transcript", "pdf_loader"})
_TRANSCRIPTS = frozenset({"youtube_transcript"})  # it takes a package that may not be installed
_ENGINE = frozenset({"web_search", "image_search", "video_search"})


def toolset() -> list[Tool[Turn]]:
    """Every tool, each behind the one guard; which of them a turn is offered, `offered` says."""
    return [
        # Said, so that no time is spent on guessing how each docstring is written.
        Tool(_guarded(tool), takes_ctx=True, prepare=_prepared, docstring_format="google")
        for tool in (
            library.search_documents,
            library.file_search,
            library.outline_document,
            library.read_document,
            library.list_documents,
            calculate.calculate,
            library.navigate,
            library.highlight,
            web.web_search,
            web.scrape_web_page,
            web.url_summarization,
            web.pdf_loader,
            media.image_search,
            media.video_search,
            media.youtube_transcript,
        )
    ]


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
    if not has_transcripts():
        found -= _TRANSCRIPTS
    return found if turn.engine and turn.asked.web else found - _ENGINE


async def _prepared(context: RunContext[Turn], definition: ToolDefinition) -> ToolDefinition | None:
    return definition if definition.name in offered(context.deps) else None


def _guarded(tool: Ran[P]) -> Ran[P]:
    """The tool behind the checks of who may call it, of what leaves, and of the time it takes.

    What goes wrong in it is told to the model and ends no turn.
    """

    @functools.wraps(tool)
    async def run(context: RunContext[Turn], /, *given: P.args, **named: P.kwargs) -> ToolReturn[str]:
        turn = context.deps
        seconds = turn.house.settings.answers.tool_seconds
        if tool.__name__ not in offered(turn):  # it was not shown: this is for whoever calls it all the same
            raise ToolFailed(f"{tool.__name__} is not among the tools of this task.")
        try:
            egress.outgoing(egress.spoken([given, named]), turn.asked.profile, turn.allowed())
            async with turn.order.call(seconds):
                work = tool(context, *given, **named)
                return await (work if tool.__name__ in _VIEWER else turn.retrieve(work))
        except RetrievalStopped as error:
            raise ToolFailed(error.message) from error
        except PinciteError as error:
            told = f"{error.message} {error.hint}".strip()
            if tool.__name__ in _PAGES | _ENGINE:
                # Of an engine that does not answer, people must know which setting to change.
                turn.problems.append(told if tool.__name__ in _ENGINE else error.message)
            raise ToolFailed(told) from error
        except TimeoutError as error:
            raise ToolFailed(f"It took longer than {seconds:g} seconds.") from error
        except Exception as error:
            id = uuid.uuid4().hex[:8]
            log.exception("A tool failed (%s).", id)
            raise ToolFailed(f"The tool failed inside (fault {id}).") from error

    run.__signature__ = inspect.signature(tool)  # type: ignore[attr-defined]
    return run
