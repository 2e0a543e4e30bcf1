"""Two real servers and a worker on one PostgreSQL, behind a proxy that sends every request to the other server."""

import json
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import create_engine, text
from websockets.exceptions import ConnectionClosed

from pincite.server.callers import SESSION_COOKIE
from pincite.store.database import Database
from tests.accounts.conftest import PASSWORD
from tests.browser.speaking import Speaker, speaking
from tests.clock import PATIENCE
from tests.cluster import Cluster, Node, start_cluster
from tests.round_robin import RoundRobin, balancing
from tests.server.team import OWN_PAGE, Member, add_member
from tests.server.websocket_clients import connected

LAKES = "Loch Ness is 230 metres deep. The lake of Geneva is 310 metres deep.\n"
Event = dict[str, Any]


@dataclass
class ServerGroup:
    """The servers, the proxy in front of them, the model that they ask, and a member who is signed in nowhere."""

    cluster: Cluster
    servers: list[Node]
    proxy: RoundRobin
    speaker: Speaker
    database: Database

    def add_member(self) -> Member:
        return add_member(self.database, f"member-{uuid.uuid4().hex[:8]}", "member")

    @contextmanager
    def open_browser(self, member: Member | None = None) -> Iterator[httpx.Client]:
        """A browser that opens a connection for each request."""
        limits = httpx.Limits(max_keepalive_connections=0)
        with httpx.Client(base_url=self.proxy.url, headers=OWN_PAGE, limits=limits, timeout=PATIENCE) as browser:
            if member:
                signed = browser.post("/api/account/sign-in", json={"name": member.person.name, "password": PASSWORD})
                assert signed.is_success, signed.text
            yield browser


@pytest.fixture(scope="module")
def group(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerGroup]:
    name = f"t{uuid.uuid4().hex}"
    admin = create_engine(postgres_server, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE migrated"))
    address = postgres_server.replace("/postgres?", f"/{name}?")
    database = Database(address)
    add_member(database, "Ada", "owner", id="local")
    with speaking() as speaker:
        chosen = {"ACCOUNTS__MODE": "team", **speaker.settings}
        with start_cluster(tmp_path_factory.mktemp("cluster"), address, **chosen) as cluster:
            servers = [cluster.start_server(), cluster.start_server()]
            cluster.start_worker()
            for server in servers:
                server.wait_until_ready()
            ports = [urlsplit(server.address).port or 0 for server in servers]
            with balancing(ports) as proxy:
                yield ServerGroup(cluster, servers, proxy, speaker, database)
    database.close()
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


def read_events(response: httpx.Response) -> Iterator[Event]:
    """The events of a stream, as they come."""
    for line in response.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_a_person_signs_in_on_one_server_and_is_known_on_the_other(group: ServerGroup) -> None:
    with group.open_browser(group.add_member()) as browser:
        for _ in group.servers:
            assert browser.get("/api/account").json()["person"]
        assert browser.post("/api/account/sign-out").is_success
        for _ in group.servers:
            assert browser.get("/api/conversations").status_code == 401


@pytest.mark.slow
def test_a_document_is_uploaded_read_elsewhere_and_followed_on_the_other_server(group: ServerGroup) -> None:
    with group.open_browser(group.add_member()) as browser:
        added = browser.post("/api/documents", files={"file": ("lakes.txt", LAKES.encode(), "text/plain")})
        assert added.is_success, added.text
        document = added.json()["document"]["id"] if "document" in added.json() else added.json()["id"]
        with browser.stream("GET", f"/api/documents/{document}/events") as stream:
            told = list(read_events(stream))
        assert told[-1]["status"] in ("ready", "searchable")
        for _ in group.servers:
            found = browser.post(
                "/api/search", json={"message": "How deep is Loch Ness?", "chatModel": "extractive"}
            ).json()
            assert "230" in json.dumps(found)


def test_an_answer_is_followed_and_stopped_on_the_other_server(group: ServerGroup) -> None:
    group.speaker.will("The lake is ", ends=False)
    with group.open_browser(group.add_member()) as browser:
        with browser.stream("POST", "/api/chat", json={"message": "How deep is it?"}) as asked:
            here = read_events(asked)
            first = next(here)
            conversation = first["data"]["conversationId"]
            with browser.stream("GET", f"/api/conversations/{conversation}/events") as followed:
                there = read_events(followed)
                assert next(there) == first
                group.speaker.say("deep. ")
                group.speaker.say("Very deep. ")
                group.proxy.last = (group.proxy.last + 1) % 2  # the next one goes to where it is only followed
                stopped = browser.post(f"/api/conversations/{conversation}/stop")
                assert stopped.json() == {"stopped": True}
                rest, others = list(here), list(there)
        assert rest[-1]["type"] == others[-1]["type"] == "message_completed"
        assert others == rest
        assert others[-1]["data"]["stopped"]
        for _ in group.servers:
            assert browser.get(f"/api/conversations/{conversation}").is_success
        assert browser.delete(f"/api/conversations/{conversation}").is_success
        for _ in group.servers:
            assert browser.get(f"/api/conversations/{conversation}").status_code == 404


@pytest.mark.anyio
async def test_over_websockets_events_stops_and_the_end_of_a_session_cross_servers(group: ServerGroup) -> None:
    member = group.add_member()
    group.speaker.will("The lake is ", ends=False)
    async with (
        connected(group.proxy.port, additional_headers=member.headers) as asking,
        connected(group.proxy.port, additional_headers=member.headers) as watching,
    ):
        assert group.proxy.taken[-1] != group.proxy.taken[-2]
        topic = await asking.ask("How deep is it?")
        await watching.subscribe(topic)
        there = await watching.take(1)
        assert there[0]["type"] == "message_started"
        await watching.send("action", id="stop", action="stop", data={"conversation": topic.partition(":")[2]})
        stopped: Event = {}
        while there[-1]["type"] != "message_completed" or not stopped:
            told = await watching.receive()
            if told["type"] == "event":
                there.append(told["event"])
            elif told["type"] == "result":
                stopped = told["data"]
        assert stopped == {"stopped": True}
        assert await asking.finish(topic) == there
    with group.open_browser(member) as browser:
        cookie = {"Cookie": f"{SESSION_COOKIE}={browser.cookies[SESSION_COOKIE]}", "Origin": group.proxy.url}
        async with connected(group.proxy.port, additional_headers=cookie) as socket:
            assert browser.post("/api/account/sign-out").is_success
            assert group.proxy.taken[-1] != group.proxy.taken[-2]
            with pytest.raises(ConnectionClosed) as closed:
                await socket.receive()
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 4401


def test_a_client_gets_the_end_when_the_server_that_answers_is_killed(group: ServerGroup) -> None:
    group.speaker.will("The lake is ", ends=False)
    with group.open_browser(group.add_member()) as browser:
        with browser.stream("POST", "/api/chat", json={"message": "How deep is it?"}) as asked:
            first = next(read_events(asked))
            answering = group.servers[group.proxy.taken[-1]]
            with browser.stream("GET", f"/api/conversations/{first['data']['conversationId']}/events") as followed:
                there = read_events(followed)
                next(there)
                answering.kill()
                rest = list(there)
        assert [event["type"] for event in rest[-2:]] == ["error", "message_completed"]
        assert rest[-2]["data"]["code"] == "interrupted"
    answering.start()
    answering.wait_until_ready()
