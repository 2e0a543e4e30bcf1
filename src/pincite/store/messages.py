"""Store questions and answers. A running message names the process that writes it and its last heartbeat."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection, Row, and_, insert, select, update

from pincite.errors import NotFound
from pincite.store import branches
from pincite.store.notices import send_notice
from pincite.store.schema import conversations, messages

Role = Literal["user", "assistant"]
State = Literal["running", "done", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """The row of a message. `after` is the number of the last event before its first; `answer` is set at its end."""

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
    stopping_retrieval: bool = False
    parent: str | None = None
    chosen: int = 0


@dataclass(frozen=True, slots=True)
class MessageOutcome:
    """The outcome of a message: its state, its text, and the whole answer as it is sent to clients."""

    state: State
    content: str
    answer: Mapping[str, Any]
    model: str
    input_tokens: int
    output_tokens: int
    requests: int


@dataclass(frozen=True, slots=True)
class StopRequests:
    """The requests to stop running messages, from any process; `lost` are messages removed or closed elsewhere."""

    stopping: frozenset[str]
    stopping_retrieval: frozenset[str]
    lost: frozenset[str]


def add(connection: Connection, rows: Sequence[StoredMessage]) -> None:
    """Store messages."""
    connection.execute(insert(messages), [asdict(row) for row in rows])


def get(connection: Connection, owner: str, message: str) -> StoredMessage:
    """Return the owner's message with this id; raise `NotFound` if there is none."""
    query = select(messages).where(messages.c.id == message, messages.c.owner == owner)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("There is no such message.", "Check its id.", "message")
    return _make_message(row)


def find(
    connection: Connection, conversation: str, last: int | None = None, before: str | None = None
) -> list[StoredMessage]:
    """Return the messages on the path of a conversation in order: all or the last so many, before one if given."""
    path = branches.trace_path(branches.load_nodes(connection, conversation), before)
    wanted = path if last is None else path[-last:]
    query = select(messages).where(messages.c.conversation == conversation, messages.c.id.in_(wanted))
    return [_make_message(row) for row in connection.execute(query.order_by(messages.c.position))]


def find_all(connection: Connection, conversation: str) -> list[StoredMessage]:
    """Return a conversation's messages of every version, in the order in which they were asked."""
    query = select(messages).where(messages.c.conversation == conversation)
    return [_make_message(row) for row in connection.execute(query.order_by(messages.c.position))]


def get_question(connection: Connection, conversation: str, message: str) -> StoredMessage:
    """Return the question that a message is or answers; raise `NotFound` if it is not in the conversation."""
    query = select(messages).where(messages.c.conversation == conversation, messages.c.id == message)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("There is no such message in this conversation.", "Read the conversation again.", "message")
    found = _make_message(row)
    return found if found.role == "user" else get_previous(connection, found)


def get_previous(connection: Connection, message: StoredMessage) -> StoredMessage:
    """Return the previous message in the conversation: the question of an answer."""
    place = (messages.c.conversation == message.conversation, messages.c.position == message.position - 1)
    return _make_message(connection.execute(select(messages).where(*place)).one())


def find_running(connection: Connection, conversation: str, lock: bool = False) -> StoredMessage | None:
    """Return the message being written in a conversation, or None; lock it until the transaction ends if asked."""
    query = select(messages).where(messages.c.conversation == conversation, messages.c.state == "running")
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    return _make_message(row) if row else None


def list_running(connection: Connection) -> list[StoredMessage]:
    """Return every message that is being written."""
    return [_make_message(row) for row in connection.execute(select(messages).where(messages.c.state == "running"))]


def hold(connection: Connection, conversation: str, message: str, process: str) -> bool:
    """Update the heartbeat of a message before writing to it; return False if another process has taken it over.

    Its conversation is locked first, as events that are stored next do anyway.
    """
    first = select(conversations.c.id).where(conversations.c.id == conversation)
    is_locked = messages.c.conversation == first.with_for_update(read=True, key_share=True).scalar_subquery()
    change = update(messages).where(_make_held_condition(message, process), is_locked)
    return connection.execute(change.values(heartbeat=time.time())).rowcount > 0


def update_heartbeats(connection: Connection, held: Collection[str]) -> None:
    """Update the heartbeats of several messages. Their conversations are locked first."""
    of_held = select(messages.c.conversation).where(messages.c.id.in_(held))
    first = select(conversations.c.id).where(conversations.c.id.in_(of_held)).order_by(conversations.c.id)
    connection.execute(first.with_for_update(read=True, key_share=True)).all()
    change = update(messages).where(messages.c.id.in_(held), messages.c.state == "running")
    connection.execute(change.values(heartbeat=time.time()))


def ask_to_stop(connection: Connection, owner: str, conversation: str) -> bool:
    """Request that the running message of an owner's conversation stops; return False if there is none."""
    change = update(messages).where(messages.c.conversation == conversation, messages.c.owner == owner)
    change = change.where(messages.c.state == "running")
    send_notice(connection, "stop", conversation)
    return connection.execute(change.values(stopping=True)).rowcount > 0


def ask_to_stop_retrieval(connection: Connection, owner: str, conversation: str) -> bool:
    """Request that the running message of a conversation searches no more; return False if there is none."""
    change = update(messages).where(messages.c.conversation == conversation, messages.c.owner == owner)
    change = change.where(messages.c.state == "running")
    send_notice(connection, "stop", conversation)
    return connection.execute(change.values(stopping_retrieval=True)).rowcount > 0


def find_requests(connection: Connection, held: Collection[str]) -> StopRequests:
    """Return what was requested of these messages."""
    columns = (messages.c.id, messages.c.stopping, messages.c.stopping_retrieval)
    found = connection.execute(select(*columns).where(messages.c.id.in_(held), messages.c.state == "running")).all()
    return StopRequests(
        stopping=frozenset(row.id for row in found if row.stopping),
        stopping_retrieval=frozenset(row.id for row in found if row.stopping_retrieval),
        lost=frozenset(held) - {row.id for row in found},
    )


def close(connection: Connection, message: str, outcome: MessageOutcome) -> None:
    """Store the outcome of a finished message."""
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


def _make_held_condition(message: str, process: str) -> Any:
    return and_(messages.c.id == message, messages.c.state == "running", messages.c.process == process)


def _make_message(row: Row[Any]) -> StoredMessage:
    return StoredMessage(**row._mapping)
