"""The chat command: a conversation at the terminal, or as lines through a pipe. What is said is stored."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

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
from pincite.cli.rows import harmless
from pincite.cli.typed import PROMPT, lines
from pincite.errors import Misuse, PinciteError
from pincite.types import Focus

if TYPE_CHECKING:
    from pincite.cli.session import Session
    from pincite.events import Answer

_HELP = """\
/sources           the last answer's sources again
/more              further passages for the last question, where no model answers
/open N            show source N: its page with the quote marked
/documents         list the documents
/documents ID …    ask only these from now on; /documents all asks all
/focus FOCUS       where to look: all, documents, web, chat, research
/model NAME        who answers: provider:name, or extractive (no model)
/new               begin a new conversation
/export FILE       keep this one as FILE.md, .html, .pdf or .json
/quit              end, as Ctrl-D does
Ctrl-C             ends a search, and the answer is written from what was found;
                   again, or while it is written, stops the answer"""


def chat(
    focus: FocusOption = "all",
    model: ModelOption = "",
    system_model: SystemModelOption = "",
    conversation: Annotated[
        str,
        typer.Option("--conversation", "-c", metavar="ID", help="Go on in one that was had: its id, or last."),
    ] = "new",
    document: DocumentOption = None,
    library: door.InLibrary = None,
    strict: StrictOption = None,
    tools: ToolsOption = None,
    persona: PersonaOption = "",
    location: LocationOption = "",
    about_me: AboutOption = "",
    json: door.Json = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Ask one question after the other.

    Each is understood after those before it. /help lists what can be done besides asking. Through a pipe each line is
    a question. `pincite conversations` finds what was said again.

    \b
    pincite chat
    pincite chat --conversation last
    pincite chat --document a8dac390 --persona "Réponds en une phrase."
    pincite chat --json < questions.txt
    """
    from pincite.agent.given import find_conversation
    from pincite.cli.session import session

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
    with session(settings) as opened:
        id = find_conversation(opened.house.library.database, settings.owner, conversation)
        talk = Talk(opened, given, id, json)
        given.asked("?", settings, opened.house.library.database)  # a wrong option is told before the first question
        talk.greet()
        with lines(settings.data / "chat_history") as typed:
            for line in typed:
                if not talk.hear(line.strip()):
                    break
        talk.part()


class Talk:
    """One conversation: what it is asked with, and its last answer."""

    def __init__(self, session: "Session", given: Given, conversation: str | None, json: bool) -> None:
        self._session = session
        self._given = given
        self._conversation = conversation
        self._json = json
        self._answer: Answer | None = None
        self._side = door.console(stderr=True)
        self._commands: dict[str, Callable[[str], None]] = {
            "/help": lambda _: self._say(_HELP),
            "/sources": lambda _: self._sources(),
            "/more": lambda _: self._more(),
            "/open": self._open,
            "/documents": self._documents,
            "/focus": self._focus,
            "/model": self._model,
            "/new": lambda _: self._new(),
            "/export": self._export,
        }

    def greet(self) -> None:
        """Say who answers, and what can be done."""
        if sys.stdin.isatty():
            try:
                model = self._session.house.models.roles(self._given.model, self._given.system_model).chat.name
            except PinciteError as error:
                self._fail(error)
                return
            self._session.warm()
            quoting = " It quotes your documents; /model names one that writes." if model == "extractive" else ""
            self._say(f"{model} answers.{quoting} /help lists the commands, Ctrl-D ends.")
            if self._conversation:
                self._say(f"This goes on from “{harmless(self._title(self._conversation))}”.")

    def part(self) -> None:
        """Say how to go on another time."""
        if sys.stdin.isatty() and self._answer and self._conversation:
            self._say(f"Kept: `pincite chat -c {self._conversation[:8]}` goes on.")

    def hear(self, line: str) -> bool:
        """Do what a line says; False when it was the last."""
        word, _, rest = line.partition(" ")
        if word in ("/quit", "/exit"):
            return False
        try:
            if word in self._commands:
                self._commands[word](rest.strip())
            elif word.startswith("/") and word[1:].isalpha():
                raise Misuse(f"There is no command {word}.", "/help lists them.")
            elif line:
                self._ask(line)
        except PinciteError as error:
            self._fail(error)
        except KeyboardInterrupt:
            self._say("Stopped.")
        return True

    def _ask(self, question: str) -> None:
        from pincite.agent.given import suggest_next
        from pincite.cli.telling import Teller

        if not sys.stdin.isatty() and not self._json:
            door.console().print(f"{PROMPT}{question}")
        house = self._session.house
        asked = self._given.asked(question, house.settings, house.library.database)
        teller = Teller(self._json)
        teller.begin()
        try:
            self._answer, self._conversation = self._session.ask(asked, self._conversation, teller.hear)
        finally:
            teller.pause()
        hint = suggest_next(house.library.database, asked, self._answer)
        teller.end(self._answer, hint, self._days(self._answer))
        if not self._json:
            door.console().print()

    def _sources(self) -> None:
        from pincite.cli.gallery import gallery
        from pincite.cli.sources import listed, show

        answer = self._last()
        show(listed(answer, self._days(answer)), door.console())
        show(gallery(answer), door.console())

    def _more(self) -> None:
        from pincite.cli.passages import draw_more

        answer = self._last()
        if not any(passage.more for passage in answer.passages):
            raise Misuse("There are no further passages.", "Ask in other words, or search with `pincite search`.")
        draw_more(answer, door.console())

    def _open(self, given: str) -> None:
        from pincite.cli.opening import open_source

        if not given.isdecimal():
            raise Misuse("Say which source, by its number.", "Such as: /open 1")
        open_source(self._session.house, self._last(), int(given))

    def _documents(self, given: str) -> None:
        from pincite.cli.documents import show
        from pincite.retrieval import browse

        house = self._session.house
        if given:
            wanted = replace(self._given, documents=() if given == "all" else tuple(given.split()))
            wanted.asked("?", house.settings, house.library.database)
            self._given = wanted
            self._say("All documents are asked." if given == "all" else f"Asked are: {given}")
            return
        scope = self._given.asked("?", house.settings, house.library.database).scope
        found = browse.listed(house.library.database, scope)
        if found:
            show(found)
        else:
            self._say("There are no documents yet. `pincite add FOLDER` adds some.")

    def _focus(self, given: str) -> None:
        known = get_args(Focus)
        if given not in known:
            raise Misuse(f"There is no focus {given or 'of no name'}.", f"There are {', '.join(known)}.")
        self._given = replace(self._given, focus=given)  # type: ignore[arg-type]
        house = self._session.house
        is_blind = given == "web" and house.engine(house.settings.owner) is None
        note = " No search engine is set (web.search_url): name the page to read in the question." if is_blind else ""
        self._say(f"The focus is {given}.{note}")

    def _model(self, given: str) -> None:
        chosen = self._session.house.models.roles(given, self._given.system_model).chat.name
        self._given = replace(self._given, model=given)
        self._say(f"{chosen} answers.")

    def _new(self) -> None:
        self._conversation = self._answer = None
        self._say("A new conversation.")

    def _export(self, given: str) -> None:
        from pincite.cli.talks import Format, exported, write
        from pincite.conversations.reading import read

        path = Path(given).expanduser()
        suffix = path.suffix.removeprefix(".").lower()
        if not given or suffix not in get_args(Format):
            raise Misuse("Say which file: a name that ends in .md, .html, .pdf or .json.", "Such as: /export talk.md")
        self._last()
        house = self._session.house
        assert self._conversation
        write(exported(read(house.library.database, house.settings.owner, self._conversation), suffix), path)  # type: ignore[arg-type]
        self._say(f"Written to {path}.")

    def _title(self, conversation: str) -> str:
        from pincite.store import conversations

        house = self._session.house
        with house.library.database.reading() as connection:
            return conversations.get(connection, house.settings.owner, conversation).title

    def _days(self, answer: "Answer") -> dict[str, str]:
        from pincite.agent.given import list_days

        house = self._session.house
        return list_days(house.library.database, house.settings.owner, answer)

    def _last(self) -> "Answer":
        if self._answer is None:
            raise Misuse("Nothing was answered here yet.", "Ask something first.")
        return self._answer

    def _say(self, told: str) -> None:
        self._side.print(told, style="dim")

    def _fail(self, error: PinciteError) -> None:
        from pincite.cli.telling import error_text

        self._side.print(error_text(error.message, error.hint))
