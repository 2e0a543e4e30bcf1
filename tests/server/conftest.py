"""A server in the test's process, over a library that is found by words alone, with one document in it."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pincite import events
from pincite.agent.turn import Turn
from pincite.server import create_app
from pincite.settings import Settings, load

TEXT = "# Lakes\n\nLoch Ness is 230 metres deep. Its water is cold.\n\nThe lake of Geneva is 310 metres deep.\n"


async def quoting(turn: Turn) -> AsyncIterator[events.Data]:
    """Answers without a model: with the question, one citation and a verdict in doubt."""
    asked = turn.asked
    yield events.MessageStarted(conversationId=asked.conversation, question=asked.question, model="fake", focus="all")
    yield events.Evidence(
        n=1,
        document="d",
        title="Lakes",
        kind="pdf",
        url=None,
        page=3,
        start=0,
        end=40,
        text="Loch Ness",
        headings=[],
        score=1.0,
    )
    text = f"You asked: {asked.question} [1] It is deep."
    yield events.Text(delta=text)
    first = f"You asked: {asked.question}"
    yield events.Answer(
        answer=text,
        refused=False,
        question=asked.question,
        model="fake",
        sentences=[
            events.Sentence(text=first, citations=[1], support="verified", start=0, end=len(first)),
            events.Sentence(
                text="It is deep.", citations=[], support="unsupported", start=len(first) + 5, end=len(text)
            ),
        ],
        citations=[
            events.Citation(
                n=1,
                evidence=1,
                document="d",
                title="Lakes & <script>alert(1)</script>",
                kind="pdf",
                url=None,
                page=3,
                quote="Loch Ness is <b>230</b> metres deep.",
                start=9,
                end=38,
                score=1.0,
                boxes=[],
            )
        ],
        usage=events.Usage(input_tokens=7, output_tokens=5, requests=1),
    )


@pytest.fixture(scope="package", autouse=True)
def _known_as_testserver() -> Iterator[None]:
    """Lets every server here be reached under the name that test clients call it by."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_SERVER__HOSTS", '["testserver"]')
        yield


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load(data=tmp_path / "data", embedding={"provider": "none"}, reading={"max_file_mb": 1})


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    """A client of a server that answers without a model."""
    with TestClient(create_app(settings, answer=quoting), raise_server_exceptions=False) as client:
        yield client


def streamed(client: TestClient, method: str, url: str, **given: Any) -> list[dict[str, str]]:
    """The server-sent events of a route, to the end of the stream."""
    with client.stream(method, url, **given) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        text = "".join(answer.iter_text())
    blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
    return [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]


def conversation_of(client: TestClient, message: str = "How deep is Loch Ness?", **given: Any) -> str:
    """The id of a conversation in which this was asked and answered."""
    with client.stream("POST", "/api/chat", json={"message": message, **given}) as answer:
        answer.read()
        assert answer.status_code == 200, answer.text
        return answer.headers["x-conversation-id"]
