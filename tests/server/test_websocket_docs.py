"""docs/websocket.md is true: its session runs word for word, and no message, action or code is missing from it."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, get_args

import pytest

from pincite import events
from pincite.answer.context import Context
from pincite.server import websocket_connection, websocket_messages
from pincite.server.websocket_actions import ACTION_SCOPES, ACTIONS
from pincite.server.websocket_messages import ClientMessage, MessageError, ServerMessage
from pincite.settings import Settings
from tests.server.websocket_clients import Client, connected, serving

PAGE = (Path(__file__).parents[2] / "docs" / "websocket.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"<!-- session -->\n```\n(.*?)```", PAGE, re.DOTALL)
(CLIENT,) = re.findall(r"<!-- client -->\n```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def knowing(context: Context) -> AsyncIterator[events.Data]:
    """Answers the two questions of the page; each part is said when the one before has been stored."""
    asked = context.asked
    said = "Loch Ness is 230 metres deep." if "Ness" in asked.question else "The lake of Geneva is 310 metres deep."
    yield events.MessageStarted(conversationId=asked.conversation, question=asked.question, model="fake", focus="all")
    yield events.Text(delta=said)
    yield events.Answer(
        answer=said,
        refused=False,
        question=asked.question,
        model="fake",
        sentences=[],
        citations=[],
        usage=events.Usage(input_tokens=1, output_tokens=1, requests=1),
    )


class Reader:
    """Reads a session of the page against a real one. A word in capitals stands for the id that the server chose."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}

    async def follow(self, client: Client, session: str) -> None:
        for line in session.splitlines():
            who, written = line[0], line[2:]
            for word, id in self._ids.items():
                written = written.replace(word, id)
            if who == "→":
                await client.connection.send(written)
            else:
                self.compare(json.loads(written), await client.receive(), line)

    def compare(self, written: Any, told: Any, line: str) -> None:
        if isinstance(written, dict):
            assert isinstance(told, dict), line
            if written.pop("…", None) is None:
                assert written.keys() == told.keys(), line
            for name, value in written.items():
                self.compare(value, told[name], line)
            return
        if isinstance(written, str) and (word := written.removeprefix("conversation:")).isupper():
            written = written.replace(word, self._ids.setdefault(word, told.removeprefix("conversation:")))
        assert written == told, line


@pytest.mark.anyio
async def test_the_session_of_the_page_is_what_happens(settings: Settings) -> None:
    reader = Reader()
    assert len(SESSIONS) == 2
    async with serving(settings, knowing) as server:
        for session in SESSIONS:
            async with connected(server.port, identify=False) as client:
                await reader.follow(client, session)
                client.vanish()


@pytest.mark.anyio
async def test_the_client_of_the_page_prints_the_answer(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(CLIENT, "docs/websocket.md", "exec"), names)
    async with serving(settings, knowing) as server:
        await asyncio.create_task(names["main"](f"ws://127.0.0.1:{server.port}/ws", "How deep is Loch Ness?"))
        assert capsys.readouterr().out == "Loch Ness is 230 metres deep."
        await names["main"](f"ws://127.0.0.1:{server.port}/ws", " ")
        assert capsys.readouterr().out == "The question is empty. Ask something.\n"


def list_types(messages: Any) -> list[str]:
    return [get_args(each.model_fields["type"].annotation)[0] for each in get_args(messages)]


@pytest.mark.parametrize(
    ("messages", "heading"),
    [(ClientMessage, "## Messages of the client"), (ServerMessage, "## Messages of the server")],
)
def test_every_message_and_every_field_of_it_is_on_the_page(messages: Any, heading: str) -> None:
    table = PAGE.partition(heading)[2].partition("\n## ")[0]
    rows = {line.split("`")[1]: line for line in table.splitlines() if line.startswith("| `")}
    assert sorted(rows) == sorted(list_types(messages))
    for each in get_args(messages):
        row = rows[get_args(each.model_fields["type"].annotation)[0]]
        assert [name for name in each.model_fields if name != "type" and f"`{name}`" not in row] == []


def test_every_action_is_on_the_page() -> None:
    table = PAGE.partition("## Actions")[2].partition("\n## ")[0]
    assert [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")] == list(ACTIONS)


def test_every_action_is_listed_with_the_scope_that_it_needs() -> None:
    table = PAGE.partition("## Actions")[2].partition("\n## ")[0]
    rows = [line.split("`") for line in table.splitlines() if line.startswith("| `")]
    assert {row[1]: row[3] for row in rows} == {name: ACTION_SCOPES.get(name, "admin") for name in ACTIONS}


def test_every_code_with_which_the_server_closes_is_on_the_page() -> None:
    table = PAGE.partition("## Close codes")[2]
    codes = [each for each in vars(websocket_connection).values() if isinstance(each, int) and 1000 <= each < 5000]
    assert len(codes) == 6
    assert [code for code in codes if f"\n| {code} |" not in table] == []


def test_every_code_of_an_error_of_a_message_is_on_the_page() -> None:
    found = [each for each in vars(websocket_messages).values() if isinstance(each, type)]
    codes = {each.code for each in found if issubclass(each, MessageError)}
    assert len(codes) == 4
    assert [code for code in codes if f"\n| `{code}` |" not in PAGE] == []
