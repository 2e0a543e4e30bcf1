"""A database with random bytes inside: every command and route says what to do, and none ends in a traceback."""

import os
import random
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pincite.errors import Damaged
from pincite.server import create_app
from pincite.settings import Settings, load_settings
from tests import program
from tests.work import finish

HOME = "http://127.0.0.1"
QUESTION = {"message": "How high is dam 3?"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a small library with a conversation, closed."""
    folder = tmp_path_factory.mktemp("whole") / "data"
    with TestClient(create_app(_settings(folder)), HOME) as client:
        for number in range(6):
            words = f"Dam {number} is {number + 30} metres high. It was built in {1900 + number} by the council.\n\n"
            client.post("/api/documents", files={"file": (f"{number}.txt", words.encode() * 20)})
        finish(client.app.state.library)  # type: ignore[attr-defined]
        client.post("/api/chat", json=QUESTION)
    return folder


def _settings(folder: Path) -> Settings:
    return load_settings(data=folder, embedding={"provider": "none"})


def _damage(whole: Path, folder: Path, seed: int, first: int = 4096) -> Path:
    shutil.copytree(whole, folder)
    draw = random.Random(seed)
    file = folder / "pincite.db"
    with file.open("r+b") as database:
        for _ in range(30):
            database.seek(draw.randrange(first, file.stat().st_size))
            database.write(draw.randbytes(draw.choice((4, 100, 2000))))
    return folder


@pytest.mark.parametrize("seed", range(6))
def test_every_route_answers_with_words(whole: Path, tmp_path: Path, seed: int) -> None:
    with TestClient(create_app(_settings(whole)), HOME) as client:
        documents = [each["id"] for each in client.get("/api/documents").json()["documents"]][:2]
        [talk] = [each["id"] for each in client.get("/api/conversations").json()["conversations"]]
    damaged = _damage(whole, tmp_path / "data", seed)
    try:
        with TestClient(create_app(_settings(damaged)), HOME, raise_server_exceptions=False) as client:
            told = [
                client.post("/api/search", json=QUESTION),
                client.post("/api/chat", json=QUESTION),
                client.post("/api/documents", files={"file": ("new.txt", b"Some new words.")}),
                *(
                    client.get(path)
                    for path in ("/ready", "/api/documents", "/api/usage", f"/api/conversations/{talk}")
                ),
                *(client.get(f"/api/documents/{id}{part}") for id in documents for part in ("", "/text", "/blocks")),
            ]
    except Damaged:
        return  # it says so when it is opened, as the commands below do
    for answer in told:
        assert answer.status_code < 500 or answer.json()["error"]["code"] == "damaged", answer.text
        assert "fault of ours" not in answer.text


@pytest.mark.parametrize("command", [["ask", "How high is dam 3?"], ["search", "dam"], ["documents"]])
def test_commands_say_what_to_do(whole: Path, tmp_path: Path, command: list[str]) -> None:
    folder = tmp_path / "data"
    shutil.copytree(whole, folder)
    size = (folder / "pincite.db").stat().st_size
    (folder / "pincite.db").write_bytes(os.urandom(size))
    ran = program.run(*command, data=folder, EMBEDDING__PROVIDER="none")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("Error: The database file is damaged")
    assert "`pincite doctor`" in ran.stderr
    assert "Traceback" not in ran.stderr
