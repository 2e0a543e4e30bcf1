"""HTTP route for the paths of a project's files, from which a page makes its file tree."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pincite.projects.file_list import list_files
from pincite.projects.project import Projects
from pincite.server.dependencies import Id, Owner, TheLibrary

_MOST = 50_000  # paths in one response


class ProjectPaths(BaseModel):
    """The paths of a project's files, without ignored files, secrets and files that are no text."""

    project: str
    paths: Annotated[list[str], Field(description="Sorted; at most 50,000.")]
    total: Annotated[int, Field(description="Number of files in the project.")]


def router() -> APIRouter:
    """Return the route for the paths of a project's files."""
    routes = APIRouter(tags=["projects"])

    @routes.get("/api/projects/{project}/paths")
    def list_paths(project: Id, owner: Owner, library: TheLibrary) -> ProjectPaths:
        """List the paths of a project's files."""
        found = Projects(library.settings).find(project)
        paths = [file.path for file in list_files(found)]
        return ProjectPaths(project=found.id, paths=paths[:_MOST], total=len(paths))

    return routes
