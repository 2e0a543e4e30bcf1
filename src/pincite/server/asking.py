"""What a question is sent as, and what it is made into."""

from dataclasses import replace
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from pincite.agent.turn import Asked
from pincite.server.doors import Body, Words
from pincite.store import documents, personas, sources
from pincite.store.database import Database
from pincite.types import Exchange, Focus, Scope

LONGEST = 100_000  # characters of a question

Name = Annotated[Words, Field(max_length=300)]


class Question(Body):
    """A question, where to look for the answer, who writes it and for whom."""

    model_config = ConfigDict(alias_generator=to_camel)

    message: Annotated[Words, Field(min_length=1, max_length=LONGEST, description="The question.")]
    focus_mode: Annotated[Focus, Field(description="Where the answer is looked for.")] = "all"
    chat_model: Annotated[
        Name | None, Field(description="Who answers, `provider:model`; else the one that is set.")
    ] = None
    system_model: Annotated[Name | None, Field(description="Who does the small work; else whoever answers.")] = None
    documents: Annotated[
        list[Name] | None, Field(max_length=1000, description="Ids of the only documents to look in.")
    ] = None
    library: Annotated[Name | None, Field(description="The only library to look in.")] = None
    user_location: Annotated[Words | None, Field(max_length=500, description="May guide the search. Not stored.")] = (
        None
    )
    user_profile: Annotated[
        Words | None,
        Field(max_length=20_000, description="About the person, for the tone alone. Not stored, never sent to a tool."),
    ] = None
    persona: Annotated[Name | None, Field(description="Id or name of a saved persona.")] = None
    strict: Annotated[
        bool | None, Field(description="Leave out what no source supports; else as the settings say.")
    ] = None
    use_tools: Annotated[
        bool | None,
        Field(
            description="`true`: the model searches with tools; `false`: the search is made first and the model is "
            "given what it finds; else as the settings say for the model."
        ),
    ] = None


class Chat(Question):
    """A question in a conversation."""

    conversation_id: Annotated[Name | None, Field(description="Which; without it a new one begins.")] = None
    replaces: Annotated[
        Name | None,
        Field(
            description="Id of an answer or its question in this conversation: both and all that follows are removed, "
            "and this question takes their place. When it is refused, nothing is removed."
        ),
    ] = None


class Before(Body):
    """What was asked and answered before."""

    question: Annotated[Words, Field(max_length=LONGEST)]
    answer: Annotated[Words, Field(max_length=LONGEST)] = ""


class Search(Question):
    """A question without a conversation."""

    history: Annotated[
        tuple[Before, ...], Field(max_length=50, description="What was said before, the oldest first.")
    ] = ()
    stream: Annotated[bool, Field(description="Events as they come, instead of the answer alone.")] = False


def names_stored(question: Question) -> bool:
    """Whether a question names something that must be looked up in the database."""
    return question.documents is not None or question.library is not None or bool(question.persona)


def understood(question: Question, owner: str, database: Database) -> Asked:
    """The question for a turn; `NotFound` when it names a document, library or persona that is not there."""
    chosen, persona = None, ""
    if names_stored(question):
        with database.reading() as connection:
            if question.documents is not None:
                chosen = tuple(documents.matching(connection, owner, given).id for given in question.documents)
            sources.check_library(connection, owner, question.library)
            persona = personas.get(connection, owner, question.persona).instructions if question.persona else ""
    asked = Asked(
        question=question.message,
        focus=question.focus_mode,
        scope=Scope(owner=owner, library=question.library, documents=chosen),
        chat_model=question.chat_model or "",
        system_model=question.system_model or "",
        persona=persona,
        location=question.user_location or "",
        profile=question.user_profile or "",
        strict=question.strict,
        use_tools=question.use_tools,
    )
    if isinstance(question, Search):
        return replace(asked, history=tuple(Exchange(each.question, each.answer) for each in question.history))
    return asked
