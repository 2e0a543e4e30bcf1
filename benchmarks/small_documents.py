"""Measure the embedding of many small documents, with the built-in model or an endpoint that takes 30 ms a request.

python -m benchmarks.small_documents             # the built-in model
python -m benchmarks.small_documents --endpoint  # a server of the tests that speaks the protocol of TEI
"""

import argparse
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest import mock

from tests.tei import serving_tei
from tests.work import AtOnce

from pincite import jobs
from pincite.embedding import create_embedder
from pincite.jobs import StepProgress, Worker
from pincite.library import open_library
from pincite.settings import load_settings

_WORDS = "The committee met on {day} and agreed on point {number} of the agenda, the budget for the harbour."


def measure(data: Path, notes: int, **embedding: Any) -> None:
    """Add notes of one passage each, read them, and print the rate at which they are embedded."""
    settings = load_settings(data=data, embedding=embedding)
    library = open_library(settings)
    model = create_embedder(settings.embedding, data)
    assert model
    model.passages(["Load it, so that this does not count. " * 100])
    for number in range(notes):
        path = data / "note.txt"
        path.write_text(_WORDS.format(day=f"day {number}", number=number) * (1 + number % 3))
        library.add("local", path, name=f"{number}.txt", place=f"file:///{number}.txt")
    begun: list[float] = []

    def report(progress: StepProgress) -> None:
        if progress.step == "embed" and not begun:
            begun.append(time.monotonic())

    cpu = [0.0]

    def note(progress: StepProgress) -> None:
        if progress.step == "embed" and not begun:
            cpu[0] = time.process_time()
        report(progress)

    with mock.patch.object(jobs, "IsolatedProcess", return_value=AtOnce()):  # reading is not measured
        Worker(library, lambda: model, readers=1).run(report=note)
    seconds, cpu_seconds = time.monotonic() - begun[0], time.process_time() - cpu[0]
    print(f"{notes / seconds:.1f} documents embedded per second, {1000 * cpu_seconds / notes:.1f} ms of CPU each")
    library.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=500)
    parser.add_argument("--endpoint", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving_tei(seconds=0.03) if given.endpoint else nullcontext() as tei:
        embedding = {"provider": "tei", "url": tei.url} if tei else {}
        measure(Path(folder), given.notes, **embedding)
        if tei:
            print(f"{len(tei.batches)} requests")


if __name__ == "__main__":
    main()
