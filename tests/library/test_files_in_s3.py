"""A library whose files are in a real S3 server: what a person relies on is the same as with a folder."""

import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL

from pincite.errors import FilesAway
from pincite.isolation import inputs
from pincite.library import Library
from pincite.library.page_links import list_page_links
from pincite.search.search import PassageSearch
from pincite.store import s3_files
from pincite.store.database import Database
from pincite.types import Scope
from tests import pdfs
from tests.clock import PATIENCE, wait_until
from tests.s3_server import Fault, RunningS3, start_proxy
from tests.work import all_of, finish, the

NO_VECTORS = {"provider": "none"}
Opened = Callable[..., Library]


@pytest.fixture
def library(opened: Opened, bucket: dict[str, Any]) -> Library:
    return opened(embedding=NO_VECTORS, files=bucket)


def _note(path: Path, text: str = "The harbour opens at seven in the morning.") -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _keys(s3_server: RunningS3, bucket: dict[str, Any]) -> list[str]:
    return s3_server.list_keys(bucket["url"].split("/")[2])


def _copies(library: Library) -> list[str]:
    return [
        path.name for path in (library.settings.data / "cache").rglob("*") if path.is_file() and len(path.name) == 64
    ]


def test_a_document_is_added_read_found_and_removed(
    library: Library, s3_server: RunningS3, bucket: dict[str, Any], tmp_path: Path
) -> None:
    document = library.add("local", pdfs.simple(tmp_path / "a.pdf", 2)).document
    finish(library)
    stored = the(library, document)
    assert (stored.status, stored.pages) == ("ready", 2)
    assert _keys(s3_server, bucket) == [f"documents/files/{stored.sha256[:2]}/{stored.sha256}"]
    assert not (library.settings.data / "files").exists()
    assert library.add("local", tmp_path / "a.pdf").outcome == "known"
    with library.open_source(stored) as source:
        assert source.path.read_bytes() == (tmp_path / "a.pdf").read_bytes()
    assert _copies(library) == [stored.sha256]
    library.remove("local", document)
    assert _keys(s3_server, bucket) == []
    assert _copies(library) == []


def test_a_file_too_large_for_memory_is_read_by_the_sandboxed_reader_from_its_copy(
    library: Library, tmp_path: Path, own_readers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "LARGEST", 100)
    document = library.add("local", pdfs.simple(tmp_path / "a.pdf", 2)).document
    finish(library)
    stored = the(library, document)
    assert (stored.status, stored.pages, stored.error) == ("ready", 2, "")


def test_a_document_added_on_one_server_is_read_and_opened_on_another(
    opened: Opened, bucket: dict[str, Any], tmp_path: Path
) -> None:
    address = str(URL.create("sqlite", database=str(tmp_path / "shared.db")))
    first, second = (
        opened(tmp_path / name, database=address, embedding=NO_VECTORS, files=bucket) for name in ("first", "second")
    )
    document = first.add("local", _note(tmp_path / "a.txt")).document
    finish(second)
    assert the(first, document).status == "ready"
    hits = PassageSearch(second.database, second.index, None, second.settings).search("harbour opens", Scope())
    assert [hit.span.document for hit in hits] == [document]
    for library in (first, second):
        assert b"".join(library.files.read(the(library, document).sha256)) == (tmp_path / "a.txt").read_bytes()


def test_bytes_that_a_kill_left_between_upload_and_row_are_swept_when_they_are_old(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add("local", _note(tmp_path / "a.txt"))
    orphan = library.files.keep(_note(tmp_path / "b.txt", "never got a row")).sha256
    library.sweep_files()
    assert library.files.has(orphan)  # its row may be about to come
    monkeypatch.setattr(s3_files, "_OLD", timedelta(hours=-1))
    library.sweep_files()
    assert list(library.files.list_hashes()) == [all_of(library)[0].sha256]


def test_a_file_that_the_bucket_lost_or_changed_fails_alone(
    library: Library, s3_server: RunningS3, bucket: dict[str, Any], tmp_path: Path
) -> None:
    lost, changed, well = (
        library.add("local", _note(tmp_path / f"{name}.txt", f"The {name} note.")).document
        for name in ("lost", "changed", "well")
    )
    library.files.remove(the(library, lost).sha256)
    sha256 = the(library, changed).sha256
    s3_server.put(bucket["url"].split("/")[2], f"documents/files/{sha256[:2]}/{sha256}", b"other words")
    finish(library)
    assert [the(library, each).status for each in (lost, changed, well)] == ["failed", "failed", "ready"]
    assert "missing" in the(library, lost).error
    assert "other bytes" in the(library, changed).error


def test_links_of_a_stored_page_are_read_from_the_bucket(library: Library, tmp_path: Path) -> None:
    page = _note(
        tmp_path / "a.html", '<html><body><p>Read <a href="https://example.org/next">this</a>.</p></body></html>'
    )
    document = library.add("local", page).document
    finish(library)
    assert list_page_links(library, "local", document) == ["https://example.org/next"]


def test_a_storage_that_is_away_refuses_additions_and_removes_documents_all_the_same(
    opened: Opened, bucket: dict[str, Any], s3_server: RunningS3, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with start_proxy(s3_server.url) as proxy:
        library = opened(embedding=NO_VECTORS, files=bucket | {"endpoint": proxy.url, "retry_seconds": 0.5})
        document = library.add("local", _note(tmp_path / "a.txt")).document
        proxy.faults = [Fault(503) for _ in range(1000)]
        with pytest.raises(FilesAway):
            library.add("local", _note(tmp_path / "b.txt", "never stored"))
        library.remove("local", document)
        library.sweep_files()
        proxy.faults = []
        assert all_of(library) == []
        assert len(list(library.files.list_hashes())) == 1
        monkeypatch.setattr(s3_files, "_OLD", timedelta(hours=-1))
        library.sweep_files()
        assert list(library.files.list_hashes()) == []


def test_a_document_waits_for_a_storage_that_is_away_and_is_read_when_it_is_back(
    opened: Opened, bucket: dict[str, Any], s3_server: RunningS3, tmp_path: Path
) -> None:
    with start_proxy(s3_server.url) as proxy:
        library = opened(embedding=NO_VECTORS, files=bucket | {"endpoint": proxy.url, "retry_seconds": 0.5})
        document = library.add("local", _note(tmp_path / "a.txt")).document
        proxy.faults = [Fault(503) for _ in range(12)]
        finish(library)
        assert the(library, document).status == "ready"


def test_other_servers_lose_their_copies_when_a_document_is_removed(
    opened: Opened, bucket: dict[str, Any], postgres: Database, tmp_path: Path
) -> None:
    address = postgres.engine.url.render_as_string(hide_password=False)
    first, second = (
        opened(tmp_path / name, database=address, embedding=NO_VECTORS, files=bucket) for name in ("first", "second")
    )
    document = first.add("local", _note(tmp_path / "a.txt")).document
    stored = the(first, document)
    second.notices.start()
    assert second.notices.wait_until_connected(PATIENCE)
    with second.files.local(stored.sha256):
        pass
    assert _copies(second) == [stored.sha256]
    first.remove("local", document)
    wait_until(lambda: _copies(second) == [])


def test_adding_and_removing_the_same_bytes_at_once_never_leaves_a_row_without_its_bytes(
    opened: Opened, bucket: dict[str, Any], postgres: Database, tmp_path: Path
) -> None:
    address = postgres.engine.url.render_as_string(hide_password=False)
    path = _note(tmp_path / "same.txt")
    libraries = [
        opened(tmp_path / name, database=address, embedding=NO_VECTORS, files=bucket) for name in ("first", "second")
    ]
    failures: list[BaseException] = []

    def churn(number: int) -> None:
        library, person = libraries[number % 2], f"person-{number}"
        try:
            for _ in range(8):
                document = library.add(person, path).document
                stored = the(library, document)
                assert library.files.has(stored.sha256)
                library.remove(person, document)
        except BaseException as error:  # noqa: BLE001 - shown by the test
            failures.append(error)

    threads = [threading.Thread(target=churn, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert failures == []
    assert list(libraries[0].files.list_hashes()) == []
