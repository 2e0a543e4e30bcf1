"""The tools that look for pictures and videos: they are shown under the answer, and are no evidence."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from pincite import events
from pincite.agent.looking import within
from pincite.agent.showing import block
from pincite.agent.tool_call import RunContext, ToolReturn
from pincite.agent.tools.finding import found
from pincite.agent.turn import Turn
from pincite.agent.web_requests import open_transcript, search_web
from pincite.web.engine import Category, Result

_MOST = 12  # pictures or videos from one search
_CATEGORY: dict[Literal["image", "video"], Category] = {"image": "images", "video": "videos"}

Sought = Annotated[str, Field(min_length=1, description="What is to be seen, in a few words.")]
Language = Annotated[str, Field(description="Two letters, such as `fr`; empty is any.", max_length=10)]


async def image_search(context: RunContext[Turn], query: Sought, language: Language = "") -> ToolReturn[str]:
    """Find pictures on the web and show them to the user in a gallery under the answer.

    Use it when the user wants to see something. What it returns says which pictures are shown; they are no evidence
    and cannot be cited, so do not describe what is on them.
    """
    return await _shown(context.deps, "image", query, language)


async def video_search(context: RunContext[Turn], query: Sought, language: Language = "") -> ToolReturn[str]:
    """Find videos on the web and show them to the user in a gallery under the answer.

    Use it when the user wants videos. They are no evidence and cannot be cited; what is said in one on YouTube,
    youtube_transcript reads.
    """
    return await _shown(context.deps, "video", query, language)


async def youtube_transcript(
    context: RunContext[Turn],
    url: Annotated[str, Field(description="The video's address on YouTube.")],
    query: Annotated[str, Field(description="What to look for in it; empty gives passages from all of it.")] = "",
    language: Language = "",
) -> ToolReturn[str]:
    """Read what is said in a video on YouTube, as evidence that can be cited; it fails when there is no transcript."""
    turn = context.deps
    said, document = await open_transcript(turn, url, language)
    heard = " It was written down by a machine, which may have misheard." if said.is_generated else ""
    more = f"This is what is said in the video {said.url}, in the language {said.language}.{heard}"
    return await found(turn, await within(turn, document, query), more, {"videoId": said.video})


async def _shown(turn: Turn, kind: Literal["image", "video"], query: str, language: str) -> ToolReturn[str]:
    turn.searched.append(query)
    results = await search_web(turn, query, kind=_CATEGORY[kind], language=language)
    await turn.order.wait_for_earlier()
    media = turn.gather(_media(kind, results.results[:_MOST]))
    lines = [f"{each.n}. {each.title} ({each.url})" for each in media]
    extra = {"unresponsive": ", ".join(results.unresponsive)} if results.unresponsive else {}
    if not lines:
        said = "They are shown already." if results.results else "Nothing was found."
        return ToolReturn(said, metadata=(extra,) if extra else ())
    said = f"These are shown under the answer. They are no evidence and cannot be cited.\n{block(lines)}"
    return ToolReturn(said, metadata=(*media, *((extra,) if extra else ())))


def _media(kind: Literal["image", "video"], results: Sequence[Result]) -> list[events.Medium]:
    return [
        events.Medium(
            n=0,
            kind=kind,
            url=result.url,
            title=result.title,
            image=result.image if kind == "image" else None,
            thumbnail=result.thumbnail or result.image,
            length=result.length,
            source=result.engine,
        )
        for result in results
        if kind == "video" or result.image or result.thumbnail
    ]
