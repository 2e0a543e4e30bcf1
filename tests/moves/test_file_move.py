from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.library import Library
from pincite.moves.file_move import FOLDER, FileReport, move_files, name_files
from pincite.settings import Settings, load_settings
from pincite.store import documents
from pincite.store.files import PICTURES, list_areas, open_files
from tests.s3_server import RunningS3, start_s3


@pytest.fixture(scope="module")
def s3() -> Iterator[RunningS3]:
    server = start_s3()
    yield server
    server.stop()


def _nothing(step: str, done: int, total: int) -> None:
    pass


def _read_all(settings: Settings) -> dict[str, bytes]:
    areas = ["files", *(f"{PICTURES}/{name}" for name in list_areas(settings, PICTURES))]
    stores = {area: open_files(settings, area) for area in areas}
    return {
        f"{area}/{name}": b"".join(store.read(name)) for area, store in stores.items() for name in store.list_hashes()
    }


def test_files_and_pictures_move_into_a_bucket_and_back(full: Library, s3: RunningS3, tmp_path: Path) -> None:
    files = s3.make_bucket("moved")
    keys = {"key": files["key"], "secret": files["secret"]}
    given = load_settings(data=full.settings.data, files=keys)
    there = name_files(given, "s3://moved/here", files["endpoint"])
    with full.database.reading() as connection:
        hashes = documents.list_hashes(connection)

    moved = move_files(full.settings, there, full.database, _nothing)

    assert (moved.missing, moved.damaged) == ([], [])
    found = _read_all(there)
    assert {name.removeprefix("files/") for name in found if name.startswith("files/")} == hashes
    assert found.items() <= _read_all(full.settings).items()
    assert any(name.startswith(PICTURES) for name in found)
    assert moved.copied == len(found)
    assert move_files(full.settings, there, full.database, _nothing) == FileReport()  # nothing is copied twice

    back = name_files(there.model_copy(update={"data": tmp_path / "back"}), FOLDER)
    move_files(there, back, full.database, _nothing)
    assert _read_all(back) == found


def test_missing_and_damaged_files_are_named(full: Library, tmp_path: Path) -> None:
    first, second, *_ = sorted((full.settings.data / "files").glob("??/*"))
    first.unlink()
    second.write_bytes(b"other bytes")
    there = full.settings.model_copy(update={"data": tmp_path / "there"})
    with full.database.reading() as connection:
        needed = documents.list_hashes(connection)
    moved = move_files(full.settings, there, full.database, _nothing)
    assert moved.missing == [first.name] * (first.name in needed)
    assert moved.damaged == [second.name] * (second.name in needed)
    assert {path.name for path in (tmp_path / "there" / "files").glob("??/*")} == needed - {first.name, second.name}
