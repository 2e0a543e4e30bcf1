import threading
from typing import Literal

import argon2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts.passwords import PasswordHashing, check_new_password
from pincite.errors import Misuse
from tests.accounts.conftest import CHEAP, PASSWORD

_HASHING = PasswordHashing(CHEAP)


class _CountingHasher(argon2.PasswordHasher):
    """Counts the hashes that it computes, and how many of them at once."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.verified = self.running = self.most = 0
        self._lock = threading.Lock()

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
        with self._lock:
            self.verified += 1
            self.running += 1
            self.most = max(self.most, self.running)
        try:
            return super().verify(hash, password)
        finally:
            with self._lock:
                self.running -= 1


@given(st.text(min_size=1, max_size=200))
def test_any_text_can_be_a_password_and_only_it_is_right(password: str) -> None:
    hash = _HASHING.hash_password(password)
    assert hash.startswith("$argon2id$")
    assert _HASHING.verify_password(hash, password)
    assert not _HASHING.verify_password(hash, password + "x")


def test_a_letter_typed_on_another_keyboard_is_the_same_letter() -> None:
    hash = _HASHING.hash_password("caf\u00e9 au lait tous les jours")
    assert _HASHING.verify_password(hash, "cafe\u0301 au lait tous les jours")


@pytest.mark.parametrize("hash", ["", "plain text", "$argon2id$broken", "$2b$12$abcdefghijklmnopqrstuv"])
def test_a_hash_that_is_none_matches_no_password(hash: str) -> None:
    assert not _HASHING.verify_password(hash, "nobody has this password")


def test_an_unknown_name_costs_as_many_hashes_as_a_known_one() -> None:
    hasher = _CountingHasher()
    hashing = PasswordHashing(hasher)
    hashing.verify_password(hashing.hash_password(PASSWORD), "wrong")
    known = hasher.verified
    hashing.verify_password("", "wrong")
    assert (known, hasher.verified) == (1, 2)


def test_only_so_many_hashes_are_computed_at_once() -> None:
    hasher = _CountingHasher()
    hashing = PasswordHashing(hasher, at_once=2)
    hash = hashing.hash_password(PASSWORD)
    threads = [threading.Thread(target=hashing.verify_password, args=(hash, PASSWORD)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hasher.verified == 12
    assert hasher.most <= 2


def test_a_hash_of_other_parameters_is_to_be_made_anew() -> None:
    stronger = PasswordHashing(argon2.PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    hash = _HASHING.hash_password(PASSWORD)
    assert stronger.verify_password(hash, PASSWORD)
    assert stronger.needs_rehash(hash)
    assert not _HASHING.needs_rehash(hash)


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("short", "password_short"),
        ("", "password_short"),
        ("x" * 1025, "password_long"),
        ("abababababababab", "password_weak"),
        (" " * 20, "password_weak"),
        ("Ada.Lovelace@Example.org", "password_weak"),
        ("ADA LOVELACE OF LONDON", "password_weak"),
    ],
)
def test_a_password_that_is_easy_to_guess_is_refused(password: str, reason: str) -> None:
    with pytest.raises(Misuse) as caught:
        check_new_password(password, 12, "Ada Lovelace of London", "ada.lovelace@example.org")
    assert caught.value.reason == reason
    assert caught.value.hint


def test_a_long_password_without_digits_and_signs_is_fine() -> None:
    check_new_password(PASSWORD, 12, "Ada", "")
