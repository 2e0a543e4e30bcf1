"""Accounts on a database of the test's own, with hashes that cost next to nothing."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from typing import TypeVar

import argon2
import pytest

from pincite.accounts.audit import Caller
from pincite.accounts.passwords import PasswordHashing
from pincite.accounts.principal import Principal, list_scopes
from pincite.errors import PinciteError
from pincite.settings_accounts import AccountSettings
from pincite.store import people
from pincite.store.database import Database
from pincite.store.people import Role, StoredPerson

NOW = 1_000_000.0
MINUTE, DAY = 60.0, 86_400.0
PASSWORD = "correct horse battery"
CHEAP = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)

Result = TypeVar("Result")


@pytest.fixture(scope="session")
def hashing() -> PasswordHashing:
    return PasswordHashing(CHEAP)


@pytest.fixture
def settings() -> AccountSettings:
    return AccountSettings(mode="team")


@dataclass(frozen=True)
class Team:
    """People of a server; each is added by name."""

    database: Database
    hashing: PasswordHashing

    def add(self, name: str, role: Role = "member", email: str = "", password: str = PASSWORD) -> StoredPerson:
        hash = self.hashing.hash_password(password) if password else ""
        with self.database.writing() as connection:
            return people.create(connection, name, role, NOW, email=email, password=hash)

    def get(self, person: StoredPerson) -> StoredPerson:
        with self.database.reading() as connection:
            return people.get(connection, person.id)


@pytest.fixture
def team(either: Database, hashing: PasswordHashing) -> Team:
    """A server without people, on each engine."""
    return Team(either, hashing)


def by(person: StoredPerson, address: str = "192.0.2.1") -> Caller:
    """A request of a person who is signed in."""
    return Caller(Principal(person.id, person.role, list_scopes(person.role), session="s"), address)


def at_once(actions: Sequence[Callable[[], Result]]) -> list[Result | PinciteError]:
    """Begin actions at the same moment, each in its own thread; return their results or errors."""
    start = Barrier(len(actions))

    def run(action: Callable[[], Result]) -> Result | PinciteError:
        start.wait()
        try:
            return action()
        except PinciteError as error:
            return error

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))
