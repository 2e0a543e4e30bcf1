"""The loop of `pincite code`: ask, show the answer, review and apply changes, report the result, continue, undo."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli import options
from pincite.cli.answer_stream import AnswerStream
from pincite.cli.change_review import ChangeReviewer, Review, draw_file, draw_refusals, reveal_controls
from pincite.cli.code_wording import HELP, LEAVE_NOTE, WORDS
from pincite.cli.growing_text import strip_controls
from pincite.cli.local_changes import LocalChanges
from pincite.cli.prompt_history import PROMPT, Interrupts, ask_user
from pincite.cli.websocket_client import UNCONFIRMED
from pincite.errors import Misuse, PinciteError
from pincite.llm.providers import EXTRACTIVE
from pincite.text.language import detect_conversation_language

if TYPE_CHECKING:
    from pincite.cli.project_server import ProjectServer
    from pincite.events import Answer, ClientCall, ProposedChanges

STOPPED, FAILED = 130, 1  # exit statuses
_MOST_CONTINUED = 20  # turns that --yes continues without a question; the server has a bound of its own
_YES = ("y", "yes", "o", "oui")


@dataclass(frozen=True, slots=True)
class CodeOptions:
    """How a session treats changes: `yes` accepts all of them, `no_apply` only shows them.

    `is_asking` says whether the user can be asked. `journal` is the folder of the journal of changes.
    """

    model: str = ""
    yes: bool = False
    no_apply: bool = False
    is_asking: bool = True
    journal: Path = Path()


class CodeSession:
    """One conversation about a project. It holds the last answer, the chosen model and the files that were used."""

    def __init__(
        self,
        server: "ProjectServer",
        given: CodeOptions,
        interrupts: Interrupts,
        check_model: Callable[[str], str] = str,
        ask: Callable[[str], str] = ask_user,
    ) -> None:
        self._server = server
        self._given = given
        self._interrupts = interrupts
        self._check_model = check_model  # returns the full name of a model, or raises an error
        self._ask_user = ask
        self._stream = AnswerStream(server.connection)
        self._side = options.make_console(stderr=True)
        self._out = options.make_console()
        self._language = "en"
        self._has_said_quoting = False
        self._undoing: list[Callable[[], list[str]]] = []  # undoes the changes of this session, the last one first
        self._commands: dict[str, Callable[[str], None]] = {
            "/help": lambda _: self._say(HELP),
            "/tree": lambda _: self._show_tree(),
            "/files": lambda _: self._list_files(),
            "/undo": lambda _: self._undo(),
            "/model": self._choose_model,
            "/new": lambda _: self._begin_new(),
        }

    def print_welcome(self) -> None:
        """Print the project, the model that answers and how to get help."""
        model = self._check_model(self._given.model)
        answers = f" {model} answers." if model else ""
        self._say(f"{self._server.name} ({self._server.folder}).{answers} /help lists the commands, Ctrl-D leaves.")
        if model == EXTRACTIVE:
            self._say_quoting()

    def print_total(self) -> None:
        """Print the tokens of the whole session, if a model was used."""
        if used := self._stream.describe_usage():
            self._say(used)

    def handle_line(self, line: str) -> bool:
        """Run the command or ask the question on a line. Return False if the line ends the session."""
        word, _, rest = line.partition(" ")
        if word in ("/exit", "/quit"):
            return False
        try:
            if word in self._commands:
                self._commands[word](rest.strip())
            elif word.startswith("/") and word[1:].isalpha():
                raise Misuse(f"There is no command {word}.", "/help lists them.")
            elif line:
                if not self._given.is_asking:
                    self._out.print(f"{PROMPT}{line}", soft_wrap=True)
                self.ask(line)
                self._out.print()
        except PinciteError as error:
            if self._stream.has_ended:
                raise
            self._fail(error)
        return True

    def ask(self, question: str) -> int:
        """Ask a question and handle the changes and calls of its answers. Return an exit status."""
        self._language = detect_conversation_language(question)
        answer = self._stream.ask(question, self._server.project, self._given.model)
        status, continued = self._settle(answer), 0
        while (call := _find_call(answer, "continue")) and not answer.stopped:
            if not self._may_continue(answer, continued):
                self._stream.report(call.id, "stop")
                break
            continued += 1
            answer = self._stream.report_and_follow(call.id, "continue")
            status = self._settle(answer)
        return status

    def _settle(self, answer: "Answer") -> int:
        """Show what follows an answer, and apply its changes. Return an exit status."""
        self._interrupts.is_last = self._stream.was_interrupted
        if self._stream.was_interrupted and self._given.is_asking:
            self._say(LEAVE_NOTE)
        if answer.model == EXTRACTIVE:
            self._say_quoting()
        if answer.progress and answer.progress.state in ("looping", "stalled"):
            self._say(self._word(answer.progress.state).format(answer.progress.reason))
        is_done = self._handle_changes(answer) if answer.changes else True
        if answer.stopped:
            return STOPPED
        return FAILED if answer.refused or self._stream.has_failed or not is_done else 0

    def _handle_changes(self, answer: "Answer") -> bool:
        """Show, review and apply the changes of an answer, and report the result. Return False if that failed."""
        assert answer.changes
        changes, call = answer.changes, _find_call(answer, "apply_changes")
        if changes.refused:
            draw_refusals(changes.refused, self._side, self._language)
            self._say(self._word("refused"))
            self._report(call, "failed", "; ".join(each.message for each in changes.refused))
            return False
        local = self._plan_here(changes)
        review = self._review(changes, local)
        if not review.accepted:
            self._report(call, "rejected", "The user did not accept the changes. No file was changed.")
            return True
        try:
            self._apply(changes, review, local)
        except PinciteError as error:
            self._fail(error)
            if error.reason != UNCONFIRMED:  # then the files may have been written, and "failed" would be wrong
                self._report(call, "failed", error.message)
            return False
        count = len(review.accepted)
        files = self._word("file") if count == 1 else self._word("files").format(count)
        self._say(self._word("applied").format(files))
        self._stream.note_changed(review.accepted)
        self._report(call, "applied", _describe_review(review), review.accepted)
        return True

    def _review(self, changes: "ProposedChanges", local: LocalChanges | None) -> Review:
        """Return the accepted and rejected files, by the user's choice or by the options of the command."""
        paths = tuple(file.path for file in changes.files)
        if self._given.is_asking and not (self._given.yes or self._given.no_apply):
            edit = local.edit if local else None
            review = ChangeReviewer(self._out, self._ask_user, edit, self._language)
            try:
                chosen = review.review(changes)
            except KeyboardInterrupt:
                self._out.print()
                self._interrupts.is_last = True
                chosen = Review(rejected=paths)
            if not chosen.accepted:
                self._say(self._word("rejected"))
            return chosen
        for number, file in enumerate(changes.files, 1):
            draw_file(file, self._out, f"{number}/{len(paths)}", self._language)
        if self._given.yes and not self._given.no_apply:
            return Review(accepted=paths)
        self._say(self._word("no_apply" if self._given.no_apply else "not_applied"))
        return Review(rejected=paths)

    def _apply(self, changes: "ProposedChanges", review: Review, local: LocalChanges | None) -> None:
        """Apply the accepted files: by the server, or here if the user edited one, so that all are applied or none."""
        if review.edited:
            assert local, "only a folder on this machine is edited"
            self._undoing.append(local.apply(review))
            return
        what = {"changes": changes.id} if changes.id else {"reply": changes.reply}
        applied = self._server.connection.act(
            "apply", project=self._server.project, paths=list(review.accepted), **what
        )
        self._undoing.append(partial(self._undo_on_server, str(applied.get("id") or "")))

    def _plan_here(self, changes: "ProposedChanges") -> LocalChanges | None:
        project = self._server.local
        return LocalChanges(project, self._given.journal, changes) if project else None

    def _report(self, call: "ClientCall | None", status: str, message: str, files: tuple[str, ...] = ()) -> None:
        """Tell the model what became of the changes."""
        if call:
            self._stream.report(call.id, status, message, files)

    def _may_continue(self, answer: "Answer", continued: int) -> bool:
        """Return whether to go on with a request: by the user's word, or by --yes."""
        reason = strip_controls(answer.progress.reason if answer.progress else "")
        if self._given.yes and continued < _MOST_CONTINUED:
            self._say(self._word("continuing").format(reason))
            return True
        if not self._given.is_asking:
            self._say(self._word("unfinished").format(reason))
            return False
        try:
            return self._ask_user(self._word("continue").format(reason)).strip().lower() in _YES
        except (EOFError, KeyboardInterrupt):
            self._out.print()
            return False

    def _show_tree(self) -> None:
        tree = self._server.connection.act("tree", project=self._server.project)
        self._out.print(reveal_controls(str(tree.get("text") or "")), soft_wrap=True)

    def _list_files(self) -> None:
        lines = self._stream.describe_files()
        if not lines:
            self._say("No file was used yet. /tree shows all files.")
        for line in lines:
            self._out.print(reveal_controls(line), soft_wrap=True)

    def _undo(self) -> None:
        if not self._undoing:
            raise Misuse(
                "Nothing was applied in this session.", "`pincite project undo` undoes the last change of all."
            )
        paths = self._undoing[-1]()
        self._undoing.pop()
        self._say(f"Undone: {', '.join(map(reveal_controls, paths)) or 'nothing'}.")

    def _undo_on_server(self, change: str) -> list[str]:
        """Undo changes that the server applied. Return their paths."""
        undone = self._server.connection.act("undo", project=self._server.project, change=change)
        return [str(file.get("path")) for file in undone.get("files") or []]

    def _choose_model(self, given: str) -> None:
        if not given:
            raise Misuse("/model needs the name of a model.", "For example: /model mistral:mistral-small-latest")
        model = self._check_model(given)
        self._given = replace(self._given, model=given)
        self._say(f"{model or given} answers.")

    def _begin_new(self) -> None:
        self._stream.begin_new()
        self._say("A new conversation.")

    def _say_quoting(self) -> None:
        """Say once that changes need a model."""
        if not self._has_said_quoting:
            self._has_said_quoting = True
            self._say(self._word("quoting"))

    def _word(self, name: str) -> str:
        return WORDS[self._language][name]

    def _say(self, text: str) -> None:
        self._side.print(strip_controls(text), style="dim", soft_wrap=True)

    def _fail(self, error: PinciteError) -> None:
        from pincite.cli.terminal_renderer import format_error

        self._side.print(format_error(error.message, error.hint), soft_wrap=True)


def _find_call(answer: "Answer", tool: str) -> "ClientCall | None":
    return next((call for call in answer.calls if call.tool == tool), None)


def _describe_review(review: Review) -> str:
    """Return what the user did with the changes, for the model."""
    parts = [f"Applied: {', '.join(review.accepted)}."]
    if review.edited:
        parts.append(f"The user edited before: {', '.join(review.edited)}.")
    if review.rejected:
        parts.append(f"The user rejected: {', '.join(review.rejected)}.")
    return " ".join(parts)
