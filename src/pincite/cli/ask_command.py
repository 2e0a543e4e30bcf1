"""The `ask` command: answer one question and print the proof of every sentence."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.answer.question_options import NEW
from pincite.cli import options
from pincite.cli.question_parameters import (
    AboutOption,
    DocumentOption,
    FocusOption,
    LocationOption,
    ModelOption,
    NotebookOption,
    PersonaOption,
    ProjectOption,
    QuestionOptions,
    StrictOption,
    SystemModelOption,
    TagOption,
    ToolsOption,
    WorkspaceOption,
)
from pincite.errors import Misuse

if TYPE_CHECKING:
    from pincite.cli.json_renderer import JsonRenderer
    from pincite.cli.remote_server import Remote
    from pincite.cli.terminal_renderer import TerminalRenderer
    from pincite.events import Answer
    from pincite.settings import Settings

STOPPED = 130


def ask(
    question: Annotated[list[str], typer.Argument(metavar="QUESTION", help="The question; - reads it from stdin.")],
    focus: FocusOption = "all",
    model: ModelOption = "",
    system_model: SystemModelOption = "",
    conversation: Annotated[
        str | None,
        typer.Option("--conversation", "-c", metavar="ID", help="Continue a conversation: its id, last, or new."),
    ] = None,
    document: DocumentOption = None,
    tag: TagOption = None,
    library: options.InLibrary = None,
    strict: StrictOption = None,
    tools: ToolsOption = None,
    persona: PersonaOption = "",
    workspace: WorkspaceOption = "",
    notebook: NotebookOption = "",
    location: LocationOption = "",
    about_me: AboutOption = "",
    project: ProjectOption = None,
    show: Annotated[
        int | None, typer.Option("--open", min=1, metavar="N", help="Open source N: its page with the quote marked.")
    ] = None,
    more: Annotated[
        bool,
        typer.Option(
            "--more",
            help="Also show less certain passages, all passages whole, and what was sent to the web.",
        ),
    ] = False,
    no_server: options.NoServer = False,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Ask a question and see the source of each sentence.

    Without a model, the answer shows the best passages of your documents; `--model` names a model that writes one. If
    the question contains the address of a web page, that page is read. The exit status is 1 if the sources do not
    answer the question.

    Press Ctrl-C while it searches to get an answer from the sources found so far. Press it again, or while the answer
    is being written, to stop the answer and keep its text. If `pincite serve` runs on the same data with the same
    settings, that server answers, and the command starts faster.

    \b
    pincite ask "How high is the dam?"
    pincite ask "Quelle est la durée du bail ?" --open 1
    pincite ask "Who signed it?" --document a8dac390 --strict
    pincite ask "When does it end?" --tag lease
    pincite ask "What is still open?" --notebook "Lease"
    pincite ask "How high is the dam of Tignes?" --focus web
    pincite ask "Compare both offers" --model mistral:mistral-small-latest
    pincite ask "And in winter?" --conversation last
    pincite ask "Where are requests retried?" --project .
    """
    from pincite.cli.remote_server import find_remote

    words = sys.stdin.read() if question == ["-"] else " ".join(question)
    if not words.strip():
        raise Misuse("The question is empty.", 'Ask something: pincite ask "How high is the dam?"')
    settings = options.load_settings(data, database, config)
    if project:
        settings = options.add_projects(settings, [project])
    given = QuestionOptions(
        focus=focus,
        model=model,
        system_model=system_model,
        library=library,
        documents=tuple(document or ()),
        tags=tuple(tag or ()),
        strict=strict,
        use_tools=tools,
        persona=persona,
        workspace=workspace,
        notebook=notebook,
        location=location,
        about_me=about_me,
        project=_find_project_id(project),
    )
    renderer = _choose_renderer(json, more)
    # A running server may not have been started on the folder.
    remote = None if no_server or project or show is not None else find_remote(settings)
    if remote:
        answer = _ask_remote(remote, words, given, conversation, renderer)
    else:
        answer = _ask_here(settings, words, given, conversation, renderer, show)
    if code := choose_exit_code(answer, renderer.failed):
        raise typer.Exit(code)


def _find_project_id(folder: Path | None) -> str:
    if folder is None:
        return ""
    from pincite.projects.project import open_project

    return open_project(folder).id


def _choose_renderer(json: bool, more: bool) -> "TerminalRenderer | JsonRenderer":
    if json and not sys.stderr.isatty():
        from pincite.cli.json_renderer import JsonRenderer

        return JsonRenderer()
    from pincite.cli.terminal_renderer import TerminalRenderer

    return TerminalRenderer(json, more)


def _ask_remote(
    remote: "Remote",
    words: str,
    given: QuestionOptions,
    conversation: str | None,
    renderer: "TerminalRenderer | JsonRenderer",
) -> "Answer":
    renderer.begin()
    try:
        reply = remote.ask(words, given, conversation, renderer.hear)
    finally:
        renderer.pause()
    renderer.end(reply.answer, reply.hint, reply.days)
    _print_conversation_id(conversation, reply.conversation)
    return reply.answer


def _ask_here(
    settings: "Settings",
    words: str,
    given: QuestionOptions,
    conversation: str | None,
    renderer: "TerminalRenderer | JsonRenderer",
    show: int | None,
) -> "Answer":
    from pincite.answer.question_options import find_conversation, list_fetch_days, suggest_next
    from pincite.cli.session import open_session
    from pincite.cli.source_page import open_source
    from pincite.notebooks.asked_notebook import add_notebook

    with open_session(settings) as opened:
        rows = opened.services.library.database
        asked = add_notebook(opened.services.library, given.asked(words, settings, rows), given.notebook)
        id = find_conversation(rows, settings.owner, conversation) if conversation else None
        renderer.begin()
        try:
            if conversation is None:
                answer = opened.ask_once(asked, renderer.hear)
            else:
                answer, id = opened.ask(asked, id, renderer.hear)
        finally:
            renderer.pause()
        renderer.end(answer, suggest_next(asked, answer), list_fetch_days(rows, settings.owner, answer))
        _print_conversation_id(conversation, id)
        if show is not None:
            open_source(opened.services, answer, show)
    return answer


def _print_conversation_id(given: str | None, id: str | None) -> None:
    if given == NEW and id:
        options.make_console(stderr=True).print(f"Conversation {id[:8]}")


def choose_exit_code(answer: "Answer", failed: bool) -> int:
    """Return the exit status of a command that asked a question."""
    if answer.stopped:
        return STOPPED
    return options.NOTHING_FOUND if failed or answer.refused else 0
