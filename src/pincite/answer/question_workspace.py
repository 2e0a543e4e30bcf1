"""Give a question the instructions and the libraries of its workspace."""

from dataclasses import replace

from pincite.answer.question import AskedQuestion
from pincite.store import workspaces
from pincite.store.database import Connection


def add_workspace(connection: Connection, asked: AskedQuestion, given: str) -> AskedQuestion:
    """Return a question as one that is asked in a workspace, by its id or name; raise `NotFound` without one.

    The libraries of the workspace are searched, unless the question names a library or documents itself. Tags narrow
    them.
    """
    workspace = workspaces.get(connection, asked.scope.owner, given)
    scope = asked.scope
    libraries = workspaces.list_libraries(connection, workspace)
    if libraries and not scope.is_placed:
        scope = replace(scope, libraries=tuple(libraries))
    return replace(asked, scope=scope, workspace=workspace.id, workspace_instructions=workspace.instructions)
