"""The `research` command: write a report with outline, sections and proof, and save it as files."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from pincite.cli import options
from pincite.cli.question_parameters import (
    AboutOption,
    DocumentOption,
    LocationOption,
    ModelOption,
    PersonaOption,
    QuestionOptions,
    StrictOption,
    SystemModelOption,
    TagOption,
    WorkspaceOption,
)
from pincite.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from pincite.conversations.transcript import Conversation
    from pincite.events import Answer, Data

Ending = Literal["md", "html", "pdf", "json"]


def research(
    question: Annotated[
        list[str], typer.Argument(metavar="QUESTION", help="The question of the report; - reads it from stdin.")
    ],
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Save the report as FILE.md, .html, .pdf or .json; may be repeated."
        ),
    ] = None,
    web: Annotated[bool, typer.Option("--web/--no-web", help="Search the web too, if a search engine is set.")] = True,
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
    persona: PersonaOption = "",
    workspace: WorkspaceOption = "",
    location: LocationOption = "",
    about_me: AboutOption = "",
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Write a report on a question from documents and the web.

    The outline comes first; then all sections are researched at the same time. Each sentence has its proof, as in an
    answer. The report says where sources disagree and what was not found, and it ends with a list of its sources.
    Without a model, the report consists of sentences from the sources. Press Ctrl-C to stop; the text written so far
    is kept and saved.

    \b
    pincite research "What is known about the dam at Vassivière?"
    pincite research "Comment résilier un bail meublé ?" --out bail.pdf --out bail.md
    pincite research "What do the offers say on price and delays?" --library offers --model mistral:mistral-large-latest
    """
    from pincite.answer.question_options import NEW, find_conversation, list_fetch_days, suggest_next
    from pincite.cli.ask_command import choose_exit_code
    from pincite.cli.conversation_commands import export_conversation, write_file
    from pincite.cli.proof_output import print_lines
    from pincite.cli.session import open_session
    from pincite.cli.terminal_renderer import TerminalRenderer
    from pincite.conversations.transcript import make_exchange

    words = sys.stdin.read() if question == ["-"] else " ".join(question)
    if not words.strip():
        raise Misuse("The question is empty.", 'Ask something: pincite research "What is known about the dam?"')
    files = [(path, parse_ending(path)) for path in out or ()]
    settings = options.load_settings(data, database, config)
    given = QuestionOptions(
        focus="research",
        model=model,
        system_model=system_model,
        library=library,
        documents=tuple(document or ()),
        tags=tuple(tag or ()),
        strict=strict,
        persona=persona,
        workspace=workspace,
        location=location,
        about_me=about_me,
    )
    side = options.make_console(stderr=True)
    with open_session(settings) as opened:
        rows = opened.services.library.database
        asked = replace(given.asked(words, settings, rows), web=web)
        id = find_conversation(rows, settings.owner, conversation) if conversation else None
        renderer, progress = TerminalRenderer(json), ReportProgress()

        def handle_event(data: "Data") -> None:
            progress.handle_event(data)
            renderer.hear(data)

        renderer.begin()
        try:
            if conversation is None:
                answer = opened.ask_once(asked, handle_event)
            else:
                answer, id = opened.ask(asked, id, handle_event)
        finally:
            renderer.pause()
        renderer.end(answer, suggest_next(asked, answer), list_fetch_days(rows, settings.owner, answer))
        exchange = make_exchange(rows, settings.owner, asked.question, answer)
        if not json:
            print_lines(describe_works(exchange, answer), options.make_console())
        if conversation == NEW and id:
            side.print(f"Conversation {id[:8]}")
        has_text = bool(answer.answer.strip()) and not answer.refused
        for path, ending in files if has_text else ():
            write_file(export_conversation(exchange, ending), path)
            side.print(f"Written to {path}.")
    if files and not has_text:
        side.print("Nothing was found, so no file was written.")
    if code := choose_exit_code(answer, renderer.failed):
        raise typer.Exit(code)


class ReportProgress:
    """Prints the progress of a report on stderr, line by line, if stderr is not a terminal."""

    def __init__(self) -> None:
        self._side = options.make_console(stderr=True)
        self._names: dict[str, str] = {}
        self._headings: dict[str, str] = {}
        self._found = 0

    def handle_event(self, data: "Data") -> None:
        """Print a line if the event is about a section."""
        from pincite import events

        if self._side.is_terminal:
            return
        match data:
            case events.Outline():
                self._headings = {section.question: section.heading for section in data.sections}
                self._say("Outline: " + " · ".join(section.heading for section in data.sections))
            case events.EvidenceFound():
                self._found += 1
            case events.SubagentStarted():
                self._names[data.subagentId] = self._headings.get(data.task, data.task)
            case events.SubagentCompleted():
                self._say(
                    f"{self._names.get(data.subagentId, '')} ✓ {data.seconds:.1f} s, {self._found} sources so far"
                )
            case events.SubagentError():
                self._say(f"{self._names.get(data.subagentId, '')} ✗ {data.error}")

    def _say(self, line: str) -> None:
        from pincite.cli.growing_text import strip_controls

        self._side.print(strip_controls(line))


def parse_ending(path: Path) -> Ending:
    """Return the file format of a path. Raise `Misuse`, before any work is done, if the file cannot be written."""
    ending = path.suffix.removeprefix(".").lower()
    if ending not in get_args(Ending):
        wrong = f"{path} has no file extension." if not ending else f"A report cannot be saved as .{ending}."
        raise Misuse(wrong, "Choose a name that ends in .md, .html, .pdf or .json.")
    folder = path.expanduser().parent
    if not folder.is_dir():
        raise Misuse(f"There is no folder {folder}.", f"Create it first: mkdir -p {folder}")
    if path.expanduser().is_dir():
        raise Misuse(f"{path} is a folder.", "Name a file in it.")
    return ending  # type: ignore[return-value]


def describe_works(exchange: "Conversation", answer: "Answer") -> "Iterator[Text]":
    """Yield the lines of a report's bibliography."""
    from rich.text import Text

    from pincite.cli.growing_text import strip_controls
    from pincite.conversations.export.bibliography import HEADING
    from pincite.conversations.export.footnotes import choose_language, list_works

    language = choose_language(exchange.about.title)
    for number, work in enumerate(list_works(exchange, answer), 1):
        if number == 1:
            yield Text()
            yield Text(HEADING[language], "bold")
        yield Text(strip_controls(f"{number}. {work.describe(language)}" + (f", {work.url}" if work.url else "")))
