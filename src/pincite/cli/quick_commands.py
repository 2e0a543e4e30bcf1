"""The program with no command yet, and with the one command that asks, which is wanted most and soonest."""

from collections.abc import Sequence

import typer

from pincite import __version__
from pincite.cli.quick_start import prepare_quick_start


def create_app() -> typer.Typer:
    """The program before any command is registered."""
    app = typer.Typer(
        name="pincite",
        help="Ask your documents, and see the exact words behind every answer.\n\n"
        'Begin with `pincite add FOLDER`, then `pincite ask "a question"` or `pincite chat`.',
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    return app


def choose_app(arguments: Sequence[str]) -> typer.Typer:
    """The program with the command that is called, where that is one of the quick ones; else with all of them."""
    if arguments[:1] in (["ask"], ["search"]):
        prepare_quick_start()
    if arguments[:1] == ["ask"]:
        from pincite.cli.asking import ask

        app = create_app()
        app.command()(ask)
        return app
    if arguments[:1] == ["search"]:
        from pincite.cli.search import search

        app = create_app()
        app.command()(search)
        return app
    from pincite.cli.commands import app

    return app


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"pincite {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Ask your documents, and see the exact words behind every answer."""
