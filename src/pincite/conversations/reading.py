"""A conversation as it is read: its messages, with their answers, their proof and what people thought of them."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.conversations.bibliography import facts
from pincite.events import Answer, Evidence
from pincite.events.markup import activity
from pincite.store import conversations, events, messages, ratings
from pincite.store.conversations import StoredConversation
from pincite.store.database import Database
from pincite.store.messages import StoredMessage
from pincite.store.ratings import StoredRating

_CALLS = (
    *("tool_call_started", "tool_call_success", "tool_call_error"),
    *("subagent_started", "subagent_completed", "subagent_error"),
)


@dataclass(frozen=True, slots=True)
class Said:
    """One message; an answer has the evidence found for it, its tool calls as elements, and in the end itself."""

    message: StoredMessage
    answer: Answer | None = None
    rating: StoredRating | None = None
    evidence: tuple[Evidence, ...] = ()
    activity: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation and everything that was said in it, in order; `facts` are of the documents that it cites."""

    about: StoredConversation
    said: tuple[Said, ...]
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def read(database: Database, owner: str, conversation: str) -> Conversation:
    """One of the owner's conversations; `NotFound` when there is none."""
    with database.reading() as connection:
        about = conversations.get(connection, owner, conversation)
        found = messages.find(connection, conversation)
        rated = ratings.find(connection, owner, [message.id for message in found])
        sources = events.of_type(connection, conversation, "evidence")
        calls = [each for type in _CALLS for each in events.of_type(connection, conversation, type)]
    said = tuple(
        Said(
            message,
            Answer.model_validate(message.answer) if message.answer else None,
            rated.get(message.id),
            tuple(Evidence.model_validate(each.data) for each in sources if each.messageId == message.id),
            activity(sorted((e for e in calls if e.messageId == message.id), key=lambda call: call.seq)),
        )
        for message in found
    )
    return Conversation(about, said, facts(database, owner, [each.answer for each in said if each.answer]))


def exchange(database: Database, owner: str, question: str, answer: Answer) -> Conversation:
    """A question that was asked once, with its answer, as a conversation of its own that is not stored."""
    now = time.time()
    asked = StoredMessage("question", "", owner, 0, "user", question, "done", now, now)
    told = StoredMessage("answer", "", owner, 1, "assistant", answer.answer, "done", now, now)
    about = StoredConversation("", owner, " ".join(question.split()), now, now)
    return Conversation(about, (Said(asked), Said(told, answer)), facts(database, owner, [answer]))
