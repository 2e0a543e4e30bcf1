"""A conversation as it is read: its messages, with their answers, their proof and what people thought of them."""

from dataclasses import dataclass

from pincite.events import Answer, Evidence
from pincite.store import conversations, events, messages, ratings
from pincite.store.conversations import StoredConversation
from pincite.store.database import Database
from pincite.store.messages import StoredMessage
from pincite.store.ratings import StoredRating


@dataclass(frozen=True, slots=True)
class Said:
    """One message; an answer has the evidence that was found for it, and when it is over the whole of it."""

    message: StoredMessage
    answer: Answer | None = None
    rating: StoredRating | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation and everything that was said in it, in order."""

    about: StoredConversation
    said: tuple[Said, ...]


def read(database: Database, owner: str, conversation: str) -> Conversation:
    """One of the owner's conversations; `NotFound` when there is none."""
    with database.reading() as connection:
        about = conversations.get(connection, owner, conversation)
        found = messages.find(connection, conversation)
        rated = ratings.find(connection, owner, [message.id for message in found])
        sources = events.of_type(connection, conversation, "evidence")
    return Conversation(
        about,
        tuple(
            Said(
                message,
                Answer.model_validate(message.answer) if message.answer else None,
                rated.get(message.id),
                tuple(Evidence.model_validate(each.data) for each in sources if each.messageId == message.id),
            )
            for message in found
        ),
    )
