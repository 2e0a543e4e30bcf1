"""Commands that wait for documents to be ready: add, retry and reindex."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import door
from pincite.errors import EmbeddingError, Misuse, NotFound, Unreadable

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.cli.outcomes import Outcomes
    from pincite.library import Library
    from pincite.library.site import Visit

Password = Annotated[str | None, typer.Option("--password", help="Password of protected PDFs.")]

_TO_GO_ON = "Stopped. What was read is searchable; run the same command to go on."


def add(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH_OR_URL", help="Files, folders (read at all levels) and addresses of web pages."),
    ],
    library: Annotated[str, typer.Option("--library", "-l", help="Name of the library to add to.")] = "default",
    watch: Annotated[bool, typer.Option("--watch", help="Stay, and follow the folder as it changes.")] = False,
    depth: Annotated[
        int, typer.Option("--depth", min=0, max=10, help="How many links deep to follow a page, on its own host.")
    ] = 0,
    most: Annotated[
        int, typer.Option("--most", min=1, max=10_000, metavar="N", help="Most pages of one address with --depth.")
    ] = 50,
    password: Password = None,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Add files, folders and web pages, and wait for them.

    A document can be searched as soon as it is read; its vectors follow. Ctrl-C stops cleanly and the same command
    goes on where it was. A file that is there already is not added twice. With `--depth`, pages of the same host that
    a page links to are added too, as its robots.txt allows and not faster than `web.pause_seconds`.

    \b
    pincite add reports/
    pincite add a.pdf b.docx --library contracts
    pincite add notes/ --watch
    pincite add https://example.org/report.pdf
    pincite add https://example.org/handbook/ --depth 1 --most 30
    """
    from pincite.library import open_library
    from pincite.library.site import Visit
    from pincite.library.walk import walk

    settings = door.settings(data, database, config)
    errors = door.console(stderr=True)
    urls = [path for path in paths if "://" in path]
    folders = [path for path in paths if path not in urls]
    if watch and urls:
        raise Misuse("A web page cannot be watched.", f"Leave out --watch, or {urls[0]}.")
    if depth and not urls:
        raise Misuse("--depth is for addresses.", "Folders are read at all levels without it.")
    visits = [Visit(url, depth, most if depth else 1, library, password) for url in dict.fromkeys(urls)]
    with errors.status("Looking for documents…"):
        files = [file for path in folders for file in walk(Path(path), settings.data)]
    if not files and not visits and not watch:
        errors.print(f"There are no documents in {', '.join(paths)}.")
        raise typer.Exit(door.NOTHING_FOUND)
    house = open_library(settings)
    try:
        well = _ingest(house, files, library, password, json, errors, visits)
        if watch:
            _follow(house, [Path(path) for path in folders], library, password, json, errors)
    except KeyboardInterrupt:
        errors.print(_TO_GO_ON)
        raise
    finally:
        house.close()
    if not well:
        raise typer.Exit(door.NOTHING_FOUND)


def _ingest(
    house: "Library",
    files: Iterable[Path],
    library: str,
    password: str | None,
    json: bool,
    errors: "Console",
    visits: "Iterable[Visit]" = (),
) -> bool:
    """Add files and pages, work until they are ready, and say of each how it went; False when one failed."""
    from pincite.cli.outcomes import Outcomes, work

    outcomes = Outcomes(house, json, errors)
    with errors.status("Looking at the files…"):
        for file in files:
            try:
                outcomes.added(house.add(file, library, password))
            except (Unreadable, NotFound) as error:
                outcomes.refused(file, error)
    for visit in visits:
        asyncio.run(_fetch(house, visit, outcomes, errors))
    work(house, errors, outcomes, outcomes.documents)
    return outcomes.summed_up()


async def _fetch(house: "Library", visit: "Visit", outcomes: "Outcomes", errors: "Console") -> None:
    """Fetch the pages of a visit into the library, and say which is under way."""
    from pincite.cli.rows import harmless
    from pincite.library.site import AddedPage, SkippedPage, add_pages

    count = 0
    with errors.status(f"Fetching {harmless(visit.url)}…") as status:
        async for page in add_pages(house, visit):
            if isinstance(page, SkippedPage):
                errors.print(f"Left out {harmless(page.url)}: {page.error.message}")
                continue
            count += 1
            if isinstance(page, AddedPage):
                outcomes.added(page.added)
            else:
                outcomes.refused(page.url, page.error)
            told = f"{count} of at most {visit.most} pages" if visit.depth else "1 page"
            status.update(f"Fetched {told}, the last {harmless(page.url)}")
    if visit.depth:
        errors.print(f"{count} {'page' if count == 1 else 'pages'} of {harmless(visit.url)} fetched.")


def _follow(
    house: "Library", roots: list[Path], library: str, password: str | None, json: bool, errors: "Console"
) -> None:
    from pincite.library.watch import follow

    errors.print(f"Watching {', '.join(str(root) for root in roots)}. Ctrl-C ends it.")
    for change in follow(house, roots, library):
        for gone in change.removed:
            errors.print(f"Removed {gone}.")
        if change.changed:
            _ingest(house, change.changed, library, password, json, errors)


def retry(
    ids: Annotated[list[str], typer.Argument(metavar="ID", help="Documents; the first letters of an id will do.")],
    password: Password = None,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Read again what failed or was not read completely.

    A scan that was added before tesseract was installed is read now. `pincite documents` shows what is amiss.
    """
    from pincite.cli.outcomes import Outcomes, work
    from pincite.library import Added, open_library
    from pincite.store import documents as rows

    house = open_library(door.settings(data, database, config))
    errors = door.console(stderr=True)
    try:
        with house.database.reading() as connection:
            chosen = [rows.matching(connection, house.settings.owner, given) for given in ids]
        outcomes = Outcomes(house, json, errors)
        for stored in {stored.id: stored for stored in chosen}.values():
            if house.retry(stored.id, password) or stored.status not in ("ready", "failed"):
                outcomes.added(Added(stored.id, "again"))
            else:
                errors.print(f"There is nothing to try again for {stored.name}: all of it was read.")
        if not outcomes.documents:
            raise typer.Exit(door.NOTHING_FOUND)
        work(house, errors, outcomes, outcomes.documents)
        if not outcomes.summed_up():
            raise typer.Exit(door.NOTHING_FOUND)
    except KeyboardInterrupt:
        errors.print(_TO_GO_ON)
        raise
    finally:
        house.close()


def reindex(
    again: Annotated[
        bool, typer.Option("--all", help="Read and embed everything again, not only what is missing.")
    ] = False,
    password: Password = None,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Bring every document up to the present model and settings.

    Search goes on by words meanwhile. What failed or had problems is tried again. Ctrl-C stops cleanly and
    the same command goes on where it was.
    """
    from pincite.cli.outcomes import Outcomes, work
    from pincite.index.embed import embedder
    from pincite.library import Added, open_library

    settings = door.settings(data, database, config)
    house = open_library(settings)
    errors = door.console(stderr=True)
    try:
        try:
            model = embedder(settings.embedding, settings.data)
        except EmbeddingError as error:
            errors.print(f"{error.message} {error.hint}")
            model = None
        outcomes = Outcomes(house, json, errors)
        for document in house.reindex(model.name if model else None, again, password):
            outcomes.added(Added(document, "again"))
        if not outcomes.documents:
            errors.print("Everything is up to date.")
            return
        work(house, errors, outcomes, outcomes.documents)
        if not outcomes.summed_up():
            raise typer.Exit(door.NOTHING_FOUND)
    except KeyboardInterrupt:
        errors.print(_TO_GO_ON)
        raise
    finally:
        house.close()
