from pathlib import Path

import pytest

from pincite.errors import Damaged
from pincite.settings import load_settings
from pincite.store.database import open_database
from pincite.store.disk_check import find_damage, list_exposed


def test_a_new_data_folder_and_its_database_are_for_their_owner_alone(tmp_path: Path) -> None:
    database = open_database(load_settings(data=tmp_path / "data"))
    with database.writing():
        pass
    made = [tmp_path / "data", *(tmp_path / "data").iterdir()]
    assert [path.name for path in made if path.stat().st_mode & 0o077] == []
    assert len(made) >= 2
    assert list_exposed(tmp_path / "data") == []
    database.close()


def test_files_that_others_may_read_are_listed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    open_database(load_settings(data=data)).close()
    data.chmod(0o755)
    assert list_exposed(data) == [data]
    (data / "pincite.db").chmod(0o644)
    assert list_exposed(data) == [data, data / "pincite.db"]
    data.chmod(0o700)
    assert list_exposed(data) == []  # nobody else gets past the folder


def test_damage_inside_the_database_is_found(tmp_path: Path) -> None:
    settings = load_settings(data=tmp_path / "data")
    database = open_database(settings)
    assert find_damage(database) == ""
    database.close()
    file = settings.data / "pincite.db"
    content = bytearray(file.read_bytes())
    content[8192:40_000] = b"\xa5" * (40_000 - 8192)
    file.write_bytes(content)
    try:
        database = open_database(settings)
        found = find_damage(database)
        database.close()
    except Damaged as error:
        found = error.message
    assert found


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "pincite.db").write_bytes(b"This is not a database. " * 500)
    with pytest.raises(Damaged, match="damaged"):
        open_database(load_settings(data=tmp_path))
