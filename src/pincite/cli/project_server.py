"""Choose the server that answers about a folder: one that runs already, or a new one that ends with the command."""

import asyncio
import ipaddress
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pincite.cli.child_server import ChildServer
from pincite.cli.server_connection import ServerConnection, stay_at
from pincite.cli.websocket_client import FindAddress
from pincite.errors import Misuse, NotFound, PinciteError

if TYPE_CHECKING:
    from pincite.projects.project import Project
    from pincite.settings import Settings


@dataclass(frozen=True, slots=True)
class ProjectServer:
    """A connection to a server and the project that it has. `local` is the same folder if it is on this machine."""

    connection: ServerConnection
    project: str  # its id
    name: str
    folder: str
    local: "Project | None" = None


@contextmanager
def open_local_server(settings: "Settings", folder: Path, options: Sequence[str] = ()) -> Iterator[ProjectServer]:
    """Yield a server on this machine that has the folder as a project.

    A server that runs on the same data with the same settings is used if it has the project. Otherwise a new one is
    started with these `options` of the program; it ends with the block.
    """
    from pincite.projects.project import open_project

    project = open_project(folder)
    child = ChildServer(project.root, options)
    with ExitStack() as closing:
        closing.callback(child.stop)
        connection = _connect_running_server(settings, project, child)
        if connection is None:
            connection = ServerConnection(_find_child(child), child.secret)
            closing.callback(connection.close)
            connection.open()
        else:
            closing.callback(connection.close)
        yield ProjectServer(connection, project.id, project.name, str(project.root), project)


@contextmanager
def open_named_server(address: str, name: str, folder: Path, token: str = "") -> Iterator[ProjectServer]:
    """Yield the server at an address, with the project of that id or name, or the one of the folder.

    A server in team mode takes the `token` of an owner.
    """
    if "://" not in address:
        address = f"http://{address}"
    connection = ServerConnection(stay_at(address), token)
    try:
        connection.open()
        listed = connection.act("projects").get("projects") or []
        chosen = _choose_project([each for each in listed if isinstance(each, dict)], name, folder)
        local = _find_here(address, chosen)
        yield ProjectServer(connection, chosen["id"], chosen["name"], chosen.get("folder", ""), local)
    finally:
        connection.close()


def _connect_running_server(settings: "Settings", project: "Project", child: ChildServer) -> ServerConnection | None:
    """Return a connection to the server of this data if it has the project. Return None if there is none."""
    from pincite.cli.remote_server import find_remote
    from pincite.store.server_file import find_server

    remote = find_remote(settings)
    if remote is None:
        return None

    token = remote.token

    async def find_address() -> str:
        """Return the address while that server runs; after its end start our own."""
        nonlocal token
        running = find_server(settings)
        if running and running.address == remote.address:
            token = running.token  # a new one if it was started again
            return remote.address
        token = child.secret
        return await _find_child(child)()

    connection = ServerConnection(find_address, lambda: token)
    try:
        connection.open()
        listed = connection.act("projects").get("projects") or []
        if any(each.get("id") == project.id for each in listed):
            return connection
    except PinciteError:
        pass  # a server that cannot be asked is left alone
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def _find_child(child: ChildServer) -> FindAddress:
    """Return a function that finds the address of the child, and starts the child again if it has ended."""

    async def find_address() -> str:
        return await asyncio.to_thread(child.start)

    return find_address


def _choose_project(listed: "Sequence[dict[str, str]]", name: str, folder: Path) -> "dict[str, str]":
    """Return the project with this id or name; without a name the project of the folder, or the only one."""
    from pincite.projects.project import open_project

    known = ", ".join(each["name"] for each in listed)
    if not listed:
        raise NotFound("The server has no project.", "Start it with `pincite serve --project FOLDER`.", "project")
    if name:
        named = [each for each in listed if name in (each["id"], each["name"])]
        if len(named) == 1:
            return named[0]
        if named:
            ids = ", ".join(each["id"] for each in named)
            raise Misuse(f"{len(named)} projects are called {name}.", f"Choose an id with --project: {ids}.")
        raise NotFound(f"The server has no project {name}.", f"Choose one with --project: {known}.", "project")
    try:
        own = open_project(folder).id
    except PinciteError:
        own = ""
    for each in listed:
        if each["id"] == own or len(listed) == 1:
            return each
    raise Misuse("The server has several projects.", f"Choose one with --project: {known}.")


def _find_here(address: str, chosen: "dict[str, str]") -> "Project | None":
    """Return the project of a server if its folder is on this machine."""
    from pincite.projects.project import open_project

    host = urlsplit(address).hostname or ""
    try:
        is_here = host == "localhost" or ipaddress.ip_address(host).is_loopback
        found = open_project(Path(chosen["folder"])) if is_here else None
    except (ValueError, KeyError, PinciteError):
        return None
    return found if found and found.id == chosen["id"] else None
