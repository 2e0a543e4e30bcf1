"""HTTP routes to list, read, rename, remove, export and rate conversations."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from pincite.conversations.export import text_export
from pincite.conversations.export.cited_works import list_references
from pincite.conversations.export.reference_formats import REFERENCE_MEDIA, write_references
from pincite.conversations.search_excerpt import make_excerpt
from pincite.conversations.transcript import Conversation, read_conversation
from pincite.errors import Misuse
from pincite.events import Answer, ClientResult, EvidenceFound
from pincite.server.cursors import decode_cursor, encode_cursor
from pincite.server.dependencies import Body, Id, Owner, TheConversations, TheLibrary, Words
from pincite.server.file_responses import make_export_response, make_file_name
from pincite.store import conversation_search, messages, ratings, workspaces
from pincite.store import conversations as rows
from pincite.store.conversation_search import FoundConversation
from pincite.store.conversations import StoredConversation
from pincite.store.sql_folding import split_search_words
from pincite.types import Focus


class About(BaseModel):
    """A conversation's id and title. Times are seconds since 1970."""

    id: str
    title: str
    created: float
    updated: float


class Summary(About):
    """A conversation in a list."""

    messages: Annotated[int, Field(description="Number of questions.")]
    excerpt: Annotated[str, Field(description="About 120 characters around the words searched for; empty without.")]


class Summaries(BaseModel):
    """A page of conversations, the latest first, and their total number."""

    conversations: list[Summary]
    total: int
    next: Annotated[str | None, Field(description="Send it as `before` to get the next page; null on the last page.")]


class Rating(BaseModel):
    """A rating of an answer: 1 (good) or -1 (bad), with an optional comment."""

    value: Literal[-1, 1]
    comment: str
    created: float


class QuestionSettings(BaseModel):
    """The settings of a question."""

    focus: Focus = "all"
    chat_model: str = ""
    system_model: str = ""
    library: str | None = None
    library_owner: Annotated[str | None, Field(description="Id of the owner of the library; null if it is yours.")] = (
        None
    )
    documents: list[str] | None = None
    persona: str = ""
    workspace: Annotated[str, Field(description="Id of the workspace it was asked in; empty without one.")] = ""
    strict: bool | None = None
    project: str = ""


class Message(BaseModel):
    """A question, or an answer with its proof."""

    id: str
    role: Literal["user", "assistant"]
    content: str
    state: Literal["running", "done", "stopped", "failed"]
    asked: Annotated[QuestionSettings | None, Field(description="For a question: its settings.")]
    answer: Annotated[Answer | None, Field(description="For a finished answer: the complete answer.")]
    evidence: Annotated[list[EvidenceFound], Field(description="For an answer: the sources found for it.")]
    activity: Annotated[
        str, Field(description="For an answer: its tool calls and subagents as XML elements with their last status.")
    ]
    results: Annotated[list[ClientResult], Field(description="For an answer: what clients did about its calls.")]
    rating: Rating | None
    versions: Annotated[
        list[str], Field(description="For a question with several versions: the ids of all of them, the oldest first.")
    ]
    after: Annotated[int, Field(description="The message's events have numbers greater than this.")]
    created: float
    updated: float


class Whole(About):
    """A conversation with all its messages."""

    running: Annotated[bool, Field(description="Whether an answer is being written; follow its events.")]
    messages: list[Message]


class Title(Body):
    """The new title of a conversation."""

    title: Annotated[Words, Field(min_length=1, max_length=200)]


class GivenRating(Body):
    """A rating to give: 1 (good) or -1 (bad), with an optional comment."""

    value: Literal[-1, 1]
    comment: Annotated[Words, Field(max_length=10_000)] = ""


def router() -> APIRouter:
    """Return the routes for conversations."""
    routes = APIRouter(tags=["conversations"])

    @routes.get("/api/conversations")
    def find(
        owner: Owner,
        library: TheLibrary,
        words: Annotated[
            Words | None,
            Query(
                max_length=300,
                description="Find conversations with all these words in the title or in one message. Accents and case "
                "are ignored.",
            ),
        ] = None,
        workspace: Annotated[
            Words | None, Query(max_length=300, description="Only those in this workspace, by its id or name.")
        ] = None,
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        before: Annotated[str | None, Query(description="`next` of the previous page.")] = None,
    ) -> Summaries:
        """List your conversations, the latest first, page by page."""
        with library.database.reading() as connection:
            place = workspaces.get(connection, owner, workspace).id if workspace else None
            found, total = conversation_search.find(connection, owner, words, limit + 1, decode_cursor(before), place)
        last = found[limit - 1].about if len(found) > limit else None
        sought = split_search_words(words)
        return Summaries(
            conversations=[_make_summary(each, make_excerpt(each.text, sought)) for each in found[:limit]],
            total=total,
            next=encode_cursor((last.updated, last.id)) if last else None,
        )

    @routes.get("/api/conversations/{conversation}")
    async def get(conversation: Id, owner: Owner, library: TheLibrary, conversations: TheConversations) -> Whole:
        """Get a conversation: its messages, answers with citations and verdicts, and ratings."""
        await conversations.settle(owner, conversation)
        return _make_whole(await conversations.read(owner, conversation))

    @routes.patch("/api/conversations/{conversation}")
    def rename(conversation: Id, given: Title, owner: Owner, library: TheLibrary) -> Summary:
        """Change the title of a conversation."""
        with library.database.writing() as connection:
            known = rows.rename(connection, owner, conversation, given.title)
            return _make_summary(
                FoundConversation(known, conversation_search.count_questions(connection, [known.id]).get(known.id, 0))
            )

    @routes.delete("/api/conversations/{conversation}", status_code=204)
    async def delete(conversation: Id, owner: Owner, conversations: TheConversations) -> None:
        """Remove a conversation with all its messages. A running answer is stopped."""
        await conversations.delete(owner, conversation)

    @routes.get(
        "/api/conversations/{conversation}/export",
        response_class=Response,
        responses={
            200: {
                "description": "The exported file.",
                "content": {
                    "text/markdown": {"schema": {"type": "string"}},
                    "text/html": {"schema": {"type": "string"}},
                    "application/pdf": {"schema": {"type": "string", "format": "binary"}},
                    "application/json": {"schema": {"$ref": "#/components/schemas/Whole"}},
                    **{kind: {"schema": {"type": "string"}} for kind in REFERENCE_MEDIA.values()},
                },
            }
        },
    )
    def take(
        conversation: Id,
        owner: Owner,
        library: TheLibrary,
        format: Annotated[
            Literal["md", "json", "html", "pdf", "bib", "ris", "csl", "txt"],
            Query(
                description="Format of the file. `bib`, `ris`, `csl` and `txt` are the sources alone: BibTeX, RIS, "
                "CSL-JSON, and lines to read."
            ),
        ] = "md",
        message: Annotated[
            Id | None, Query(description="For the sources alone: the answer whose sources are wanted.")
        ] = None,
        document: Annotated[
            Id | None, Query(description="For the sources alone: the only document that is wanted.")
        ] = None,
        language: Annotated[Literal["en", "fr"], Query(description="For `txt`: the language of the lines.")] = "en",
    ) -> Response:
        """Export a conversation as a file. Footnotes give the title, page and quote of each source."""
        found = read_conversation(library.database, owner, conversation)
        if (message or document) and format not in REFERENCE_MEDIA:
            raise Misuse("Only sources are exported for one answer or one document.", "Use bib, ris, csl or txt.")
        text: str | bytes
        match format:
            case "bib" | "ris" | "csl" | "txt":
                references = list_references(found, message or "", document or "")
                text, kind = write_references(references, format, language), REFERENCE_MEDIA[format]
            case "md":
                text, kind = text_export.export_markdown(found), "text/markdown"
            case "html":
                text, kind = text_export.export_html(found), "text/html"
            case "pdf":
                from pincite.conversations.export.pdf_export import export_pdf

                text, kind = export_pdf(found), "application/pdf"
            case "json":
                text, kind = _make_whole(found).model_dump_json(indent=2), "application/json"
        suffix = "csl.json" if format == "csl" else format
        return make_export_response(text, kind, f"{make_file_name(found.about.title, 'conversation')}.{suffix}")

    @routes.post("/api/messages/{message}/choose", status_code=204)
    async def choose(message: Id, owner: Owner, conversations: TheConversations) -> None:
        """Show this version of an edited question, with what follows it. It is also exported, and used as history."""
        await conversations.choose(owner, message)

    @routes.post("/api/messages/{message}/rating")
    def rate(message: Id, given: GivenRating, owner: Owner, library: TheLibrary) -> Rating:
        """Rate an answer. The new rating replaces an earlier one."""
        with library.database.writing() as connection:
            if messages.get(connection, owner, message).role != "assistant":
                raise Misuse("Only answers can be rated, and this is a question.", "Use the id of the answer.")
            rated = ratings.set_rating(connection, owner, message, given.value, given.comment)
        return Rating(value=rated.value, comment=rated.comment, created=rated.created)

    @routes.delete("/api/messages/{message}/rating", status_code=204)
    def take_back(message: Id, owner: Owner, library: TheLibrary) -> None:
        """Remove the rating of an answer. It is not an error if there is none."""
        with library.database.writing() as connection:
            messages.get(connection, owner, message)
            ratings.remove_rating(connection, owner, message)

    return routes


def _make_about(stored: StoredConversation) -> dict[str, Any]:
    return {"id": stored.id, "title": stored.title, "created": stored.created, "updated": stored.updated}


def _make_summary(found: FoundConversation, excerpt: str = "") -> Summary:
    return Summary(**_make_about(found.about), messages=found.questions, excerpt=excerpt)


def _make_whole(conversation: Conversation) -> Whole:
    said = [
        Message(
            id=each.message.id,
            role=each.message.role,
            content=each.message.content,
            state=each.message.state,
            asked=QuestionSettings.model_validate(each.message.asked) if each.message.role == "user" else None,
            answer=each.answer,
            evidence=list(each.evidence),
            activity=each.activity,
            results=list(each.results),
            rating=Rating(value=each.rating.value, comment=each.rating.comment, created=each.rating.created)
            if each.rating
            else None,
            versions=list(each.versions),
            after=each.message.after,
            created=each.message.created,
            updated=each.message.updated,
        )
        for each in conversation.said
    ]
    running = any(each.message.state == "running" for each in conversation.said)
    return Whole(**_make_about(conversation.about), running=running, messages=said)
