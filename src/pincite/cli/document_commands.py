"""The `documents` command with `show`, `rename`, `tag` and `move`, and the `remove` command."""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pincite.library import Library
    from pincite.library.document_structure import OutlineHeading
    from pincite.store.documents import StoredDocument

_SHOWN_HEADINGS = 20

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def list_documents(
    context: typer.Context,
    library: options.InLibrary = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="Only documents with this tag.")] = None,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List the documents; show, rename, tag or move some.

    \b
    pincite documents
    pincite documents show 3f9a2c01
    pincite documents rename 3f9a2c01 "Annual report 2023"
    pincite documents tag 3f9a2c01 5ee240f6 --add lease
    pincite documents --tag lease
    pincite documents move 3f9a2c01 --to contracts
    """
    if context.invoked_subcommand:
        return
    from collections import defaultdict

    from pincite.library import open_library
    from pincite.store import document_sources, document_tags
    from pincite.store import documents as rows
    from pincite.store.library_access import resolve_library

    opened = open_library(options.load_settings(data, database, config))
    try:
        with opened.database.reading() as connection:
            owner = opened.settings.owner
            key = None if library is None else resolve_library(connection, owner, library, "reader")
            stored = rows.find(connection, owner, key)
            tags = document_tags.find(connection, owner, [each.id for each in stored])
            stored = [each for each in stored if set(tag or ()) <= set(tags.get(each.id, ()))]
            places = defaultdict(list)
            for place in document_sources.find(connection, owner):
                places[place.document].append({"library": place.library, "path": place.location})
    finally:
        opened.close()
    if json:
        fields = ("title", "name", "language", "status", "pages", "passages", "bytes", "date", "error", "problems")
        options.print_json(
            [
                {"document": d.id, "kind": _find_kind(d), "sources": places[d.id], "tags": list(tags.get(d.id, ()))}
                | {key: getattr(d, key) for key in fields}
                for d in stored
            ]
        )
    elif not stored:
        where = "in the database" if database else f"in {opened.settings.data}"
        told = f"There are no documents {where} yet. `pincite add FOLDER` adds some."
        options.make_console().print("No document matches." if library or tag else told, markup=False, soft_wrap=True)
    else:
        print_documents(stored)


@app.command()
def rename(
    id: Annotated[str, typer.Argument(metavar="ID", help="The document's id; the first characters are enough.")],
    title: Annotated[str, typer.Argument(metavar="TITLE", help="The new title.")],
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Change the title of a document.

    The new title is used in search, and it stays when the document is read again.
    """
    from pincite.cli.ingestion_output import OutcomeReporter, run_worker
    from pincite.library import AdditionResult, open_library
    from pincite.store import documents as rows

    opened = open_library(options.load_settings(data, database, config))
    errors = options.make_console(stderr=True)
    try:
        with opened.database.reading() as connection:
            known = rows.get_by_prefix(connection, opened.settings.owner, id)
        renamed = opened.rename(opened.settings.owner, known.id, title)
        if json:
            options.print_json({"document": renamed.id, "title": renamed.title, "name": renamed.name})
        else:
            options.make_console().print(f"{known.title} is now called {renamed.title}.")
        if renamed.status == "searchable":
            # The vectors include the old title, so they are computed again.
            outcomes = OutcomeReporter(opened, False, errors)
            outcomes.added(AdditionResult(renamed.id, "again"))
            run_worker(opened, errors, outcomes, [renamed.id])
    finally:
        opened.close()


@app.command()
def show(
    id: Annotated[str, typer.Argument(metavar="ID", help="The document's id; the first characters are enough.")],
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Show a document with its outline and the questions it suggests.

    Title, kind, pages and language are shown too.
    """
    from pincite.library import document_structure, open_library
    from pincite.library.suggestions import suggest_document_questions
    from pincite.store import documents as rows

    opened = open_library(options.load_settings(data, database, config))
    try:
        owner = opened.settings.owner
        with opened.database.reading() as connection:
            known = rows.get_by_prefix(connection, owner, id)
        outline = document_structure.load_outline(opened.database, owner, known.id) if known.passages else []
        suggested = suggest_document_questions(opened.database, known).questions if known.passages else ()
    finally:
        opened.close()
    if json:
        fields = ("title", "name", "language", "status", "pages", "passages", "bytes", "date", "error")
        options.print_json(
            {"document": known.id, "kind": _find_kind(known)}
            | {key: getattr(known, key) for key in fields}
            | {"outline": [_list_heading(known, each) for each in outline]}
            | {"questions": list(suggested)}
        )
        return
    _print_overview(known, outline, suggested)


@app.command()
def tag(
    ids: Annotated[list[str], typer.Argument(metavar="ID", help="Ids of documents; the first characters are enough.")],
    add: Annotated[list[str] | None, typer.Option("--add", metavar="TAG", help="A tag to add.")] = None,
    remove: Annotated[list[str] | None, typer.Option("--remove", metavar="TAG", help="A tag to remove.")] = None,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Add tags to documents and remove others."""
    if not add and not remove:
        raise Misuse("No tag was named.", "Name one: --add TAG, or --remove TAG.")
    with _open_chosen(ids, data, database, config) as (opened, chosen):
        opened.change_tags(opened.settings.owner, chosen, add or (), remove or ())
        options.make_console().print(f"Tagged {len(chosen)} {'document' if len(chosen) == 1 else 'documents'}.")


@app.command()
def move(
    ids: Annotated[list[str], typer.Argument(metavar="ID", help="Ids of documents; the first characters are enough.")],
    library: Annotated[str, typer.Option("--to", metavar="LIBRARY", help="The library to move them to.")],
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Move documents to another library, with their tags."""
    with _open_chosen(ids, data, database, config) as (opened, chosen):
        opened.move(opened.settings.owner, chosen, library)
        number = f"{len(chosen)} {'document' if len(chosen) == 1 else 'documents'}"
        options.make_console().print(f"Moved {number} to {library}.")


@contextmanager
def _open_chosen(
    ids: list[str], data: "Path | None", database: str | None, config: "Path | None"
) -> "Iterator[tuple[Library, list[str]]]":
    """Open the library, and find the documents with these ids or beginnings of ids."""
    from pincite.library import open_library
    from pincite.store import documents as rows

    opened = open_library(options.load_settings(data, database, config))
    try:
        with opened.database.reading() as connection:
            chosen = [rows.get_by_prefix(connection, opened.settings.owner, each).id for each in ids]
        yield opened, list(dict.fromkeys(chosen))
    finally:
        opened.close()


def _list_heading(known: "StoredDocument", heading: "OutlineHeading") -> dict[str, Any]:
    from pincite.events.source_names import label_page

    label = label_page(known.kind, heading.page, heading.label)
    return {"title": heading.title, "level": heading.level, "page": heading.page or None, "label": label}


def _print_overview(known: "StoredDocument", outline: "Sequence[OutlineHeading]", suggested: "Sequence[str]") -> None:
    from rich.text import Text

    from pincite.cli.growing_text import strip_controls
    from pincite.cli.progress_bars import format_count
    from pincite.events.source_names import describe_page, label_page

    console = options.make_console()
    pages = format_count(known.pages, "page") if known.pages else ""
    console.print(Text(strip_controls(known.title or known.name), "bold"))
    facts = (_find_kind(known), pages, known.language, known.status, known.id[:8])
    console.print(Text(" · ".join(filter(None, facts)), "dim"))
    if known.error:
        console.print(Text(known.error, "red"))
    for each in outline[:_SHOWN_HEADINGS]:
        page = describe_page(each.page, label_page(known.kind, each.page, each.label))
        place = f"  {page}" if page else ""
        console.print(Text(f"{'  ' * each.level}{strip_controls(each.title)}{place}"))
    if len(outline) > _SHOWN_HEADINGS:
        console.print(Text(f"  and {len(outline) - _SHOWN_HEADINGS:,} more headings", "dim"))
    for question in suggested:
        console.print(Text(f"? {strip_controls(question)}"), soft_wrap=True)


def print_documents(stored: "list[StoredDocument]") -> None:
    """Print documents as a table with their kind, size and state."""
    from collections import Counter

    from rich.table import Table
    from rich.text import Text

    from pincite.events.source_names import add_file_name

    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("document", no_wrap=True)
    table.add_column("title", overflow="fold", ratio=1)
    for name in ("kind", "", "pages", "passages", "state"):
        table.add_column(name, justify="right" if name in ("pages", "passages") else "left", no_wrap=True)
    colours = {"ready": "green", "failed": "red"}
    times = Counter(d.title for d in stored)
    for d in stored:
        title = Text(add_file_name(d.title, d.name, times[d.title] > 1))
        if d.error:
            title.append(f"\n{d.error}", style="dim")
        elif d.problems:
            more = f" And {len(d.problems) - 1} more." if len(d.problems) > 1 else ""
            title.append(f"\n! {d.problems[0]}{more}", style="dim")
        numbers = (f"{d.pages:,}" if d.pages else "", f"{d.passages:,}")
        table.add_row(
            d.id[:8], title, _find_kind(d), d.language, *numbers, Text(d.status, colours.get(d.status, "yellow"))
        )
    options.make_console().print(table)


def _find_kind(stored: "StoredDocument") -> str:
    return stored.kind if stored.analysis else ""  # unknown until it is read


def remove(
    ids: Annotated[list[str], typer.Argument(metavar="ID", help="Ids of documents; the first characters are enough.")],
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Remove documents from Pincite. Your original files stay.

    Their text, search index, vectors and stored copies are deleted.
    """
    from pincite.library import open_library
    from pincite.store import documents as rows

    opened = open_library(options.load_settings(data, database, config))
    try:
        with opened.database.reading() as connection:
            chosen = [rows.get_by_prefix(connection, opened.settings.owner, given) for given in ids]
        for stored in {stored.id: stored for stored in chosen}.values():
            opened.remove(opened.settings.owner, stored.id)
            if json:
                options.print_json({"document": stored.id, "title": stored.title, "removed": True})
            else:
                options.make_console().print(f"Removed {stored.title}.")
        opened.sweep()
    finally:
        opened.close()
