"""The streams of events over `/ws`, word for word, as files.

To accept a change, remove the file and run the test twice: the first run writes it.
"""

import json
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from pincite.conversations.live import Answerer
from pincite.settings import Settings
from tests.server.conftest import quoting
from tests.server.test_websocket_projects import unfinished
from tests.server.websocket_clients import Client, Stepwise, Told, connected, serving

FOLDER = Path(__file__).parent / "websocket_snapshots"
Talk = Callable[[Client, Client], Coroutine[Any, Any, list[Told]]]

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def read_all(client: Client, count: int) -> list[Told]:
    return [await client.receive() for _ in range(count)]


async def answered(client: Client, other: Client) -> list[Told]:
    await client.send("action", id="1", action="ask", data={"message": "How deep?"})
    return await read_all(client, 6)


async def followed(client: Client, other: Client) -> list[Told]:
    """Two questions of another client, from the middle of the first on."""
    topic = await other.ask("How deep?")
    await other.finish(topic)
    await client.send("subscribe", id="1", topics=[topic], after={topic: 2})
    told = await read_all(client, 4)
    await other.ask("And how cold?", conversationId=topic.partition(":")[2])
    return told + await read_all(client, 5)


async def stopped(client: Client, other: Client) -> list[Told]:
    topic = await client.ask("words")
    told = await read_all(client, 1)
    await other.act("stop", conversation=topic.partition(":")[2])
    return told + await read_all(client, 2)


async def continued(client: Client, other: Client) -> list[Told]:
    """A turn that is not finished, and the client that does not want it to be."""
    topic = await other.ask("Do both.")
    await client.send("subscribe", id="1", topics=[topic])
    told = await read_all(client, 4)
    call = told[2]["event"]["data"]["calls"][0]["id"]
    await other.finish(topic)
    await other.act("result", conversation=topic.partition(":")[2], call=call, status="stop", message="Enough.")
    return told + await read_all(client, 2)


async def refused(client: Client, other: Client) -> list[Told]:
    for text in ("{", "[]", '{"type": "sing"}', '{"type": "identify", "version": 1}', '{"type": "action", "id": "1"}'):
        await client.connection.send(text)
    await client.connection.send(b"{}")
    told = await read_all(client, 6)
    for sent in (
        {"type": "action", "id": "2", "action": "sing"},
        {"type": "action", "id": "3", "action": "ask", "data": {"message": "", "loud": True}},
        {"type": "action", "id": "4", "action": "stop", "data": {"conversation": "nowhere"}},
        {"type": "subscribe", "id": "5", "topics": ["weather"]},
        {"type": "subscribe", "id": "6", "topics": ["conversation:nowhere"]},
    ):
        await client.send(**sent)
        told += await read_all(client, 1)
    return told


@pytest.mark.parametrize(
    ("talk", "answer"),
    [
        (answered, quoting),
        (followed, quoting),
        (stopped, Stepwise),
        (continued, unfinished),
        (refused, quoting),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
async def test_a_stream_is_as_it_was(talk: Talk, answer: Answerer | type[Stepwise], settings: Settings) -> None:
    chosen = Stepwise(2) if isinstance(answer, type) else answer
    async with (
        serving(settings, chosen) as server,
        connected(server.port) as client,
        connected(server.port) as other,
    ):
        told = await talk(client, other)
    seen: dict[str, str] = {}

    def name(id: "re.Match[str]") -> str:
        return seen.setdefault(id.group(), f"<id {len(seen) + 1}>")

    lines = re.sub("[0-9a-f]{32}", name, "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in told))
    file = FOLDER / f"{talk.__name__}.jsonl"
    if not file.exists():
        file.write_text(lines, encoding="utf-8")
        pytest.fail(f"{file.name} was written: look at it, then run the test again.")
    assert lines.splitlines() == file.read_text(encoding="utf-8").splitlines()
