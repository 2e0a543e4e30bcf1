"""Read a stored conversation with its answers, evidence, tool calls and ratings."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.conversations.export.bibliography import load_document_facts
from pincite.events import Answer, ClientResult, EvidenceFound
from pincite.events.tool_markup import render_activity
from pincite.store import branches, conversations, events, messages, ratings
from pincite.store.conversations import StoredConversation
from pincite.store.database import Database
from pincite.store.messages import StoredMessage
from pincite.store.ratings import StoredRating

_CALLS = (
    *("tool_call_started", "tool_call_success", "tool_call_error"),
    *("subagent_started", "subagent_completed", "subagent_error"),
)


@dataclass(frozen=True, slots=True)
class ConversationMessage:
    """One message; an answer has its evidence, its tool calls as elements and, when it is over, itself."""

    message: StoredMessage
    answer: Answer | None = None
    rating: StoredRating | None = None
    evidence: tuple[EvidenceFound, ...] = ()
    activity: str = ""
    results: tuple[ClientResult, ...] = ()  # of the calls of an answer
    versions: tuple[str, ...] = ()  # the ids of all versions of a question that has several


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation with its messages in order; `facts` are about the documents that it cites."""

    about: StoredConversation
    said: tuple[ConversationMessage, ...]
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def read_conversation(database: Database, owner: str, conversation: str) -> Conversation:
    """Return one of the owner's conversations; raise `NotFound` when there is none."""
    with database.reading() as connection:
        about = conversations.get(connection, owner, conversation)
        found = messages.find(connection, conversation)
        versions = branches.list_versions(branches.load_nodes(connection, conversation))
        rated = ratings.find(connection, owner, [message.id for message in found])
        sources = events.find_by_type(connection, conversation, "evidence")
        results = events.find_by_type(connection, conversation, "client_result")
        calls = [each for type in _CALLS for each in events.find_by_type(connection, conversation, type)]
    said = tuple(
        ConversationMessage(
            message,
            Answer.model_validate(message.answer) if message.answer else None,
            rated.get(message.id),
            tuple(EvidenceFound.model_validate(each.data) for each in sources if each.messageId == message.id),
            render_activity(sorted((e for e in calls if e.messageId == message.id), key=lambda call: call.seq)),
            tuple(ClientResult.model_validate(each.data) for each in results if each.messageId == message.id),
            tuple(versions.get(message.id, ())),
        )
        for message in found
    )
    return Conversation(
        about, said, load_document_facts(database, owner, [each.answer for each in said if each.answer])
    )


def make_exchange(database: Database, owner: str, question: str, answer: Answer) -> Conversation:
    """Return a question and its answer as a conversation that is not stored."""
    now = time.time()
    asked = StoredMessage("question", "", owner, 0, "user", question, "done", now, now)
    told = StoredMessage("answer", "", owner, 1, "assistant", answer.answer, "done", now, now)
    about = StoredConversation("", owner, " ".join(question.split()), now, now)
    return Conversation(
        about,
        (ConversationMessage(asked), ConversationMessage(told, answer)),
        load_document_facts(database, owner, [answer]),
    )
