"""The commands `notebooks` and `highlights`: list, show and export them, and add own words."""

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite.cli import options
from pincite.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.library import Library
    from pincite.store.notebook_items import StoredItem

NotebookFormat = Literal["docx", "md", "html", "pdf"]
HighlightFormat = Literal["md", "csv"]
Named = Annotated[str, typer.Argument(metavar="NOTEBOOK", help="A notebook's title, its id, or its first letters.")]

InWorkspace = Annotated[
    str, typer.Option("--workspace", metavar="NAME", help="Only the notebooks of this workspace, by its name or id.")
]

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def list_notebooks(
    context: typer.Context,
    workspace: InWorkspace = "",
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List, show and export notebooks, and add your own words.

    \b
    pincite notebooks
    pincite notebooks --workspace "Annual report"
    pincite notebooks export "Lease" --to lease.docx
    pincite notebooks show "Lease"
    pincite notebooks add "Lease" "Ask the landlord about the deposit."
    """
    if context.invoked_subcommand:
        return
    from pincite.cli.growing_text import strip_controls
    from pincite.store import notebooks, workspaces

    with _open_library(data, database, config) as library, library.database.reading() as connection:
        owner = library.settings.owner
        only = workspaces.get(connection, owner, workspace).id if workspace else None
        places = workspaces.map_notebooks(connection, owner)
        found = [each for each in notebooks.find(connection, owner) if only is None or places.get(each.id) == only]
        counts = notebooks.count_items(connection, owner)
    if json:
        options.print_json(
            [
                {
                    "id": each.id,
                    "title": each.title,
                    "items": counts.get(each.id, 0),
                    "workspace": places.get(each.id, ""),
                    "created": each.created,
                    "updated": each.updated,
                }
                for each in found
            ]
        )
        return
    out = options.make_console()
    if not found:
        out.print("There are no notebooks yet. `pincite notebooks add TITLE TEXT` begins one.")
    for each in found:
        out.print(f"{each.id[:8]}  {counts.get(each.id, 0):>4}  {strip_controls(each.title)}")


@app.command()
def show(
    notebook: Named,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Show everything in a notebook, with verdicts and sources."""
    from pincite.notebooks.kept_places import refresh_places
    from pincite.store import notebook_items, notebooks

    with _open_library(data, database, config) as library:
        owner = library.settings.owner
        with library.database.reading() as connection:
            found = notebooks.get_by_name(connection, owner, notebook)
        refresh_places(library, owner, found.id)
        with library.database.reading() as connection:
            items = notebook_items.find(connection, owner, found.id)
    if json:
        options.print_json({"id": found.id, "title": found.title, "kept": [_make_json(each) for each in items]})
        return
    from rich.text import Text

    from pincite.cli.growing_text import strip_controls

    out = options.make_console()
    out.print(Text(strip_controls(found.title), style="bold"))
    for each in items:
        out.print()
        for line in _describe_item(each):
            out.print(strip_controls(line))


@app.command()
def export(
    notebook: Named,
    format: Annotated[
        NotebookFormat | None, typer.Option(help="Word document, Markdown, HTML page or PDF; default is that of FILE.")
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="A file; default is stdout.")] = None,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Export a notebook, with a footnote for each source.

    \b
    pincite notebooks export "Lease" --to lease.docx
    pincite notebooks export "Lease" > lease.md
    """
    from pincite.cli.conversation_commands import write_file
    from pincite.notebooks.export.exported_notebook import read_notebook
    from pincite.notebooks.export.notebook_export import MEDIA_TYPES, export_notebook
    from pincite.notebooks.kept_places import refresh_places
    from pincite.store import notebooks

    fitting = [each for each in MEDIA_TYPES if to is not None and to.suffix.lower() == f".{each}"]
    chosen = format or (fitting[0] if fitting else "md")
    with _open_library(data, database, config) as library:
        owner = library.settings.owner
        with library.database.reading() as connection:
            id = notebooks.get_by_name(connection, owner, notebook).id
        refresh_places(library, owner, id)
        content = export_notebook(read_notebook(library.database, owner, id), chosen)
    if to is not None:
        write_file(content, to)
    elif isinstance(content, bytes) and sys.stdout.isatty():
        raise Misuse("A terminal cannot show this file.", "Name a file: --to lease.docx")
    else:
        typer.echo(content, nl=False)


@app.command()
def add(
    notebook: Annotated[str, typer.Argument(metavar="NOTEBOOK", help="A title or an id; a new title begins one.")],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Your own words.")],
    workspace: Annotated[
        str, typer.Option("--workspace", metavar="NAME", help="The workspace of the notebook if it is a new one.")
    ] = "",
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Add your own words to a notebook. A title that no notebook has begins a new one.

    \b
    pincite notebooks add "Lease" "Ask the landlord about the deposit."
    """
    from pincite.cli.growing_text import strip_controls
    from pincite.notebooks.kept_items import make_text_item
    from pincite.store import notebook_items, notebooks, workspaces
    from pincite.text.storable import clean_text

    words, title = clean_text(text).strip(), " ".join(clean_text(notebook).split())
    if not words or not title:
        raise Misuse("A note needs words, and its notebook a title.", 'pincite notebooks add "Lease" "My words."')
    with _open_library(data, database, config) as library, library.database.writing() as connection:
        owner = library.settings.owner
        known = notebooks.find(connection, owner)
        is_known = any(each.title == title or each.id.startswith(title) for each in known)
        choose = notebooks.get_by_name if is_known else notebooks.create
        found = choose(connection, owner, title)
        if workspace and not is_known:
            workspaces.add_notebook(connection, owner, workspace, found.id)
        notebook_items.add(connection, owner, found.id, make_text_item(words))
    done = "Added to" if is_known else "Added to the new notebook"
    options.make_console().print(f"{done} “{strip_controls(found.title)}”.", markup=False, soft_wrap=True)


def list_highlights(
    document: Annotated[
        str | None, typer.Argument(metavar="DOCUMENT", help="The id of a document, or its first letters.")
    ] = None,
    format: Annotated[HighlightFormat | None, typer.Option(help="Print them as Markdown or CSV.")] = None,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List your highlights and comments on documents.

    \b
    pincite highlights
    pincite highlights --format csv > highlights.csv
    pincite highlights 3f9a2c01 --json
    """
    from pincite.cli.growing_text import strip_controls
    from pincite.events.source_names import describe_page
    from pincite.notebooks import highlights
    from pincite.store import annotations, documents
    from pincite.text.display import put_on_one_line

    with _open_library(data, database, config) as library:
        owner = library.settings.owner
        with library.database.reading() as connection:
            only = documents.get_by_prefix(connection, owner, document).id if document else None
        found = highlights.list_highlights(library, owner, only)
        with library.database.reading() as connection:
            known = documents.get_many(connection, owner, annotations.list_documents(found))
    titles = {each.id: each.title for each in known}
    if format:
        from pincite.notebooks.export.highlight_export import export_highlights

        typer.echo(export_highlights(found, titles, format), nl=False)
        return
    if json:
        options.print_json(
            [
                {
                    "id": each.id,
                    "document": each.document,
                    "title": titles[each.document],
                    "start": each.start,
                    "end": each.end,
                    "quote": each.quote,
                    "page": each.page,
                    "label": each.label,
                    "colour": each.colour,
                    "comment": each.comment,
                    "state": each.state,
                }
                for each in found
            ]
        )
        return
    out = options.make_console()
    if not found:
        out.print("There are no highlights. Select words in a source on the page to make one.")
    for each in found:
        page = describe_page(each.page, each.label)
        place = ", ".join(filter(None, (titles[each.document], page, each.colour)))
        lost = " (no longer found in the document)" if each.state == "lost" else ""
        out.print(strip_controls(f"{place}{lost}: “{put_on_one_line(each.quote)}”"))
        if each.comment:
            out.print(strip_controls(f"    {put_on_one_line(each.comment)}"))


@contextmanager
def _open_library(data: "Path | None", database: str | None, config: "Path | None") -> "Iterator[Library]":
    from pincite.library import open_library

    library = open_library(options.load_settings(data, database, config))
    try:
        yield library
    finally:
        library.close()


def _describe_item(item: "StoredItem") -> list[str]:
    """Return a kept thing as lines: its words, its verdict, its sources and the comment."""
    from pincite.conversations.verdict_wording import describe_basis, describe_sentence
    from pincite.events.source_names import describe_cited_page
    from pincite.notebooks.kept_items import read_proof
    from pincite.text.display import put_on_one_line

    proof = read_proof(item)
    lines = [item.text]
    if item.kind == "sentence":
        lines += [f"    {describe_sentence(each, 'en') or describe_basis(each, 'en')}" for each in proof.sentences]
    for pin in proof.citations:
        place = ", ".join(filter(None, (pin.title, describe_cited_page(pin))))
        quote = f": “{put_on_one_line(pin.quote)}”" if item.kind != "passage" else ""
        lost = " (no longer found in the document)" if pin.n in proof.lost else ""
        lines.append(f"    [{pin.n}] {place}{lost}{quote}")
    if item.comment:
        lines.append(f"    — {item.comment}")
    return [line for line in lines if line.strip()]


def _make_json(item: "StoredItem") -> dict[str, object]:
    return {
        "id": item.id,
        "kind": item.kind,
        "text": item.text,
        "comment": item.comment,
        "question": item.question,
        "conversation": item.conversation,
        "message": item.message,
        "sentences": item.proof.get("sentences", []),
        "citations": item.proof.get("citations", []),
        "lost": item.proof.get("lost", []),
        "created": item.created,
        "updated": item.updated,
    }
