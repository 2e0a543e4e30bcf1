"""The data of a person whose files are in a bucket: exported whole, and deleted from the bucket and from copies."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pincite.accounts.audit import AT_TERMINAL
from pincite.library import Library
from pincite.own_data.person_deletion import delete_person
from pincite.own_data.person_export import export_person
from pincite.store import documents
from tests.own_data.people_with_data import NOW, add_person, fill_conversations
from tests.s3_server import RunningS3
from tests.work import finish


def test_a_persons_files_are_exported_and_then_gone(
    opened: Callable[..., Library], bucket: dict[str, Any], s3_server: RunningS3, tmp_path: Path
) -> None:
    library = opened(embedding={"provider": "none"}, files=bucket)
    ada, bob = add_person(library, "qzkvada"), add_person(library, "qzkvbob", "owner")
    (tmp_path / "own.txt").write_text("Only of Ada.")
    (tmp_path / "common.txt").write_text("Of both.")
    for person, name in ((ada, "own.txt"), (ada, "common.txt"), (bob, "common.txt")):
        library.add(person.id, tmp_path / name)
    finish(library)
    fill_conversations(library, ada, "qzkvada")
    name = bucket["url"].split("/")[2]
    assert any("/pictures/" in key for key in s3_server.list_keys(name))

    export_person(library, AT_TERMINAL, ada.id, tmp_path / "ada.zip", NOW)
    with zipfile.ZipFile(tmp_path / "ada.zip") as archive:
        names = archive.namelist()
        told = [json.loads(line) for line in archive.read("documents.jsonl").splitlines()]
        assert {archive.read(each["file"]) for each in told} == {b"Only of Ada.", b"Of both."}
        assert any(each.startswith("pictures/") for each in names)

    delete_person(library, AT_TERMINAL, ada.id, NOW)
    with library.database.reading() as connection:
        left = documents.list_hashes(connection)
    assert [key.rpartition("/")[2] for key in s3_server.list_keys(name)] == list(left)
    assert {path.name for path in (library.settings.data / "cache").glob("*/??/*")} <= left
    assert [b"".join(library.files.read(sha256)) for sha256 in left] == [b"Of both."]
