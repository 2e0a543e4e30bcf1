import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite.errors import StorageError
from pincite.jobs import StepProgress
from pincite.library import Library
from pincite.server import create_app
from pincite.server import progress_routes as told_by
from pincite.server.background_worker import BackgroundWorker
from pincite.server.document_news import DocumentNews
from pincite.server.progress_routes import ProgressWatcher, stream_progress
from pincite.settings import Settings
from pincite.store import catalogue, documents
from tests.clock import PATIENCE
from tests.server.conftest import streamed
from tests.server.uploads import upload
from tests.work import finish

FIELDS = {"document", "title", "status", "step", "done", "total", "rate", "seconds_left", "error"}


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told_by, "_LOOK", 0.01)


@pytest.fixture
def add(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    folder: Path = tmp_path_factory.mktemp("files")

    def added(name: str) -> str:
        (folder / name).write_text(f"Some words of {name}.")
        return library.add("local", folder / name).document

    return added


async def following(stream: AsyncIterator[bytes]) -> tuple[str, dict[str, Any]]:
    """The next event of a stream: its type and what it carries."""
    piece = await asyncio.wait_for(anext(stream), PATIENCE)
    kind, data = piece.decode().strip().split("\n")
    return kind.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def test_one_stream_tells_of_documents_that_come_are_read_and_go(library: Library, add: Callable[[str], str]) -> None:
    before = add("before.txt")
    finish(library)
    waiting = add("waiting.txt")
    working = BackgroundWorker(library)

    async def listening() -> None:
        stream = stream_progress(ProgressWatcher(library, "local", working), working, DocumentNews(library.notices))
        kind, first = await following(stream)
        assert (kind, set(first) >= FIELDS) == ("progress", True)
        assert (first["document"], first["title"], first["status"]) == (waiting, "waiting.txt", "queued")
        working.note(StepProgress(waiting, "read", 3, 10))
        _, second = await following(stream)
        assert (second["step"], second["done"], second["total"], second["rate"]) == ("read", 3, 10, None)
        working.note(StepProgress(waiting, "read", 0, 0, ended=True))
        await asyncio.to_thread(finish, library)
        while (third := await following(stream))[1]["status"] != "ready":
            assert third[1]["document"] == waiting
        late = await asyncio.to_thread(add, "late.txt")
        kind, fourth = await following(stream)
        assert (kind, fourth["document"], fourth["status"]) == ("progress", late, "queued")
        await asyncio.to_thread(library.remove, "local", before)
        assert await following(stream) == ("removed", {"document": before})
        await asyncio.to_thread(library.cancel, "local", late)
        _, fifth = await following(stream)
        assert (fifth["document"], fifth["status"]) == (late, "failed")
        assert "Cancelled" in fifth["error"]
        working.leave()
        with pytest.raises(StopAsyncIteration):
            await following(stream)

    asyncio.run(listening())


def test_another_owners_documents_are_not_told_of(library: Library, add: Callable[[str], str]) -> None:
    with library.database.writing() as connection:
        documents.create(connection, "eve", "0" * 64, "secret.txt", 6)
    mine = add("mine.txt")

    async def listening() -> None:
        working = BackgroundWorker(library)
        stream = stream_progress(ProgressWatcher(library, "local", working), working, DocumentNews(library.notices))
        assert (await following(stream))[1]["document"] == mine
        with library.database.writing() as connection:
            documents.create(connection, "eve", "1" * 64, "more.txt", 6)
        await asyncio.to_thread(library.remove, "local", mine)
        assert await following(stream) == ("removed", {"document": mine})

    asyncio.run(listening())


def test_all_documents_are_looked_at_together_and_not_again_while_nothing_changes(
    library: Library, add: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = {add(f"{number}.txt") for number in range(5)}
    looks: list[object] = []
    look = catalogue.list_progress

    def counted(*given: Any) -> Any:
        looks.append(given)
        return look(*given)

    monkeypatch.setattr(catalogue, "list_progress", counted)

    async def listening() -> None:
        working = BackgroundWorker(library)
        stream = stream_progress(ProgressWatcher(library, "local", working), working, DocumentNews(library.notices))
        assert {(await following(stream))[1]["document"] for _ in ids} == ids
        one = min(ids)
        for done in (1, 2):
            working.note(StepProgress(one, "read", done, 9))
            assert (await following(stream))[1]["done"] == done

    asyncio.run(listening())
    assert len(looks) == 1


def test_a_document_that_has_nothing_left_to_do_is_told_once(library: Library, add: Callable[[str], str]) -> None:
    over = add("over.txt")
    finish(library)

    async def listening() -> None:
        working = BackgroundWorker(library)
        stream = stream_progress(
            ProgressWatcher(library, "local", working, over), working, DocumentNews(library.notices)
        )
        assert (await following(stream))[1]["status"] == "ready"
        with pytest.raises(StopAsyncIteration):
            await following(stream)

    asyncio.run(listening())


def test_a_document_that_fails_again_between_two_looks_is_told_again(library: Library, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and no more")
    document = library.add("local", broken).document
    finish(library)
    watch = ProgressWatcher(library, "local", BackgroundWorker(library))
    assert watch.look() == []
    library.retry("local", document)
    finish(library)
    (event,) = watch.look()
    assert b'"status":"failed"' in event
    assert watch.look() == []


def test_a_database_that_fails_ends_the_stream_with_what_to_do(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*given: object) -> None:
        raise StorageError("The disk is gone.", "Put it back.")

    monkeypatch.setattr(catalogue, "list_progress", refused)

    async def listening() -> None:
        working = BackgroundWorker(library)
        stream = stream_progress(ProgressWatcher(library, "local", working), working, DocumentNews(library.notices))
        trouble = {"code": "storage", "message": "The disk is gone.", "hint": "Put it back."}
        assert await following(stream) == ("error", trouble)
        with pytest.raises(StopAsyncIteration):
            await following(stream)

    asyncio.run(listening())


def test_the_stream_of_all_is_served_and_let_go_when_the_server_leaves(settings: Settings) -> None:
    with TestClient(create_app(settings)) as client:
        added = upload(client)
        client.app.state.working.get_progress = lambda *_: client.app.state.working.leave()  # type: ignore[attr-defined]
        (event,) = streamed(client, "GET", "/api/documents/events")
        assert (event["event"], json.loads(event["data"])["document"]) == ("progress", added["id"])


def test_progress_is_told_until_the_work_is_over(settings: Settings) -> None:
    with TestClient(create_app(settings, worker=True)) as client:
        added = upload(client)
        sent = [json.loads(each["data"]) for each in streamed(client, "GET", f"/api/documents/{added['id']}/events")]
        assert sent[-1]["status"] == "ready"
        assert {each["document"] for each in sent} == {added["id"]}
        assert set(sent[0]) >= FIELDS
        bad = upload(client, "a.pdf", b"%PDF-1.7 nothing")
        sent = [json.loads(each["data"]) for each in streamed(client, "GET", f"/api/documents/{bad['id']}/events")]
        assert sent[-1]["status"] == "failed"
        assert sent[-1]["error"]
