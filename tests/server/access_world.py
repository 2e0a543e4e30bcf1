"""A server in team mode with people who share some things and not others, and words by which each is recognised."""

import itertools
import json
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

import anyio
from fastapi import FastAPI
from sqlalchemy import select
from starlette.datastructures import Headers
from starlette.testclient import TestClient
from starlette.types import Message

from pincite.accounts.principal import AccessScope, list_scopes
from pincite.accounts.sign_in_sessions import begin_session
from pincite.server import create_app
from pincite.settings import Settings, load_settings
from pincite.store import people, sessions
from pincite.store.database import Database
from pincite.store.people import Role
from pincite.store.schema import metadata
from tests.clock import PATIENCE
from tests.server.conftest import quoting
from tests.server.team import HASHING, OWN_PAGE, Member, add_member, make_team_settings, make_token
from tests.work import finish

# Words of Mia's that nobody may see but those with whom she shares them. The server's owner may not either.
CONTENT = {
    "private library": "Quillwort",
    "private title": "Bladderwrack",
    "private text": "zibeline",
    "conversation": "wherryman",
    "persona": "Thrumwort",
    "instructions": "gallimaufry",
    "notebook": "Spindrift",
    "kept words": "frumenty",
    "comment": "brabble",
}
# The same of what is in the shared library.
SHARED = {"shared library": "Marchpane", "shared title": "Osierbed", "shared text": "farandole"}
# Of her account: the server's owner manages it.
ACCOUNT = {"e-mail": "mia-sundew@example.org", "browser": "Samphire-browser", "token": "Tormentil-token"}

Place = Literal["own", "shared", "private"]
# By the share of Mia's library, for those who have one.
ACCESSES = ("reader", "writer", "owner")


@dataclass(frozen=True, slots=True)
class Answered:
    """The response to a request, whole unless it is an endless stream."""

    status: int
    headers: Headers
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)["error"]
        return found


@dataclass(frozen=True, slots=True)
class Sender:
    """Somebody who sends requests: with a session, with a token, or with nothing that counts."""

    name: str
    headers: Mapping[str, str] = field(repr=False)
    person: str = ""  # the id; empty for those who are refused
    person_name: str = ""
    scopes: frozenset[AccessScope] = frozenset()
    role: Role = "guest"
    access: str = ""  # to Mia's shared library
    is_token: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(slots=True)
class World:
    """The server, its people and their things."""

    app: FastAPI
    client: TestClient
    settings: Settings
    people: dict[str, Member]
    senders: list[Sender]
    known: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)  # things that tests only read
    numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def database(self) -> Database:
        database: Database = self.app.state.library.database
        return database

    def send(
        self,
        headers: Mapping[str, str],
        method: str,
        path: str,
        body: Any = None,
        file: tuple[str, str] | None = None,
        is_listening: bool = False,
    ) -> Answered:
        """The response to a request with these headers. Of an endless stream it has what is said at once, if asked."""
        sent, content = dict(headers), b"" if body is None else json.dumps(body).encode()
        if file:
            sent["Content-Type"], content = _make_form(file, body or {})
        elif body is not None:
            sent["Content-Type"] = "application/json"
        return self.send_bytes(sent, method, path, content, is_listening)

    def send_bytes(
        self, headers: Mapping[str, str], method: str, path: str, content: bytes, is_listening: bool = False
    ) -> Answered:
        """The response to a request with this body. The path is as a browser writes it, with its query."""
        query = path.partition("?")
        sent = {"host": "testserver", **{name.lower(): value for name, value in headers.items()}}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(query[0]),
            "raw_path": query[0].encode(),
            "query_string": query[2].encode(),
            "root_path": "",
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in sent.items()],
            "client": ("192.0.2.7", 50_000),
            "server": ("testserver", 80),
        }
        assert self.client.portal is not None
        answered: Answered = self.client.portal.call(_call, self.app, scope, content, is_listening)
        return answered

    def as_person(self, name: str, method: str, path: str, body: Any = None, **given: Any) -> Any:
        """Return the response to a person who creates something; raise an error if it was refused."""
        answered = self.send(self.people[name].signed_in, method, path, body, **given)
        assert answered.status < 300, (name, method, path, answered.text)
        return json.loads(answered.body) if answered.body.startswith((b"{", b"[")) else answered

    def read_rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything in the database but the times of last use and the counters of attempts."""
        found = {}
        with self.database.reading() as connection:
            for table in metadata.sorted_tables:
                if table.name not in ("sign_in_attempts", "audit_log"):
                    columns = [column for column in table.c if column.name != "used"]
                    found[table.name] = sorted(tuple(map(repr, row)) for row in connection.execute(select(*columns)))
        return found

    def count(self) -> int:
        return next(self.numbers)


async def _call(app: FastAPI, scope: dict[str, Any], content: bytes, is_listening: bool) -> Answered:
    began, spoke, ended = anyio.Event(), anyio.Event(), anyio.Event()
    start: Message = {}
    body: list[bytes] = []
    sent = False

    async def receive() -> Message:
        nonlocal sent
        if not sent:
            sent = True
            return {"type": "http.request", "body": content, "more_body": False}
        await began.wait()
        # A stream may have no end. An answer of its own comes at once, and ends by itself.
        is_endless = scope["path"] == "/api/documents/events"
        if not is_endless:
            await ended.wait()
        elif is_listening:
            await spoke.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        elif message["type"] == "http.response.body":
            body.append(message.get("body", b""))
            if not body[-1].startswith(b":"):  # a comment tells nothing
                spoke.set()
            if not message.get("more_body"):
                ended.set()
        began.set()

    with anyio.fail_after(PATIENCE):
        try:
            await app(scope, receive, send)
        except Exception:
            if not start or start["status"] != 500:  # Starlette raises a fault again after its response
                raise
    return Answered(start["status"], Headers(raw=start["headers"]), b"".join(body))


def _make_form(file: tuple[str, str], fields: Mapping[str, str]) -> tuple[str, bytes]:
    edge = "--edge"
    parts = [f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}' for name, value in fields.items()]
    parts.append(f'Content-Disposition: form-data; name="file"; filename="{file[0]}"\r\n\r\n{file[1]}')
    return (
        f"multipart/form-data; boundary={edge}",
        "".join(f"--{edge}\r\n{part}\r\n" for part in parts).encode() + f"--{edge}--\r\n".encode(),
    )


@contextmanager
def open_world(data: Path) -> Iterator[World]:
    """A server with all of it, until the block ends."""
    project = data / "project"
    project.mkdir()
    (project / "notes.txt").write_text("A note.\n")
    settings = load_settings(
        data=data / "data",
        embedding={"provider": "none"},
        projects={"folders": [project]},
        accounts={"guests": True, "url": "http://testserver"},
        quota={"questions_per_minute": 0, "uploads_per_minute": 0, "sign_ins_per_minute": 0},
    )
    settings = make_team_settings(settings)
    app = create_app(settings, answer=quoting, hashing=HASHING)
    with TestClient(app, raise_server_exceptions=False, follow_redirects=False) as client:
        database: Database = app.state.library.database
        known = {"Ada": add_member(database, "Ada", "owner", id=settings.owner)}
        roles: dict[str, Role] = {"Gil": "guest"}
        for name in ("Mia", "Bob", "Rea", "Wil", "Olga", "Dee", "Gil"):
            known[name] = add_member(database, name, roles.get(name, "member"))
        world = World(app, client, settings, known, [])
        _fill_account(world)
        _fill_libraries(world)
        world.senders = list(_make_senders(world))
        yield world


def _fill_account(world: World) -> None:
    """Give Mia's account the words by which it is recognised, and disable Dee's."""
    mia, dee = world.people["Mia"], world.people["Dee"]
    with world.database.writing() as connection:
        people.set_names(connection, mia.id, "Mia", ACCOUNT["e-mail"], time.time())
        begin_session(connection, mia.person, time.time(), "192.0.2.99", ACCOUNT["browser"])
    world.as_person("Mia", "POST", "/api/account/tokens", {"name": ACCOUNT["token"], "scopes": ["read"], "days": 9})
    world.as_person("Ada", "PATCH", f"/api/people/{dee.id}", {"disabled": True})


def _fill_libraries(world: World) -> None:
    """Let Mia have two libraries, of which she shares one, a conversation, a persona, a notebook and comments."""
    title, text = CONTENT["private title"], CONTENT["private text"]
    private = {"library": CONTENT["private library"]}
    world.as_person("Mia", "POST", "/api/documents", private, file=(f"{title}.md", f"# {title}\n\nA {text} of silk.\n"))
    title, text = SHARED["shared title"], SHARED["shared text"]
    shared = {"library": SHARED["shared library"]}
    world.as_person(
        "Mia", "POST", "/api/documents", shared, file=(f"{title}.md", f"# {title}\n\nA {text} is a dance.\n")
    )
    for name in ("Ada", "Bob", "Rea", "Wil", "Olga"):
        file = (f"Paper{name}.md", f"# Paper{name}\n\nThe paper of {name}.\n")
        world.as_person(name, "POST", "/api/documents", {"library": f"Shelf{name}"}, file=file)
    finish(world.app.state.library)
    world.as_person(
        "Mia", "POST", "/api/personas", {"name": CONTENT["persona"], "instructions": CONTENT["instructions"]}
    )
    notebook = world.as_person("Mia", "POST", "/api/notebooks", {"title": CONTENT["notebook"]})["id"]
    kept = {"kind": "text", "text": CONTENT["kept words"]}
    world.as_person("Mia", "POST", f"/api/notebooks/{notebook}/items", kept)
    for library in (CONTENT["private library"], SHARED["shared library"]):
        (document,) = world.as_person("Mia", "GET", f"/api/documents?library={library}")["documents"]
        given = {"start": 0, "end": 8, "comment": CONTENT["comment"]}
        world.as_person("Mia", "POST", f"/api/documents/{document['id']}/annotations", given)
    world.as_person("Mia", "POST", "/api/chat", {"message": f"Who is the {CONTENT['conversation']}?"})
    for name, access in zip(("Rea", "Wil", "Olga"), ACCESSES, strict=True):
        given = {"person": world.people[name].id, "access": access}
        world.as_person("Mia", "POST", f"/api/libraries/{SHARED['shared library']}/shares", given)


def _make_senders(world: World) -> Iterator[Sender]:
    """Everybody who sends requests: the refused first."""
    database, mia, ada = world.database, world.people["Mia"], world.people["Ada"]
    yield Sender("nobody", {})
    yield Sender("a wrong token", _bearer(f"pin_{uuid.uuid4().hex}"))
    yield Sender("a wrong session", {**mia.signed_in, "Cookie": f"pincite_session={uuid.uuid4().hex}"})
    yield Sender("an expired token", _bearer(make_token(database, mia.person, "read", "write", days=1e-9)))
    with database.writing() as connection:
        ended = begin_session(connection, mia.person, time.time(), "", "")
        sessions.remove(connection, mia.id, ended.principal.session)
    yield Sender("an ended session", {"Cookie": f"pincite_session={ended.secret}", **OWN_PAGE})
    yield Sender("a disabled person", world.people["Dee"].signed_in)
    yield Sender("a token of a disabled person", world.people["Dee"].headers)
    accesses = dict(zip(("Rea", "Wil", "Olga"), ACCESSES, strict=True))
    names = {
        "Gil": "a guest",
        "Bob": "a member",
        "Rea": "a reader of the library",
        "Wil": "a writer of the library",
        "Olga": "an owner of the library by share",
        "Mia": "its owner",
        "Ada": "the server's owner",
    }
    for name, title in names.items():
        member = world.people[name]
        role = member.person.role
        yield Sender(title, member.signed_in, member.id, name, list_scopes(role), role, accesses.get(name, ""))
    for scope in ("read", "ask", "write"):
        headers = _bearer(make_token(database, mia.person, scope))
        yield Sender(f"her token to {scope}", headers, mia.id, "Mia", frozenset((scope,)), "member", is_token=True)
    headers = _bearer(make_token(database, ada.person, "admin"))
    yield Sender("the server owner's program", ada.headers, ada.id, "Ada", list_scopes("owner"), "owner", is_token=True)
    yield Sender("the server owner's token", headers, ada.id, "Ada", frozenset(("admin",)), "owner", is_token=True)
    for name, access in (("Rea", "reader"), ("Wil", "writer")):
        member, scopes = world.people[name], list_scopes("member")
        yield Sender(f"a {access}'s token", member.headers, member.id, name, scopes, "member", access, is_token=True)


def _bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}
