import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.settings import Settings, load_settings
from pincite.store.server_file import (
    NAME,
    ServerFile,
    compute_fingerprint,
    find_server,
    remove_server_file,
    write_server_file,
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(data=tmp_path)


@pytest.fixture
def written(settings: Settings) -> ServerFile:
    made = write_server_file(settings, "127.0.0.1", 8000)
    assert made
    return made


def test_a_server_is_found_by_a_file_that_its_owner_alone_can_read(settings: Settings, written: ServerFile) -> None:
    path = settings.data / NAME
    assert path.stat().st_mode & 0o777 == 0o600
    assert find_server(settings) == written
    assert written.address == "http://127.0.0.1:8000"
    assert len(written.token) >= 32


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("localhost", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::1", "http://[::1]:8000"),
        ("::", "http://[::1]:8000"),
        ("192.0.2.7", None),
        ("pincite.example", None),
    ],
)
def test_only_the_loopback_is_ever_named(settings: Settings, host: str, address: str | None) -> None:
    made = write_server_file(settings, host, 8000)
    assert (made.address if made else None) == address
    assert (settings.data / NAME).exists() == (address is not None)


@pytest.mark.parametrize(
    "change",
    [
        {"version": "0.0.0"},
        {"pid": 2**22 + 1},
        {"pid": 0},
        {"pid": "1"},
        {"address": "http://192.0.2.7:8000"},
        {"address": "http://pincite.example:8000"},
        {"token": ""},
        {"settings": "0" * 64},
        {"unknown": 1},
    ],
)
def test_a_file_that_does_not_fit_is_ignored(
    settings: Settings, written: ServerFile, change: dict[str, object]
) -> None:
    path = settings.data / NAME
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    assert find_server(settings) is None


def test_a_file_that_others_can_read_or_that_is_a_link_or_broken_is_ignored(
    settings: Settings, written: ServerFile, tmp_path: Path
) -> None:
    path = settings.data / NAME
    path.chmod(0o644)
    assert find_server(settings) is None
    path.chmod(0o600)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert find_server(settings) is None
    path.unlink()
    path.touch(0o600)
    assert find_server(settings) is None


def test_a_command_with_other_settings_or_keys_asks_no_server(settings: Settings, written: ServerFile) -> None:
    assert find_server(load_settings(data=settings.data, web={"pages": 2})) is None
    assert find_server(load_settings(data=settings.data, providers={"openai": {"key": "other"}})) is None
    assert find_server(settings, {**os.environ, "OPENAI_API_KEY": "other"}) is None
    # Where a server listens and how it works changes no answer.
    assert find_server(load_settings(data=settings.data, server={"port": 9000})) == written
    # Nor do the projects that it has: a question names its own.
    assert find_server(load_settings(data=settings.data, projects={"folders": ["/shop"]})) == written
    assert find_server(load_settings(data=settings.data, projects={"tree_tokens": 999})) is None


def test_a_command_in_another_folder_asks_no_server_when_the_database_is_named_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    own = load_settings(data=tmp_path)
    relative = load_settings(data=tmp_path, database="sqlite:///own.db")
    assert write_server_file(relative, "127.0.0.1", 8000)
    assert find_server(relative)
    monkeypatch.chdir(tmp_path / "there")
    assert find_server(relative) is None
    made = write_server_file(own, "127.0.0.1", 8000)
    monkeypatch.chdir(tmp_path / "here")
    assert find_server(own) == made


def test_a_data_folder_may_be_named_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    made = write_server_file(load_settings(data=Path("data")), "127.0.0.1", 8000)
    assert made
    assert find_server(load_settings(data=tmp_path / "data")) == made
    assert (tmp_path / "data" / NAME).is_file()


def test_a_folder_that_cannot_be_written_to_costs_nothing_but_the_file(tmp_path: Path) -> None:
    assert write_server_file(load_settings(data=tmp_path / "missing"), "127.0.0.1", 8000) is None
    assert not (tmp_path / "missing").exists()


def test_the_fingerprint_gives_no_key_away(settings: Settings) -> None:
    secret = load_settings(data=settings.data, embedding={"key": "very-secret"})
    assert compute_fingerprint(secret, "a") != compute_fingerprint(secret, "b") != compute_fingerprint(settings, "b")
    assert "very-secret" not in compute_fingerprint(secret, "a")


def test_a_server_that_logs_as_json_answers_commands_that_do_not(settings: Settings) -> None:
    made = write_server_file(load_settings(data=settings.data, telemetry={"logs": "json"}), "127.0.0.1", 8000)
    assert made
    assert find_server(load_settings(data=settings.data)) == made


def test_a_server_removes_its_own_file_and_no_other(settings: Settings, written: ServerFile) -> None:
    remove_server_file(settings, replace(written, token="another"))
    assert find_server(settings) == written
    remove_server_file(settings, written)
    assert not (settings.data / NAME).exists()
