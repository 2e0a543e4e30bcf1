"""A server in team mode with an owner, a member and a guest, each with a session and a token of all its scopes."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from pincite.accounts.audit import AT_TERMINAL, Caller
from pincite.accounts.passwords import PasswordHashing
from pincite.accounts.principal import AccessScope, Principal, list_scopes
from pincite.accounts.sign_in_sessions import begin_session
from pincite.accounts.tokens import create_token
from pincite.conversations.live import Answerer
from pincite.server import create_app
from pincite.server.callers import SESSION_COOKIE
from pincite.settings import Settings
from pincite.store import people
from pincite.store.database import Database, open_database
from pincite.store.people import Role, StoredPerson
from tests.accounts.conftest import CHEAP, PASSWORD
from tests.server.conftest import quoting

HASHING = PasswordHashing(CHEAP)
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}  # a browser says so of requests of the server's own page


@dataclass(frozen=True, slots=True)
class Member:
    """A person of the server: the row, the secret of a session, and a token. The password is `PASSWORD`."""

    person: StoredPerson
    cookie: str
    token: str

    @property
    def id(self) -> str:
        return self.person.id

    @property
    def headers(self) -> dict[str, str]:
        """The headers that a program of this person sends."""
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def signed_in(self) -> dict[str, str]:
        """The headers that the browser of this person sends."""
        return {"Cookie": f"{SESSION_COOKIE}={self.cookie}", **OWN_PAGE}

    @property
    def caller(self) -> Caller:
        """A request of theirs, for functions that take one."""
        return Caller(Principal(self.person.id, self.person.role, list_scopes(self.person.role), session="s"), "")


@dataclass(frozen=True, slots=True)
class TeamClient:
    """A client without an account, and the people of the server: Ada owns it, Bob is a member, Gil a guest."""

    client: TestClient
    app: FastAPI
    settings: Settings
    owner: Member
    member: Member
    guest: Member

    @property
    def database(self) -> Database:
        database: Database = self.app.state.library.database
        return database

    def add(self, name: str, role: Role = "member") -> Member:
        """Another person of the server."""
        return add_member(self.database, name, role)

    def get(self, by: Member | None, path: str, **given: Any) -> Any:
        return self.request(by, "GET", path, **given)

    def post(self, by: Member | None, path: str, **given: Any) -> Any:
        return self.request(by, "POST", path, **given)

    def put(self, by: Member | None, path: str, **given: Any) -> Any:
        return self.request(by, "PUT", path, **given)

    def patch(self, by: Member | None, path: str, **given: Any) -> Any:
        return self.request(by, "PATCH", path, **given)

    def delete(self, by: Member | None, path: str, **given: Any) -> Any:
        return self.request(by, "DELETE", path, **given)

    def request(self, by: Member | None, method: str, path: str, **given: Any) -> Any:
        """The answer to a request of a browser in which somebody is signed in, or nobody."""
        self.client.cookies.clear()
        headers = {**(by.signed_in if by else {}), **given.pop("headers", {})}
        return self.client.request(method, path, headers=headers, **given)

    def open_browser(self, by: Member | None = None) -> TestClient:
        """Another client of the same server, with a cookie jar of its own. The server runs already."""
        browser = TestClient(self.app, raise_server_exceptions=False, follow_redirects=False, headers=OWN_PAGE)
        browser.portal = self.client.portal  # the event loop of the server
        if by:
            browser.cookies.set(SESSION_COOKIE, by.cookie, domain="testserver.local")
        return browser


def make_team_settings(settings: Settings, **accounts: Any) -> Settings:
    """The settings of a server in team mode."""
    chosen = settings.accounts.model_copy(update={"mode": "team", **accounts})
    return settings.model_copy(update={"accounts": chosen})


@dataclass(frozen=True, slots=True)
class StoredTeam:
    """The settings and the people of a server that has not been started. The database is open."""

    settings: Settings
    database: Database
    owner: Member
    member: Member
    guest: Member


@contextmanager
def store_team(settings: Settings, **accounts: Any) -> Iterator[StoredTeam]:
    """Three people in the database, for tests that start a server on a socket."""
    settings = make_team_settings(settings, **accounts)
    database = open_database(settings)
    try:
        owner = add_member(database, "Ada", "owner", id=settings.owner)
        member, guest = add_member(database, "Bob", "member"), add_member(database, "Gil", "guest")
        yield StoredTeam(settings, database, owner, member, guest)
    finally:
        database.close()


@contextmanager
def open_team_client(settings: Settings, answer: Answerer = quoting, **accounts: Any) -> Iterator[TeamClient]:
    """A running server with three people, until the block ends. The owner has the id of the local owner."""
    settings = make_team_settings(settings, **accounts)
    app = create_app(settings, answer=answer, hashing=HASHING)
    with TestClient(app, raise_server_exceptions=False, follow_redirects=False) as client:
        database: Database = app.state.library.database
        owner = add_member(database, "Ada", "owner", id=settings.owner)
        yield TeamClient(
            client, app, settings, owner, add_member(database, "Bob", "member"), add_member(database, "Gil", "guest")
        )


def add_member(database: Database, name: str, role: Role, id: str = "") -> Member:
    """A person with a session and a token that may do all that their role may."""
    now = time.time()
    with database.writing() as connection:
        email, hash = f"{name.lower()}@example.org", HASHING.hash_password(PASSWORD)
        person = people.create(connection, name, role, now, email=email, password=hash, id=id)
        signed = begin_session(connection, person, now, "192.0.2.1", "tests")
    return Member(person, signed.secret, make_token(database, person, *list_scopes(role)))


def make_token(database: Database, person: StoredPerson, *scopes: AccessScope, days: float | None = None) -> str:
    """The secret of a new token."""
    return create_token(database, AT_TERMINAL, person.id, "tests", scopes, time.time(), days).secret
