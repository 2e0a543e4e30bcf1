"""The `project` commands: the files of a folder, its tree, the search in it and changes of it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options

if TYPE_CHECKING:
    from pincite.projects.file_index import FileIndex
    from pincite.projects.project import Project
    from pincite.settings import Settings

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True, help="Look at a folder, and change its files.")

Root = Annotated[Path, typer.Option("--root", metavar="DIR", help="The project's folder; default is this folder.")]


def open_root(root: Path) -> "Project":
    """Return the project of the folder that the user named."""
    from pincite.projects.project import open_project

    return open_project(root)


@app.command()
def files(
    root: Root = Path(),
    ignored: Annotated[bool, typer.Option("--ignored", help="Also list ignored files, secrets and binaries.")] = False,
    json: options.Json = False,
) -> None:
    """List the files of a project that questions are answered from."""
    from dataclasses import asdict

    from pincite.projects.file_list import list_files

    found = list_files(open_root(root), ignored=ignored)
    if json:
        options.print_json([asdict(file) for file in found])
        return
    console = options.make_console()
    for file in found:
        console.print(f"{file.size:>10,}  {file.path}")


@app.command()
def tree(
    root: Root = Path(),
    tokens: Annotated[
        int | None, typer.Option(min=100, help="Most tokens of the tree; default is projects.tree_tokens.")
    ] = None,
    json: options.Json = False,
    data: options.Data = None,
    config: options.Config = None,
) -> None:
    """Print the files of a project as a model sees them.

    Each has its number of tokens.

    A tree that is too long is cut down: first the token counts, then generated files, then the deepest folders.
    """
    from dataclasses import asdict

    from pincite.projects.tree import draw_tree

    settings = options.load_settings(data, None, config)
    with options.show_status("Reading the project…"):
        index = _open_index(settings, root)
        found = index.refresh()
        drawn = draw_tree(found, index.count_tokens(), tokens or settings.projects.tree_tokens)
        index.close()
    if json:
        options.print_json(asdict(drawn))
    else:
        options.make_console().print(drawn.text)


@app.command()
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for: words, or names of functions.")],
    root: Root = Path(),
    limit: Annotated[int, typer.Option("--limit", "-k", min=1, max=100, help="Most results.")] = 10,
    json: options.Json = False,
    data: options.Data = None,
    config: options.Config = None,
) -> None:
    """Find the parts of a project that fit a question best.

    Parts are functions, classes and sections.

    \b
    pincite project search "where are passwords checked"
    """
    from dataclasses import asdict

    settings = options.load_settings(data, None, config)
    with options.show_status("Reading the project…"):
        index = _open_index(settings, root)
        index.refresh()
        found = index.search(query, limit)
        index.close()
    if json:
        options.print_json([asdict(part) for part in found])
    elif not found:
        options.make_console(stderr=True).print("No file of the project has these words.")
    console = options.make_console()
    for part in found if not json else ():
        console.print(f"{part.path}:{part.first_line}-{part.last_line}" + (f"  {part.name}" if part.name else ""))
    if not found:
        raise typer.Exit(options.NOTHING_FOUND)


def _open_index(settings: "Settings", root: Path) -> "FileIndex":
    from pincite.projects.file_index import FileIndex
    from pincite.projects.project import get_data_folder

    project = open_root(root)
    return FileIndex(project, get_data_folder(settings, project), settings.projects.file_bytes)
