"""HTTP routes for workspaces: libraries, conversations, notebooks and instructions that belong to one piece of work."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pincite.server.dependencies import Body, Id, Owner, TheLibrary, Words
from pincite.store import workspaces
from pincite.store.catalogue import list_libraries
from pincite.store.database import Connection
from pincite.store.library_access import resolve_library
from pincite.store.workspaces import StoredWorkspace
from pincite.types import LibraryKey


class WorkspaceLibrary(BaseModel):
    """A library of a workspace."""

    key: Annotated[str, Field(description="The name to send as `library`: `NAME`, or `~OWNER/NAME` of somebody else.")]
    name: str


class Workspace(BaseModel):
    """A workspace, with the libraries of it that you may read."""

    id: str
    name: str
    instructions: Annotated[str, Field(description="What the model is told with every question; may be empty.")]
    libraries: Annotated[
        list[WorkspaceLibrary], Field(description="Searched for a question that names nothing else; none: everything.")
    ]
    conversations: Annotated[int, Field(description="Number of conversations in it.")]
    created: float
    updated: float


class GivenWorkspace(Body):
    """A name, instructions such as "Answer for the board, in French", and libraries by their `key`."""

    name: Annotated[Words, Field(min_length=1, max_length=200)]
    instructions: Annotated[Words, Field(max_length=20_000)] = ""
    libraries: Annotated[tuple[Annotated[Words, Field(max_length=310)], ...], Field(max_length=100)] = ()


def router() -> APIRouter:
    """Return the routes for workspaces."""
    routes = APIRouter(tags=["workspaces"])

    @routes.get("/api/workspaces")
    def find(owner: Owner, library: TheLibrary) -> list[Workspace]:
        """List your workspaces, sorted by name."""
        with library.database.reading() as connection:
            return _make_workspaces(connection, owner, workspaces.find(connection, owner))

    @routes.post("/api/workspaces", status_code=201)
    def create(given: GivenWorkspace, owner: Owner, library: TheLibrary) -> Workspace:
        """Create a workspace."""
        with library.database.writing() as connection:
            keys = _resolve_libraries(connection, owner, given)
            made = workspaces.create(connection, owner, given.name, given.instructions)
            workspaces.set_libraries(connection, made, keys)
            return _make_workspace(connection, owner, made)

    @routes.get("/api/workspaces/{workspace}")
    def get(workspace: Id, owner: Owner, library: TheLibrary) -> Workspace:
        """Get a workspace by its id or name."""
        with library.database.reading() as connection:
            return _make_workspace(connection, owner, workspaces.get(connection, owner, workspace))

    @routes.put("/api/workspaces/{workspace}")
    def change(workspace: Id, given: GivenWorkspace, owner: Owner, library: TheLibrary) -> Workspace:
        """Change the name, the instructions and the libraries of a workspace. Libraries that you may not read stay."""
        with library.database.writing() as connection:
            workspaces.get(connection, owner, workspace)
            keys = _resolve_libraries(connection, owner, given)
            changed = workspaces.change(connection, owner, workspace, given.name, given.instructions)
            workspaces.replace_readable_libraries(connection, changed, keys)
            return _make_workspace(connection, owner, changed)

    @routes.delete("/api/workspaces/{workspace}", status_code=204)
    def delete(workspace: Id, owner: Owner, library: TheLibrary) -> None:
        """Remove a workspace. Its documents, conversations and notebooks stay."""
        with library.database.writing() as connection:
            workspaces.remove(connection, owner, workspace)

    @routes.put("/api/workspaces/{workspace}/conversations/{conversation}", status_code=204)
    def add_conversation(workspace: Id, conversation: Id, owner: Owner, library: TheLibrary) -> None:
        """Put a conversation into a workspace, and out of any other."""
        with library.database.writing() as connection:
            workspaces.add_conversation(connection, owner, workspace, conversation)

    @routes.delete("/api/workspaces/{workspace}/conversations/{conversation}", status_code=204)
    def remove_conversation(workspace: Id, conversation: Id, owner: Owner, library: TheLibrary) -> None:
        """Take a conversation out of a workspace. The conversation stays."""
        with library.database.writing() as connection:
            workspaces.remove_conversation(connection, owner, workspace, conversation)

    @routes.put("/api/workspaces/{workspace}/notebooks/{notebook}", status_code=204)
    def add_notebook(workspace: Id, notebook: Id, owner: Owner, library: TheLibrary) -> None:
        """Put a notebook into a workspace, and out of any other."""
        with library.database.writing() as connection:
            workspaces.add_notebook(connection, owner, workspace, notebook)

    @routes.delete("/api/workspaces/{workspace}/notebooks/{notebook}", status_code=204)
    def remove_notebook(workspace: Id, notebook: Id, owner: Owner, library: TheLibrary) -> None:
        """Take a notebook out of a workspace. The notebook stays."""
        with library.database.writing() as connection:
            workspaces.remove_notebook(connection, owner, workspace, notebook)

    return routes


def _resolve_libraries(connection: Connection, owner: str, given: GivenWorkspace) -> list[LibraryKey]:
    return [resolve_library(connection, owner, key, "reader") for key in given.libraries]


def _make_workspace(connection: Connection, owner: str, stored: StoredWorkspace) -> Workspace:
    return _make_workspaces(connection, owner, [stored])[0]


def _make_workspaces(connection: Connection, owner: str, found: list[StoredWorkspace]) -> list[Workspace]:
    """Return workspaces with the libraries that their owner may read now."""
    readable = {LibraryKey(each.owner, each.name): each for each in list_libraries(connection, owner)}
    numbers = workspaces.count_conversations(connection, owner)
    return [
        Workspace(
            id=each.id,
            name=each.name,
            instructions=each.instructions,
            libraries=[
                WorkspaceLibrary(key=readable[key].key, name=key.name)
                for key in workspaces.list_libraries(connection, each)
                if key in readable
            ],
            conversations=numbers.get(each.id, 0),
            created=each.created,
            updated=each.updated,
        )
        for each in found
    ]
