import hashlib
import io
import json
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.backups.backup_archive import check_archive
from pincite.backups.backup_creation import create_backup
from pincite.backups.backup_restore import restore_backup
from pincite.errors import Damaged, PinciteError, StorageError
from pincite.library import open_library
from pincite.settings import load_settings
from tests.backups.conftest import settings_for
from tests.own_data.people_with_data import NOW

Members = dict[str, bytes]
FILE = "files/" + "ab/" + "ab" + "0" * 62


@pytest.fixture(scope="module")
def good_members(tmp_path_factory: pytest.TempPathFactory) -> Members:
    """The members of a good backup."""
    folder = tmp_path_factory.mktemp("good")
    library = open_library(load_settings(data=folder / "data", embedding={"provider": "none"}))
    (folder / "note.txt").write_text("Rents are frozen.", encoding="utf-8")
    library.add("local", folder / "note.txt")
    create_backup(library.settings, library.database, folder / "good.zip", NOW)
    library.close()
    with zipfile.ZipFile(folder / "good.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def members(good_members: Members) -> Members:
    """The members of a good backup, for one test to change."""
    return dict(good_members)


def _describe(members: Members, name: str, data: bytes, **other: object) -> None:
    """Add a member, and its description to the manifest."""
    manifest = json.loads(members["manifest.json"])
    digest = hashlib.sha256(data).hexdigest()
    manifest["members"].append({"name": name, "size": len(data), "sha256": digest} | other)
    members["manifest.json"] = json.dumps(manifest).encode()
    members[name] = data


def _change(members: Members, /, **values: object) -> None:
    manifest = json.loads(members["manifest.json"])
    members["manifest.json"] = json.dumps(manifest | values).encode()


def _write(path: Path, members: Members, packing: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def _refuse(path: Path, data: Path) -> str:
    """The reason for which a backup is neither good nor restored. Nothing is left in the data folder."""
    with pytest.raises((Damaged, StorageError)):
        check_archive(path)
    with pytest.raises((Damaged, StorageError)) as refused:
        restore_backup(settings_for(data), path)
    assert not data.exists() or list(data.iterdir()) == []
    return refused.value.message


_WRONG: list[tuple[Callable[[Members], object], str]] = [
    (lambda members: _describe(members, "files/../../escaped", b"x"), "no place"),
    (lambda members: _describe(members, "/etc/cron.d/escaped", b"x"), "no place"),
    (lambda members: _describe(members, "files\\ab\\escaped", b"x"), "no place"),
    (lambda members: _describe(members, "pictures/../" + FILE, b"x"), "no place"),
    (lambda members: _describe(members, "database/../pincite.toml", b"x"), "no place"),
    (lambda members: _describe(members, "server.json", b"x"), "no place"),
    (lambda members: _describe(members, FILE + "\n", b"x"), "no place"),
    (lambda members: _describe(members, FILE, b"x", size=2), "another size"),
    (lambda members: _describe(members, FILE, b"x", size=-1), "manifest"),
    (lambda members: _describe(members, FILE, b"x", sha256="0" * 64), "not as it was written"),
    (lambda members: _describe(members, FILE, b"x", sha256="0"), "manifest"),
    (lambda members: members.__setitem__(FILE, b"not in the manifest"), "not those of its manifest"),
    (lambda members: members.pop("database/pincite.db"), "not those of its manifest"),
    (lambda members: members.pop("manifest.json"), "no manifest"),
    (lambda members: members.__setitem__("manifest.json", b"{"), "manifest"),
    (lambda members: members.__setitem__("database/pincite.db", b"x" * 9), "another size"),
    (lambda members: _describe(members, "database/people.jsonl", b"{}"), "database"),
    (lambda members: _change(members, engine="postgresql"), "database"),
    (lambda members: _change(members, engine="oracle"), "manifest"),
    (lambda members: _change(members, format=2), "newer version"),
    (lambda members: _change(members, members=[]), "not those of its manifest"),
]


@pytest.mark.parametrize(("spoil", "reason"), _WRONG)
def test_a_hostile_archive_is_refused_and_changes_nothing(
    members: Members, tmp_path: Path, spoil: Callable[[Members], object], reason: str
) -> None:
    spoil(members)
    assert reason in _refuse(_write(tmp_path / "bad.zip", members), tmp_path / "new")
    assert not (tmp_path / "escaped").exists()


def test_a_revision_that_does_not_exist_is_that_of_a_newer_version(members: Members, tmp_path: Path) -> None:
    _change(members, revision="9999")
    with pytest.raises(StorageError, match="newer version"):
        restore_backup(settings_for(tmp_path / "new"), _write(tmp_path / "bad.zip", members))
    assert not (tmp_path / "new").exists()


def test_a_database_of_another_revision_than_the_manifest_says_is_refused(members: Members, tmp_path: Path) -> None:
    _change(members, revision="0001")
    with pytest.raises(Damaged):
        restore_backup(settings_for(tmp_path / "new"), _write(tmp_path / "bad.zip", members))
    assert list((tmp_path / "new").iterdir()) == []


def test_a_packed_archive_is_refused_before_it_is_unpacked(members: Members, tmp_path: Path) -> None:
    _describe(members, FILE, bytes(50_000_000))
    bomb = _write(tmp_path / "bad.zip", members, zipfile.ZIP_DEFLATED)
    assert bomb.stat().st_size < 1_000_000
    assert "larger than the file" in _refuse(bomb, tmp_path / "new")


def test_a_name_that_is_in_the_archive_twice_is_refused(members: Members, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(_write(tmp_path / "bad.zip", members), "a") as archive:
            archive.writestr("manifest.json", members["manifest.json"])
    assert "twice" in _refuse(tmp_path / "bad.zip", tmp_path / "new")


def test_links_in_an_archive_are_restored_as_plain_files(members: Members, tmp_path: Path) -> None:
    target = b"/etc/passwd"
    _describe(members, FILE, target)
    with zipfile.ZipFile(tmp_path / "link.zip", "w") as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o120777 << 16
            archive.writestr(info, data)
    restore_backup(settings_for(tmp_path / "new"), tmp_path / "link.zip")
    restored = tmp_path / "new" / FILE
    assert not restored.is_symlink()
    assert restored.read_bytes() == target


_SMALL = io.BytesIO()
with zipfile.ZipFile(_SMALL, "w") as _archive:
    _rows = b'{"id": "a"}\n'
    _archive.writestr("database/people.jsonl", _rows)
    _archive.writestr(
        "manifest.json",
        json.dumps(
            {
                "format": 1,
                "version": "1",
                "revision": "0010",
                "engine": "postgresql",
                "created": 1.0,
                "rows": {"people": 1},
                "members": [
                    {
                        "name": "database/people.jsonl",
                        "size": len(_rows),
                        "sha256": hashlib.sha256(_rows).hexdigest(),
                    }
                ],
            }
        ),
    )


@given(st.data())
def test_a_file_with_any_bytes_changed_or_cut_off_never_ends_in_anything_but_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    good = bytearray(_SMALL.getvalue())
    for _ in range(data.draw(st.integers(0, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(good)))
    file = tmp_path_factory.getbasetemp() / "changed.zip"
    file.write_bytes(good[:end] + data.draw(st.binary(max_size=30)))
    try:
        manifest = check_archive(file)
    except PinciteError:
        return
    assert manifest.members[0].sha256 == hashlib.sha256(_rows).hexdigest()


@pytest.mark.parametrize("share", [0, 0.3, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_refused(members: Members, tmp_path: Path, share: float) -> None:
    whole = _write(tmp_path / "cut.zip", members).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[: int(len(whole) * share)])
    _refuse(tmp_path / "cut.zip", tmp_path / "new")


def test_every_byte_of_a_member_counts(members: Members, tmp_path: Path) -> None:
    raw = bytearray(_write(tmp_path / "bad.zip", members).read_bytes())
    place = raw.index(b"Rents are frozen.")
    raw[place] ^= 1
    (tmp_path / "bad.zip").write_bytes(raw)
    _refuse(tmp_path / "bad.zip", tmp_path / "new")
