"""Stored keys: encrypted with a file of the server's user alone, and useless elsewhere."""

import stat
import threading
from pathlib import Path

import pytest

from pincite.errors import ModelError
from pincite.llm.key_encryption import KEY_FILE, KEY_LOCKED, decrypt_key, encrypt_key

KEY = "sk-never-to-be-seen"


def test_a_key_is_encrypted_and_comes_back(tmp_path: Path) -> None:
    one, other = (encrypt_key(tmp_path, "openai", "", KEY) for _ in range(2))
    assert KEY not in one
    assert one != other
    assert decrypt_key(tmp_path, "openai", "", one) == KEY


def test_only_the_user_of_the_server_can_read_the_key_file(tmp_path: Path) -> None:
    encrypt_key(tmp_path, "openai", "", KEY)
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [KEY_FILE]


def test_processes_that_make_the_key_file_at_once_use_the_same_one(tmp_path: Path) -> None:
    made: list[str] = []
    begin = threading.Barrier(8)

    def make() -> None:
        begin.wait()
        made.append(encrypt_key(tmp_path, "openai", "", KEY))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [decrypt_key(tmp_path, "openai", "", each) for each in made] == [KEY] * 8


@pytest.mark.parametrize("content", [None, b"", b"not a key\n", b"A" * 43 + b"=\n"])
def test_without_the_right_key_file_a_key_must_be_pasted_again(tmp_path: Path, content: bytes | None) -> None:
    encrypted = encrypt_key(tmp_path, "openai", "", KEY)
    (tmp_path / KEY_FILE).unlink()
    if content is not None:
        (tmp_path / KEY_FILE).write_bytes(content)
    with pytest.raises(ModelError) as caught:
        decrypt_key(tmp_path, "openai", "", encrypted)
    assert caught.value.reason == KEY_LOCKED
    assert "Paste the key again" in caught.value.hint


@pytest.mark.parametrize(("provider", "url"), [("other", ""), ("openai", "https://elsewhere.example")])
def test_a_key_is_not_given_to_another_provider_or_address(tmp_path: Path, provider: str, url: str) -> None:
    encrypted = encrypt_key(tmp_path, "openai", "", KEY)
    with pytest.raises(ModelError):
        decrypt_key(tmp_path, provider, url, encrypted)
