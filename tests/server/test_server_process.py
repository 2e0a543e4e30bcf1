"""A real server as a process of its own, stopped and killed in the middle of an answer."""

import gc
import json
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from pincite.server import create_app
from pincite.server.server_process import Server
from pincite.settings import Settings, load_settings
from tests.clock import PATIENCE
from tests.program import environment
from tests.server.conftest import streamed
from tests.warm_process import start_script

SERVER = """
import socket, sys
from pincite import events
from pincite.server import create_app, run_server
from pincite.settings import load_settings

assert not {"fpdf", "docx"} & set(sys.modules), "A server imports the writers of files when it starts."

async def endless(context):
    yield events.MessageStarted(
        conversationId=context.asked.conversation, question=context.asked.question, model="fake", focus="all")
    yield events.Text(delta="Well")
    await context.stop.answer.wait()

with socket.socket() as listener:
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(listener.getsockname()[1], flush=True)
    try:
        run_server(create_app(load_settings(), worker=True, answer=endless), listener)
    except KeyboardInterrupt:
        pass
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A process that answers for ever, and its address."""
    process = start_script(
        SERVER,
        env=environment(tmp_path / "data", EMBEDDING__PROVIDER="none"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    port = process.stdout.readline().strip()
    assert port, process.communicate()
    yield process, f"http://127.0.0.1:{port}"
    process.kill()
    process.communicate()


def test_a_server_told_to_stop_ends_its_streams_with_what_was_said_and_goes(
    server: tuple["subprocess.Popen[str]", str],
) -> None:
    process, address = server
    with httpx2.stream("POST", f"{address}/api/chat", json={"message": "x"}, timeout=PATIENCE) as answer:
        lines = answer.iter_lines()
        while '"Well"' not in next(lines):
            pass
        process.send_signal(signal.SIGINT)
        last = json.loads([line for line in lines if line.startswith("data: ")][-1].removeprefix("data: "))
    assert (last["type"], last["data"]["stopped"], last["data"]["answer"]) == ("message_completed", True, "Well")
    _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (0, "")


def test_a_server_told_to_stop_lets_those_go_who_follow_the_documents(
    server: tuple["subprocess.Popen[str]", str],
) -> None:
    process, address = server
    with httpx2.stream("GET", f"{address}/api/documents/events", timeout=PATIENCE) as following:
        httpx2.post(f"{address}/api/documents", files={"file": ("a.txt", b"Some words.")}, timeout=PATIENCE)
        lines = following.iter_lines()
        while '"status":"ready"' not in next(lines):
            pass
        process.send_signal(signal.SIGINT)
        assert not [line for line in lines if line.startswith("event: error")]
    _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (0, "")


def test_an_answer_of_a_server_that_was_killed_is_closed_by_the_next_and_loses_nothing(
    server: tuple["subprocess.Popen[str]", str], tmp_path: Path
) -> None:
    process, address = server
    with httpx2.stream("POST", f"{address}/api/chat", json={"message": "x"}, timeout=PATIENCE) as answer:
        lines = answer.iter_lines()
        while '"Well"' not in next(lines):
            pass
        process.kill()
        process.wait(timeout=PATIENCE)
        conversation = answer.headers["x-conversation-id"]
    with TestClient(create_app(load_settings(data=tmp_path / "data", embedding={"provider": "none"}))) as client:
        sent = streamed(client, "GET", f"/api/conversations/{conversation}/events?after=1")
        assert [event["event"] for event in sent] == ["text", "error", "message_completed"]
        assert [event["id"] for event in sent] == ["2", "3", "4"]
        last = client.get(f"/api/conversations/{conversation}").json()["messages"][1]
    assert (last["state"], last["content"]) == ("failed", "Well")


def test_the_next_start_removes_the_file_of_an_upload_that_a_killed_server_left(
    server: tuple["subprocess.Popen[str]", str], tmp_path: Path
) -> None:
    process, address = server
    scratch = tmp_path / "data" / "scratch"
    port = int(address.rpartition(":")[2])
    httpx2.get(f"{address}/ready", timeout=PATIENCE)
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        head = (
            f"POST /api/documents HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 100000\r\n"
            "Content-Type: multipart/form-data; boundary=b\r\n\r\n"
            '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nThe first words'
        )
        connection.sendall(head.encode())
        while not (scratch.is_dir() and list(scratch.iterdir())):
            time.sleep(0.01)
        process.kill()
        process.wait()
    assert len(list(scratch.iterdir())) == 1
    with TestClient(create_app(load_settings(data=tmp_path / "data", embedding={"provider": "none"}))):
        assert list(scratch.iterdir()) == []


def test_a_server_says_that_it_starts_when_signals_already_stop_it_in_good_order(settings: Settings) -> None:
    told: list[object] = []

    def announce() -> None:
        told.append(signal.getsignal(signal.SIGTERM))
        signal.raise_signal(signal.SIGTERM)  # before it has started there is nothing to drain

    draining = settings.server.model_copy(update={"drain_seconds": PATIENCE})
    starting = Server(create_app(settings.model_copy(update={"server": draining})), announce=announce)
    before = signal.signal(signal.SIGTERM, lambda *_: told.append("ended"))
    try:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            starting.run(sockets=[listener])
    finally:
        signal.signal(signal.SIGTERM, before)
    assert told == [starting.handle_exit, "ended"]  # the signal is raised again once the server has ended


def test_a_server_that_has_started_keeps_what_is_loaded_out_of_the_collection_of_garbage(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen = threading.Event()
    monkeypatch.setattr(gc, "freeze", frozen.set)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        server = Server(create_app(settings))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            assert frozen.wait(PATIENCE)
            assert server.started
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
