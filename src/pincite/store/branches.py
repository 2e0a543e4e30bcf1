"""The versions of questions in a conversation, and the path through them that is shown.

An edited question stands beside the old one. Both follow the same message, their parent. At each such place one
version is chosen; the chosen ones make the path. The messages of older conversations have no parent and are one path.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

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


def load_nodes(connection: Connection, conversation: str) -> list[MessageNode]:
    """Return all messages of a conversation, of every version, in the order in which they were asked."""
    columns = (messages.c.id, messages.c.position, messages.c.parent, messages.c.chosen, messages.c.role)
    rows = connection.execute(
        select(*columns).where(messages.c.conversation == conversation).order_by(messages.c.position)
    )
    found: list[MessageNode] = []
    for row in rows:
        before = found[-1].id if found else ROOT
        parent = before if row.parent is None else row.parent
        found.append(MessageNode(row.id, row.position, parent, row.chosen, row.role == "user"))
    return found


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
    """Return the versions of each question that has several, by the id of each version."""
    by_parent: dict[str, list[str]] = {}
    for node in nodes:
        if node.is_question:
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
