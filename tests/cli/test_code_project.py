"""`pincite code` on a real folder, with the server that it starts itself and a model that says what a test tells it."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest

from pincite.cli.child_server import ChildServer
from pincite.cli.prompt_history import PROMPT
from pincite.projects.edit_blocks import create_search_replace_block
from tests import program
from tests.browser.speaking import Speaker, speaking
from tests.cli.conftest import Ran
from tests.cli.terminals import type_at_terminal
from tests.clock import PATIENCE, wait_until
from tests.thorough import mark_slow
from tests.warm_process import start_command

Pincite = Callable[..., Ran]
CART = (
    'def check_price(price):\r\n    """Refuse a price below zero."""\r\n'
    "    if price < 0:\r\n        raise ValueError\r\n"
)
STRICTER = create_search_replace_block("cart.py", "    if price < 0:\n", "    if price <= 0:\n")
CHANGED = CART.replace("price < 0", "price <= 0")


@pytest.fixture(autouse=True)
def _forked_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server of the command is forked from a process that has imported the program."""
    forking = SimpleNamespace(**{**vars(subprocess), "Popen": start_command})
    monkeypatch.setattr("pincite.cli.child_server.subprocess", forking)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with two files; the lines of the first end as on Windows."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "cart.py").write_bytes(CART.encode())
    (folder / "README.md").write_text("# Shop\n\nOrders are checked in cart.py.\n")
    return folder


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Speaker]:
    """The model of every server that is started from here on."""
    with speaking() as speaker:
        for name, value in speaker.settings.items():
            monkeypatch.setenv(f"PINCITE_{name}", value)
        yield speaker


@pytest.fixture
def type_lines(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets a person type these lines at a terminal."""

    def type_them(*lines: str) -> None:
        left = iter(lines)

        def read(prompt: str = "") -> str:
            line = next(left, None)
            if line is None:
                raise EOFError
            return line

        monkeypatch.setattr("builtins.input", read)
        monkeypatch.setattr("pincite.cli.prompt_history.is_typing", lambda: True)

    return type_them


def read_cart(shop: Path) -> str:
    return (shop / "cart.py").read_bytes().decode()


def test_without_a_model_answers_quote_lines_and_it_is_said_once_that_changes_need_one(
    pincite: Pincite, shop: Path, type_lines: Callable[..., None]
) -> None:
    type_lines("Where is the price checked?", "Rename check_price to check.")
    ran = pincite("code", shop, "--yes")
    assert ran.status == 0, ran.said
    assert "cart.py:1–4" in ran.out
    assert "def check_price(price):" in ran.out
    assert ran.said.count("Changes need a model") == 1
    assert read_cart(shop) == CART


def test_a_change_is_applied_to_the_byte_and_undone_to_the_byte(
    pincite: Pincite, shop: Path, model: Speaker, type_lines: Callable[..., None]
) -> None:
    model.will("I propose to refuse zero too.\n\n", STRICTER)
    seen: list[str] = []
    type_lines("Refuse a price of zero.", "y", "/undo")

    from pincite.cli.code_session import CodeSession

    handle = CodeSession.handle_line

    def watch(self: CodeSession, line: str) -> bool:
        is_on = handle(self, line)
        seen.append(read_cart(shop))
        return is_on

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CodeSession, "handle_line", watch)
        ran = pincite("code", shop)
    assert ran.status == 0, ran.said
    assert seen == [CHANGED, CART]
    assert "1/1 modify cart.py  +1 −1" in ran.out
    assert "SEARCH" not in ran.out
    assert "Undone: cart.py." in ran.said


@pytest.mark.slow
def test_an_edited_file_is_written_as_it_was_left_in_the_editor_and_undone(
    pincite: Pincite,
    shop: Path,
    model: Speaker,
    type_lines: Callable[..., None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import sys, pathlib\nfile = pathlib.Path(sys.argv[1])\n"
        "file.write_bytes(file.read_bytes().replace(b'raise ValueError', b'raise ValueError(price)'))\n"
    )
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"'{sys.executable}' '{editor}'")
    model.will(
        "I propose to refuse zero too.\n\n", STRICTER, "\nnotes.md\n<<<<<<< SEARCH\n=======\nNew.\n>>>>>>> REPLACE\n"
    )
    seen: list[tuple[str, bool]] = []

    def look(self: object, line: str) -> bool:
        is_on = handle(self, line)  # type: ignore[arg-type]
        seen.append((read_cart(shop), (shop / "notes.md").exists()))
        return is_on

    from pincite.cli.code_session import CodeSession

    handle = CodeSession.handle_line
    monkeypatch.setattr(CodeSession, "handle_line", look)
    type_lines("Refuse a price of zero.", "e", "y", "y", "/undo")
    ran = pincite("code", shop)
    assert ran.status == 0, ran.said
    assert "raise ValueError(price)" in ran.out
    edited = CHANGED.replace("raise ValueError", "raise ValueError(price)")
    assert seen == [(edited, True), (CART, False)]


@pytest.mark.slow
def test_a_model_that_gets_nowhere_is_continued_and_then_stopped(pincite: Pincite, shop: Path, model: Speaker) -> None:
    model.will("I propose to refuse zero too.\n\n", STRICTER, "\nSTOP_MARKER\n")
    ran = pincite("code", shop, "-p", "Refuse a price of zero.", "--yes")
    assert read_cart(shop) == CHANGED
    assert ran.status == 1
    assert "Continuing: The model says that work remains." in ran.said
    assert "cart.py does not apply" in ran.said
    assert "Stopped, because it does not move on" in ran.said


@pytest.mark.slow
def test_a_running_server_with_the_project_is_used_and_no_other_started(
    pincite: Pincite, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: ChildServer) -> str:
        raise AssertionError("a second server was started")

    data = tmp_path / "data"
    process = program.start("serve", "--port", "0", "--project", shop, data=data, EMBEDDING__PROVIDER="none")
    try:
        assert process.stdout
        address = process.stdout.readline().split()[3]
        wait_until(lambda: httpx2.get(f"{address}/ready", timeout=PATIENCE).status_code == 200)  # 503 while it starts
        with monkeypatch.context() as patch:
            patch.setattr(ChildServer, "start", refuse)
            ran = pincite("code", shop, "-p", "Where is the price checked?")
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert ran.status == 0, ran.said
    assert "cart.py:1–4" in ran.out


@pytest.mark.slow
def test_a_running_server_without_the_project_is_left_alone(pincite: Pincite, shop: Path, tmp_path: Path) -> None:
    with program.serving(tmp_path / "data", EMBEDDING__PROVIDER="none"):
        ran = pincite("code", shop, "-p", "Where is the price checked?")
    assert ran.status == 0, ran.said
    assert "cart.py:1–4" in ran.out


def test_a_server_that_is_killed_during_an_answer_is_started_again_and_the_session_goes_on(
    pincite: Pincite,
    shop: Path,
    model: Speaker,
    type_lines: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model.will("The price is checked ", ends=False)
    children: list[ChildServer] = []
    start = ChildServer.start

    def note(self: ChildServer) -> str:
        children.append(self)
        return start(self)

    from pincite import events
    from pincite.cli.terminal_renderer import TerminalRenderer

    hear = TerminalRenderer.hear

    def kill(self: TerminalRenderer, data: events.Data) -> None:
        hear(self, data)
        if isinstance(data, events.Text) and len(children) == 1:
            os.kill(children[0].pid, signal.SIGKILL)
            model.will("It is checked in cart.py.")

    monkeypatch.setattr(ChildServer, "start", note)
    monkeypatch.setattr(TerminalRenderer, "hear", kill)
    type_lines("Where is the price checked?", "And now?")
    ran = pincite("code", shop)
    assert ran.status == 0, ran.said
    assert "The connection to the server was lost." in ran.said
    assert "Connected again." in ran.said
    assert "It is checked in cart.py." in ran.out


def list_processes(folder: Path) -> list[str]:
    """The processes whose command line names this folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue  # it has ended
        if str(folder).encode() in words:
            found.append(path.parent.name)
    return found


@pytest.mark.skipif(not Path("/proc").exists(), reason="THIS SYSTEM DOES NOT LIST ITS PROCESSES IN /proc")
@pytest.mark.parametrize(
    ("keys", "status"),
    [(("\x03", "\x03"), 130), mark_slow(("\x04",), 0)],
    ids=["Ctrl-C twice", "Ctrl-D"],
)
def test_at_a_real_terminal_nothing_is_left_running(
    shop: Path, tmp_path: Path, keys: tuple[str, ...], status: int
) -> None:
    running: list[int] = []

    def count() -> None:
        running.append(len(list_processes(shop)))

    ended, rows = type_at_terminal(["code", shop], tmp_path / "data", *((PROMPT, key) for key in keys), before=count)
    assert ended == status, rows
    assert running[0] == 2  # the command and its server
    assert rows[0].startswith("shop (")
    wait_until(lambda: not list_processes(shop))


@pytest.fixture
def team(pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> Pincite:
    """Runs a command on the machine of a server in team mode, whose owner is Ada."""
    monkeypatch.setenv("PINCITE_ACCOUNTS__MODE", "team")
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse battery\n"))
    assert pincite("accounts", "init", "--name", "Ada", "--password-stdin").status == 0
    return pincite


@pytest.mark.slow
def test_in_team_mode_the_person_at_the_servers_own_terminal_needs_no_token(team: Pincite, shop: Path) -> None:
    ran = team("code", shop, "-p", "Where is the price checked?")
    assert ran.status == 0, ran.said
    assert "cart.py:1–4" in ran.out
    assert len(team("conversations", "--json").json) == 1  # it is the owner's


@pytest.mark.slow
def test_a_server_with_accounts_takes_the_token_of_an_owner(
    team: Pincite, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = team("accounts", "tokens", "create", "Ada", "--name", "code", "--scope", "admin", "--scope", "ask").out
    reading = team("accounts", "tokens", "create", "Ada", "--name", "read", "--scope", "read").out
    with program.serving(
        tmp_path / "data", ACCOUNTS__MODE="team", PROJECTS__FOLDERS=str(shop), EMBEDDING__PROVIDER="none"
    ) as address:
        asking = ("code", "--server", address, "-p", "Where is the price checked?")
        refused = team(*asking)
        assert (refused.status, refused.out) == (1, "")
        assert "Nobody is signed in here" in refused.said
        assert "--token" in refused.said
        assert "`admin`" in team(*asking, "--token", reading.strip()).said
        assert "cart.py:1–4" in team(*asking, "--token", token.strip()).out
        monkeypatch.setenv("PINCITE_TOKEN", token.strip())
        assert "cart.py:1–4" in team(*asking).out
        monkeypatch.delenv("PINCITE_TOKEN")
        # On the server's own machine, the secret of its file does instead.
        monkeypatch.setattr(ChildServer, "start", lambda _: pytest.fail("A second server was started."))
        assert "cart.py:1–4" in team("code", shop, "-p", "Where is the price checked?").out
