"""Conversations a page at a time: words in, rows out with what was found, the latest first."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, func, select, tuple_

from pincite.store.conversations import StoredConversation
from pincite.store.folding import fold, folded
from pincite.store.tables import conversations, messages


@dataclass(frozen=True, slots=True)
class Found:
    """A conversation, how many questions it has, and the first text in it that holds the words; "" without words."""

    about: StoredConversation
    questions: int
    text: str = ""


def sought(words: str | None) -> list[str]:
    """What is looked for, as it is compared: each word once."""
    return list(dict.fromkeys(fold(words or "").split()))


def find(
    connection: Connection, owner: str, words: str | None, limit: int, before: tuple[float, str] | None = None
) -> tuple[list[Found], int]:
    """The owner's conversations after (updated, id), so many at most, and how many are meant in all.

    With words, those where the title or one message holds them all.
    """
    wanted = sought(words)
    query = select(conversations).where(conversations.c.owner == owner)
    if wanted:
        query = query.where(conversations.c.id.in_(_holding(connection, owner, wanted)))
    total = connection.scalar(select(func.count()).select_from(query.subquery())) or 0
    if before is not None:
        query = query.where(tuple_(conversations.c.updated, conversations.c.id) < before)
    ordered = query.order_by(conversations.c.updated.desc(), conversations.c.id.desc()).limit(limit)
    rows = [StoredConversation(*row) for row in connection.execute(ordered)]
    ids = [row.id for row in rows]
    asked = questions(connection, ids)
    texts = _texts(connection, ids, wanted) if wanted else {}
    return [Found(row, asked.get(row.id, 0), texts.get(row.id, row.title if wanted else "")) for row in rows], total


def questions(connection: Connection, ids: Collection[str]) -> dict[str, int]:
    """How many questions were asked in each of these conversations; one without any is left out."""
    query = select(messages.c.conversation, func.count()).where(
        messages.c.conversation.in_(ids), messages.c.role == "user"
    )
    return {row[0]: row[1] for row in connection.execute(query.group_by(messages.c.conversation))}


def _holding(connection: Connection, owner: str, wanted: Sequence[str]) -> set[str]:
    """The ids of the conversations where the title or one message holds the words, each text looked at once."""
    named = select(conversations.c.id).where(
        conversations.c.owner == owner, _holds(connection, conversations.c.title, wanted)
    )
    said = select(messages.c.conversation).where(
        messages.c.owner == owner, _holds(connection, messages.c.content, wanted)
    )
    return {*connection.scalars(named), *connection.scalars(said)}


def _texts(connection: Connection, ids: Collection[str], wanted: Sequence[str]) -> dict[str, str]:
    """The first message of each conversation that holds the words, where there is one."""
    first = (
        select(messages.c.conversation, func.min(messages.c.position).label("position"))
        .where(messages.c.conversation.in_(ids), _holds(connection, messages.c.content, wanted))
        .group_by(messages.c.conversation)
        .subquery()
    )
    at = and_(messages.c.conversation == first.c.conversation, messages.c.position == first.c.position)
    query = select(messages.c.conversation, messages.c.content).join(first, at)
    return {row.conversation: row.content for row in connection.execute(query)}


def _holds(connection: Connection, column: ColumnElement[str], wanted: Sequence[str]) -> ColumnElement[bool]:
    text = folded(connection, column)
    return and_(*(text.contains(word, autoescape=True) for word in wanted))
