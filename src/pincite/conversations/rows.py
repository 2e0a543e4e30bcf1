"""What the runner writes and reads: each function is whole or not at all.

A function that reads opens a connection. A function that writes is given one, in a transaction that several share.
"""

import time
from collections.abc import Sequence
from typing import Any

from pincite.agent.turn import Asked
from pincite.conversations import wire
from pincite.conversations.salvage import payloads, salvaged
from pincite.errors import Answering, LeaseLost
from pincite.events import Event, Fault
from pincite.store import conversations, messages, usage
from pincite.store import events as stored
from pincite.store.conversations import StoredConversation
from pincite.store.database import Database
from pincite.store.group_commit import Transaction
from pincite.store.messages import Outcome, StoredMessage
from pincite.types import Exchange

_TITLE = 80  # characters
_EXCHANGES = 50  # the agent takes of these what its model can hold
_REPLAYED = 500  # events read at once
_INTERRUPTED = Fault(
    code="interrupted",
    message="The program ended while this answer was being written.",
    hint="What was written until then is here; ask again for the rest.",
)


def title_of(question: str) -> str:
    """A conversation's title: its first question on one line, cut between words."""
    words = " ".join(question.split())
    if len(words) <= _TITLE:
        return words
    cut = words[:_TITLE].rpartition(" ")[0] or words
    return cut[: _TITLE - 1].rstrip(" ,;:.") + "…"


def history(database: Database, owner: str, conversation: str, replaced: str | None = None) -> tuple[Exchange, ...]:
    """What was asked and answered in a conversation, the last of it; what is to be replaced and what follows is not."""
    with database.reading() as connection:
        conversations.get(connection, owner, conversation)
        until = messages.question(connection, conversation, replaced).position if replaced is not None else None
        found = messages.find(connection, conversation, 2 * _EXCHANGES, until)
    return tuple(
        Exchange(question.content, answer.content, (answer.answer or {}).get("question", ""))
        for question, answer in zip(found[::2], found[1::2], strict=False)
        if answer.content
    )


def begin(
    connection: Transaction, asked: Asked, answer: str, process: str, new: bool, replaced: str | None = None
) -> int:
    """Store a question and the answer that is to come; the number of the last event before it comes out.

    It stands in place of the exchange that a message is part of, and of all that follows, when one is given.
    """
    owner, conversation, now = asked.scope.owner, asked.conversation, time.time()
    after = at = 0
    if new:
        conversations.create(connection, owner, title_of(asked.question), conversation)
    else:
        known = conversations.get(connection, owner, conversation, lock=True)
        if messages.running(connection, conversation):
            raise Answering("An answer is still being written here.", "Stop it, or wait until it is done.")
        conversations.touch(connection, conversation)
        after = conversations.last_seq(connection, conversation)
        if replaced is not None:
            _make_room(connection, known, replaced, asked.question)
        at = conversations.next_position(connection, conversation)

    def message(id: str, **values: Any) -> StoredMessage:
        return StoredMessage(
            id=id, conversation=conversation, owner=owner, created=now, updated=now, after=after, **values
        )

    messages.add(
        connection,
        [
            message(
                asked.question_id,
                position=at,
                role="user",
                content=asked.question,
                state="done",
                asked=_kept(asked),
            ),
            message(
                answer,
                position=at + 1,
                role="assistant",
                content="",
                state="running",
                model=asked.chat_model,
                process=process,
                heartbeat=now,
            ),
        ],
    )
    return after


def keep(
    connection: Transaction, asked: Asked, message: str, process: str, sent: Sequence[Event], ended: Outcome | None
) -> None:
    """Store what was said, and with the last of it how the message ended; `LeaseLost` when it is not ours any more."""
    if not messages.hold(connection, message, process):
        raise LeaseLost(f"The answer {message} was deleted, or closed by another process.")
    stored.add(connection, asked.conversation, sent)
    if ended:
        messages.close(connection, message, ended)
        conversations.touch(connection, asked.conversation)
        _charge(connection, asked.scope.owner, ended, message)


def charge(connection: Transaction, owner: str, ended: Outcome) -> None:
    """Note what an answer cost that is in no conversation."""
    _charge(connection, owner, ended)


def replay(
    database: Database, owner: str, conversation: str, after: int, limit: int = _REPLAYED, brief: bool = False
) -> tuple[list[Event], StoredMessage | None]:
    """The next stored events after a number, and the message that is being written, both at one moment.

    `brief` leaves out what the last event of a message that is over says again.
    """
    with database.reading() as connection:
        conversations.get(connection, owner, conversation)
        running = messages.running(connection, conversation)
        whole = None if not brief else running.id if running else ""
        return stored.find(connection, conversation, after, limit, whole), running


def last(database: Database, owner: str, conversation: str) -> int:
    """The number of a conversation's last event, 0 when it has none."""
    with database.reading() as connection:
        conversations.get(connection, owner, conversation)
        return conversations.last_seq(connection, conversation)


def stopping(database: Database, held: Sequence[str]) -> list[str]:
    """Those of these messages that somebody wants stopped."""
    with database.reading() as connection:
        return messages.stopping(connection, held)


def beat(connection: Transaction, held: Sequence[str]) -> None:
    """Say of several messages that their writer is alive."""
    messages.beat(connection, held)


def ask_to_stop(connection: Transaction, conversation: str) -> bool:
    """Ask whoever writes in a conversation to stop; False when nobody does."""
    return messages.ask_to_stop(connection, conversation)


def remove(connection: Transaction, owner: str, conversation: str) -> None:
    """Remove a conversation with all that is in it."""
    conversations.remove(connection, owner, conversation)


def all_running(database: Database) -> list[StoredMessage]:
    """Every message that is being written, by whichever process."""
    with database.reading() as connection:
        return messages.all_running(connection)


def bury(connection: Transaction, judged: StoredMessage) -> None:
    """End a message whose writer is gone: what was said of it is its answer, and it has failed.

    Nothing happens when the writer gave a sign of life since the message was judged.
    """
    conversation = judged.conversation
    message = messages.running(connection, conversation, lock=True)
    if message is None or (message.id, message.heartbeat) != (judged.id, judged.heartbeat):
        return
    said = payloads(stored.of_message(connection, conversation, message.id, message.after))
    question = messages.before(connection, message).content
    answer = salvaged(said, question, message.model, stopped=False)
    seq = conversations.last_seq(connection, conversation)
    last = [wire.event(seq + 1, message.id, _INTERRUPTED), wire.event(seq + 2, message.id, answer)]
    stored.add(connection, conversation, last)
    ended = wire.outcome("failed", answer)
    messages.close(connection, message.id, ended)
    conversations.touch(connection, conversation)
    _charge(connection, message.owner, ended, message.id)


def _make_room(connection: Transaction, known: StoredConversation, replaced: str, question: str) -> None:
    """Remove an exchange and what follows it; a title that was made from the first question follows the new one."""
    old = messages.question(connection, known.id, replaced)
    messages.remove_from(connection, old)
    if old.position == 0 and known.title == title_of(old.content):
        conversations.rename(connection, known.owner, known.id, title_of(question))


def _charge(connection: Transaction, owner: str, ended: Outcome, message: str | None = None) -> None:
    usage.add(connection, owner, ended.model, ended.input_tokens, ended.output_tokens, ended.requests, message)


def _kept(asked: Asked) -> dict[str, Any]:
    """What is stored of how a question was asked: never who asked it, nor where they are."""
    scope = asked.scope
    return {
        "focus": asked.focus,
        "chat_model": asked.chat_model,
        "system_model": asked.system_model,
        "library": scope.library,
        "documents": None if scope.documents is None else list(scope.documents),
        "persona": asked.persona,
        "strict": asked.strict,
    }
