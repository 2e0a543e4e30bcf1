"""The request bodies of questions, and their conversion to `AskedQuestion`."""

from dataclasses import replace
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from pincite.answer.question import AskedQuestion, GivenFile
from pincite.answer.question_workspace import add_workspace
from pincite.library import Library
from pincite.notebooks.asked_notebook import add_notebook
from pincite.server.dependencies import Body, Words
from pincite.store import personas
from pincite.store.named_scope import make_scope
from pincite.types import Exchange, Focus, Scope

LONGEST = 100_000  # characters of a question
MOST_FILES = 200

Name = Annotated[Words, Field(max_length=300)]


class GivenFileBody(Body):
    """A text file that the client holds itself."""

    path: Annotated[Words, Field(min_length=1, max_length=1000, description="Its path in the client's folder.")]
    content: Annotated[str, Field(description="Its text. `projects.given_bytes` limits all files together.")]


class QuestionBody(Body):
    """A question with its sources, models and persona."""

    model_config = ConfigDict(alias_generator=to_camel)

    message: Annotated[Words, Field(min_length=1, max_length=LONGEST, description="The question.")]
    focus_mode: Annotated[Focus, Field(description="Where to search for the answer.")] = "all"
    chat_model: Annotated[
        Name | None, Field(description="The model that answers, as `provider:model`; default is the configured one.")
    ] = None
    system_model: Annotated[
        Name | None, Field(description="The model for small tasks, such as rewriting; default is the chat model.")
    ] = None
    documents: Annotated[
        list[Name] | None, Field(max_length=1000, description="Search only the documents with these ids.")
    ] = None
    tags: Annotated[
        list[Annotated[Words, Field(min_length=1, max_length=60)]] | None,
        Field(
            max_length=50,
            description="Search only documents that have all of these tags, among those of `documents` and `library`.",
        ),
    ] = None
    library: Annotated[Words | None, Field(max_length=310, description="Search only this library, by its `key`.")] = (
        None
    )
    user_location: Annotated[
        Words | None, Field(max_length=500, description="Where the user is; the search may use it. Not stored.")
    ] = None
    user_profile: Annotated[
        Words | None,
        Field(max_length=20_000, description="About the user, for the tone only. Not stored, never sent to a tool."),
    ] = None
    persona: Annotated[Name | None, Field(description="Id or name of a saved persona.")] = None
    workspace: Annotated[
        Name | None,
        Field(
            description="Id or name of the workspace; default is the conversation's. Its instructions apply, and its "
            "libraries are searched if neither `documents` nor `library` is given. A new conversation is put into it."
        ),
    ] = None
    notebook: Annotated[
        Name | None,
        Field(
            description="Id or title of one of your notebooks. The passages kept in it are the first sources. Its "
            "documents are searched if neither `documents` nor `library` is given. Its notes go to the model."
        ),
    ] = None
    strict: Annotated[
        bool | None, Field(description="Leave out sentences that no source supports; default is the setting.")
    ] = None
    use_tools: Annotated[
        bool | None,
        Field(
            description="`true`: the model searches with tools. `false`: Pincite searches first and gives the model "
            "the results. Default is the setting of the model."
        ),
    ] = None
    project: Annotated[Name | None, Field(description="Answer about the project with this id or name.")] = None
    open_document: Annotated[
        Name | None, Field(description="Id of the document that the reader has open; a bare page number means it.")
    ] = None
    files: Annotated[
        list[GivenFileBody] | None,
        Field(max_length=MOST_FILES, description="Answer about these files, which the client holds itself."),
    ] = None


class Chat(QuestionBody):
    """A question in a conversation."""

    conversation_id: Annotated[
        Name | None, Field(description="Id of the conversation; without it, a new one begins.")
    ] = None
    replaces: Annotated[
        Name | None,
        Field(
            description="Id of an answer or its question in this conversation. This question is another version of "
            "it and is shown in its place. Both stay."
        ),
    ] = None


class Before(Body):
    """An earlier question and its answer."""

    question: Annotated[Words, Field(max_length=LONGEST)]
    answer: Annotated[Words, Field(max_length=LONGEST)] = ""


class Search(QuestionBody):
    """A question outside any conversation."""

    history: Annotated[
        tuple[Before, ...], Field(max_length=50, description="Earlier questions and answers, the oldest first.")
    ] = ()
    stream: Annotated[bool, Field(description="Return the events as they arrive instead of the answer.")] = False


def needs_lookup(question: QuestionBody) -> bool:
    """Return whether a question names something that must be looked up in the database."""
    names_scope = question.documents is not None or question.library is not None or bool(question.tags)
    return names_scope or bool(question.persona or question.workspace or question.notebook)


def parse_question(question: QuestionBody, owner: str, library: Library) -> AskedQuestion:
    """Return the question of a request.

    Raise `NotFound` if it names an unknown document, library, tag, persona, workspace or notebook.
    """
    database = library.database
    scope, persona = Scope(owner=owner), ""
    if needs_lookup(question):
        with database.reading() as connection:
            scope = make_scope(connection, owner, question.library, question.documents, question.tags)
            persona = personas.get(connection, owner, question.persona).instructions if question.persona else ""
    asked = AskedQuestion(
        question=question.message,
        focus=question.focus_mode,
        scope=scope,
        chat_model=question.chat_model or "",
        system_model=question.system_model or "",
        persona=persona,
        location=question.user_location or "",
        profile=question.user_profile or "",
        strict=question.strict,
        use_tools=question.use_tools,
        project=question.project or "",
        open_document=question.open_document or "",
        files=tuple(GivenFile(each.path, each.content) for each in question.files or ()),
    )
    if question.workspace:
        with database.reading() as connection:
            asked = add_workspace(connection, asked, question.workspace)
    asked = add_notebook(library, asked, question.notebook or "")
    if isinstance(question, Search):
        return replace(asked, history=tuple(Exchange(each.question, each.answer) for each in question.history))
    return asked
