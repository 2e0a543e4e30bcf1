"""A server in the test's process, over a library that is found by words alone, with one document in it."""

import functools
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

import pincite.server
from pincite import events
from pincite.answer.context import Context
from pincite.server import create_app, locate_routes, ui_files
from pincite.settings import Settings, load_settings

TEXT = "# Lakes\n\nLoch Ness is 230 metres deep. Its water is cold.\n\nThe lake of Geneva is 310 metres deep.\n"


async def quoting(context: Context) -> AsyncIterator[events.Data]:
    """Answers without a model: with the question, one citation and a verdict in doubt."""
    asked = context.asked
    yield events.MessageStarted(conversationId=asked.conversation, question=asked.question, model="fake", focus="all")
    yield events.EvidenceFound(
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
    return _settings(tmp_path / "data")


def _settings(data: Path) -> Settings:
    return load_settings(data=data, embedding={"provider": "none"}, reading={"max_file_mb": 1})


@pytest.fixture(scope="package", autouse=True)
def _routes_made_once(_known_as_testserver: None) -> Iterator[None]:
    """Routes that no setting changes are made once: FastAPI takes longer to describe them than most tests take."""
    with pytest.MonkeyPatch.context() as patch:
        for module in vars(pincite.server).values():
            if isinstance(module, ModuleType) and hasattr(module, "router") and module not in (locate_routes, ui_files):
                patch.setattr(module, "router", functools.cache(module.router))
        yield


@pytest.fixture(scope="package")
def _shared_app(_routes_made_once: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[FastAPI, Path]:
    """One application for many tests, and the link that leads it to the data of each. It starts anew for each."""
    data = tmp_path_factory.mktemp("server") / "data"
    return create_app(_settings(data), answer=quoting), data


@pytest.fixture
def client(settings: Settings, _shared_app: tuple[FastAPI, Path]) -> Iterator[TestClient]:
    """A client of a server that answers without a model."""
    app, data = _shared_app
    settings.data.mkdir(mode=0o700)
    data.symlink_to(settings.data)
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client
    data.unlink()


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
