"""The `code` command: ask about a folder's files in the terminal, and review and apply changes of them."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.question_parameters import ModelOption
from pincite.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from pincite.cli.project_server import ProjectServer
    from pincite.settings import Settings


def code(
    root: Annotated[Path, typer.Argument(metavar="ROOT", help="The folder; default is this folder.")] = Path(),
    question: Annotated[
        str | None,
        typer.Option("--print", "-p", metavar="QUESTION", help="Ask one question, print its answer, and end."),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Apply changes and continue unfinished requests without a question.")
    ] = False,
    no_apply: Annotated[bool, typer.Option("--no-apply", help="Only show changes; write nothing.")] = False,
    model: ModelOption = "",
    server: Annotated[
        str, typer.Option("--server", metavar="URL", help="Use the server at this address; start none.")
    ] = "",
    project: Annotated[
        str, typer.Option("--project", metavar="NAME", help="With --server: the project's name or id there.")
    ] = "",
    token: Annotated[
        str,
        typer.Option(
            "--token",
            metavar="TOKEN",
            envvar="PINCITE_TOKEN",
            show_envvar=False,
            help="With --server: the token of an owner of that server, if it has accounts; better in PINCITE_TOKEN.",
        ),
    ] = "",
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Ask about a folder's files, and let a model change them.

    Answers cite files and lines. A change is shown as a diff, file by file: accept it, reject it, or edit it in your
    editor first. The accepted files are written together or not at all, and /undo restores them. Without a model,
    answers quote the files, and nothing can be changed; --model names a model that writes.

    Press Ctrl-C to stop an answer, and twice to leave. /help lists the commands. Ignored files, such as those in
    .gitignore, and secrets, such as .env, are not read.

    With -p, the exit status is 1 if the question was not answered or a change could not be applied. Without --yes, -p
    only shows changes.

    \b
    pincite code
    pincite code ~/shop --model mistral:devstral-latest
    pincite code -p "Where are orders checked?"
    pincite code -p "Rename fetch_all to list_orders." --yes
    pincite code --server http://127.0.0.1:8000 --project shop
    """
    from pincite.cli import prompt_history
    from pincite.cli.code_session import CodeOptions, CodeSession
    from pincite.cli.code_wording import LEAVE_NOTE
    from pincite.projects.project import get_data_folder

    if project and not server:
        raise Misuse("--project needs --server.", "A local project is named by its folder: pincite code FOLDER")
    if question is not None and not question.strip():
        raise Misuse("The question is empty.", 'Ask something: pincite code -p "Where are orders checked?"')
    settings = options.load_settings(data, database, config)
    check = _check_nothing if server else _make_check(settings)
    check(model)  # reports a wrong name before a server is started
    with ExitStack() as closing:
        with options.show_status("Starting…"):
            named, passed = (server, project, token), (data, database, config)
            opened = closing.enter_context(_open_server(settings, named, root, passed))
        is_asking = question is None and prompt_history.is_typing()
        journal = get_data_folder(settings, opened.local) if opened.local else Path()
        given = CodeOptions(model, yes, no_apply, is_asking, journal)
        interrupts = prompt_history.Interrupts(LEAVE_NOTE)
        session = CodeSession(opened, given, interrupts, check)
        if question is not None:
            if status := session.ask(question.strip()):
                raise typer.Exit(status)
            return
        if given.is_asking:
            session.print_welcome()
        with prompt_history.read_lines(settings.data / "code_history", interrupts) as typed:
            for line in typed:
                if not session.handle_line(line.strip()):
                    break
        session.print_total()


def _open_server(
    settings: "Settings",
    named: tuple[str, str, str],
    root: Path,
    given: tuple[Path | None, str | None, Path | None],
) -> "AbstractContextManager[ProjectServer]":
    from pincite.cli.project_server import open_local_server, open_named_server

    server, project, token = named
    if server:
        return open_named_server(server, project, root, token)
    names = ("--data", "--database", "--config")
    passed = [
        word for name, value in zip(names, given, strict=True) if value is not None for word in (name, str(value))
    ]
    return open_local_server(settings, root, passed)


def _make_check(settings: "Settings") -> "Callable[[str], str]":
    """Return a function that returns the full name of the model for a question, or raises an error with a hint."""
    from pincite.llm.providers import EXTRACTIVE, normalise_model_name, split_model_name
    from pincite.llm.stored_models import read_stored_models
    from pincite.store.database import open_database

    def check(given: str) -> str:
        database = open_database(settings)
        try:
            stored = read_stored_models(settings, database)
        finally:
            database.close()
        name = normalise_model_name(given) or normalise_model_name(stored.settings.models.chat) or EXTRACTIVE
        if name != EXTRACTIVE:
            provider, model = split_model_name(name, stored.settings)
            name = f"{stored.find_provider(provider).name}:{model}"
        return name

    return check


def _check_nothing(given: str) -> str:
    """Return the name as it is given: only the other server knows its models."""
    return given
