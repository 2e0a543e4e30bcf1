"""A real server in team mode, and its people: their invitations, tokens and sessions, made as an owner makes them."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

from pincite.accounts.audit import AT_TERMINAL, Caller
from pincite.accounts.first_owner import create_first_owner
from pincite.accounts.invitations import invite_person
from pincite.accounts.password_resets import make_reset_link
from pincite.accounts.passwords import PasswordHashing
from pincite.accounts.principal import ALL_SCOPES, Principal
from pincite.accounts.sharing import share_library
from pincite.accounts.tokens import create_token
from pincite.accounts.usage_report import list_recent_months
from pincite.settings import Settings
from pincite.store import credits, people
from pincite.store.database import Database, open_database
from pincite.store.library_shares import Access
from pincite.store.people import Role
from tests.browser.running import Server, until
from tests.clock import PATIENCE

OWNER, PASSWORD = "Ada Berg", "correct horse battery"


@contextmanager
def open_team(data: Path, start: Callable[..., Server], **settings: str) -> Iterator["TeamServer"]:
    """A server in team mode with its first owner, until the block ends; `start` starts the program over a folder."""
    chosen = Settings.model_validate({"data": data})
    database = open_database(chosen)
    create_first_owner(database, chosen, PasswordHashing(), OWNER, "ada@example.org", PASSWORD, time.time())
    server = start(data, ACCOUNTS__MODE="team", EMBEDDING__PROVIDER="none", **settings)
    try:
        yield TeamServer(server, chosen, database)
    finally:
        server.stop()
        database.close()


@dataclass
class TeamServer:
    """A server in team mode whose first owner is `OWNER`; everybody's password is `PASSWORD`."""

    server: Server
    settings: Settings
    database: Database
    tokens: dict[str, str] = field(default_factory=dict)

    def invite(self, role: Role = "member", email: str = "") -> str:
        """The path of an invitation, with its secret."""
        made = invite_person(self.database, self.settings.accounts, AT_TERMINAL, role, time.time(), email)
        return f"/join#{made.secret}"

    def add(self, name: str, role: Role = "member") -> str:
        """The name of a person who has joined."""
        secret = urlsplit(self.invite(role, f"{name.replace(' ', '.').lower()}@example.org")).fragment
        body = {"secret": secret, "name": name, "password": PASSWORD}
        answer = httpx2.post(f"{self.server.address}/api/account/join", json=body, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        return name

    def make_reset(self, name: str) -> str:
        """The path of a link that sets a new password."""
        made = make_reset_link(self.database, self.settings.accounts, AT_TERMINAL, self.find(name), time.time())
        return f"/reset#{made.secret}"

    def end_sessions(self, name: str) -> None:
        """End all sessions of a person, as they can from another device."""
        with httpx2.Client(base_url=self.server.address, timeout=PATIENCE) as browser:
            browser.post("/api/account/sign-in", json={"name": name, "password": PASSWORD}).raise_for_status()
            browser.delete("/api/account/sessions", headers={"Sec-Fetch-Site": "same-origin"}).raise_for_status()

    def token(self, name: str) -> str:
        """A token of a person with all their scopes."""
        if name not in self.tokens:
            with self.database.reading() as connection:
                person = people.get(connection, self.find(name))
            scopes = ALL_SCOPES if person.role == "owner" else ("read", "ask", "write")
            self.tokens[name] = create_token(self.database, AT_TERMINAL, person.id, "tests", scopes, time.time()).secret
        return self.tokens[name]

    def request(self, name: str, method: str, path: str, **given: Any) -> httpx2.Response:
        """The answer to a program of a person."""
        headers = {"Authorization": f"Bearer {self.token(name)}"}
        return httpx2.request(method, self.server.address + path, headers=headers, timeout=PATIENCE, **given)

    def send(self, name: str, path: Path) -> str:
        """The id of a person's document that was sent and is ready."""
        files = {"file": (path.name, path.read_bytes())}
        document = str(self.request(name, "POST", "/api/documents", files=files).json()["id"])
        until(lambda: self.request(name, "GET", f"/api/documents/{document}").json()["status"] == "ready")
        return document

    def ask(self, name: str, question: str) -> str:
        """The id of a conversation in which a person asked and was answered."""
        answer = self.request(name, "POST", "/api/chat", json={"message": question, "chatModel": "extractive"})
        assert answer.status_code == 200, answer.text
        return str(answer.headers["x-conversation-id"])

    def share(self, owner: str, library: str, person: str, access: Access) -> None:
        """Share a library of one person with another."""
        caller = Caller(Principal(self.find(owner), "member", ALL_SCOPES), "")
        share_library(self.database, caller, self.find(owner), library, access, time.time(), person=self.find(person))

    def spend(self, name: str, amount: int, months_ago: int = 0) -> None:
        """Book credits of a person, as answers do."""
        person, now = self.find(name), time.time()
        month = list_recent_months(now, months_ago + 1)[-1]
        with self.database.writing() as connection:
            held = credits.add_reservation(connection, person, "member", month, 0, "tests", now, now)
            booked = [credits.Booking("scripted:parrot", amount * credits.CREDIT)]
            credits.settle_reservation(connection, held.id, booked, now)

    def find(self, name: str) -> str:
        with self.database.reading() as connection:
            return people.get_by_any_name(connection, name).id
