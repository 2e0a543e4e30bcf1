"""Commands that change the library: add, documents, remove, reindex."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import door
from pincite.errors import Misuse, PinciteError, Unreadable

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.library import Library


def add(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH…", help="Files and folders; folders are read at all levels.")
    ],
    library: Annotated[str, typer.Option("--library", "-l", help="Name of the library to add to.")] = "default",
    watch: Annotated[bool, typer.Option("--watch", help="Stay, and follow the folder as it changes.")] = False,
    password: Annotated[str | None, typer.Option("--password", help="Password of protected PDFs.")] = None,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Add files and folders, and wait until they are ready.

    A document can be searched as soon as it is read; its vectors follow. Ctrl-C stops cleanly and the same command
    goes on where it was. Adding the same bytes twice is said and does nothing.

    Examples:  pincite add reports/   ·   pincite add a.pdf b.docx --library contracts   ·   pincite add notes/ --watch
    """
    from pincite.library import open_library
    from pincite.library.walk import walk

    settings = door.settings(data, database, config)
    errors = door.console(stderr=True)
    for path in paths:
        if "://" in path:
            raise Misuse(
                f"{path} is an address; only files and folders can be added yet.", "Save the page and add the file."
            )
    files = [file for path in paths for file in walk(Path(path))]
    if not files and not watch:
        errors.print(f"There are no documents in {', '.join(paths)}.")
        raise typer.Exit(door.NOTHING_FOUND)
    house = open_library(settings)
    try:
        well = _ingest(house, files, library, password, json, errors)
        if watch:
            _follow(house, [Path(path) for path in paths], library, json, errors)
    finally:
        house.close()
    if not well:
        raise typer.Exit(door.NOTHING_FOUND)


def _ingest(
    house: "Library", files: list[Path], library: str, password: str | None, json: bool, errors: "Console"
) -> bool:
    """Add files, work until they are ready, and say of each how it went; False when one failed."""
    begun = time.monotonic()
    added: dict[str, str] = {}
    refused = False
    with errors.status("Looking at the files…"):
        for file in files:
            try:
                found = house.add(file, library, password)
                added.setdefault(found.document, found.outcome)
            except Unreadable as error:
                refused = True
                errors.print(f"[red]✗[/] {file}: {error.message} {error.hint}", markup=True)
    _work(house, list(added), errors, lambda document: _tell(house, document, added, begun, json, errors))
    failed = _summary(house, added, begun, errors)
    return not failed and not refused


def _work(house: "Library", documents: list[str], errors: "Console", ended: Any) -> None:
    from pincite.cli.progress import Ingestion
    from pincite.index.embed import embedder
    from pincite.jobs import Report, Worker
    from pincite.store import documents as rows

    settings = house.settings
    wanted = set(documents)

    def passages() -> int:
        with house.database.reading() as connection:
            return sum(d.passages for d in rows.find(connection, settings.owner) if d.id in wanted)

    told: set[str] = set()

    def settle() -> None:
        with house.database.reading() as connection:
            for stored in rows.find(connection, settings.owner, statuses=("ready", "failed", "searchable")):
                if stored.id in wanted and stored.id not in told and (stored.status != "searchable" or stored.error):
                    told.add(stored.id)
                    ended(stored)

    worker = Worker(house, lambda: embedder(settings.embedding, settings.data))
    view = Ingestion(errors, len(documents), passages)

    def report(event: Report) -> None:
        view(event)
        if event.ended:
            settle()

    settle()
    with view.shown():
        try:
            # A very long list of ids is no filter worth its cost: then whatever waits is worked on.
            worker.run(documents if len(documents) < 500 else None, report=report)
        except KeyboardInterrupt:
            errors.print("Stopped. What was read is searchable; run the same command to go on.")
            raise
    settle()


def _tell(house: "Library", stored: Any, added: dict[str, str], begun: float, json: bool, errors: "Console") -> None:
    if json:
        line = {
            "document": stored.id,
            "title": stored.title,
            "status": stored.status,
            "pages": stored.pages,
            "passages": stored.passages,
            "seconds": round(time.monotonic() - begun, 2),
            "error": stored.error or None,
        }
        door.print_json(line | ({"problems": list(stored.problems)} if stored.problems else {}))
        return
    if stored.status == "failed":
        errors.print(f"[red]✗[/] {_escape(stored.name)}: {_escape(stored.error)}", markup=True)
    elif stored.error:
        errors.print(f"[yellow]![/] {_escape(stored.name)}: {_escape(stored.error)}", markup=True)
    for problem in stored.problems[:3]:
        errors.print(f"[yellow]![/] {_escape(stored.name)}: {_escape(problem)}", markup=True)
    if len(stored.problems) > 3:
        errors.print(f"[yellow]![/] {_escape(stored.name)}: and {len(stored.problems) - 3} pages more.", markup=True)


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _summary(house: "Library", added: dict[str, str], begun: float, errors: "Console") -> int:
    from pincite.store import documents as rows

    with house.database.reading() as connection:
        stored = [d for d in rows.find(connection, house.settings.owner) if d.id in added]
    failed = sum(d.status == "failed" for d in stored)
    ready = [d for d in stored if d.status == "ready"]
    known = sum(outcome == "known" for outcome in added.values())
    parts = [f"{len(ready)} ready ({sum(d.pages for d in ready):,} pages, {sum(d.passages for d in ready):,} passages)"]
    if known:
        parts.append(f"{known} known already")
    if failed:
        parts.append(f"{failed} failed")
    without = len(stored) - len(ready) - failed
    if without:
        parts.append(f"{without} searchable by words only")
    errors.print(f"{', '.join(parts)} · {time.monotonic() - begun:.1f} s")
    return failed


def _follow(house: "Library", roots: list[Path], library: str, json: bool, errors: "Console") -> None:
    from pincite.library.watch import follow

    errors.print(f"Watching {', '.join(str(root) for root in roots)}. Ctrl-C ends it.")
    for change in follow(house, roots, library):
        for gone in change.removed:
            errors.print(f"Removed {gone}.")
        if change.changed:
            _ingest(house, list(change.changed), library, None, json, errors)


def list_documents(
    library: door.InLibrary = None,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """List the documents with their state."""
    from pincite.library import open_library
    from pincite.store import documents as rows

    house = open_library(door.settings(data, database, config))
    with house.database.reading() as connection:
        stored = rows.find(connection, house.settings.owner, library)
    house.close()
    if json:
        fields = ("id", "title", "name", "kind", "language", "status", "pages", "passages", "bytes", "date", "error")
        door.print_json([{"document": d.id} | {key: getattr(d, key) for key in fields[1:]} for d in stored])
    elif not stored:
        door.console().print("There are no documents yet. `pincite add FOLDER` adds some.")
    else:
        _table(stored)


def _table(stored: list[Any]) -> None:
    from rich.table import Table

    table = Table(box=None, header_style="dim", pad_edge=False)
    for name in ("document", "title", "kind", "", "pages", "passages", "state"):
        table.add_column(name, justify="right" if name in ("pages", "passages") else "left", overflow="fold")
    colours = {"ready": "green", "failed": "red"}
    for d in stored:
        state = f"[{colours.get(d.status, 'yellow')}]{d.status}[/]" + (
            f" [dim]{_escape(d.error)}[/]" if d.error else ""
        )
        table.add_row(d.id[:8], _escape(d.title), d.kind, d.language, str(d.pages or ""), str(d.passages), state)
    door.console().print(table)


def remove(
    ids: Annotated[
        list[str], typer.Argument(metavar="ID…", help="Documents to remove; the first letters of an id will do.")
    ],
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Remove documents with their text, words, vectors and stored bytes; the original files stay."""
    from pincite.library import open_library
    from pincite.store import documents as rows

    house = open_library(door.settings(data, database, config))
    try:
        with house.database.reading() as connection:
            chosen = [rows.matching(connection, house.settings.owner, given) for given in ids]
        for stored in chosen:
            house.remove(stored.id)
            if json:
                door.print_json({"document": stored.id, "title": stored.title, "removed": True})
            else:
                door.console().print(f"Removed {stored.title}.", markup=False)
    finally:
        house.close()


def reindex(
    again: Annotated[
        bool, typer.Option("--all", help="Read and embed everything again, not only what is missing.")
    ] = False,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Bring every document up to the present model and settings; search goes on by words meanwhile."""
    from pincite.index.embed import embedder
    from pincite.library import open_library

    settings = door.settings(data, database, config)
    house = open_library(settings)
    errors = door.console(stderr=True)
    try:
        try:
            model = embedder(settings.embedding, settings.data)
        except PinciteError as error:
            errors.print(f"{error.message} {error.hint}", markup=False)
            model = None
        asked = house.reindex(model.name if model else None, again)
        if not asked:
            errors.print("Everything is up to date.")
            return
        begun = time.monotonic()
        outcomes = dict.fromkeys(asked, "again")
        _work(house, asked, errors, lambda stored: _tell(house, stored, outcomes, begun, json, errors))
        if _summary(house, outcomes, begun, errors):
            raise typer.Exit(door.NOTHING_FOUND)
    finally:
        house.close()
