"""`pincite code` shows answers and changes of a folder's files, and writes only what was accepted."""

import io
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pincite import events
from pincite.cli.prompt_history import PROMPT
from tests.cli.conftest import Ran
from tests.cli.scripted_project import ScriptedProject, answer, changing, saying, serving, unfinished
from tests.cli.terminals import type_at_terminal

Pincite = Callable[..., Ran]
Type = Callable[..., None]


class Keyboard:
    """A terminal at which these lines are typed, and then Ctrl-D. ^C stands for Ctrl-C."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = iter(lines)

    def readline(self) -> str:
        line = next(self._lines, None)
        if line == "^C":
            raise KeyboardInterrupt
        return "" if line is None else f"{line}\n"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Type:
    """Lets a person type these lines at a terminal."""

    def type_lines(*lines: str) -> None:
        monkeypatch.setattr("sys.stdin", Keyboard(lines))
        monkeypatch.setattr("pincite.cli.prompt_history.is_typing", lambda: True)

    return type_lines


def test_a_question_is_answered_and_the_command_ends(pincite: Pincite) -> None:
    with serving(saying("The price is ", "checked in cart.py.")) as project:
        ran = pincite("code", "--server", project.url, "-p", "Where is the price checked?")
    assert (ran.status, ran.said) == (0, "")
    assert ran.out.startswith("The price is checked in cart.py.\n")
    assert ran.out.endswith("test:scripted · 1,200 tokens in, 34 out\n")
    assert project.done("ask") == [{"message": "Where is the price checked?", "project": "0123456789ab"}]


def test_text_is_shown_as_it_comes(
    pincite: Pincite, screen: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[str]] = []

    def turn(project: ScriptedProject) -> None:
        project.tell(events.MessageStarted(conversationId="c1", question="?", model="test:scripted", focus="all"))
        project.tell(events.Text(delta="The price is "))
        project.tell(events.Text(delta="checked."))
        project.tell(answer("The price is checked."))

    from pincite.cli.terminal_renderer import TerminalRenderer

    hear = TerminalRenderer.hear

    def watch(self: TerminalRenderer, data: events.Data) -> None:
        hear(self, data)
        if isinstance(data, events.Text):
            seen.append([row for row in screen() if row])

    monkeypatch.setattr(TerminalRenderer, "hear", watch)
    with serving(turn) as project:
        pincite("code", "--server", project.url, "-p", "Where is the price checked?")
    assert [rows[-1] for rows in seen] == ["The price is", "The price is checked."]


def test_the_model_is_asked_for_by_its_name(pincite: Pincite) -> None:
    with serving(saying("Yes.")) as project:
        pincite("code", "--server", project.url, "-p", "Is it?", "--model", "mistral:devstral")
    assert project.done("ask")[0]["chatModel"] == "mistral:devstral"


def test_changes_are_reviewed_file_by_file_and_only_accepted_ones_applied(pincite: Pincite, typed: Type) -> None:
    typed("Rename it.", "y", "n", "a")
    with serving(changing("a.py", "b.py", "c.py", "d.py")) as project:
        ran = pincite("code", "--server", project.url)
    assert ran.status == 0
    (applied,) = project.done("apply")
    assert applied == {"project": "0123456789ab", "changes": "p1", "paths": ["a.py", "c.py", "d.py"]}
    (told,) = project.done("result")
    assert (told["call"], told["status"], told["conversation"]) == ("apply-1", "applied", "c1")
    assert told["files"] == ["a.py", "c.py", "d.py"]
    assert "The user rejected: b.py." in told["message"]
    assert "✓ 3 files changed. /undo undoes it." in ran.said


def test_rejected_changes_are_not_applied_and_the_model_is_told(pincite: Pincite, typed: Type) -> None:
    typed("Rename it.", "r")
    with serving(changing("a.py", "b.py")) as project:
        ran = pincite("code", "--server", project.url)
    assert project.done("apply") == []
    assert [each["status"] for each in project.done("result")] == ["rejected"]
    assert "Nothing was changed." in ran.said


@pytest.mark.parametrize(("reason", "told"), [("", ["failed"]), ("unconfirmed", [])])
def test_the_model_is_told_of_a_failure_only_if_nothing_was_written_for_certain(
    pincite: Pincite, reason: str, told: list[str]
) -> None:
    with serving(changing("a.py")) as project:
        project.refusals["apply"] = {"code": "busy", "message": "It went wrong.", "hint": "", "reason": reason}
        ran = pincite("code", "--server", project.url, "-p", "Rename it.", "--yes")
    assert ran.status == 1
    assert "Error: It went wrong." in ran.said
    assert [each["status"] for each in project.done("result")] == told


def test_yes_applies_everything_without_a_question(pincite: Pincite) -> None:
    with serving(changing("a.py", "b.py")) as project:
        ran = pincite("code", "--server", project.url, "-p", "Rename it.", "--yes")
    assert ran.status == 0
    assert project.done("apply")[0]["paths"] == ["a.py", "b.py"]
    assert "2/2 modify b.py  +1 −1" in ran.out


@pytest.mark.parametrize(
    ("options", "said"),
    [([], "--yes applies changes"), (["--no-apply"], "--no-apply"), (["--no-apply", "--yes"], "--no")],
)
def test_without_yes_one_question_only_shows_changes(pincite: Pincite, options: list[str], said: str) -> None:
    with serving(changing("a.py")) as project:
        ran = pincite("code", "--server", project.url, "-p", "Rename it.", *options)
    assert ran.status == 0
    assert "+new" in ran.out
    assert "Not applied" in ran.said
    assert said in ran.said
    assert project.done("apply") == []
    assert [each["status"] for each in project.done("result")] == ["rejected"]


def test_no_apply_asks_nothing_and_writes_nothing(pincite: Pincite, typed: Type) -> None:
    typed("Rename it.")
    with serving(changing("a.py")) as project:
        ran = pincite("code", "--server", project.url, "--no-apply")
    assert "Accept?" not in ran.out
    assert project.done("apply") == []


def test_changes_that_the_server_refuses_are_said_and_the_model_is_told(pincite: Pincite) -> None:
    with serving(changing("a.py")) as project:
        told = {"code": "misuse", "reason": "file_changed", "message": "a.py was changed since.", "hint": "Ask again."}
        project.refusals["apply"] = told
        ran = pincite("code", "--server", project.url, "-p", "Rename it.", "--yes")
    assert ran.status == 1
    assert "Error: a.py was changed since.\nAsk again." in ran.said
    assert [(each["status"], each["message"]) for each in project.done("result")] == [
        ("failed", "a.py was changed since.")
    ]


def test_edits_that_do_not_apply_are_shown_with_the_nearest_lines(pincite: Pincite, typed: Type) -> None:
    refused = events.RefusedEdit(
        number=1,
        path="a.py",
        reason="not_found",
        message="These lines are not there.",
        nearest=[events.NearestLine(number=3, text="price = 2")],
    )
    changes = events.ProposedChanges(id="p1", files=[], refused=[refused])
    typed("Rename it.")
    with serving(
        saying("I change it.", changes=changes, calls=[events.ClientCall(id="k", tool="apply_changes")])
    ) as project:
        ran = pincite("code", "--server", project.url)
    assert "a.py does not apply: These lines are not there." in ran.said
    assert "3 price = 2" in ran.said
    assert "apply together or not at all" in ran.said
    assert project.done("apply") == []
    assert [each["status"] for each in project.done("result")] == ["failed"]


def test_an_unfinished_request_is_continued_if_the_user_says_so(pincite: Pincite, typed: Type) -> None:
    typed("Do all cases.", "y")
    with serving(unfinished("One of two."), saying("Two of two.")) as project:
        ran = pincite("code", "--server", project.url)
    assert "One case is left. Continue? [y]es [n]o: " in ran.out
    assert ran.out.index("One of two.") < ran.out.index("Two of two.")
    assert [(each["call"], each["status"]) for each in project.done("result")] == [("go-on", "continue")]


@pytest.mark.parametrize("said", ["n", "", "later", "^C"])
def test_it_is_not_continued_otherwise(pincite: Pincite, typed: Type, said: str) -> None:
    typed("Do all cases.", said, "/tree")
    with serving(unfinished("One of two.")) as project:
        ran = pincite("code", "--server", project.url)
    assert [each["status"] for each in project.done("result")] == ["stop"]
    assert "orders.py" in ran.out


def test_with_yes_it_is_continued_and_every_turn_is_applied(pincite: Pincite) -> None:
    call = events.ClientCall(id="apply-1", tool="apply_changes")
    changes = events.ProposedChanges(
        id="p1", files=[events.ChangedFile(path="a.py", action="create", diff="@@ -0,0 +1 @@\n+a\n")]
    )
    go_on = events.ClientCall(id="go-on", tool="continue")
    progress = events.Progress(state="unfinished", reason="One case is left.")
    first = saying("One.", changes=changes, calls=[call, go_on], progress=progress)
    with serving(first, changing("b.py")) as project:
        ran = pincite("code", "--server", project.url, "-p", "Do all cases.", "--yes")
    assert ran.status == 0
    assert [each["paths"] for each in project.done("apply")] == [["a.py"], ["b.py"]]
    assert [each["status"] for each in project.done("result")] == ["applied", "continue", "applied"]


def test_a_model_that_never_finishes_is_not_continued_for_ever(pincite: Pincite) -> None:
    with serving(*[unfinished()] * 30) as project:
        ran = pincite("code", "--server", project.url, "-p", "Do all cases.", "--yes")
    assert [each["status"] for each in project.done("result")] == [*["continue"] * 20, "stop"]
    assert "The request is not finished: One case is left." in ran.said


@pytest.mark.parametrize(("state", "said"), [("looping", "repeats itself"), ("stalled", "does not move on")])
def test_a_model_that_gets_nowhere_is_named_as_such(pincite: Pincite, state: str, said: str) -> None:
    progress = events.Progress.model_validate({"state": state, "reason": "The same edit, twice."})
    with serving(saying("Again.", progress=progress)) as project:
        ran = pincite("code", "--server", project.url, "-p", "Do all cases.", "--yes")
    assert said in ran.said
    assert "The same edit, twice." in ran.said


def test_the_last_changes_of_the_session_are_undone_and_no_others(pincite: Pincite, typed: Type) -> None:
    typed("/undo", "Rename it.", "y", "/undo", "/undo")
    with serving(changing("a.py")) as project:
        ran = pincite("code", "--server", project.url)
    assert project.done("undo") == [{"project": "0123456789ab", "change": "1"}]
    assert "Undone: a.py." in ran.said
    assert ran.said.count("Nothing was applied in this session.") == 2


def test_an_undo_that_is_refused_is_said_and_the_session_goes_on(pincite: Pincite, typed: Type) -> None:
    typed("Rename it.", "y", "/undo", "/tree")
    with serving(changing("a.py")) as project:
        project.refusals["undo"] = {"code": "misuse", "message": "a.py was changed since.", "hint": ""}
        ran = pincite("code", "--server", project.url)
    assert "Error: a.py was changed since." in ran.said
    assert "orders.py" in ran.out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/help", "/undo"),
        ("/files", "No file was used yet."),
        ("/model", "/model needs the name of a model."),
        ("/model mistral:devstral", "mistral:devstral answers."),
        ("/new", "A new conversation."),
        ("/frobnicate", "There is no command /frobnicate."),
    ],
)
def test_a_command_says_what_it_did_or_what_is_wrong_with_it(
    pincite: Pincite, typed: Type, line: str, said: str
) -> None:
    typed(line)
    with serving() as project:
        ran = pincite("code", "--server", project.url)
    assert ran.status == 0
    assert said in ran.said


def test_the_welcome_names_the_folder_and_the_way_out(pincite: Pincite, typed: Type) -> None:
    typed("/exit", "/tree")
    with serving() as project:
        ran = pincite("code", "--server", project.url)
    assert ran.said.startswith("shop (/nowhere/shop). /help lists the commands, Ctrl-D leaves.")
    assert project.done("tree") == []


def test_files_that_were_used_and_changed_are_listed_with_their_lines(pincite: Pincite, typed: Type) -> None:
    evidence = events.EvidenceFound(
        n=1,
        document="d",
        title="cart.py",
        kind="code",
        url=None,
        page=None,
        start=0,
        end=9,
        text="",
        headings=[],
        score=1.0,
        lines=(12, 20),
        path="src/cart.py",
    )

    def turn(project: ScriptedProject) -> None:
        project.tell(evidence)
        changing("a.py")(project)

    typed("Rename it.", "y", "/files")
    with serving(turn) as project:
        ran = pincite("code", "--server", project.url)
    assert "src/cart.py  12–20" in ran.out
    assert "a.py  changed" in ran.out


def test_a_question_goes_on_in_the_same_conversation_until_a_new_one_begins(pincite: Pincite, typed: Type) -> None:
    typed("First?", "Second?", "/new", "Third?")
    with serving(saying("1."), saying("2."), saying("3.")) as project:
        ran = pincite("code", "--server", project.url)
    assert [each.get("conversationId") for each in project.done("ask")] == [None, "c1", None]
    assert "3,600 tokens in, 102 out in this session." in ran.said


def test_lines_of_a_pipe_are_questions_and_nobody_is_asked(pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Rename it.\nIs it done?\n"))
    with serving(changing("a.py"), saying("It is.")) as project:
        ran = pincite("code", "--server", project.url)
    assert "> Rename it." in ran.out
    assert "It is." in ran.out
    assert "Accept?" not in ran.out
    assert project.done("apply") == []


def waiting(*signals: int) -> Callable[[ScriptedProject], None]:
    """A turn that lets these many Ctrl-C be pressed, one after the other, and ends when it is stopped."""

    def turn(project: ScriptedProject) -> None:
        project.tell(events.MessageStarted(conversationId="c1", question="?", model="test:scripted", focus="all"))
        project.tell(events.Text(delta="The price "))
        for _ in signals:
            os.kill(os.getpid(), signal.SIGINT)
            project.stopped.wait()
        project.tell(answer("The price ", stopped=True))

    return turn


def test_ctrl_c_stops_the_answer_and_not_the_session(pincite: Pincite, typed: Type) -> None:
    before = signal.getsignal(signal.SIGINT)
    typed("Where is the price?", "/tree")
    with serving(waiting(1)) as project:
        ran = pincite("code", "--server", project.url)
    assert ran.status == 0
    assert "stopped before its end" in ran.out
    assert project.done("stop") == [{"conversation": "c1"}]
    assert "orders.py" in ran.out
    assert signal.getsignal(signal.SIGINT) == before


def test_ctrl_c_in_a_single_question_ends_with_its_status(pincite: Pincite) -> None:
    with serving(waiting(1)) as project:
        ran = pincite("code", "--server", project.url, "-p", "Where is the price?")
    assert ran.status == 130
    assert ran.out.startswith("The price")


def test_ctrl_c_twice_leaves_even_if_the_answer_does_not_stop(pincite: Pincite, typed: Type) -> None:
    over = signal.getsignal(signal.SIGINT)

    def stubborn(project: ScriptedProject) -> None:
        project.tell(events.Text(delta="The price "))
        os.kill(os.getpid(), signal.SIGINT)
        project.stopped.wait()
        os.kill(os.getpid(), signal.SIGINT)

    typed("Where is the price?", "/tree")
    with serving(stubborn) as project:
        ran = pincite("code", "--server", project.url)
    assert ran.status == 130
    assert project.done("tree") == []
    assert signal.getsignal(signal.SIGINT) == over


def test_ctrl_c_at_the_prompt_leaves_the_second_time_in_a_row(pincite: Pincite, typed: Type) -> None:
    typed("^C", "/tree", "^C", "^C", "/undo")
    with serving() as project:
        ran = pincite("code", "--server", project.url)
    assert ran.status == 130
    assert len(project.done("tree")) == 1
    assert project.done("undo") == []
    assert "Press Ctrl-C again to leave." in ran.out


def test_after_a_stopped_answer_one_more_ctrl_c_leaves(pincite: Pincite, typed: Type) -> None:
    typed("Where is the price?", "^C", "/tree")
    with serving(waiting(1)) as project:
        ran = pincite("code", "--server", project.url)
    assert ran.status == 130
    assert "Press Ctrl-C again to leave." in ran.said
    assert project.done("tree") == []


def test_ctrl_c_in_a_review_accepts_nothing(pincite: Pincite, typed: Type) -> None:
    typed("Rename it.", "y", "^C", "/tree")
    with serving(changing("a.py", "b.py")) as project:
        ran = pincite("code", "--server", project.url)
    assert ran.status == 0
    assert project.done("apply") == []
    assert [each["status"] for each in project.done("result")] == ["rejected"]
    assert "orders.py" in ran.out


def test_a_lost_connection_is_said_and_the_answer_goes_on_without_a_gap(pincite: Pincite) -> None:
    def turn(project: ScriptedProject) -> None:
        project.tell(events.MessageStarted(conversationId="c1", question="?", model="test:scripted", focus="all"))
        project.tell(events.Text(delta="The price "))
        project.drop()
        project.tell(events.Text(delta="is checked "))
        project.tell(events.Text(delta="in cart.py."))
        project.tell(answer("The price is checked in cart.py."))

    with serving(turn) as project:
        ran = pincite("code", "--server", project.url, "-p", "Where is the price checked?")
    assert ran.status == 0
    assert ran.out.startswith("The price is checked in cart.py.\n")
    assert "The connection to the server was lost." in ran.said
    assert "Connected again." in ran.said


def test_without_a_model_it_says_that_changes_need_one_and_answers_with_lines(pincite: Pincite) -> None:
    citation = events.Citation(
        n=1,
        evidence=1,
        document="d",
        title="cart.py",
        kind="code",
        url=None,
        page=None,
        quote="price = 2",
        start=0,
        end=9,
        score=1.0,
        boxes=[],
        lines=(3, 3),
        path="src/cart.py",
    )
    sentence = events.Sentence(text="price = 2", citations=[1], support="verified")
    given = {"citations": [citation], "sentences": [sentence]}

    def turn(project: ScriptedProject) -> None:
        project.tell(events.MessageStarted(conversationId="c1", question="?", model="extractive", focus="all"))
        project.tell(answer("price = 2 [1]", "extractive").model_copy(update=given))

    with serving(turn) as project:
        ran = pincite("code", "--server", project.url, "-p", "Where is the price?")
    assert "Changes need a model" in ran.said
    assert "src/cart.py:3" in ran.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-p", " "], "The question is empty."),
        (["--project", "shop"], "--project needs --server."),
        (["no-such-folder"], "There is no folder"),
        (["--model", "nope:x"], "There is no provider `nope`."),
        (["--server", "http://127.0.0.1:1"], "cannot be reached"),
        (["--server", "ftp://x"], "not the address of a server"),
    ],
)
def test_a_mistake_is_told_before_anything_is_started(pincite: Pincite, arguments: list[str], said: str) -> None:
    ran = pincite("code", *arguments)
    assert ran.status in (1, 2)
    assert said in ran.said
    assert ran.out == ""


def test_a_project_that_the_server_does_not_have_is_said_with_those_it_has(pincite: Pincite) -> None:
    with serving() as project:
        ran = pincite("code", "--server", project.url, "--project", "nope")
    assert ran.status == 2
    assert "no project nope.\nChoose one with --project: shop." in ran.said


def test_french_questions_are_asked_back_in_french(pincite: Pincite, typed: Type) -> None:
    typed("Comment renommer cette fonction dans le fichier ?", "o")
    with serving(changing("a.py")) as project:
        ran = pincite("code", "--server", project.url)
    assert "Accepter ? [o]ui" in ran.out
    assert "✓ 1 fichier" in ran.said
    assert project.done("apply")[0]["paths"] == ["a.py"]


@pytest.mark.slow
def test_at_a_real_terminal_the_line_editor_brings_back_questions_and_not_answers_to_a_review(tmp_path: Path) -> None:
    pytest.importorskip("readline")
    with serving(changing("a.py"), saying("Again.")) as project:
        status, rows = type_at_terminal(
            ["code", "--server", project.url],
            tmp_path / "data",
            (PROMPT, "Rename it.\r"),
            ("all: ", "y\r"),
            (PROMPT, "\x1b[A\r"),
            (PROMPT, "/exit\r"),
        )
    assert status == 0, rows
    assert [each["message"] for each in project.done("ask")] == ["Rename it.", "Rename it."]
    assert project.done("apply")[0]["paths"] == ["a.py"]
