"""The `add`, `retry` and `reindex` commands. Each waits until the documents are ready."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.errors import EmbeddingError, Misuse, NotFound, QueueFull, Unreadable

if TYPE_CHECKING:
    from rich.console import Console

    from pincite.cli.ingestion_output import OutcomeReporter
    from pincite.library import Library
    from pincite.library.site import SiteVisit

Password = Annotated[str | None, typer.Option("--password", help="Password of protected PDFs.")]

_FEW = 20  # files; more are an import, which other people's documents overtake
_TO_GO_ON = "Stopped. The text read so far is searchable. Run the same command again to continue."


def add(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH_OR_URL", help="Files, folders (with their subfolders) and addresses of web pages."
        ),
    ] = None,
    library: Annotated[str, typer.Option("--library", "-l", help="Name of the library to add to.")] = "default",
    watch: Annotated[bool, typer.Option("--watch", help="Keep running and follow changes in the folders.")] = False,
    depth: Annotated[
        int,
        typer.Option("--depth", min=0, max=10, help="Follow links on the same host, up to this many steps deep."),
    ] = 0,
    most: Annotated[
        int,
        typer.Option("--most", min=1, max=10_000, metavar="N", help="Add at most N pages of one address with --depth."),
    ] = 50,
    password: Password = None,
    sample: Annotated[bool, typer.Option("--sample", help="Add three small invented documents to try it on.")] = False,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Add files, folders and web pages to a library.

    The command waits until the documents are ready. A document can be searched by words as soon as it is read; search
    by meaning follows when its vectors are computed.
    Press Ctrl-C to stop, and run the same command again to continue. A file that was added before is not added twice.
    With `--depth`, the linked pages of the same host are added too. Pincite obeys the site's robots.txt and waits
    `web.pause_seconds` between two pages.

    \b
    pincite add reports/
    pincite add a.pdf b.docx --library contracts
    pincite add notes/ --watch
    pincite add https://example.org/report.pdf
    pincite add https://example.org/handbook/ --depth 1 --most 30
    pincite add --sample
    """
    from pincite.library import open_library
    from pincite.library.folder_walk import walk_files
    from pincite.library.site import SiteVisit

    settings = options.load_settings(data, database, config)
    errors = options.make_console(stderr=True)
    paths = paths or []
    if not paths and not sample:
        raise Misuse("Nothing to add was named.", "Name a file, a folder or an address, or use --sample.")
    urls = [path for path in paths if "://" in path]
    folders = [path for path in paths if path not in urls]
    if watch and urls:
        raise Misuse("A web page cannot be watched.", f"Leave out --watch, or {urls[0]}.")
    if depth and not urls:
        raise Misuse("--depth needs the address of a web page.", "Subfolders are always read, without this option.")
    visits = [
        SiteVisit(settings.owner, url, depth, most if depth else 1, library, password) for url in dict.fromkeys(urls)
    ]
    with errors.status("Looking for documents…"):
        files = [file for path in folders for file in walk_files(Path(path), settings.data)]
    if not files and not visits and not watch and not sample:
        errors.print(
            f"There are no documents in {', '.join(paths)}. Name a folder with files such as PDF, Word, Markdown or "
            "HTML. Hidden and ignored files are left out."
        )
        raise typer.Exit(options.NOTHING_FOUND)
    opened = open_library(settings)
    try:
        well = _ingest(opened, files, library, password, json, errors, visits, sample)
        if watch:
            _watch_folders(opened, [Path(path) for path in folders], library, password, json, errors)
    except KeyboardInterrupt:
        errors.print(_TO_GO_ON)
        raise
    finally:
        opened.close()
    if not well:
        raise typer.Exit(options.NOTHING_FOUND)


def _ingest(
    opened: "Library",
    files: Iterable[Path],
    library: str,
    password: str | None,
    json: bool,
    errors: "Console",
    visits: "Iterable[SiteVisit]" = (),
    sample: bool = False,
) -> bool:
    """Add files, pages and samples, wait until they are ready and report each. Return False if one failed."""
    import asyncio

    from pincite.cli.ingestion_output import OutcomeReporter, run_worker
    from pincite.library.sample_documents import add_samples

    outcomes = OutcomeReporter(opened, json, errors)
    for added in add_samples(opened, opened.settings.owner, name=library) if sample else ():
        outcomes.added(added)
    files = list(files)
    is_bulk = len(files) > _FEW
    while files:
        with errors.status("Looking at the files…"):
            files = _add_files(opened, files, library, password, outcomes, is_bulk)
        if files:
            left = "1 file follows" if len(files) == 1 else f"{len(files):,} files follow"
            errors.print(f"The queue is full: {left} when it is done.")
            run_worker(opened, errors, outcomes)
    for visit in visits:
        asyncio.run(_fetch_pages(opened, visit, outcomes, errors))
    run_worker(opened, errors, outcomes, outcomes.documents)
    return outcomes.print_summary()


def _add_files(
    opened: "Library",
    files: list[Path],
    library: str,
    password: str | None,
    outcomes: "OutcomeReporter",
    is_bulk: bool,
) -> list[Path]:
    """Add files until the queue is full. Return the rest."""
    for number, file in enumerate(files):
        try:
            outcomes.added(opened.add(opened.settings.owner, file, library, password, is_bulk=is_bulk))
        except QueueFull:
            return files[number:]
        except (Unreadable, NotFound) as error:
            outcomes.refused(file, error)
    return []


async def _fetch_pages(opened: "Library", visit: "SiteVisit", outcomes: "OutcomeReporter", errors: "Console") -> None:
    """Fetch the pages of a site visit into the library, and show progress."""
    from pincite.cli.growing_text import strip_controls
    from pincite.library.site import AddedPage, SkippedPage, add_pages

    count = 0
    with errors.status(f"Fetching {strip_controls(visit.url)}…") as status:
        async for page in add_pages(opened, visit):
            if isinstance(page, SkippedPage):
                errors.print(f"Left out {strip_controls(page.url)}: {page.error.message}")
                continue
            count += 1
            if isinstance(page, AddedPage):
                outcomes.added(page.added)
            else:
                outcomes.refused(page.url, page.error)
            progress = f"{count} of at most {visit.most} pages" if visit.depth else "1 page"
            status.update(f"Fetched {progress}, the last {strip_controls(page.url)}")
    if visit.depth:
        errors.print(f"{count} {'page' if count == 1 else 'pages'} of {strip_controls(visit.url)} fetched.")


def _watch_folders(
    opened: "Library", roots: list[Path], library: str, password: str | None, json: bool, errors: "Console"
) -> None:
    from pincite.library.folder_watch import watch_folders

    errors.print(f"Watching {', '.join(str(root) for root in roots)}. Press Ctrl-C to stop.")
    for change in watch_folders(opened, opened.settings.owner, roots, library):
        for gone in change.removed:
            errors.print(f"Removed {gone}.")
        if change.changed:
            _ingest(opened, change.changed, library, password, json, errors)


def retry(
    ids: Annotated[list[str], typer.Argument(metavar="ID", help="Ids of documents; the first characters are enough.")],
    password: Password = None,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Read documents again that failed or were only partly read.

    Use it after you fix the cause, for example to read a scan once tesseract is installed. `pincite documents` shows
    the documents with problems.

    \b
    pincite retry 3f9a2c01
    pincite retry 3f9a2c01 --password "the password"
    """
    from pincite.cli.ingestion_output import OutcomeReporter, run_worker
    from pincite.library import AdditionResult, open_library
    from pincite.store import documents as rows

    opened = open_library(options.load_settings(data, database, config))
    errors = options.make_console(stderr=True)
    try:
        with opened.database.reading() as connection:
            chosen = [rows.get_by_prefix(connection, opened.settings.owner, given) for given in ids]
        outcomes = OutcomeReporter(opened, json, errors)
        for stored in {stored.id: stored for stored in chosen}.values():
            if opened.retry(opened.settings.owner, stored.id, password) or stored.status not in ("ready", "failed"):
                outcomes.added(AdditionResult(stored.id, "again"))
            else:
                errors.print(f"There is nothing to retry for {stored.name}: it was read completely.")
        if not outcomes.documents:
            raise typer.Exit(options.NOTHING_FOUND)
        run_worker(opened, errors, outcomes, outcomes.documents)
        if not outcomes.print_summary():
            raise typer.Exit(options.NOTHING_FOUND)
    except KeyboardInterrupt:
        errors.print(_TO_GO_ON)
        raise
    finally:
        opened.close()


def reindex(
    again: Annotated[
        bool, typer.Option("--all", help="Read and embed all documents again, not only those that need it.")
    ] = False,
    password: Password = None,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Update all documents to the current model and settings.

    Use it after you change the embedding model or the size of passages. Documents that failed or had problems are read
    again too. Search by words keeps working meanwhile. Press Ctrl-C to stop, and run the same command again to
    continue.
    """
    from pincite.cli.ingestion_output import OutcomeReporter, run_worker
    from pincite.embedding import create_embedder
    from pincite.library import AdditionResult, open_library

    settings = options.load_settings(data, database, config)
    opened = open_library(settings)
    errors = options.make_console(stderr=True)
    try:
        try:
            model = create_embedder(settings.embedding, settings.data)
        except EmbeddingError as error:
            errors.print(f"{error.message} {error.hint}")
            model = None
        outcomes = OutcomeReporter(opened, json, errors)
        for document in opened.reindex(None, model.name if model else None, again, password):
            outcomes.added(AdditionResult(document, "again"))
        if not outcomes.documents:
            errors.print("Everything is up to date.")
            return
        run_worker(opened, errors, outcomes, outcomes.documents)
        if not outcomes.print_summary():
            raise typer.Exit(options.NOTHING_FOUND)
    except KeyboardInterrupt:
        errors.print(_TO_GO_ON)
        raise
    finally:
        opened.close()
