"""Measure the time from a question to its first event, first words and complete answer; print a table.

    python benchmarks/answer_speed.py [--passages 1000,100000] [--questions 100] [--at-once 100] [--folder DIR]

Passages are sentences of a Zipf vocabulary with random vectors. Answers are by `extractive`; the local model embeds the
questions. The second part asks `--at-once` questions together, each in its own conversation, and checks that every
event arrives once and in order. The third part measures the time that Pincite adds to a model: a scripted model writes
two thousand words, alone, and as an answer with evidence, citations and verdicts."""

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from search_speed import PASSAGES_A_DOCUMENT, Words

from pincite import events
from pincite.answer.pipeline import stream_answer
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services, open_services
from pincite.conversations import Conversations
from pincite.evaluate.machine_info import describe_machine
from pincite.llm.model_roles import ChosenModel, Models, Roles
from pincite.settings import load_settings
from pincite.store import documents
from pincite.types import Document, Indexed, Passage

_SENTENCES, _WORDS = 10, 15
_SPOKEN = 100  # sentences of the scripted model


def fill(services: Services, passages: int) -> None:
    """Store this many passages of sentences, fifty in a document, with words and random vectors."""
    words, library = Words(1), services.library
    name = services.embedder.name if services.embedder else "none"
    for number in range(0, passages, PASSAGES_A_DOCUMENT):
        count = min(PASSAGES_A_DOCUMENT, passages - number)
        texts = [sentences(words) for _ in range(count)]
        starts = np.cumsum([0, *(len(text) + 2 for text in texts)])
        spans = [Passage(int(start), int(start) + len(text)) for start, text in zip(starts[:-1], texts, strict=True)]
        with library.database.writing() as connection:
            stored, _ = documents.create(connection, "local", f"{number:064x}", f"{number}.txt", 1)
            read = Document("text", "\n\n".join(texts), f"Document {number}", "")
            ids = documents.write_content(connection, stored.id, read, spans)
            pieces = [Indexed(read.title, text) for text in texts]
            library.index.add(connection, stored.id, "", ids, pieces)
            library.index.add_vectors(connection, stored.id, name, ids, words.vectors(count))
            documents.set_status(connection, stored.id, "ready")


def sentences(words: Words) -> str:
    return " ".join(" ".join(words.draw(_WORDS)).capitalize() + "." for _ in range(_SENTENCES))


def questions(count: int) -> list[str]:
    words = Words(2)
    return [f"What is {' '.join(words.draw(int(words.random.integers(3, 9))))}?" for _ in range(count)]


async def timed(services: Services, question: str) -> tuple[float, float, float]:
    """Return the milliseconds to the first event, to the first words and to the complete answer."""
    begun = time.perf_counter()
    first = spoken = 0.0
    async for data in stream_answer(services.open_context(AskedQuestion(question=question))):
        now = (time.perf_counter() - begun) * 1000
        first = first or now
        if isinstance(data, events.Text):
            spoken = spoken or now
    return first, spoken or now, (time.perf_counter() - begun) * 1000


async def one_after_another(services: Services, asked: list[str]) -> list[tuple[float, float, float]]:
    for question in ("What is a warm up?", "And what is another?"):
        await timed(services, question)
    return [await timed(services, question) for question in asked]


async def all_at_once(services: Services, asked: list[str]) -> tuple[float, int, int]:
    """Return the seconds for all questions, the number of events, and the number lost, doubled or out of order."""
    conversations = Conversations(services)

    async def one(question: str) -> tuple[str, list[int]]:
        running = await conversations.ask(AskedQuestion(question=question))
        return running.conversation, [e.seq async for e in conversations.events("local", running.conversation)]

    begun = time.perf_counter()
    streamed = await asyncio.gather(*(one(question) for question in asked))
    taken = time.perf_counter() - begun
    wrong = 0
    for conversation, numbers in streamed:
        stored = [event.seq async for event in conversations.events("local", conversation)]
        wrong += len(set(stored) ^ set(numbers)) + (numbers != list(range(1, len(stored) + 1)))
    await conversations.close()
    return taken, sum(len(numbers) for _, numbers in streamed), wrong


class Talking(Models):
    """Models whose chat model repeats one sentence, word by word."""

    def roles(self, chat: str = "", system: str = "") -> Roles:
        return Roles(ChosenModel("bench:talking", FunctionModel(stream_function=talk)))


async def talk(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
    if len(messages) == 1 and info.function_tools:
        yield {0: DeltaToolCall("search_documents", '{"query": "warm up"}', tool_call_id="call_0")}
        return
    for number in range(_SPOKEN):
        for word in (
            f"In year {1900 + number} the dam held back so much of the river that the village below it was dry".split()
        ):
            yield f"{word} "
        yield "[1]. "


async def added(services: Services) -> tuple[float, float, int]:
    """Return the microseconds per word of the model alone and of the answer, and the number of words."""
    words = 0
    begun = time.perf_counter()
    async with Agent(FunctionModel(stream_function=talk)).run_stream_events("Talk.") as stream:
        async for _ in stream:
            words += 1
    alone = time.perf_counter() - begun
    services.models = Talking(services.settings)
    begun = time.perf_counter()
    async for _ in stream_answer(services.open_context(AskedQuestion(question="What did the dam hold back?"))):
        pass
    return alone * 1e6 / words, (time.perf_counter() - begun) * 1e6 / words, words


def measure(passages: int, asked: int, at_once: int, folder: Path) -> None:
    services = open_services(load_settings(data=folder / str(passages)))
    fill(services, passages)
    taken = np.array(asyncio.run(one_after_another(services, questions(asked))))
    columns = [f"{np.percentile(taken[:, i], 50):8.0f} {np.percentile(taken[:, i], 95):6.0f}" for i in range(3)]
    print(f"{passages:9d} " + "  ".join(columns), flush=True)
    if at_once:
        seconds, count, wrong = asyncio.run(all_at_once(services, questions(at_once)))
        print(
            f"          {at_once} at once: {seconds:.1f} s, {count:,} events, {wrong} lost or out of order", flush=True
        )
        alone, whole, words = asyncio.run(added(services))
        print(
            f"          {words:,} words of a model: {alone:.0f} µs each alone, {whole:.0f} as a judged answer",
            flush=True,
        )
    services.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--passages", default="1000,100000")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--at-once", type=int, default=100)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    print(describe_machine())
    print("milliseconds   first event    first words     whole answer")
    print(" passages      p50    p95      p50    p95      p50    p95")
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        sizes = [int(size) for size in given.passages.split(",")]
        for passages in sizes:
            measure(passages, given.questions, given.at_once if passages == sizes[-1] else 0, Path(folder))


if __name__ == "__main__":
    main()
