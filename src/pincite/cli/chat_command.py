"""The `chat` command: hold a conversation in the terminal, or read questions line by line from a pipe."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from pincite.cli import options
from pincite.cli.growing_text import strip_controls
from pincite.cli.prompt_history import PROMPT, read_lines
from pincite.cli.question_parameters import (
    AboutOption,
    DocumentOption,
    FocusOption,
    LocationOption,
    ModelOption,
    PersonaOption,
    QuestionOptions,
    StrictOption,
    SystemModelOption,
    TagOption,
    ToolsOption,
    WorkspaceOption,
)
from pincite.errors import Misuse, PinciteError
from pincite.types import Focus

if TYPE_CHECKING:
    from pincite.cli.session import Session
    from pincite.events import Answer

_HELP = """\
/sources           show the sources of the last answer again
/more              show further and whole passages for the last question, if no model answers
/open N            open source N: its page with the quote marked
/documents         list the documents
/documents ID …    search only these documents; /documents all searches all again
/focus FOCUS       choose where to search: all, documents, web, chat, research
/model NAME        choose the model: provider:name, or extractive (no model)
/new               begin a new conversation
/export FILE       save the conversation as FILE.md, .html, .pdf or .json; its sources as FILE.bib or .ris
/quit              leave, like Ctrl-D
Ctrl-C             stops the search; the answer uses the sources found so far;
                   again, or while the answer is written, stops the answer"""


def chat(
    focus: FocusOption = "all",
    model: ModelOption = "",
    system_model: SystemModelOption = "",
    conversation: Annotated[
        str,
        typer.Option("--conversation", "-c", metavar="ID", help="Continue a conversation: its id, or last."),
    ] = "new",
    document: DocumentOption = None,
    tag: TagOption = None,
    library: options.InLibrary = None,
    strict: StrictOption = None,
    tools: ToolsOption = None,
    persona: PersonaOption = "",
    workspace: WorkspaceOption = "",
    location: LocationOption = "",
    about_me: AboutOption = "",
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Ask questions in a conversation.

    A question may refer to earlier questions and answers. /help lists the commands of the chat. If you pipe text into
    it, each line is one question. The conversation is stored; `pincite conversations` lists all of them.

    \b
    pincite chat
    pincite chat --conversation last
    pincite chat --document a8dac390 --persona "Réponds en une phrase."
    pincite chat --json < questions.txt
    """
    from pincite.answer.question_options import find_conversation
    from pincite.cli.session import open_session

    settings = options.load_settings(data, database, config)
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
        location=location,
        about_me=about_me,
    )
    with open_session(settings) as opened:
        id = find_conversation(opened.services.library.database, settings.owner, conversation)
        loop = ChatLoop(opened, given, id, json)
        given.asked("?", settings, opened.services.library.database)  # reports a wrong option before the first question
        loop.print_greeting()
        with read_lines(settings.data / "chat_history") as typed:
            for line in typed:
                if not loop.handle_line(line.strip()):
                    break
        loop.print_resume_hint()


class ChatLoop:
    """Runs one conversation: keeps the options for the next question and the last answer."""

    def __init__(self, session: "Session", given: QuestionOptions, conversation: str | None, json: bool) -> None:
        self._session = session
        self._given = given
        self._conversation = conversation
        self._json = json
        self._answer: Answer | None = None
        self._side = options.make_console(stderr=True)
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

    def print_greeting(self) -> None:
        """Print which model answers and how to get help, on a terminal only."""
        if sys.stdin.isatty():
            try:
                model = self._session.services.models.roles(self._given.model, self._given.system_model).chat.name
            except PinciteError as error:
                self._fail(error)
                return
            self._session.warm()
            quoting = " It quotes your documents; /model chooses one that writes." if model == "extractive" else ""
            self._say(f"{model} answers.{quoting} /help lists the commands, Ctrl-D leaves.")
            if self._conversation:
                self._say(f"Continuing “{strip_controls(self._title(self._conversation))}”.")

    def print_resume_hint(self) -> None:
        """Print the command that continues this conversation."""
        if sys.stdin.isatty() and self._answer and self._conversation:
            self._say(f"The conversation is stored. Continue it with `pincite chat -c {self._conversation[:8]}`.")

    def handle_line(self, line: str) -> bool:
        """Run the command or ask the question on a line. Return False if the line ends the chat."""
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
        from pincite.answer.question_options import suggest_next
        from pincite.cli.terminal_renderer import TerminalRenderer

        if not sys.stdin.isatty() and not self._json:
            options.make_console().print(f"{PROMPT}{question}")
        services = self._session.services
        asked = self._given.asked(question, services.settings, services.library.database)
        renderer = TerminalRenderer(self._json)
        renderer.begin()
        try:
            self._answer, self._conversation = self._session.ask(asked, self._conversation, renderer.hear)
        finally:
            renderer.pause()
        hint = suggest_next(asked, self._answer)
        renderer.end(self._answer, hint, self._days(self._answer))
        if not self._json:
            options.make_console().print()

    def _sources(self) -> None:
        from pincite.cli.gallery_output import list_media
        from pincite.cli.proof_output import list_sources, print_lines

        answer = self._last()
        print_lines(list_sources(answer, self._days(answer)), options.make_console())
        print_lines(list_media(answer), options.make_console())

    def _more(self) -> None:
        from pincite.cli.passage_output import draw_more

        answer = self._last()
        if not draw_more(answer, options.make_console()):
            raise Misuse("There are no further passages.", "Ask in other words, or search with `pincite search`.")

    def _open(self, given: str) -> None:
        from pincite.cli.source_page import open_source

        if not given.isdecimal():
            raise Misuse("/open needs the number of a source.", "For example: /open 1")
        open_source(self._session.services, self._last(), int(given))

    def _documents(self, given: str) -> None:
        from pincite.cli.document_commands import print_documents
        from pincite.search import browse

        services = self._session.services
        if given:
            wanted = replace(self._given, documents=() if given == "all" else tuple(given.split()))
            wanted.asked("?", services.settings, services.library.database)
            self._given = wanted
            self._say("All documents are searched." if given == "all" else f"Only these are searched: {given}")
            return
        scope = self._given.asked("?", services.settings, services.library.database).scope
        found = browse.list_documents(services.library.database, scope)
        if found:
            print_documents(found)
        else:
            self._say("There are no documents yet. `pincite add FOLDER` adds some.")

    def _focus(self, given: str) -> None:
        known = get_args(Focus)
        if given not in known:
            wrong = f"There is no focus {given}." if given else "/focus needs a name."
            raise Misuse(wrong, f"Choose one of {', '.join(known)}.")
        self._given = replace(self._given, focus=given)  # type: ignore[arg-type]
        services = self._session.services
        is_blind = given == "web" and services.find_engine(services.settings.owner) is None
        note = " No search engine is set (web.search_url): give a page's address in the question." if is_blind else ""
        self._say(f"The focus is {given}.{note}")

    def _model(self, given: str) -> None:
        chosen = self._session.services.models.roles(given, self._given.system_model).chat.name
        self._given = replace(self._given, model=given)
        self._say(f"{chosen} answers.")

    def _new(self) -> None:
        self._conversation = self._answer = None
        self._say("A new conversation.")

    def _export(self, given: str) -> None:
        from pincite.cli.conversation_commands import choose_format, export_conversation, write_file
        from pincite.conversations.transcript import read_conversation

        if not given:
            raise Misuse("/export needs the name of a file.", "For example: /export talk.md, or /export refs.bib")
        path = Path(given).expanduser()
        format = choose_format(path)
        self._last()
        services = self._session.services
        assert self._conversation
        conversation = read_conversation(services.library.database, services.settings.owner, self._conversation)
        write_file(export_conversation(conversation, format), path)
        self._say(f"Written to {path}.")

    def _title(self, conversation: str) -> str:
        from pincite.store import conversations

        services = self._session.services
        with services.library.database.reading() as connection:
            return conversations.get(connection, services.settings.owner, conversation).title

    def _days(self, answer: "Answer") -> dict[str, str]:
        from pincite.answer.question_options import list_fetch_days

        services = self._session.services
        return list_fetch_days(services.library.database, services.settings.owner, answer)

    def _last(self) -> "Answer":
        if self._answer is None:
            raise Misuse("There is no answer yet.", "Ask a question first.")
        return self._answer

    def _say(self, text: str) -> None:
        self._side.print(text, style="dim")

    def _fail(self, error: PinciteError) -> None:
        from pincite.cli.terminal_renderer import format_error

        self._side.print(format_error(error.message, error.hint))
