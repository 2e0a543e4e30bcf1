"""Commands about the documents there are: documents, documents rename and remove."""

from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import door

if TYPE_CHECKING:
    from pincite.store.documents import StoredDocument


app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def list_documents(
    context: typer.Context,
    library: door.InLibrary = None,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """List the documents with their state, or rename one.

    \b
    pincite documents
    pincite documents rename 3f9a2c01 "Annual report 2023"
    """
    if context.invoked_subcommand:
        return
    from collections import defaultdict

    from pincite.library import open_library
    from pincite.store import documents as rows
    from pincite.store import sources

    house = open_library(door.settings(data, database, config))
    try:
        with house.database.reading() as connection:
            sources.check_library(connection, house.settings.owner, library)
            stored = rows.find(connection, house.settings.owner, library)
            places = defaultdict(list)
            for place in sources.find(connection, house.settings.owner):
                places[place.document].append({"library": place.library, "path": place.location})
    finally:
        house.close()
    if json:
        fields = ("title", "name", "language", "status", "pages", "passages", "bytes", "date", "error", "problems")
        door.print_json(
            [
                {"document": d.id, "kind": _kind(d), "sources": places[d.id]} | {key: getattr(d, key) for key in fields}
                for d in stored
            ]
        )
    elif not stored:
        door.console().print("There are no documents yet. `pincite add FOLDER` adds some.")
    else:
        show(stored)


@app.command()
def rename(
    id: Annotated[str, typer.Argument(metavar="ID", help="The document's id; its first letters will do.")],
    title: Annotated[str, typer.Argument(metavar="TITLE", help="What it is to be called.")],
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Give a document another title.

    The title is shown, searched and ranked by like the one it had, and stays when the document is read again.
    """
    from pincite.cli.outcomes import Outcomes, work
    from pincite.library import Added, open_library
    from pincite.store import documents as rows

    house = open_library(door.settings(data, database, config))
    errors = door.console(stderr=True)
    try:
        with house.database.reading() as connection:
            known = rows.matching(connection, house.settings.owner, id)
        renamed = house.rename(known.id, title)
        if json:
            door.print_json({"document": renamed.id, "title": renamed.title, "name": renamed.name})
        else:
            door.console().print(f"{known.title} is now called {renamed.title}.")
        if renamed.status == "searchable":
            # Its vectors know the old title.
            outcomes = Outcomes(house, False, errors)
            outcomes.added(Added(renamed.id, "again"))
            work(house, errors, outcomes, [renamed.id])
    finally:
        house.close()


def show(stored: "list[StoredDocument]") -> None:
    """Print documents as a table: what each is, and its state."""
    from collections import Counter

    from rich.table import Table
    from rich.text import Text

    from pincite.events.source_names import tell_apart

    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("document", no_wrap=True)
    table.add_column("title", overflow="fold", ratio=1)
    for name in ("kind", "", "pages", "passages", "state"):
        table.add_column(name, justify="right" if name in ("pages", "passages") else "left", no_wrap=True)
    colours = {"ready": "green", "failed": "red"}
    times = Counter(d.title for d in stored)
    for d in stored:
        title = Text(tell_apart(d.title, d.name, times[d.title] > 1))
        if d.error:
            title.append(f"\n{d.error}", style="dim")
        elif d.problems:
            more = f" And {len(d.problems) - 1} more." if len(d.problems) > 1 else ""
            title.append(f"\n! {d.problems[0]}{more}", style="dim")
        numbers = (f"{d.pages:,}" if d.pages else "", f"{d.passages:,}")
        table.add_row(d.id[:8], title, _kind(d), d.language, *numbers, Text(d.status, colours.get(d.status, "yellow")))
    door.console().print(table)


def _kind(stored: "StoredDocument") -> str:
    return stored.kind if stored.analysis else ""  # nobody knows before it is read


def remove(
    ids: Annotated[
        list[str], typer.Argument(metavar="ID", help="Documents to remove; the first letters of an id will do.")
    ],
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Forget documents; the original files stay.

    Their text, words, vectors and stored bytes go.
    """
    from pincite.library import open_library
    from pincite.store import documents as rows

    house = open_library(door.settings(data, database, config))
    try:
        with house.database.reading() as connection:
            chosen = [rows.matching(connection, house.settings.owner, given) for given in ids]
        for stored in {stored.id: stored for stored in chosen}.values():
            house.remove(stored.id)
            if json:
                door.print_json({"document": stored.id, "title": stored.title, "removed": True})
            else:
                door.console().print(f"Removed {stored.title}.")
        house.sweep()
    finally:
        house.close()
