"""Hash passwords with argon2id and check them, in the same time for known and unknown names."""

import threading
import unicodedata
from functools import cached_property

import argon2
from argon2.exceptions import Argon2Error, InvalidHashError

from pincite.errors import Misuse
from pincite.store.people import fold_key

_LONGEST = 1024
_AT_ONCE = 4  # each hash takes 64 MiB


class PasswordHashing:
    """Hash and check passwords, a few at once."""

    def __init__(self, hasher: argon2.PasswordHasher | None = None, at_once: int = _AT_ONCE) -> None:
        self._hasher = hasher or argon2.PasswordHasher()
        self._turns = threading.BoundedSemaphore(at_once)

    def hash_password(self, password: str) -> str:
        """Return the hash of a password, with its salt and parameters."""
        with self._turns:
            return self._hasher.hash(_encode(password))

    def verify_password(self, hash: str, password: str) -> bool:
        """Whether a hash is that of a password. An empty hash is never, after as much work."""
        is_real = bool(hash) and len(password) <= _LONGEST
        with self._turns:
            try:
                self._hasher.verify(hash if is_real else self._dummy, _encode(password[:_LONGEST]))
            except (Argon2Error, InvalidHashError):
                return False
        return is_real

    def needs_rehash(self, hash: str) -> bool:
        """Whether a hash was made with other parameters than today's."""
        return self._hasher.check_needs_rehash(hash)

    @cached_property
    def _dummy(self) -> str:
        """A hash of these parameters that is nobody's."""
        return self._hasher.hash("nobody has this password")


def check_new_password(password: str, shortest: int, *names: str) -> None:
    """Raise `Misuse` if a new password is too short, too long, or is the name or e-mail of its person."""
    if len(_normalise(password)) < shortest:
        raise Misuse(
            f"The password has fewer than {shortest} characters.",
            "Choose a longer one: four words that do not belong together are good.",
            "password_short",
            {"least": shortest},
        )
    if len(password) > _LONGEST:
        raise Misuse(
            f"The password has more than {_LONGEST} characters.",
            "Choose a shorter one.",
            "password_long",
            {"most": _LONGEST},
        )
    if not password.strip() or len(set(password)) < 3:
        raise Misuse("The password repeats one or two characters.", "Choose another one.", "password_weak")
    if fold_key(password).strip() in {fold_key(name) for name in names if name}:
        raise Misuse("The password is the name or the e-mail address.", "Choose another one.", "password_weak")


def _normalise(password: str) -> str:
    """Return a password in one Unicode form, because keyboards type the same letter in different forms."""
    return unicodedata.normalize("NFKC", password)


def _encode(password: str) -> bytes:
    return _normalise(password).encode("utf-8", "surrogatepass")
