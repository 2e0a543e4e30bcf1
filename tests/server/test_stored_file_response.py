"""The original file of a document from a bucket: as from a folder, and errors come before the first byte."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from pincite.server import create_app
from pincite.settings import load_settings
from tests import pdfs
from tests.s3_server import Fault, FaultyProxy, RunningS3, start_proxy
from tests.server.conftest import quoting
from tests.server.uploads import upload
from tests.thorough import scale_examples

_HEADERS = ("content-type", "content-disposition", "accept-ranges", "etag", "cache-control", "content-length", "vary")


@pytest.fixture
def proxy(s3_server: RunningS3) -> Iterator[FaultyProxy]:
    with start_proxy(s3_server.url) as made:
        yield made


@pytest.fixture
def clients(tmp_path: Path, bucket: dict[str, Any], proxy: FaultyProxy) -> Iterator[tuple[TestClient, TestClient]]:
    """A server with a folder, and one with a bucket."""
    plain: dict[str, Any] = {"embedding": {"provider": "none"}, "server": {"hosts": ["testserver"], "worker": False}}
    section = bucket | {"endpoint": proxy.url, "retry_seconds": 0.3}
    first = create_app(load_settings(data=tmp_path / "folder", **plain), answer=quoting)
    second = create_app(load_settings(data=tmp_path / "s3", files=section, **plain), answer=quoting)
    with (
        TestClient(first, raise_server_exceptions=False) as folder,
        TestClient(second, raise_server_exceptions=False) as stored,
    ):
        yield folder, stored


def _address(client: TestClient, name: str, content: bytes) -> str:
    return f"/api/documents/{upload(client, name, content)['id']}/file"


@pytest.mark.hypothesis
def test_a_bucket_answers_as_a_folder_does(clients: tuple[TestClient, TestClient], tmp_path: Path) -> None:
    content = pdfs.simple(tmp_path / "a.pdf", 2).read_bytes() + os.urandom(400_000)
    addresses = [_address(client, "Rapport été.pdf", content) for client in clients]

    def ask(method: str = "GET", **headers: str) -> None:
        folder, stored = (
            client.request(method, address, headers={name.replace("_", "-"): value for name, value in headers.items()})
            for client, address in zip(clients, addresses, strict=True)
        )
        assert folder.status_code == stored.status_code, stored.text
        shown = [[answer.headers.get(name) for name in _HEADERS] for answer in (folder, stored)]
        if "multipart" not in folder.headers.get("content-type", ""):
            assert folder.content == stored.content
            assert shown[0] == shown[1]
            assert folder.headers.get("content-range") == stored.headers.get("content-range")
        else:
            assert len(folder.content) == len(stored.content)
            boundaries = [answer.headers["content-type"].partition("boundary=")[2] for answer in (folder, stored)]
            assert folder.content.replace(boundaries[0].encode(), b"") == stored.content.replace(
                boundaries[1].encode(), b""
            )

    tag = clients[1].head(addresses[1]).headers["etag"]
    ask()
    ask("HEAD")
    ask("HEAD", Range="bytes=0-9")
    ask(If_None_Match=tag)
    ask(Range="bytes=0-3,100-200000,300000-300004")
    ask(Range="bytes=5-9", If_Range=tag)
    ask(Range="bytes=5-9", If_Range='"other"')
    for odd in ("bytes", "lines=1-2", "bytes=a-b", "bytes=", f"bytes={len(content)}-", f"bytes=0-{len(content) * 2}"):
        ask(Range=odd)

    @settings(max_examples=scale_examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.integers(0, len(content) + 5), st.one_of(st.none(), st.integers(0, len(content) + 5)))
    def check(start: int, end: int | None) -> None:
        ask(Range=f"bytes={start}-{'' if end is None else end}")

    check()


def test_a_range_costs_one_request_for_no_more_than_the_range(
    clients: tuple[TestClient, TestClient], proxy: FaultyProxy
) -> None:
    address = _address(clients[1], "a.txt", b"0123456789" * 1000)
    proxy.seen.clear()
    assert clients[1].get(address, headers={"Range": "bytes=10-19"}).content == b"0123456789"
    assert [each.split()[0] for each in proxy.seen] == ["GET"]


def test_a_file_that_the_bucket_lost_is_not_found(clients: tuple[TestClient, TestClient]) -> None:
    address = _address(clients[1], "a.txt", b"Soon gone.")
    files = clients[1].app.state.library.files  # type: ignore[attr-defined]
    files.clear()
    for headers in ({}, {"Range": "bytes=0-3"}):
        answer = clients[1].get(address, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
    assert clients[1].head(address).status_code == 404


def test_a_storage_that_is_away_says_when_to_try_again(
    clients: tuple[TestClient, TestClient], proxy: FaultyProxy
) -> None:
    address = _address(clients[1], "a.txt", b"Here.")
    proxy.faults = [Fault(503) for _ in range(300)]
    answer = clients[1].get(address)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "files_away")
    assert answer.headers["retry-after"] == "5"
    added = clients[1].post("/api/documents", files={"file": ("b.txt", "Not stored.")})
    assert (added.status_code, added.json()["error"]["code"]) == (503, "files_away")
    proxy.faults = []
    assert clients[1].get(address).content == b"Here."
