"""The `conversations` command and its subcommands: list, show, export and remove stored conversations."""

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite.cli import options
from pincite.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.conversations.transcript import Conversation
    from pincite.library import Library
    from pincite.store.conversations import StoredConversation

Format = Literal["md", "html", "pdf", "json", "bib", "ris", "csl", "txt"]
_SUFFIXES: dict[str, Format] = {
    ".md": "md",
    ".html": "html",
    ".pdf": "pdf",
    ".csl.json": "csl",
    ".json": "json",
    ".bib": "bib",
    ".ris": "ris",
    ".txt": "txt",
}
Named = Annotated[str, typer.Argument(metavar="ID", help="A conversation's id, its first letters, or last.")]
_LISTED = 50

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def list_conversations(
    context: typer.Context,
    limit: Annotated[
        int, typer.Option("-n", min=1, max=10_000, help="List at most this many, the latest first.")
    ] = _LISTED,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List, show, export and remove stored conversations.

    \b
    pincite conversations
    pincite conversations show last
    pincite conversations export 3f9a2c01 --format html > talk.html
    """
    if context.invoked_subcommand:
        return
    from pincite.store import conversations

    with _open_library(data, database, config) as library, library.database.reading() as connection:
        found = conversations.find(connection, library.settings.owner, limit)
    if json:
        options.print_json([_make_json(each) for each in found])
    elif not found:
        options.make_console().print("There are no conversations yet. `pincite chat` begins one.")
    else:
        _print_table(found)


@app.command()
def show(
    conversation: Named,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Show a conversation with its sources."""
    with _open_library(data, database, config) as library:
        print_conversation(_read_conversation(library, conversation), library)


@app.command()
def export(
    conversation: Named,
    format: Annotated[
        Format | None,
        typer.Option(
            help="Markdown with footnotes, one HTML page, PDF or JSON; "
            "or the sources alone as BibTeX, RIS, CSL-JSON or lines of text."
        ),
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE", help="A file, whose ending names the format; default is stdout."),
    ] = None,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Export a conversation, or its sources as a bibliography.

    Formats are Markdown, HTML, PDF and JSON; for sources BibTeX, RIS, CSL-JSON and lines.

    Footnotes give the title, page and quote of each source.

    \b
    pincite conversations export last > talk.md
    pincite conversations export 3f9a2c01 --to talk.pdf
    pincite conversations export last --to refs.bib
    """
    format = format or (choose_format(to) if to else "md")
    with _open_library(data, database, config) as library:
        content = export_conversation(_read_conversation(library, conversation), format)
    if to is not None:
        write_file(content, to)
    elif isinstance(content, str):
        typer.echo(content, nl=not content.endswith("\n"))
    elif sys.stdout.isatty():
        raise Misuse("A terminal cannot show a PDF.", "Name a file: --to talk.pdf")
    else:
        typer.echo(content, nl=False)


@app.command()
def remove(
    conversations: Annotated[
        list[str], typer.Argument(metavar="ID", help="Ids of conversations, or their first letters.")
    ],
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Remove conversations. The documents stay.

    \b
    pincite conversations remove 3f9a2c01
    """
    from pincite.cli.growing_text import strip_controls
    from pincite.store import conversations as rows

    with _open_library(data, database, config) as library:
        owner = library.settings.owner
        with library.database.writing() as connection:
            for found in [rows.get_by_prefix(connection, owner, given) for given in conversations]:
                rows.remove(connection, owner, found.id)
                options.make_console(stderr=True).print(f"Removed “{strip_controls(found.title)}”.")


def choose_format(path: Path) -> Format:
    """Return the format that the ending of a file's name means; raise `Misuse` for an unknown one."""
    name = path.name.lower()
    if found := next((format for suffix, format in _SUFFIXES.items() if name.endswith(suffix)), None):
        return found
    known = ", ".join(_SUFFIXES)
    raise Misuse(f"The ending of {path.name} names no format.", f"Known endings: {known}. Or name one: --format md")


def export_conversation(conversation: "Conversation", format: Format) -> str | bytes:
    """Return a conversation in a file format: bytes for a PDF, else text."""
    import json

    from pincite.conversations.export.text_export import export_html, export_markdown

    if format == "json":
        return json.dumps(_make_whole_json(conversation), ensure_ascii=False, indent=2) + "\n"
    if format == "pdf":
        from pincite.conversations.export.pdf_export import export_pdf

        return export_pdf(conversation)
    if format in ("bib", "ris", "csl", "txt"):
        from pincite.conversations.export.cited_works import list_references
        from pincite.conversations.export.reference_formats import write_references

        return write_references(list_references(conversation), format)
    return export_html(conversation) if format == "html" else export_markdown(conversation)


def write_file(content: str | bytes, path: Path) -> None:
    """Write an exported file. Raise `Misuse` if that is not possible."""
    try:
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "the name is not a valid file name"
        raise Misuse(f"{path} cannot be written: {reason}.", "Choose a folder that you may write to.") from None


def print_conversation(conversation: "Conversation", library: "Library") -> None:
    """Print the questions and answers of a conversation with their sources."""
    from rich.text import Text

    from pincite.answer.question_options import list_fetch_days
    from pincite.cli.gallery_output import list_media
    from pincite.cli.growing_text import strip_controls, wrap_text
    from pincite.cli.proof_output import describe_proof, mark_doubts
    from pincite.cli.proof_output import print_lines as show_lines

    out = options.make_console()
    for number, said in enumerate(conversation.said):
        if said.message.role == "user":
            out.print(Text(("\n" if number else "") + "> " + strip_controls(said.message.content), style="bold"))
        elif said.answer is None:
            out.print("(still being written)")
        else:
            for row in wrap_text(mark_doubts(said.answer.answer, said.answer.sentences), out, out.width - 1):
                out.print(row)
            show_lines(
                describe_proof(said.answer, list_fetch_days(library.database, library.settings.owner, said.answer)), out
            )
            show_lines(list_media(said.answer), out)


@contextmanager
def _open_library(data: Path | None, database: str | None, config: Path | None) -> "Iterator[Library]":
    from pincite.library import open_library

    library = open_library(options.load_settings(data, database, config))
    try:
        yield library
    finally:
        library.close()


def _read_conversation(library: "Library", given: str) -> "Conversation":
    from pincite.answer.question_options import find_conversation
    from pincite.conversations.transcript import read_conversation

    id = find_conversation(library.database, library.settings.owner, given)
    if id is None:
        raise Misuse("A new conversation is empty.", "`pincite conversations` lists the stored ones.")
    return read_conversation(library.database, library.settings.owner, id)


def _print_table(found: "list[StoredConversation]") -> None:
    from datetime import datetime

    from rich.table import Table
    from rich.text import Text

    from pincite.cli.growing_text import strip_controls

    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("conversation", no_wrap=True)
    table.add_column("last asked", no_wrap=True)
    table.add_column("first question", overflow="fold", ratio=1)
    for each in found:
        when = datetime.fromtimestamp(each.updated).strftime("%Y-%m-%d %H:%M")
        table.add_row(each.id[:8], when, Text(strip_controls(each.title)))
    options.make_console().print(table)


def _make_json(each: "StoredConversation") -> dict[str, object]:
    return {"id": each.id, "title": each.title, "created": each.created, "updated": each.updated}


def _make_whole_json(conversation: "Conversation") -> dict[str, object]:
    """Return a conversation in the same JSON form as the server's."""
    messages = [
        {
            "id": said.message.id,
            "role": said.message.role,
            "content": said.message.content,
            "state": said.message.state,
            "asked": dict(said.message.asked) if said.message.role == "user" else None,
            "answer": said.answer.model_dump(mode="json") if said.answer else None,
            "rating": {"value": said.rating.value, "comment": said.rating.comment, "created": said.rating.created}
            if said.rating
            else None,
            "created": said.message.created,
            "updated": said.message.updated,
        }
        for said in conversation.said
    ]
    running = any(said.message.state == "running" for said in conversation.said)
    return _make_json(conversation.about) | {"running": running, "messages": messages}
