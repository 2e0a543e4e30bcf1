"""A disk without room: clear words, a proper end, and everything goes on when there is room again."""

import errno
import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import event
from starlette.testclient import TestClient

from pincite.library import Library
from pincite.server import additions, create_app
from pincite.settings import Settings, load_settings
from pincite.store.database import Database
from tests import program
from tests.clock import PATIENCE, wait_until
from tests.work import finish

WORDS = "The dam is 33 metres high. It was built in 1950 by the council of the valley."
WITHOUT_MODEL = {"EMBEDDING__PROVIDER": "none"}


@contextmanager
def full(database: Database) -> Iterator[None]:
    """A database that may not grow: SQLite says of it what it says of a full disk."""

    def limit(connection: Any, _: object) -> None:
        connection.execute("PRAGMA max_page_count = 1").close()  # which SQLite takes for the size it has

    database.engine.dispose()
    with sqlite3.connect(database.engine.url.database or "") as file:
        file.execute("VACUUM")  # otherwise the space that migrations freed could be used
    file.close()
    event.listen(database.engine, "connect", limit)
    yield
    event.remove(database.engine, "connect", limit)
    database.engine.dispose()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data=tmp_path / "data", embedding={"provider": "none"})


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), "http://127.0.0.1") as client:
        client.post("/api/documents", files={"file": ("dam.txt", WORDS.encode())})
        finish(library_of(client))
        yield client


def library_of(client: TestClient) -> Library:
    library: Library = client.app.state.library  # type: ignore[attr-defined]
    return library


def test_a_question_that_cannot_be_stored_is_refused_in_words_and_asked_again_when_there_is_room(
    client: TestClient,
) -> None:
    question = {"message": "How high is the dam? " + "x" * 20_000}
    with full(library_of(client).database):
        refused = client.post("/api/chat", json=question)
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "disk_full")
    assert "Free some space" in refused.json()["error"]["hint"]
    assert client.get("/api/conversations").json()["total"] == 0
    assert "message_completed" in client.post("/api/chat", json={"message": "How high is the dam?"}).text


def test_a_question_that_is_not_stored_is_answered_on_a_full_disk(client: TestClient) -> None:
    with full(library_of(client).database):
        told = client.post("/api/search", json={"message": "How high is the dam?"})
    assert told.status_code == 200
    assert "33 metres" in told.json()["answer"]


def test_an_upload_for_which_there_is_no_room_says_so(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("pincite.server.uploads._copy_upload", no_room)
        refused = client.post("/api/documents", files={"file": ("a.txt", b"More words.")})
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "disk_full")
    with monkeypatch.context() as patch:
        patch.setattr(
            additions, "_hash_file", lambda _: (_ for _ in ()).throw(OSError(errno.EIO, "Input/output error"))
        )
        with pytest.raises(OSError, match="Input/output"):  # anything else is still a fault
            client.post("/api/documents", files={"file": ("a.txt", b"More words.")})
    assert client.post("/api/documents", files={"file": ("a.txt", b"More words.")}).status_code < 300


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of a few megabytes, where one may be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if not mount or not umount:
        pytest.skip("there is no mount here")
    if subprocess.run([mount, "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("no file system may be mounted here")
    yield folder
    subprocess.run([umount, "--lazy", folder], check=True)


def fill(disk: Path) -> Path:
    """Leave no room."""
    ballast = disk / "ballast"
    with ballast.open("ab", buffering=0) as file:
        for size in (1 << 16, 1):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                continue
    return ballast


@pytest.mark.slow
def test_on_a_disk_that_is_really_full_commands_and_server_say_so_and_go_on_later(
    small_disk: Path, tmp_path: Path
) -> None:
    data = small_disk / "data"
    (tmp_path / "dam.txt").write_text(WORDS)
    assert program.run("add", tmp_path / "dam.txt", data=data, **WITHOUT_MODEL).returncode == 0
    ballast = fill(small_disk)
    asked = program.run("ask", "How high is the dam?", data=data, **WITHOUT_MODEL)
    assert (asked.returncode, asked.stdout) == (1, "")
    assert asked.stderr == "Error: The disk is full.\nFree some space, then try again.\n"
    ballast.unlink()
    with program.serving(data, 0, **WITHOUT_MODEL) as url:
        wait_until(lambda: httpx2.get(f"{url}/ready", timeout=PATIENCE).status_code == 200)  # 503 while it starts
        ballast = fill(small_disk)
        question = {"message": "How high is the dam?"}
        refused = httpx2.post(f"{url}/api/chat", json=question, timeout=PATIENCE)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "disk_full")
        assert "33 metres" in httpx2.post(f"{url}/api/search", json=question, timeout=PATIENCE).json()["answer"]
        ballast.unlink()
        lines = httpx2.post(f"{url}/api/chat", json=question, timeout=PATIENCE).text.splitlines()
        last = json.loads([line for line in lines if line.startswith("data: ")][-1].removeprefix("data: "))
        assert last["type"] == "message_completed"
        assert "33 metres" in last["data"]["answer"]
