"""What loads but once is loaded before anybody asks: nobody hears of it, and nobody waits for it to leave."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import pincite.answers
from pincite import events
from pincite.agent.turn import Turn
from pincite.server import create_app
from pincite.settings import Settings, load


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    # A model that cannot be had: warming is no reason to fall over it.
    return load(data=tmp_path / "data", embedding={"provider": "none"}, models={"chat": "nobody:knows"})


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Turn]:
    """The questions that are asked, as they come."""
    turns: list[Turn] = []
    real = pincite.answers.answer

    async def answer(turn: Turn) -> AsyncIterator[events.Data]:
        turns.append(turn)
        async for data in real(turn):
            yield data

    monkeypatch.setattr(pincite.answers, "answer", answer)
    return turns


def _warmed() -> None:
    for thread in threading.enumerate():
        if thread.name == "warming":
            thread.join(60)


def test_a_warm_server_has_asked_itself_a_question_and_kept_nothing_of_it(
    settings: Settings, asked: list[Turn]
) -> None:
    with TestClient(create_app(settings, warm=True)) as client:
        _warmed()
        assert [turn.models.chat.name for turn in asked] == ["extractive"]
        assert client.get("/api/conversations").json()["conversations"] == []
        assert client.get("/api/usage").json()["totals"]["answers"] == 0
        assert client.get("/health").status_code == 200


def test_a_server_that_need_not_be_warm_asks_nothing(settings: Settings, asked: list[Turn]) -> None:
    with TestClient(create_app(settings)):
        _warmed()
    assert asked == []


def test_a_server_that_leaves_ends_its_own_question(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    async def endless(turn: Turn) -> AsyncIterator[events.Data]:
        while not turn.stopped.is_set():
            begun.set()
            yield events.Thought(text="…")
            await asyncio.sleep(0.01)

    monkeypatch.setattr(pincite.answers, "answer", endless)
    with TestClient(create_app(settings, warm=True)):
        assert begun.wait(60)
    assert "warming" not in [thread.name for thread in threading.enumerate()]
