"""The research command: a report with its outline, its sections and its proof, on the screen and as files."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

from pincite.cli import door
from pincite.cli.questions import (
    AboutOption,
    DocumentOption,
    Given,
    LocationOption,
    ModelOption,
    PersonaOption,
    StrictOption,
    SystemModelOption,
)
from pincite.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from pincite.conversations.reading import Conversation
    from pincite.events import Answer, Data

Ending = Literal["md", "html", "pdf", "json"]


def research(
    question: Annotated[
        list[str], typer.Argument(metavar="QUESTION", help="What the report is to answer; - reads it from stdin.")
    ],
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Keep it as FILE.md, .html, .pdf or .json; may be given again."
        ),
    ] = None,
    web: Annotated[
        bool, typer.Option("--web/--no-web", help="Whether the web may be searched, where that is set up.")
    ] = True,
    model: ModelOption = "",
    system_model: SystemModelOption = "",
    conversation: Annotated[
        str | None,
        typer.Option("--conversation", "-c", metavar="ID", help="Go on in a conversation: its id, or last; or new."),
    ] = None,
    document: DocumentOption = None,
    library: door.InLibrary = None,
    strict: StrictOption = None,
    persona: PersonaOption = "",
    location: LocationOption = "",
    about_me: AboutOption = "",
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Write a report on a question, from documents and the web.

    Its outline comes first; its sections are then looked up at the same time. Each sentence carries its proof, as in
    an answer. It says where sources disagree and what was not found, and ends with its sources. With no model set it is
    made of the sources' own sentences, under their own headings. Ctrl-C keeps what is there, in the files too.

    \b
    pincite research "What is known about the dam at Vassivière?"
    pincite research "Comment résilier un bail meublé ?" --out bail.pdf --out bail.md
    pincite research "What do the offers say on price and delays?" --library offers --model mistral:mistral-large-latest
    """
    from pincite.agent.given import NEW, find_conversation, list_days, suggest_next
    from pincite.cli.asking import status
    from pincite.cli.session import session
    from pincite.cli.sources import show
    from pincite.cli.talks import exported, write
    from pincite.cli.telling import Teller
    from pincite.conversations.reading import exchange

    words = sys.stdin.read() if question == ["-"] else " ".join(question)
    if not words.strip():
        raise Misuse("The question is empty.", 'Ask something: pincite research "What is known about the dam?"')
    files = [(path, ending_of(path)) for path in out or ()]
    settings = door.settings(data, database, config)
    given = Given(
        focus="research",
        model=model,
        system_model=system_model,
        library=library,
        documents=tuple(document or ()),
        strict=strict,
        persona=persona,
        location=location,
        about_me=about_me,
    )
    side = door.console(stderr=True)
    with session(settings) as opened:
        rows = opened.house.library.database
        asked = replace(given.asked(words, settings, rows), web=web)
        id = find_conversation(rows, settings.owner, conversation) if conversation else None
        teller, progress = Teller(json), Progress()

        def hear(data: "Data") -> None:
            progress.hear(data)
            teller.hear(data)

        teller.begin()
        try:
            if conversation is None:
                answer = opened.once(asked, hear)
            else:
                answer, id = opened.ask(asked, id, hear)
        finally:
            teller.pause()
        teller.end(answer, suggest_next(rows, asked, answer), list_days(rows, settings.owner, answer))
        told = exchange(rows, settings.owner, asked.question, answer)
        if not json:
            show(listed(told, answer), door.console())
        if conversation == NEW and id:
            side.print(f"Conversation {id[:8]}")
        is_something = bool(answer.answer.strip()) and not answer.refused
        for path, ending in files if is_something else ():
            write(exported(told, ending), path)
            side.print(f"Written to {path}.")
    if files and not is_something:
        side.print("Nothing was found, so no file was written.")
    if code := status(answer, teller.failed):
        raise typer.Exit(code)


class Progress:
    """Tells on stderr how a report comes along, line by line, where no screen shows it."""

    def __init__(self) -> None:
        self._side = door.console(stderr=True)
        self._names: dict[str, str] = {}
        self._headings: dict[str, str] = {}
        self._found = 0

    def hear(self, data: "Data") -> None:
        """Tell of one event, if it is of a section."""
        from pincite import events

        if self._side.is_terminal:
            return
        match data:
            case events.Outline():
                self._headings = {section.question: section.heading for section in data.sections}
                self._say("Outline: " + " · ".join(section.heading for section in data.sections))
            case events.Evidence():
                self._found += 1
            case events.SubagentStarted():
                self._names[data.subagentId] = self._headings.get(data.task, data.task)
            case events.SubagentCompleted():
                self._say(
                    f"{self._names.get(data.subagentId, '')} ✓ {data.seconds:.1f} s, {self._found} sources so far"
                )
            case events.SubagentError():
                self._say(f"{self._names.get(data.subagentId, '')} ✗ {data.error}")

    def _say(self, told: str) -> None:
        from pincite.cli.rows import harmless

        self._side.print(harmless(told))


def ending_of(path: Path) -> Ending:
    """What kind of file a path names; `Misuse` when it cannot be written, said before any work is done."""
    ending = path.suffix.removeprefix(".").lower()
    if ending not in get_args(Ending):
        said = (
            f"{path} has no ending that tells what to write." if not ending else f"No report is written as .{ending}."
        )
        raise Misuse(said, "Give a name that ends in .md, .html, .pdf or .json.")
    folder = path.expanduser().parent
    if not folder.is_dir():
        raise Misuse(f"There is no folder {folder}.", f"Make it first: mkdir -p {folder}")
    if path.expanduser().is_dir():
        raise Misuse(f"{path} is a folder.", "Name a file in it.")
    return ending  # type: ignore[return-value]


def listed(told: "Conversation", answer: "Answer") -> "Iterator[Text]":
    """The bibliography of a report, a line each."""
    from rich.text import Text

    from pincite.cli.rows import harmless
    from pincite.conversations.annotating import language, works
    from pincite.conversations.bibliography import HEADING

    spoken = language(told.about.title)
    for number, work in enumerate(works(told, answer), 1):
        if number == 1:
            yield Text()
            yield Text(HEADING[spoken], "bold")
        yield Text(harmless(f"{number}. {work.told(spoken)}" + (f", {work.url}" if work.url else "")))
