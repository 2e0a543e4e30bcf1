"""Build the program. For `ask`, `search` and `health` it has only that command, so that it starts fast."""

from collections.abc import Sequence

import typer

from pincite import __version__
from pincite.cli.quick_start import prepare_quick_start


def create_app() -> typer.Typer:
    """Return the program without commands."""
    app = typer.Typer(
        name="pincite",
        help="Ask your documents, and see the exact words behind every answer.\n\n"
        'Start with `pincite add FOLDER`, then `pincite ask "a question"` or `pincite chat`.',
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    return app


def choose_app(arguments: Sequence[str]) -> typer.Typer:
    """Return the program with only the called command, for `ask`, `search` and `health`, else with all commands."""
    if arguments[:1] in (["ask"], ["search"]):
        prepare_quick_start()
    if arguments[:1] == ["ask"]:
        from pincite.cli.ask_command import ask

        app = create_app()
        app.command()(ask)
        return app
    if arguments[:1] == ["search"]:
        from pincite.cli.search_command import search

        app = create_app()
        app.command()(search)
        return app
    if arguments[:1] == ["health"]:
        from pincite.cli.health_command import health

        app = create_app()
        app.command()(health)
        return app
    from pincite.cli.all_commands import app

    return app


def _print_version(asked: bool) -> None:
    if asked:
        from pincite.commit import find_commit

        commit = find_commit()
        typer.echo(f"pincite {__version__}" + (f" ({commit})" if commit else ""))
        raise typer.Exit


def _root(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Print the version."),
) -> None:
    """Ask your documents, and see the exact words behind every answer."""
