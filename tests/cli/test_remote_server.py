"""A server that runs on the same data answers for the command line, and nobody can tell from what is printed."""

import json
import os
import signal
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import pytest

from pincite import __version__, events
from pincite.answer.context import Context
from pincite.answer.question_options import QuestionOptions
from pincite.cli.remote_server import Remote
from pincite.conversations.live import Answerer
from pincite.errors import Busy, Misuse
from pincite.server import create_app
from pincite.server.server_process import Server
from pincite.settings import load_settings
from pincite.store.server_file import NAME, ServerFile, compute_fingerprint, write_server_file
from tests import sites
from tests.cli.conftest import Ran
from tests.clock import PATIENCE

Pincite = Callable[..., Ran]


@contextmanager
def serving(data: Path, answer: Answerer | None = None) -> Iterator[Server]:
    """A server in a thread of the test's, on a data folder."""
    settings = load_settings(data=data)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        mine = write_server_file(settings, "127.0.0.1", listener.getsockname()[1])
        server = Server(create_app(settings, answer=answer, server_file=mine))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.01)
            yield server
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(autouse=True)
def _patient_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that answers late is waited for: a command that gave up would answer by itself."""
    monkeypatch.setattr("pincite.cli.remote_server._CONNECT", PATIENCE)


@pytest.fixture
def data(pincite: Pincite, tmp_path: Path) -> Path:
    """A data folder with one document about a dam."""
    (tmp_path / "dam.md").write_text("# The dam\n\nThe dam at Corvel is 44 metres high. It was built in 1962.\n")
    assert pincite("add", tmp_path / "dam.md").status == 0
    return tmp_path / "data"


@contextmanager
def nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The command may open no library of its own."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the command did the work itself")

    with monkeypatch.context() as patched:
        patched.setattr("pincite.answer.services.open_services", refuse)
        patched.setattr("pincite.library.open_library", refuse)
        yield


@pytest.mark.parametrize(
    "asked",
    [
        ("ask", "How high is the dam?", "--json"),
        ("ask", "How high is the dam?"),
        ("ask", "Who painted the ceiling of the chapel?", "--json"),
        ("ask", "How high is the dam?", "--document", "nosuch"),
        ("ask", "How high is the dam?", "--library", "nosuch", "--json"),
        ("ask", "How high is the dam?", "--conversation", "nosuch"),
        ("ask", "How high is the dam?", "--model", "nosuch"),
        ("search", "dam", "--json"),
        ("search", "dam"),
        ("search", "xyzzyq", "--json"),
        ("search", "dam", "--document", "nosuch"),
    ],
)
def test_output_and_status_are_the_same_with_a_server_and_without(
    pincite: Pincite, data: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...]
) -> None:
    alone = pincite(*asked)
    with serving(data):
        avoided = pincite(*asked, "--no-server")
        with nothing_loaded(monkeypatch):
            served = pincite(*asked)
    assert served == alone
    assert avoided == alone


def test_a_conversation_goes_on_through_a_server(pincite: Pincite, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(data), nothing_loaded(monkeypatch):
        first = pincite("ask", "How high is the dam at Corvel?", "--conversation", "new", "--json")
        assert first.said.startswith("Conversation ")
        pincite("ask", "When was it built?", "--conversation", "last", "--json")
    shown = pincite("conversations", "show", "last").out
    assert "How high is the dam at Corvel?" in shown
    assert "When was it built?" in shown


def test_without_a_server_or_with_a_stale_file_the_command_does_the_work(pincite: Pincite, data: Path) -> None:
    with serving(data):
        left = (data / NAME).read_text()
    assert not (data / NAME).exists()
    (data / NAME).touch(0o600)
    (data / NAME).write_text(left)  # as after a kill: nobody listens there any more
    ran = pincite("ask", "How high is the dam?")
    assert (ran.status, ran.said) == (0, "")
    assert "44 metres high" in ran.out


def test_another_program_at_the_address_never_hears_the_question(pincite: Pincite, data: Path) -> None:
    with sites.serving() as stranger:
        settings = load_settings()
        token = "t" * 43
        address = f"http://{stranger.host}"
        found = ServerFile(address, os.getpid(), __version__, token, compute_fingerprint(settings, token))
        stranger.pages["/api/command/hello"] = sites.page(json.dumps({"proof": "0" * 64}).encode())
        (data / NAME).touch(0o600)
        (data / NAME).write_text(json.dumps(asdict(found)))
        assert "44 metres" in pincite("ask", "How high is the dam?", "--about-me", "I am Ann.").out
        assert [path.partition("?")[0] for path in stranger.paths] == ["/api/command/hello"]
        assert not any("authorization" in headers for headers in stranger.headers)


def test_a_stranger_without_the_secret_is_told_nothing(pincite: Pincite, data: Path) -> None:
    import httpx2

    with serving(data):
        address = json.loads((data / NAME).read_text())["address"]
        for headers in ({}, {"Authorization": "Bearer guess"}):
            for path in ("ask", "search", "stop"):
                told = httpx2.post(f"{address}/api/command/{path}", json={}, headers=headers, timeout=PATIENCE)
                assert told.status_code in (404, 422)
                assert "44" not in told.text
        assert "/api/command" not in httpx2.get(f"{address}/openapi.json", timeout=PATIENCE).text


def answering(status: int, content: str) -> sites.Respond:
    return sites.page(content.encode(), status=status)


@pytest.mark.parametrize(
    ("status", "content", "told"),
    [
        (
            422,
            '{"error": {"code": "invalid", "message": "The request is not right.", "hint": "See /docs."}}',
            "not right",
        ),
        (503, '{"error": {"code": "error", "message": "The disk is full.", "hint": "Free some."}}', "disk is full"),
        (500, '{"error": "fault"}', "did not answer"),
        (422, '{"detail": []}', "did not answer"),
        (422, '["nothing"]', "did not answer"),
        (502, "<html>Bad gateway</html>", "did not answer"),
        (200, '{"hits": [{}]}', "invalid reply"),
        (200, '{"error": {"message": "The disk is full."}}', "invalid reply|disk is full"),
        (200, "[]", "invalid reply"),
        (200, '{"end": {}}', "invalid reply"),
        (200, '{"messageId": "m", "type": "unheard_of", "data": {}}', "invalid reply"),
    ],
)
def test_a_reply_of_another_form_is_an_error_that_says_what_to_do(status: int, content: str, told: str) -> None:
    with sites.serving() as site:
        site.pages["/api/command/search"] = site.pages["/api/command/ask"] = answering(status, content)
        remote = Remote(ServerFile(f"http://{site.host}", os.getpid(), __version__, "token", ""))
        with pytest.raises(Busy, match=told) as searched:
            remote.search({"query": "dam"})
        with pytest.raises(Busy, match=told) as asked:
            remote.ask("How high is the dam?", QuestionOptions(), None, lambda _: None)
    assert "--no-server" in searched.value.hint
    assert "--no-server" in asked.value.hint


def test_a_refusal_of_the_server_is_the_one_that_the_command_would_have_given() -> None:
    with sites.serving() as site:
        site.pages["/api/command/search"] = answering(422, '{"message": "No.", "hint": "Do.", "is_misuse": true}')
        with pytest.raises(Misuse, match=r"No\.") as refused:
            Remote(ServerFile(f"http://{site.host}", os.getpid(), __version__, "token", "")).search({})
    assert refused.value.hint == "Do."


def test_ctrl_c_stops_the_question_on_the_server(pincite: Pincite, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()

    async def endless(context: Context) -> AsyncIterator[events.Data]:
        asked = context.asked
        yield events.MessageStarted(conversationId="", question=asked.question, model="fake", focus="all")
        yield events.Text(delta="Well")
        await context.stop.answer.wait()
        stopped.set()

    interrupted: list[events.Data] = []

    def interrupt(_: object, heard: events.Data) -> None:
        if isinstance(heard, events.Text) and not interrupted:
            interrupted.append(heard)
            signal.raise_signal(signal.SIGINT)

    with serving(data, endless), monkeypatch.context() as patched:
        patched.setattr("pincite.cli.json_renderer.JsonRenderer.hear", interrupt)
        ran = pincite("ask", "How high is the dam?", "--json")
    assert stopped.is_set()
    assert ran.status == 130
    assert ran.json["stopped"] is True
