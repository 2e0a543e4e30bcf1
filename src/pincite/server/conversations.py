"""Conversations over HTTP: listed, read, renamed, removed, rated and taken along as a file."""

import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from pincite.conversations import export
from pincite.conversations.excerpt import excerpt
from pincite.conversations.reading import Conversation, read
from pincite.errors import Misuse
from pincite.events import Answer, Evidence
from pincite.server.doors import Body, Id, Owner, TheConversations, TheLibrary, Words
from pincite.server.paging import cursor, place
from pincite.store import conversations as rows
from pincite.store import finding, messages, ratings
from pincite.store.conversations import StoredConversation
from pincite.store.finding import Found
from pincite.types import Focus


class About(BaseModel):
    """A conversation. Times are seconds since 1970."""

    id: str
    title: str
    created: float
    updated: float


class Summary(About):
    """A conversation in a list."""

    messages: Annotated[int, Field(description="How many questions were asked in it.")]
    excerpt: Annotated[str, Field(description="Of what was found: about 120 characters around the words, else empty.")]


class Summaries(BaseModel):
    """A page of conversations, the latest first, and how many there are in all."""

    conversations: list[Summary]
    total: int
    next: Annotated[str | None, Field(description="Give it as `before` for the next page; null on the last.")]


class Rating(BaseModel):
    """What somebody thought of an answer."""

    value: Literal[-1, 1]
    comment: str
    created: float


class Settings(BaseModel):
    """How a question was asked."""

    focus: Focus = "all"
    chat_model: str = ""
    system_model: str = ""
    library: str | None = None
    documents: list[str] | None = None
    persona: str = ""
    strict: bool | None = None


class Message(BaseModel):
    """A question, or an answer with its proof."""

    id: str
    role: Literal["user", "assistant"]
    content: str
    state: Literal["running", "done", "stopped", "failed"]
    asked: Annotated[Settings | None, Field(description="Of a question: how it was asked.")]
    answer: Annotated[Answer | None, Field(description="Of an answer that is over: the whole of it.")]
    evidence: Annotated[list[Evidence], Field(description="Of an answer: the sources that were found for it.")]
    activity: Annotated[
        str, Field(description="Of an answer: its tool calls and subagents as elements, each with its last status.")
    ]
    rating: Rating | None
    after: Annotated[int, Field(description="Its events come after this number.")]
    created: float
    updated: float


class Whole(About):
    """A conversation with everything that was said in it."""

    running: Annotated[bool, Field(description="Whether an answer is being written; its events tell it.")]
    messages: list[Message]


class Title(Body):
    """What a conversation is to be called."""

    title: Annotated[Words, Field(min_length=1, max_length=200)]


class GivenRating(Body):
    """A thumb up (1) or down (-1), perhaps with a word."""

    value: Literal[-1, 1]
    comment: Annotated[Words, Field(max_length=10_000)] = ""


def router() -> APIRouter:
    """The routes of what was asked before."""
    routes = APIRouter(tags=["conversations"])

    @routes.get("/api/conversations")
    def find(
        owner: Owner,
        library: TheLibrary,
        words: Annotated[
            Words | None,
            Query(max_length=300, description="All in the title or in one message; accents and capitals do not count."),
        ] = None,
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        before: Annotated[str | None, Query(description="`next` of the page before.")] = None,
    ) -> Summaries:
        """Your conversations, the latest first, a page at a time."""
        with library.database.reading() as connection:
            found, total = finding.find(connection, owner, words, limit + 1, place(before))
        last = found[limit - 1].about if len(found) > limit else None
        sought = finding.sought(words)
        return Summaries(
            conversations=[_summary(each, excerpt(each.text, sought)) for each in found[:limit]],
            total=total,
            next=cursor((last.updated, last.id)) if last else None,
        )

    @routes.get("/api/conversations/{conversation}")
    async def get(conversation: Id, owner: Owner, library: TheLibrary, talk: TheConversations) -> Whole:
        """A conversation: its messages, their answers with citations and verdicts, and ratings."""
        await talk.settle(owner, conversation)
        return _whole(await talk.read(owner, conversation))

    @routes.patch("/api/conversations/{conversation}")
    def rename(conversation: Id, given: Title, owner: Owner, library: TheLibrary) -> Summary:
        """Give a conversation another title."""
        with library.database.writing() as connection:
            known = rows.rename(connection, owner, conversation, given.title)
            return _summary(Found(known, finding.questions(connection, [known.id]).get(known.id, 0)))

    @routes.delete("/api/conversations/{conversation}", status_code=204)
    async def delete(conversation: Id, owner: Owner, talk: TheConversations) -> None:
        """Remove a conversation with all that is in it; an answer that is being written is stopped."""
        await talk.delete(owner, conversation)

    @routes.get(
        "/api/conversations/{conversation}/export",
        response_class=Response,
        responses={
            200: {
                "description": "A file.",
                "content": {
                    "text/markdown": {"schema": {"type": "string"}},
                    "text/html": {"schema": {"type": "string"}},
                    "application/pdf": {"schema": {"type": "string", "format": "binary"}},
                    "application/json": {"schema": {"$ref": "#/components/schemas/Whole"}},
                },
            }
        },
    )
    def take(
        conversation: Id,
        owner: Owner,
        library: TheLibrary,
        format: Annotated[Literal["md", "json", "html", "pdf"], Query(description="What kind of file.")] = "md",
    ) -> Response:
        """A conversation as a file, with footnotes that carry title, page and quote."""
        found = read(library.database, owner, conversation)
        text: str | bytes
        match format:
            case "md":
                text, kind = export.markdown(found), "text/markdown"
            case "html":
                text, kind = export.html(found), "text/html"
            case "pdf":
                from pincite.conversations.pdf import pdf  # with all that draws it: only who wants one waits for that

                text, kind = pdf(found), "application/pdf"
            case "json":
                text, kind = _whole(found).model_dump_json(indent=2), "application/json"
        headers = {
            "Content-Disposition": f'attachment; filename="{_file_name(found.about.title)}.{format}"',
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
            "X-Content-Type-Options": "nosniff",
        }
        return Response(text, media_type=kind, headers=headers)

    @routes.post("/api/messages/{message}/rating")
    def rate(message: Id, given: GivenRating, owner: Owner, library: TheLibrary) -> Rating:
        """Say what you think of an answer; a rating given before is replaced."""
        with library.database.writing() as connection:
            if messages.get(connection, owner, message).role != "assistant":
                raise Misuse("Only answers are rated, and this is a question.", "Give the id of the answer.")
            rated = ratings.give(connection, owner, message, given.value, given.comment)
        return Rating(value=rated.value, comment=rated.comment, created=rated.created)

    @routes.delete("/api/messages/{message}/rating", status_code=204)
    def take_back(message: Id, owner: Owner, library: TheLibrary) -> None:
        """Take a rating back; that there is none is no error."""
        with library.database.writing() as connection:
            messages.get(connection, owner, message)
            ratings.take_back(connection, owner, message)

    return routes


def _about(stored: StoredConversation) -> dict[str, Any]:
    return {"id": stored.id, "title": stored.title, "created": stored.created, "updated": stored.updated}


def _summary(found: Found, excerpt: str = "") -> Summary:
    return Summary(**_about(found.about), messages=found.questions, excerpt=excerpt)


def _whole(conversation: Conversation) -> Whole:
    said = [
        Message(
            id=each.message.id,
            role=each.message.role,
            content=each.message.content,
            state=each.message.state,
            asked=Settings.model_validate(each.message.asked) if each.message.role == "user" else None,
            answer=each.answer,
            evidence=list(each.evidence),
            activity=each.activity,
            rating=Rating(value=each.rating.value, comment=each.rating.comment, created=each.rating.created)
            if each.rating
            else None,
            after=each.message.after,
            created=each.message.created,
            updated=each.message.updated,
        )
        for each in conversation.said
    ]
    running = any(each.message.state == "running" for each in conversation.said)
    return Whole(**_about(conversation.about), running=running, messages=said)


def _file_name(title: str) -> str:
    """A title as a file's name that every system takes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-")[:60] or "conversation"
