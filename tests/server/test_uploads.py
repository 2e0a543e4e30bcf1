import errno
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import anyio
import pytest
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Message

from pincite.errors import TooLarge
from pincite.server.uploads import LocateRequest, receive_passage
from pincite.settings import load_settings

FORM = "multipart/form-data; boundary=x"


class Sender:
    """A client that sends a body piece by piece, and counts how many were taken."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces = pieces
        self.taken = 0

    async def receive(self) -> Message:
        self.taken += 1
        piece = next(self.pieces, None)
        if piece is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": piece, "more_body": piece != b""}


def receive(sender: Sender, kind: str, file: bytes | None = None) -> LocateRequest:
    """Return the parsed request; `file` are the bytes that its file must have while it exists."""
    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"content-type", kind.encode())], "app": None}

    async def run() -> LocateRequest:
        async with receive_passage(
            Request(scope, sender.receive), load_settings(reading={"max_file_mb": 1})
        ) as understood:
            if file is not None:
                assert understood.file
                assert understood.file.read_bytes() == file
            return understood

    return anyio.run(run)


def form(*fields: tuple[str, str], file: Sequence[bytes] = (), name: str = "a.txt") -> Iterator[bytes]:
    for field, value in fields:
        yield f'--x\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
    yield f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    yield from file
    yield b"\r\n--x--\r\n"
    yield b""


def test_a_file_that_comes_in_pieces_is_there_as_long_as_it_is_needed() -> None:
    pieces = [bytes([number]) * 90_000 for number in range(10)]
    fields = [("chunk_context", "été"), ("page_numbers", "3"), ("page_numbers", "4")]
    understood = receive(Sender(form(*fields, file=pieces, name="../é.pdf")), FORM, file=b"".join(pieces))
    assert (understood.text, understood.pages, understood.document) == ("été", [3, 4], "")
    assert understood.file is not None
    assert not understood.file.exists()
    assert understood.file == understood.file.parent / "file"
    assert not Path(understood.file.parent).exists()


def test_an_upload_is_left_as_soon_as_it_is_too_large() -> None:
    endless = Sender(form(("text", "a"), file=[b"a" * 1_000_000] * 1_000))
    with pytest.raises(TooLarge, match="more than 1 MB"):
        receive(endless, FORM)
    assert endless.taken < 20


def test_a_passage_without_end_is_left_as_well() -> None:
    endless = Sender(iter([b'{"text": "'] + [b"a" * 1_000_000] * 1_000))
    with pytest.raises(TooLarge, match="too large"):
        receive(endless, "application/json")
    assert endless.taken < 20


@pytest.mark.parametrize("kind", [FORM, "application/json"])
def test_a_client_that_hangs_up_is_no_fault_of_ours(kind: str) -> None:
    with pytest.raises(HTTPException, match="interrupted"):
        receive(Sender(iter([b"--x\r\n"])), kind)


def test_an_empty_passage_is_a_passage_and_a_missing_one_is_not() -> None:
    understood = receive(Sender(iter([b'{"document": "d", "text": "", "pages": 7}', b""])), "application/json")
    assert (understood.text, understood.pages, understood.document, understood.file) == ("", [7], "d", None)
    with pytest.raises(RequestValidationError):
        receive(Sender(iter([b'{"document": "d", "text": null}', b""])), "application/json")


def test_a_file_that_cannot_be_removed_does_not_cost_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EBUSY, "Somebody looks at it.")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", refuse)
        understood = receive(Sender(form(("text", "a"), file=[b"a file"])), FORM, file=b"a file")
    assert understood.text == "a"
