"""The profile `team`, as plain processes: what one server takes in, workers read, and another one answers from."""

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from tests.clock import PATIENCE, wait_until
from tests.deploy.team import PASSWORD, Team, start_team
from tests.postgres_server import Unavailable
from tests.s3_server import PROGRAM

SENTENCE = "The lighthouse of Cordouan was completed in 1611 after twenty-seven years of work."
QUESTION = "When was the lighthouse completed?"


@pytest.fixture
def team(tmp_path: Path, models: Path) -> Iterator[Team]:
    if not PROGRAM.exists():
        pytest.skip("NOT TESTED: there is no S3 server; `make test` installs one")
    try:
        with start_team(tmp_path, models) as started:
            yield started
    except Unavailable as reason:
        pytest.skip(f"NOT TESTED: {reason}")


@pytest.mark.slow
def test_a_document_added_at_one_server_is_read_by_a_worker_and_cited_by_the_other(team: Team) -> None:
    first, second = team.address("pincite-server-1"), team.address("pincite-server-2")
    with httpx.Client(timeout=PATIENCE, event_hooks={"request": [_say_page]}) as client:
        # Both have the host 127.0.0.1, so the cookie of a session at one is sent to the other, as behind the proxy.
        signed = client.post(f"{first}/api/account/sign-in", json={"name": "Ada", "password": PASSWORD})
        assert signed.status_code == 200, signed.text
        sent = client.post(f"{first}/api/documents", files={"file": ("lighthouse.txt", SENTENCE.encode())})
        assert sent.status_code == 202, sent.text
        document = sent.json()["id"]
        wait_until(lambda: client.get(f"{second}/api/documents/{document}").json()["status"] == "ready", pause=0.2)
        answer = client.post(f"{second}/api/search", json={"message": QUESTION}).json()
        assert [(cited["document"], cited["quote"]) for cited in answer["citations"]] == [(document, SENTENCE)]
        part = client.get(f"{second}/api/documents/{document}/file", headers={"Range": "bytes=4-13"})
        assert (part.status_code, part.content) == (206, b"lighthouse")
        if "pincite-proxy-1" in team.processes:
            _check_proxy(client, team)
    assert not list(team.folder.glob("pincite-server-*/files/*/*")), "files are in the object store alone"
    assert {name: status for name, status in team.stop().items() if status not in (0, -signal.SIGTERM)} == {}


def _check_proxy(client: httpx.Client, team: Team) -> None:
    """The proxy passes on streams and WebSockets, and asks the other server when one is gone."""
    proxy = team.address("pincite-proxy")
    with client.stream("POST", f"{proxy}/api/chat", json={"message": QUESTION}) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        events = [line.removeprefix("event: ") for line in stream.iter_lines() if line.startswith("event: ")]
    assert events[0] == "message_started"
    assert events[-1] == "message_completed"
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    headers = {"Cookie": cookie, "Origin": proxy}
    with connect(proxy.replace("http", "ws", 1) + "/ws", additional_headers=headers) as socket:
        socket.send(json.dumps({"type": "identify", "version": 1, "client": "test"}))
        assert json.loads(socket.recv(PATIENCE))["type"] == "identified"
    # While a server drains and after it has ended, the proxy asks the other one, and nobody notices.
    leaving = team.processes["pincite-server-1-1"]
    leaving.send_signal(signal.SIGTERM)
    statuses = []
    while leaving.poll() is None:
        statuses.append(client.get(f"{proxy}/api/documents").status_code)
        time.sleep(0.1)
    statuses += [client.get(f"{proxy}/api/documents").status_code for _ in range(4)]
    assert set(statuses) == {200}


def _say_page(request: httpx.Request) -> None:
    """Name the page that a request comes from, as a browser does."""
    request.headers["Origin"] = f"{request.url.scheme}://{request.url.netloc.decode()}"
