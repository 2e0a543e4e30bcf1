"""Why a document failed, in a word that a page can say in the reader's language."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.errors import MemoryExceeded, PinciteError, TimedOut, TooLarge
from pincite.isolation.child_process import IsolatedProcess
from pincite.server import create_app
from pincite.settings import Settings
from tests import pdfs
from tests.files import book, zipped
from tests.work import finish

DRM = "<e><EncryptionMethod Algorithm='http://www.w3.org/2001/04/xmlenc#aes128-cbc'/></e>"


def _locked_pdf() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return pdfs.locked(Path(folder) / "a.pdf", "open").read_bytes()


@pytest.mark.parametrize(
    ("name", "made", "code"),
    [
        ("a.pdf", _locked_pdf, "encrypted"),
        ("a.epub", lambda: book({"META-INF/encryption.xml": DRM}), "locked"),
        ("a.txt", lambda: b"", "empty"),
        ("a.zip", lambda: zipped({"a.txt": "words"}), "unsupported"),
        ("a.pdf", lambda: b"%PDF-1.7\nand then nothing", "unreadable"),
    ],
)
def test_a_document_that_cannot_be_read_says_why_in_words_and_as_a_code(
    settings: Settings, name: str, made: Callable[[], bytes], code: str
) -> None:
    with TestClient(create_app(settings)) as client:
        added = client.post("/api/documents", files={"file": (name, made())}).json()
        assert added["error_code"] == ""
        finish(client.app.state.library)  # type: ignore[attr-defined]
        told = client.get(f"/api/documents/{added['id']}").json()
        assert (told["status"], told["error_code"]) == ("failed", code)
        assert told["error"]
        assert client.get("/api/documents").json()["documents"][0]["error_code"] == code
        # Tried again, it has not failed any more until it does.
        client.post(f"/api/documents/{added['id']}/retry", json={})
        assert client.get(f"/api/documents/{added['id']}").json()["error_code"] == ""


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TimedOut("Reading took too long.", "…"), "timeout"),
        (MemoryExceeded("It needs more memory.", "…"), "memory"),
        (TooLarge("It is too large.", "…"), "too_large"),
        (RuntimeError("Oh."), "fault"),
    ],
)
def test_the_causes_that_stop_the_reading_are_told_apart(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str
) -> None:
    def fails(*_: Any) -> None:
        raise error

    monkeypatch.setattr(IsolatedProcess, "make_contents", fails)
    with TestClient(create_app(settings)) as client:
        added = client.post("/api/documents", files={"file": ("a.txt", b"Words.")}).json()["id"]
        finish(client.app.state.library)  # type: ignore[attr-defined]
        told = client.get(f"/api/documents/{added}").json()
    assert (told["status"], told["error_code"]) == ("failed", code)
    assert not isinstance(error, PinciteError) or error.message in told["error"]


def test_a_document_whose_reading_was_cancelled_says_so(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        added = client.post("/api/documents", files={"file": ("a.txt", b"Words.")}).json()["id"]
        told = client.post(f"/api/documents/{added}/cancel").json()
    assert (told["status"], told["error_code"]) == ("failed", "cancelled")
