"""What was asked and answered, as rows. The running ones say who writes them and when that was last seen alive."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection, Row, and_, delete, insert, select, update

from pincite.errors import NotFound
from pincite.store.tables import events, messages

Role = Literal["user", "assistant"]
State = Literal["running", "done", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message's row. `after` is the number of the last event before its first; `answer` is there when it is over."""

    id: str
    conversation: str
    owner: str
    position: int
    role: Role
    content: str
    state: State
    created: float
    updated: float
    after: int = 0
    asked: Mapping[str, Any] = field(default_factory=dict)
    answer: Mapping[str, Any] | None = None
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    process: str = ""
    heartbeat: float = 0.0
    stopping: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a message ended: its state, its text, and the whole answer as it crosses the wire."""

    state: State
    content: str
    answer: Mapping[str, Any]
    model: str
    input_tokens: int
    output_tokens: int
    requests: int


def add(connection: Connection, rows: Sequence[StoredMessage]) -> None:
    """Store messages as they are."""
    connection.execute(insert(messages), [asdict(row) for row in rows])


def get(connection: Connection, owner: str, message: str) -> StoredMessage:
    """The owner's message with this id; `NotFound` when there is none."""
    query = select(messages).where(messages.c.id == message, messages.c.owner == owner)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("There is no such message.", "Check its id.")
    return _stored(row)


def find(
    connection: Connection, conversation: str, last: int | None = None, before: int | None = None
) -> list[StoredMessage]:
    """A conversation's messages in their order, all or the last so many, up to a place if asked."""
    query = select(messages).where(messages.c.conversation == conversation)
    if before is not None:
        query = query.where(messages.c.position < before)
    return [_stored(row) for row in connection.execute(query.order_by(messages.c.position.desc()).limit(last))][::-1]


def question(connection: Connection, conversation: str, message: str) -> StoredMessage:
    """The question that a message of a conversation is or answers; `NotFound` when it is not there."""
    query = select(messages).where(messages.c.conversation == conversation, messages.c.id == message)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("There is no such message in this conversation.", "Read the conversation again.")
    found = _stored(row)
    return found if found.role == "user" else before(connection, found)


def remove_from(connection: Connection, question: StoredMessage) -> None:
    """Remove a question and everything after it in its conversation, with the events of these."""
    told = (events.c.conversation == question.conversation, events.c.seq > question.after)
    connection.execute(delete(events).where(*told))
    said = (messages.c.conversation == question.conversation, messages.c.position >= question.position)
    connection.execute(delete(messages).where(*said))


def before(connection: Connection, message: StoredMessage) -> StoredMessage:
    """The message that stands before one in its conversation: the question to an answer."""
    place = (messages.c.conversation == message.conversation, messages.c.position == message.position - 1)
    return _stored(connection.execute(select(messages).where(*place)).one())


def running(connection: Connection, conversation: str, lock: bool = False) -> StoredMessage | None:
    """The message that is being written in a conversation, if there is one, held until the transaction ends."""
    query = select(messages).where(messages.c.conversation == conversation, messages.c.state == "running")
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    return _stored(row) if row else None


def all_running(connection: Connection) -> list[StoredMessage]:
    """Every message that is being written."""
    return [_stored(row) for row in connection.execute(select(messages).where(messages.c.state == "running"))]


def hold(connection: Connection, message: str, process: str) -> bool:
    """Say, before writing to a message, that its writer is alive; False when it is no longer this process's."""
    change = update(messages).where(_held(message, process)).values(heartbeat=time.time())
    return connection.execute(change).rowcount > 0


def beat(connection: Connection, held: Collection[str]) -> None:
    """Say of several messages that their writer is alive."""
    change = update(messages).where(messages.c.id.in_(held), messages.c.state == "running")
    connection.execute(change.values(heartbeat=time.time()))


def ask_to_stop(connection: Connection, conversation: str) -> bool:
    """Ask whoever writes in a conversation to stop; False when nobody does."""
    change = update(messages).where(messages.c.conversation == conversation, messages.c.state == "running")
    return connection.execute(change.values(stopping=True)).rowcount > 0


def stopping(connection: Connection, held: Collection[str]) -> list[str]:
    """Those of these messages that somebody wants stopped."""
    return list(connection.scalars(select(messages.c.id).where(messages.c.id.in_(held), messages.c.stopping)))


def close(connection: Connection, message: str, outcome: Outcome) -> None:
    """A message is over: what came of it."""
    change = update(messages).where(messages.c.id == message)
    connection.execute(
        change.values(
            state=outcome.state,
            content=outcome.content,
            answer=dict(outcome.answer),
            model=outcome.model,
            input_tokens=outcome.input_tokens,
            output_tokens=outcome.output_tokens,
            updated=time.time(),
        )
    )


def _held(message: str, process: str) -> Any:
    return and_(messages.c.id == message, messages.c.state == "running", messages.c.process == process)


def _stored(row: Row[Any]) -> StoredMessage:
    return StoredMessage(**row._mapping)
