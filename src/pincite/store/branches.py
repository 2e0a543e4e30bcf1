"""The versions of questions in a conversation, and the path through them that is shown.

An edited question stands beside the old one. Both follow the same message, their parent. At each such place one
version is chosen; the chosen ones make the path. The messages of older conversations have no parent and are one path.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, and_, select, update

from pincite.store.notices import send_notice
from pincite.store.schema import messages

ROOT = ""  # the parent of a first question


@dataclass(frozen=True, slots=True)
class MessageNode:
    """A message in the tree of a conversation."""

    id: str
    position: int
    parent: str
    chosen: int
    is_question: bool
    is_empty_failure: bool = False  # an answer that failed before its first word


def load_nodes(connection: Connection, conversation: str) -> list[MessageNode]:
    """Return all messages of a conversation, of every version, in the order in which they were asked."""
    return load_many(connection, [conversation]).get(conversation, [])


def load_many(connection: Connection, conversations: Collection[str]) -> dict[str, list[MessageNode]]:
    """Return all messages of each conversation, of every version, in the order in which they were asked."""
    is_empty_failure = and_(messages.c.role == "assistant", messages.c.state == "failed", messages.c.content == "")
    columns = (messages.c.conversation, messages.c.id, messages.c.position, messages.c.parent, messages.c.chosen)
    rows = connection.execute(
        select(*columns, messages.c.role, is_empty_failure.label("is_empty_failure"))
        .where(messages.c.conversation.in_(conversations))
        .order_by(messages.c.conversation, messages.c.position)
    )
    found: dict[str, list[MessageNode]] = {}
    for row in rows:
        nodes = found.setdefault(row.conversation, [])
        before = nodes[-1].id if nodes else ROOT
        parent = before if row.parent is None else row.parent
        is_question = row.role == "user"
        nodes.append(MessageNode(row.id, row.position, parent, row.chosen, is_question, bool(row.is_empty_failure)))
    return found


def count_questions(nodes: Sequence[MessageNode]) -> int:
    """Return the number of questions that are shown; the versions of a question count as one."""
    shown = set(trace_path(nodes))
    return sum(node.is_question for node in nodes if node.id in shown)


def trace_path(nodes: Sequence[MessageNode], until: str | None = None) -> list[str]:
    """Return the ids of the messages that are shown, in order; with `until`, those before this message."""
    if until is not None:
        parents = {node.id: node.parent for node in nodes}
        path: list[str] = []
        at = parents.get(until, ROOT)
        while at in parents:
            path.append(at)
            at = parents[at]
        return path[::-1]
    following: dict[str, list[MessageNode]] = {}
    for node in nodes:
        following.setdefault(node.parent, []).append(node)
    path, at = [], ROOT
    while options := following.get(at):
        at = max(options, key=lambda node: (node.chosen, node.position)).id
        path.append(at)
    return path


def list_versions(nodes: Sequence[MessageNode]) -> dict[str, list[str]]:
    """Return the versions of each question that has several, by the id of each version.

    A version whose answer failed before its first word is one only while it is shown.
    """
    shown = set(trace_path(nodes))
    dropped = {node.parent for node in nodes if node.is_empty_failure} - shown
    by_parent: dict[str, list[str]] = {}
    for node in nodes:
        if node.is_question and node.id not in dropped:
            by_parent.setdefault(node.parent, []).append(node.id)
    return {id: versions for versions in by_parent.values() if len(versions) > 1 for id in versions}


def choose_version(connection: Connection, conversation: str, question: str) -> None:
    """Make this version of a question the one that is shown."""
    nodes = load_nodes(connection, conversation)
    own = next(node for node in nodes if node.id == question)
    last = find_last_choice(nodes, own.parent)
    connection.execute(update(messages).where(messages.c.id == question).values(chosen=last + 1))
    send_notice(connection, "conversation", conversation)


def find_last_choice(nodes: Sequence[MessageNode], parent: str) -> int:
    """Return the number of the last choice among the versions after a message; 0 if there was none."""
    return max((node.chosen for node in nodes if node.parent == parent and node.is_question), default=0)
