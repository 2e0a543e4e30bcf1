"""Measure how fast web pages are fetched, read and stored, and the time of an answer from the web without its engine.

    python benchmarks/web_speed.py [--questions 20] [--engine 0.3] [--folder DIR]

Pages are those of `web_site.py`, 20 to 170 kB of HTML each, over HTTP on this machine: the figures do not include the
latency of the internet. Answers are by `extractive` with focus `web` from the four best pages; the time of the search
engine is subtracted."""

import argparse
import asyncio
import resource
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from web_site import KINDS, TOWNS, Web, answered, look_up, made, question, served

from pincite import events
from pincite.answer.page_reader import PageReader
from pincite.answer.pipeline import stream_answer
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services, open_services
from pincite.evaluate.machine_info import describe_machine
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.document_parts import encode_contents
from pincite.library import Library
from pincite.library.web_snapshots import archive_page
from pincite.reading.source import Source
from pincite.settings import Settings, load_settings
from pincite.web.fetch import Fetched
from pincite.web.polite_client import PoliteClient

_AT_ONCE = 8
_HOST = "one.example"


def configured(web: Web, folder: Path, **manners: float) -> Settings:
    given = {
        "allow": [f"127.0.0.1:{web.port}"],
        "render": False,
        "search_url": f"http://127.0.0.1:{web.port}",
        **manners,
    }
    return load_settings(data=folder, web=given)


async def read(browsing: PageReader, urls: Sequence[str]) -> float:
    """Read pages, several at a time. Return the pages per second."""
    slots = asyncio.Semaphore(_AT_ONCE)

    async def one(url: str) -> None:
        async with slots:
            await browsing.read("local", url)

    begun = time.perf_counter()
    await asyncio.gather(*(one(url) for url in urls))
    return len(urls) / (time.perf_counter() - begun)


def rate(services: Services, settings: Settings, urls: Sequence[str]) -> tuple[float, float]:
    """Return pages per second, and pages per CPU second of this process and its readers, including their start."""
    browsing, before = (
        PageReader(services.library, PoliteClient(settings, services.library.web_parser, look_up)),
        _cpu(),
    )
    try:
        pages = asyncio.run(read(browsing, urls))
    finally:
        browsing.close()
        services.library.web_parser.close()  # the CPU time of a child counts when it has ended
    return pages, len(urls) / (_cpu() - before)


def _cpu() -> float:
    """Return the CPU seconds of this process and of its ended children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def rates(web: Web, folder: Path) -> None:
    everywhere = [web.url(town, kind) for town in TOWNS for kind in KINDS]
    one_host = [web.url(town, kind, _HOST) for town in TOWNS for kind in KINDS]
    cases = {
        "one host, no manners": (one_host, {"pause_seconds": 0, "per_host": 10}),
        "one host, as by default": (one_host[:16], {}),
        "a hundred hosts, as by default": (everywhere, {}),
    }
    print(f"\n{'pages':<32} {'':>6} {'new, a second':>14} {'a CPU s':>8} {'known, a second':>16} {'a CPU s':>8}")
    for name, (urls, manners) in cases.items():
        settings = configured(web, folder / name.replace(" ", "-"), **manners)
        services = open_services(settings)
        new, known = rate(services, settings, urls), rate(services, settings, urls)
        figures = f"{new[0]:>14.1f} {new[1]:>8.1f} {known[0]:>16.1f} {known[1]:>8.1f}"
        print(f"{name:<32} {len(urls):>6} {figures}", flush=True)
        services.close()


@dataclass(frozen=True)
class Cost:
    """Milliseconds for one page: to fetch, to read, to split into passages, and to write and index it."""

    fetched: float
    read: float
    split: float
    kept: float


async def cost(library: Library, visitor: PoliteClient, reader: IsolatedProcess, url: str, path: Path) -> Cost:
    times = [time.perf_counter()]
    came = await visitor.visit(url, path)
    assert isinstance(came, Fetched)
    times.append(time.perf_counter())
    document = reader.read(Source(came.path, came.name))
    times.append(time.perf_counter())
    for _ in encode_contents(document, library.recipe()):
        pass
    times.append(time.perf_counter())
    archive_page(library, "local", reader, Source(came.path, came.name), url, {})
    times.append(time.perf_counter())
    fetched, took, split, kept = (1000 * (after - before) for before, after in pairwise(times))
    return Cost(fetched, took, split, kept - split - took)  # to keep it is to read and split it again


def costs(web: Web, folder: Path) -> None:
    settings = configured(web, folder / "costs", pause_seconds=0)
    services = open_services(settings)
    visitor = PoliteClient(settings, services.library.web_parser, look_up)
    with IsolatedProcess(settings.reading) as reader:

        async def all_of_them() -> list[Cost]:
            urls = [web.url(town, kind) for town in TOWNS for kind in KINDS]
            return [await cost(services.library, visitor, reader, url, folder / "page") for url in urls]

        found = asyncio.run(all_of_them())[1:]  # the first one starts the reader
    sizes = [len(made(town, kind)) / 1000 for town in TOWNS for kind in KINDS]
    print(f"\nmilliseconds a page, one after another, {min(sizes):.0f} to {max(sizes):.0f} kB   p50    p95")
    for name in ("fetched", "read", "split", "kept"):
        taken = [getattr(each, name) for each in found]
        print(f"{name:<52} {np.percentile(taken, 50):6.1f} {np.percentile(taken, 95):6.1f}")
    services.close()


async def timed(services: Services, town: str, engine: float) -> tuple[float, float, bool]:
    """Return the milliseconds to the first words and to the complete answer without the engine, and correctness."""
    begun, spoken, right = time.perf_counter(), 0.0, False
    async for data in stream_answer(services.open_context(AskedQuestion(question=question(town), focus="web"))):
        now = (time.perf_counter() - begun - engine) * 1000
        if isinstance(data, events.Text):
            spoken = spoken or now
        if isinstance(data, events.Answer):
            right = f"{answered(town)} weeks" in data.answer
    return spoken or now, now, right


def answers(web: Web, folder: Path, asked: int, engine: float) -> None:
    settings = configured(web, folder / "answers")
    services = open_services(settings)
    services.page_reader = PageReader(services.library, PoliteClient(settings, services.library.web_parser, look_up))

    async def one_after_another(towns: Sequence[str]) -> list[tuple[float, float, bool]]:
        return [await timed(services, town, engine) for town in towns]

    cold = asyncio.run(one_after_another(TOWNS[-1:]))[0][1]
    print(f"\nthe first question of a process, which starts the readers and loads the embedder: {cold:.0f} ms")
    print(f"\nmilliseconds beyond the engine's {engine:g} s      first words     whole answer")
    print(f"{asked} questions, four pages each          p50    p95      p50    p95    right")
    for name in ("pages that are new", "pages that are known"):
        taken = np.array(asyncio.run(one_after_another(TOWNS[:asked])))
        first, whole = (f"{np.percentile(taken[:, i], 50):6.0f} {np.percentile(taken[:, i], 95):6.0f}" for i in (0, 1))
        print(f"{name:<36} {first}   {whole}   {taken[:, 2].mean():6.0%}", flush=True)
    services.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--engine", type=float, default=0.3, help="seconds the search engine takes")
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    print(f"web: {describe_machine()}", flush=True)
    with tempfile.TemporaryDirectory(dir=given.folder) as name, served(given.engine) as web:
        folder = Path(name)
        rates(web, folder)
        costs(web, folder)
        answers(web, folder, min(given.questions, len(TOWNS) - 1), given.engine)


if __name__ == "__main__":
    main()
