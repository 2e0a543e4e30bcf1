"""Modules and models are loaded before the first question: no user sees it, and a server that stops does not wait."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import pincite.answer.pipeline
from pincite import events
from pincite.answer.context import Context
from pincite.server import create_app
from pincite.settings import Settings, load_settings
from tests.clock import PATIENCE


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    # A model that cannot be had: warming is no reason to fall over it.
    return load_settings(data=tmp_path / "data", embedding={"provider": "none"}, models={"chat": "nobody:knows"})


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Context]:
    """The questions that are asked, as they come."""
    turns: list[Context] = []
    real = pincite.answer.pipeline.stream_answer

    async def answer(context: Context) -> AsyncIterator[events.Data]:
        turns.append(context)
        async for data in real(context):
            yield data

    monkeypatch.setattr(pincite.answer.pipeline, "stream_answer", answer)
    return turns


def _warmed() -> None:
    for thread in threading.enumerate():
        if thread.name == "warming":
            thread.join(PATIENCE)


def test_a_warm_server_has_asked_itself_a_question_and_kept_nothing_of_it(
    settings: Settings, asked: list[Context]
) -> None:
    with TestClient(create_app(settings, warm=True)) as client:
        _warmed()
        assert [context.models.chat.name for context in asked] == ["extractive"]
        assert client.get("/api/conversations").json()["conversations"] == []
        assert client.get("/api/usage").json()["totals"]["answers"] == 0
        assert client.get("/health").status_code == 200


def test_a_server_that_need_not_be_warm_asks_nothing(settings: Settings, asked: list[Context]) -> None:
    with TestClient(create_app(settings)):
        _warmed()
    assert asked == []


def test_a_server_that_leaves_ends_its_own_question(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    async def endless(context: Context) -> AsyncIterator[events.Data]:
        while not context.stop.answer.is_set():
            begun.set()
            yield events.Thought(text="…")
            await asyncio.sleep(0.01)

    monkeypatch.setattr(pincite.answer.pipeline, "stream_answer", endless)
    with TestClient(create_app(settings, warm=True)):
        assert begun.wait(PATIENCE)
    assert "warming" not in [thread.name for thread in threading.enumerate()]
