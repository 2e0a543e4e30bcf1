"""A real server that is told to stop: it is not ready first, and goes on answering."""

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.clock import PATIENCE, wait_until
from tests.program import environment
from tests.warm_process import start_script

SERVER = """
import asyncio, pathlib, socket, sys
from pincite import events
from pincite.server import create_app, run_server, server_process
from pincite.settings import load_settings
from pincite.telemetry.start import write_logs

server_process._NOTICED = 0.5

async def slow(context):
    yield events.MessageStarted(
        conversationId=context.asked.conversation, question=context.asked.question, model="fake", focus="all")
    yield events.Text(delta="Well")
    while not pathlib.Path(sys.argv[1]).exists() and not context.stop.answer.is_set():
        await asyncio.sleep(0.02)
    yield events.Text(delta=", yes")

settings = load_settings()
write_logs(settings.telemetry)
with socket.socket() as listener:
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(listener.getsockname()[1], flush=True)
    run_server(create_app(settings, answer=slow), listener)
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A process whose answers end when the file `go on` is there, and its address."""
    chosen = {"EMBEDDING__PROVIDER": "none", "SERVER__DRAIN_SECONDS": str(PATIENCE), "TELEMETRY__LOGS": "json"}
    process = start_script(
        SERVER,
        tmp_path / "go on",
        env=environment(tmp_path / "data", **chosen),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    yield process, f"http://127.0.0.1:{process.stdout.readline().strip()}"
    process.kill()
    process.communicate()


def is_draining(address: str) -> bool:
    answer = httpx2.get(f"{address}/ready", timeout=PATIENCE)
    return answer.status_code == 503 and answer.json()["error"]["code"] == "draining"


def test_a_server_that_is_told_to_stop_is_not_ready_and_lets_its_answers_end(
    server: tuple["subprocess.Popen[str]", str], tmp_path: Path
) -> None:
    process, address = server
    assert httpx2.get(f"{address}/ready", timeout=PATIENCE).status_code == 200
    with httpx2.stream("POST", f"{address}/api/chat", json={"message": "x"}, timeout=PATIENCE) as answer:
        lines = answer.iter_lines()
        while '"Well"' not in next(lines):
            pass
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: is_draining(address))
        assert httpx2.get(f"{address}/health", timeout=PATIENCE).status_code == 200
        assert process.poll() is None
        (tmp_path / "go on").touch()
        last = json.loads([line for line in lines if line.startswith("data: ")][-1].removeprefix("data: "))
        turn = last["messageId"]
    assert (last["type"], last["data"]["stopped"], last["data"]["answer"]) == ("message_completed", False, "Well, yes")
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, -signal.SIGTERM)
    requests = [json.loads(line) for line in said.splitlines()]
    assert {"GET /ready 200", "POST /api/chat 200", "GET /ready 503"} <= {each["message"] for each in requests}
    assert all(len(each["request"]) == 32 for each in requests)
    assert turn


@pytest.mark.slow
def test_a_second_signal_stops_at_once(server: tuple["subprocess.Popen[str]", str]) -> None:
    process, address = server
    with httpx2.stream("POST", f"{address}/api/chat", json={"message": "x"}, timeout=PATIENCE) as answer:
        lines = answer.iter_lines()
        while '"Well"' not in next(lines):
            pass
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: is_draining(address))
        process.send_signal(signal.SIGTERM)
        last = json.loads([line for line in lines if line.startswith("data: ")][-1].removeprefix("data: "))
    assert (last["type"], last["data"]["stopped"]) == ("message_completed", True)
    process.communicate(timeout=PATIENCE)
