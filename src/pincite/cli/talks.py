"""Commands about conversations that were had: list, show, export, remove."""

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pincite.cli import door
from pincite.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.conversations.reading import Conversation
    from pincite.library import Library
    from pincite.store.conversations import StoredConversation

Format = Literal["md", "html", "pdf", "json"]
Named = Annotated[str, typer.Argument(metavar="ID", help="A conversation's id, its first letters, or last.")]
_LISTED = 50

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def list_conversations(
    context: typer.Context,
    limit: Annotated[int, typer.Option("-n", min=1, max=10_000, help="How many, the latest first.")] = _LISTED,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """List what was said in chats, show it, keep it, remove it.

    \b
    pincite conversations
    pincite conversations show last
    pincite conversations export 3f9a2c01 --format html > talk.html
    """
    if context.invoked_subcommand:
        return
    from pincite.store import conversations

    with _library(data, database, config) as library, library.database.reading() as connection:
        found = conversations.find(connection, library.settings.owner, limit)
    if json:
        door.print_json([_as_json(each) for each in found])
    elif not found:
        door.console().print("There are no conversations yet. `pincite chat` begins one.")
    else:
        _table(found)


@app.command()
def show(
    conversation: Named,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Show a conversation with its sources."""
    with _library(data, database, config) as library:
        tell(_read(library, conversation), library)


@app.command()
def export(
    conversation: Named,
    format: Annotated[Format, typer.Option(help="Markdown with footnotes, one HTML page, PDF, or JSON.")] = "md",
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="A file; default is stdout.")] = None,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Write a conversation as a file to keep.

    Its footnotes carry title, page and quote.

    \b
    pincite conversations export last > talk.md
    pincite conversations export 3f9a2c01 --format pdf --to talk.pdf
    """
    with _library(data, database, config) as library:
        made = exported(_read(library, conversation), format)
    if to is not None:
        write(made, to)
    elif isinstance(made, str):
        typer.echo(made, nl=not made.endswith("\n"))
    elif sys.stdout.isatty():
        raise Misuse("A PDF is nothing for a terminal.", "Name a file: --to talk.pdf")
    else:
        typer.echo(made, nl=False)


@app.command()
def remove(
    conversations: Annotated[list[str], typer.Argument(metavar="ID", help="Their ids, or their first letters.")],
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Remove conversations; the documents stay."""
    from pincite.cli.rows import harmless
    from pincite.store import conversations as rows

    with _library(data, database, config) as library:
        owner = library.settings.owner
        with library.database.writing() as connection:
            for found in [rows.matching(connection, owner, given) for given in conversations]:
                rows.remove(connection, owner, found.id)
                door.console(stderr=True).print(f"Removed “{harmless(found.title)}”.")


def exported(conversation: "Conversation", format: Format) -> str | bytes:
    """A conversation as a file's text, or its bytes."""
    import json

    from pincite.conversations.export import html, markdown

    if format == "json":
        return json.dumps(_whole(conversation), ensure_ascii=False, indent=2) + "\n"
    if format == "pdf":
        from pincite.conversations.pdf import pdf

        return pdf(conversation)
    return html(conversation) if format == "html" else markdown(conversation)


def write(made: str | bytes, path: Path) -> None:
    """Write a file of the user's, in words when that cannot be."""
    try:
        path.write_bytes(made if isinstance(made, bytes) else made.encode("utf-8", "replace"))
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) else "no file can have such a name"
        raise Misuse(f"{path} cannot be written: {told}.", "Name a file in a folder of yours.") from None


def tell(conversation: "Conversation", library: "Library") -> None:
    """Print a conversation as it was had."""
    from rich.text import Text

    from pincite.agent.given import list_days
    from pincite.cli.gallery import gallery
    from pincite.cli.rows import harmless, laid
    from pincite.cli.sources import doubted, proof
    from pincite.cli.sources import show as show_lines

    out = door.console()
    for number, said in enumerate(conversation.said):
        if said.message.role == "user":
            out.print(Text(("\n" if number else "") + "> " + harmless(said.message.content), style="bold"))
        elif said.answer is None:
            out.print("(still being written)")
        else:
            for row in laid(doubted(said.answer.answer, said.answer.sentences), out, out.width - 1):
                out.print(row)
            show_lines(proof(said.answer, list_days(library.database, library.settings.owner, said.answer)), out)
            show_lines(gallery(said.answer), out)


@contextmanager
def _library(data: Path | None, database: str | None, config: Path | None) -> "Iterator[Library]":
    from pincite.library import open_library

    library = open_library(door.settings(data, database, config))
    try:
        yield library
    finally:
        library.close()


def _read(library: "Library", given: str) -> "Conversation":
    from pincite.agent.given import find_conversation
    from pincite.conversations.reading import read

    id = find_conversation(library.database, library.settings.owner, given)
    if id is None:
        raise Misuse("A new conversation has nothing in it.", "`pincite conversations` lists those there are.")
    return read(library.database, library.settings.owner, id)


def _table(found: "list[StoredConversation]") -> None:
    from datetime import datetime

    from rich.table import Table
    from rich.text import Text

    from pincite.cli.rows import harmless

    table = Table(box=None, header_style="dim", pad_edge=False)
    table.add_column("conversation", no_wrap=True)
    table.add_column("last asked", no_wrap=True)
    table.add_column("first question", overflow="fold", ratio=1)
    for each in found:
        when = datetime.fromtimestamp(each.updated).strftime("%Y-%m-%d %H:%M")
        table.add_row(each.id[:8], when, Text(harmless(each.title)))
    door.console().print(table)


def _as_json(each: "StoredConversation") -> dict[str, object]:
    return {"id": each.id, "title": each.title, "created": each.created, "updated": each.updated}


def _whole(conversation: "Conversation") -> dict[str, object]:
    """A conversation as the server tells it too."""
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
    return _as_json(conversation.about) | {"running": running, "messages": messages}
