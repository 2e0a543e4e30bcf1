"""The terminal's door. Heavy parts are imported by the command that needs them, so that help is at once."""

import sys

import typer

from pincite import __version__
from pincite.cli import (
    asking,
    chatting,
    doctor,
    documents,
    door,
    evaluation,
    ingestion,
    locating,
    research,
    search,
    serving,
    talks,
    verdict_evaluation,
)
from pincite.errors import Encrypted, Misuse, PinciteError

app = typer.Typer(
    name="pincite",
    help="Ask your documents, and see the exact words behind every answer.\n\n"
    'Begin with `pincite add FOLDER`, then `pincite ask "a question"` or `pincite chat`.',
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"pincite {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Ask your documents, and see the exact words behind every answer."""


app.command()(ingestion.add)
app.command("documents")(documents.list_documents)
app.command()(documents.remove)
app.command()(ingestion.reindex)
app.command()(asking.ask)
app.command()(research.research)
app.command()(chatting.chat)
app.add_typer(talks.app, name="conversations")
app.command()(search.search)
app.command()(locating.locate)
app.command()(serving.serve)
app.command()(serving.worker)
app.command()(doctor.doctor)
verdict_evaluation.register(evaluation.app)
app.add_typer(evaluation.app, name="evaluate")


def main() -> None:
    """Run a command; an error is shown once, here, with what to do next."""
    door.open_streams()
    try:
        app()
    except PinciteError as error:
        sys.stderr.write(f"Error: {error.message}\n" + (f"{error.hint}\n" if error.hint else ""))
        # A password that is wrong or was left out is the caller's to give.
        sys.exit(2 if isinstance(error, Misuse | Encrypted) else 1)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output went away, as `| head` does.
        sys.stderr.close()
        sys.exit(0)
