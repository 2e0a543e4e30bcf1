"""The ask command: one question, its answer, and the proof of every sentence."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.agent.given import NEW
from pincite.cli import door
from pincite.cli.questions import (
    AboutOption,
    DocumentOption,
    FocusOption,
    Given,
    LocationOption,
    ModelOption,
    PersonaOption,
    StrictOption,
    SystemModelOption,
    ToolsOption,
)
from pincite.errors import Misuse

if TYPE_CHECKING:
    from pincite.cli.json_telling import JsonTeller
    from pincite.cli.remote import Remote
    from pincite.cli.telling import Teller
    from pincite.events import Answer
    from pincite.settings import Settings

STOPPED = 130


def ask(
    question: Annotated[
        list[str], typer.Argument(metavar="QUESTION", help="What you want to know; - reads it from stdin.")
    ],
    focus: FocusOption = "all",
    model: ModelOption = "",
    system_model: SystemModelOption = "",
    conversation: Annotated[
        str | None,
        typer.Option("--conversation", "-c", metavar="ID", help="Go on in a conversation: its id, or last; or new."),
    ] = None,
    document: DocumentOption = None,
    library: door.InLibrary = None,
    strict: StrictOption = None,
    tools: ToolsOption = None,
    persona: PersonaOption = "",
    location: LocationOption = "",
    about_me: AboutOption = "",
    show: Annotated[
        int | None, typer.Option("--open", min=1, metavar="N", help="Show source N: its page with the quote marked.")
    ] = None,
    more: Annotated[
        bool,
        typer.Option(
            "--more",
            help="Show passages that are less sure to answer too, and which addresses and searches left this machine.",
        ),
    ] = False,
    no_server: door.NoServer = False,
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Ask a question, and see what each sentence rests on.

    With no model set, the answer is the best passages of the sources; `--model` has one written. A page whose address
    stands in the question is read. Exit status 1 says that the sources do not answer it. Ctrl-C ends a search, and
    the answer is written from what was found; Ctrl-C again, or while it is written, stops it and keeps what was said.
    Where `pincite serve` runs on the same data with the same settings, it answers, and the command starts sooner.

    \b
    pincite ask "How high is the dam?"
    pincite ask "Quelle est la durée du bail ?" --open 1
    pincite ask "Who signed it?" --document a8dac390 --strict
    pincite ask "How high is the dam of Tignes?" --focus web
    pincite ask "Compare both offers" --model mistral:mistral-small-latest
    pincite ask "And in winter?" --conversation last
    """
    from pincite.cli.remote import find_remote

    words = sys.stdin.read() if question == ["-"] else " ".join(question)
    if not words.strip():
        raise Misuse("The question is empty.", 'Ask something: pincite ask "How high is the dam?"')
    settings = door.settings(data, database, config)
    given = Given(
        focus=focus,
        model=model,
        system_model=system_model,
        library=library,
        documents=tuple(document or ()),
        strict=strict,
        use_tools=tools,
        persona=persona,
        location=location,
        about_me=about_me,
    )
    teller = _choose_teller(json, more)
    remote = None if no_server or show is not None else find_remote(settings)
    if remote:
        answer = _ask_remote(remote, words, given, conversation, teller)
    else:
        answer = _ask_here(settings, words, given, conversation, teller, show)
    if code := status(answer, teller.failed):
        raise typer.Exit(code)


def _choose_teller(json: bool, more: bool) -> "Teller | JsonTeller":
    if json and not sys.stderr.isatty():
        from pincite.cli.json_telling import JsonTeller

        return JsonTeller()
    from pincite.cli.telling import Teller

    return Teller(json, more)


def _ask_remote(
    remote: "Remote", words: str, given: Given, conversation: str | None, teller: "Teller | JsonTeller"
) -> "Answer":
    teller.begin()
    try:
        told = remote.ask(words, given, conversation, teller.hear)
    finally:
        teller.pause()
    teller.end(told.answer, told.hint, told.days)
    _tell_conversation(conversation, told.conversation)
    return told.answer


def _ask_here(
    settings: "Settings",
    words: str,
    given: Given,
    conversation: str | None,
    teller: "Teller | JsonTeller",
    show: int | None,
) -> "Answer":
    from pincite.agent.given import find_conversation, list_days, suggest_next
    from pincite.cli.opening import open_source
    from pincite.cli.session import session

    with session(settings) as opened:
        rows = opened.house.library.database
        asked = given.asked(words, settings, rows)
        id = find_conversation(rows, settings.owner, conversation) if conversation else None
        teller.begin()
        try:
            if conversation is None:
                answer = opened.once(asked, teller.hear)
            else:
                answer, id = opened.ask(asked, id, teller.hear)
        finally:
            teller.pause()
        teller.end(answer, suggest_next(rows, asked, answer), list_days(rows, settings.owner, answer))
        _tell_conversation(conversation, id)
        if show is not None:
            open_source(opened.house, answer, show)
    return answer


def _tell_conversation(given: str | None, id: str | None) -> None:
    if given == NEW and id:
        door.console(stderr=True).print(f"Conversation {id[:8]}")


def status(answer: "Answer", failed: bool) -> int:
    """What a command that asked ends with."""
    if answer.stopped:
        return STOPPED
    return door.NOTHING_FOUND if failed or answer.refused else 0
