"""Search an owner's conversations by words, page by page, latest first."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, func, select, tuple_

from pincite.store import branches
from pincite.store.conversations import StoredConversation
from pincite.store.schema import conversations, messages
from pincite.store.sql_folding import fold_column, split_search_words
from pincite.store.workspaces import select_conversations


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """A conversation, its number of questions, and the first text in it that matches; "" without search words."""

    about: StoredConversation
    questions: int
    text: str = ""


def find(
    connection: Connection,
    owner: str,
    words: str | None,
    limit: int,
    before: tuple[float, str] | None = None,
    workspace: str | None = None,
) -> tuple[list[FoundConversation], int]:
    """Return up to `limit` of the owner's conversations after (updated, id), and the number of all matches.

    With words, a conversation matches if its title or one of its messages contains all of them. With the id of a
    workspace, it must be in it.
    """
    wanted = split_search_words(words)
    query = select(conversations).where(conversations.c.owner == owner)
    if wanted:
        query = query.where(conversations.c.id.in_(_find_matching_ids(connection, owner, wanted)))
    if workspace is not None:
        query = query.where(conversations.c.id.in_(select_conversations(workspace)))
    total = connection.scalar(select(func.count()).select_from(query.subquery())) or 0
    if before is not None:
        query = query.where(tuple_(conversations.c.updated, conversations.c.id) < before)
    ordered = query.order_by(conversations.c.updated.desc(), conversations.c.id.desc()).limit(limit)
    rows = [StoredConversation(*row) for row in connection.execute(ordered)]
    ids = [row.id for row in rows]
    asked = count_questions(connection, ids)
    texts = _find_matching_texts(connection, ids, wanted) if wanted else {}
    return [
        FoundConversation(row, asked.get(row.id, 0), texts.get(row.id, row.title if wanted else "")) for row in rows
    ], total


def count_questions(connection: Connection, ids: Collection[str]) -> dict[str, int]:
    """Return the number of questions in each conversation, an edited one once; those without questions are left out."""
    found = branches.load_many(connection, ids)
    return {conversation: branches.count_questions(nodes) for conversation, nodes in found.items()}


def _find_matching_ids(connection: Connection, owner: str, wanted: Sequence[str]) -> set[str]:
    """Return the ids of the conversations whose title or one message contains all words."""
    named = select(conversations.c.id).where(
        conversations.c.owner == owner, _make_words_condition(connection, conversations.c.title, wanted)
    )
    mentioned = select(messages.c.conversation).where(
        messages.c.owner == owner, _make_words_condition(connection, messages.c.content, wanted)
    )
    return {*connection.scalars(named), *connection.scalars(mentioned)}


def _find_matching_texts(connection: Connection, ids: Collection[str], wanted: Sequence[str]) -> dict[str, str]:
    """Return the first message of each conversation that contains all words, if there is one."""
    first = (
        select(messages.c.conversation, func.min(messages.c.position).label("position"))
        .where(messages.c.conversation.in_(ids), _make_words_condition(connection, messages.c.content, wanted))
        .group_by(messages.c.conversation)
        .subquery()
    )
    at = and_(messages.c.conversation == first.c.conversation, messages.c.position == first.c.position)
    query = select(messages.c.conversation, messages.c.content).join(first, at)
    return {row.conversation: row.content for row in connection.execute(query)}


def _make_words_condition(
    connection: Connection, column: ColumnElement[str], wanted: Sequence[str]
) -> ColumnElement[bool]:
    text = fold_column(connection, column)
    return and_(*(text.contains(word, autoescape=True) for word in wanted))
