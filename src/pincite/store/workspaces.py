"""Store workspaces. Every function takes the owner and ignores the workspaces of other people."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, Select, delete, func, insert, or_, select, update

from pincite.errors import NotFound, Taken
from pincite.store import catalogue, conversations, notebooks
from pincite.store.workspace_schema import (
    workspace_conversations,
    workspace_libraries,
    workspace_notebooks,
    workspaces,
)
from pincite.types import LibraryKey


@dataclass(frozen=True, slots=True)
class StoredWorkspace:
    """A workspace: its name, and its instructions on how to answer."""

    id: str
    owner: str
    name: str
    instructions: str
    created: float
    updated: float


def create(connection: Connection, owner: str, name: str, instructions: str = "") -> StoredWorkspace:
    """Create a workspace without libraries; raise `Taken` if the owner has one of that name."""
    _check_name(connection, owner, name)
    now = time.time()
    made = StoredWorkspace(uuid.uuid4().hex, owner, name, instructions, now, now)
    connection.execute(insert(workspaces).values(asdict(made)))
    return made


def get(connection: Connection, owner: str, given: str) -> StoredWorkspace:
    """Return the owner's workspace with this id or name; raise `NotFound` if there is none."""
    named = or_(workspaces.c.id == given, workspaces.c.name == given)
    rows = connection.execute(select(workspaces).where(workspaces.c.owner == owner, named)).all()
    if not rows:
        raise NotFound("There is no such workspace.", "Check its id or name.", "workspace")
    # A name may look like another workspace's id: the id is meant.
    return StoredWorkspace(*next((row for row in rows if row.id == given), rows[0]))


def find(connection: Connection, owner: str) -> list[StoredWorkspace]:
    """Return the owner's workspaces, by name."""
    query = select(workspaces).where(workspaces.c.owner == owner).order_by(func.lower(workspaces.c.name))
    return [StoredWorkspace(*row) for row in connection.execute(query.order_by(workspaces.c.id))]


def change(connection: Connection, owner: str, workspace: str, name: str, instructions: str) -> StoredWorkspace:
    """Change the name or the instructions of a workspace and return it."""
    found = get(connection, owner, workspace)
    _check_name(connection, owner, name, other_than=found.id)
    values = {"name": name, "instructions": instructions, "updated": time.time()}
    connection.execute(update(workspaces).where(workspaces.c.id == found.id).values(values))
    return get(connection, owner, found.id)


def remove(connection: Connection, owner: str, workspace: str) -> None:
    """Remove a workspace. Its documents, conversations and notebooks stay."""
    found = get(connection, owner, workspace)
    connection.execute(delete(workspaces).where(workspaces.c.id == found.id))


def set_libraries(connection: Connection, workspace: StoredWorkspace, libraries: Sequence[LibraryKey]) -> None:
    """Replace the libraries of a workspace."""
    connection.execute(delete(workspace_libraries).where(workspace_libraries.c.workspace == workspace.id))
    rows = [
        {
            "workspace": workspace.id,
            "owner": workspace.owner,
            "library_owner": "" if key.owner == workspace.owner else key.owner,
            "library": key.name,
        }
        for key in dict.fromkeys(libraries)
    ]
    if rows:
        connection.execute(insert(workspace_libraries), rows)


def replace_readable_libraries(
    connection: Connection, workspace: StoredWorkspace, libraries: Sequence[LibraryKey]
) -> None:
    """Replace those libraries of a workspace that its owner may read; the others were not shown, and stay."""
    readable = {LibraryKey(each.owner, each.name) for each in catalogue.list_libraries(connection, workspace.owner)}
    hidden = [key for key in list_libraries(connection, workspace) if key not in readable]
    set_libraries(connection, workspace, [*libraries, *hidden])


def list_libraries(connection: Connection, workspace: StoredWorkspace) -> list[LibraryKey]:
    """Return the libraries of a workspace, whether its owner may still read them or not."""
    query = select(workspace_libraries.c.library_owner, workspace_libraries.c.library)
    rows = connection.execute(query.where(workspace_libraries.c.workspace == workspace.id).order_by("library"))
    return [LibraryKey(row.library_owner or workspace.owner, row.library) for row in rows]


def remove_library_owner(connection: Connection, person: str) -> None:
    """Remove the libraries of a deleted person from all workspaces."""
    connection.execute(delete(workspace_libraries).where(workspace_libraries.c.library_owner == person))


def add_conversation(connection: Connection, owner: str, workspace: str, conversation: str) -> None:
    """Put a conversation into a workspace, and out of any other. Raise `NotFound` if one of the two is not there."""
    found = get(connection, owner, workspace)
    known = conversations.get(connection, owner, conversation)
    connection.execute(delete(workspace_conversations).where(workspace_conversations.c.conversation == known.id))
    values = {"conversation": known.id, "workspace": found.id, "owner": owner}
    connection.execute(insert(workspace_conversations).values(values))


def remove_conversation(connection: Connection, owner: str, workspace: str, conversation: str) -> None:
    """Take a conversation out of a workspace. It is no error if it is not in it."""
    found = get(connection, owner, workspace)
    conversations.get(connection, owner, conversation)
    in_it = (
        workspace_conversations.c.workspace == found.id,
        workspace_conversations.c.conversation == conversation,
    )
    connection.execute(delete(workspace_conversations).where(*in_it))


def find_by_conversation(connection: Connection, owner: str, conversation: str) -> StoredWorkspace | None:
    """Return the workspace that a conversation is in, if any."""
    query = select(workspaces).join(workspace_conversations, workspace_conversations.c.workspace == workspaces.c.id)
    meant = query.where(workspaces.c.owner == owner, workspace_conversations.c.conversation == conversation)
    row = connection.execute(meant).one_or_none()
    return None if row is None else StoredWorkspace(*row)


def count_conversations(connection: Connection, owner: str) -> dict[str, int]:
    """Return the number of conversations in each of the owner's workspaces that has any."""
    query = select(workspace_conversations.c.workspace, func.count()).where(workspace_conversations.c.owner == owner)
    return {row[0]: row[1] for row in connection.execute(query.group_by(workspace_conversations.c.workspace))}


def add_notebook(connection: Connection, owner: str, workspace: str, notebook: str) -> None:
    """Put a notebook into a workspace, and out of any other. Raise `NotFound` if one of the two is not there."""
    found = get(connection, owner, workspace)
    known = notebooks.get(connection, owner, notebook, lock=True)
    connection.execute(delete(workspace_notebooks).where(workspace_notebooks.c.notebook == known.id))
    values = {"notebook": known.id, "workspace": found.id, "owner": owner}
    connection.execute(insert(workspace_notebooks).values(values))


def remove_notebook(connection: Connection, owner: str, workspace: str, notebook: str) -> None:
    """Take a notebook out of a workspace. It is no error if it is not in it."""
    found = get(connection, owner, workspace)
    notebooks.get(connection, owner, notebook)
    in_it = workspace_notebooks.c.workspace == found.id, workspace_notebooks.c.notebook == notebook
    connection.execute(delete(workspace_notebooks).where(*in_it))


def map_notebooks(connection: Connection, owner: str) -> dict[str, str]:
    """Return the ids of the workspaces of the owner's notebooks, by notebook; those without one are left out."""
    query = select(workspace_notebooks.c.notebook, workspace_notebooks.c.workspace)
    rows = connection.execute(query.where(workspace_notebooks.c.owner == owner))
    return {row.notebook: row.workspace for row in rows}


def select_conversations(workspace: str) -> Select[str]:
    """Return a query for the ids of the conversations in a workspace."""
    return select(workspace_conversations.c.conversation).where(workspace_conversations.c.workspace == workspace)


def _check_name(connection: Connection, owner: str, name: str, other_than: str = "") -> None:
    query = select(workspaces.c.id).where(workspaces.c.owner == owner, workspaces.c.name == name)
    if connection.scalar(query.where(workspaces.c.id != other_than)) is not None:
        raise Taken("There is a workspace of that name already.", "Choose another name, or change that one.")
