"""Projects: folders on this machine that the program was started on."""

import hashlib
import logging
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import Misuse, NotFound
from pincite.settings import Settings

_ID_LENGTH = 12

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Project:
    """A folder of the user. The id follows from its real path, so it is the same in every process."""

    id: str
    name: str
    root: Path


def open_project(folder: Path) -> Project:
    """Return the project of a folder; refuse the root of the file system and the home folder."""
    try:
        root = folder.expanduser().resolve(strict=True)
    except (OSError, RuntimeError):
        raise Misuse(
            f"There is no folder {folder}.", "Check the spelling of the project's folder.", "no_folder"
        ) from None
    if not root.is_dir():
        raise Misuse(f"{folder} is not a folder.", "A project is a folder: name the one the file is in.", "no_folder")
    if root.parent == root or root == _find_home():
        raise Misuse(f"{folder} is too wide for a project.", "Name the folder of one project in it.", "folder_too_wide")
    return Project(
        hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:_ID_LENGTH], root.name, root
    )


def get_data_folder(settings: Settings, project: Project) -> Path:
    """Return the folder in our data folder that holds the index and the change journal of a project."""
    return settings.data / "projects" / project.id


def make_private_folder(folder: Path) -> None:
    """Make a folder, and the missing ones above it, that nobody else may read."""
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


class Projects:
    """The projects of the settings. A folder that is missing is left out with a warning."""

    def __init__(self, settings: Settings) -> None:
        opened: dict[str, Project] = {}
        for folder in settings.projects.folders:
            try:
                project = open_project(folder)
            except Misuse as error:
                log.warning("A folder in projects.folders is left out. %s", error.message)
            else:
                opened[project.id] = project
        self._opened = opened

    def list(self) -> list[Project]:
        """Return the projects in the order of the settings."""
        return [*self._opened.values()]

    def find(self, id_or_name: str) -> Project:
        """Return the project with an id, or the only one with a name."""
        if id_or_name in self._opened:
            return self._opened[id_or_name]
        named = [project for project in self._opened.values() if project.name == id_or_name]
        if len(named) == 1:
            return named[0]
        if named:
            ids = ", ".join(project.id for project in named)
            raise Misuse(f"{len(named)} projects are called {id_or_name}.", f"Use an id: {ids}.", "ambiguous_project")
        known = ", ".join(project.name for project in self._opened.values())
        raise NotFound(
            f"There is no project {id_or_name}.",
            f"Choose one of these: {known}." if known else "Start the server with --project FOLDER.",
            "project",
        )


def _find_home() -> Path | None:
    try:
        return Path.home().resolve()
    except (OSError, RuntimeError):
        return None
