"""Measure the memory of a process that reads uploads: before, after twenty of a hundred pages, and after a pause.

    python benchmarks/upload_memory.py --uploads 20 --pages 100

The worker runs in this process, as in the server. The local model computes vectors, unless --no-vectors is given.
"""

import argparse
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from fpdf import FPDF

from pincite.embedding import create_embedder
from pincite.jobs import Worker
from pincite.library import open_library
from pincite.settings import load_settings
from pincite.store import job_queue

WORDS = (
    "The committee met in spring and agreed that the bridge over the river needs new cables before winter. "
    "Its report lists the costs of each part, the years in which they fall due, and who is to pay for them. "
)


def make_pdf(path: Path, pages: int, number: int) -> None:
    pdf = FPDF(unit="pt", format="A4")
    pdf.set_font("Helvetica", size=10)
    for page in range(pages):
        pdf.add_page()
        pdf.multi_cell(0, 12, "\n\n".join(f"{number}.{page}.{part} {WORDS * 2}" for part in range(5)))
    pdf.output(str(path))


def resident() -> int:
    """Return the resident memory of this process in megabytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) // 1000
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uploads", type=int, default=20)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--no-vectors", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pincite-memory-") as folder:
        chosen: dict[str, Any] = {"embedding": {"provider": "none"}} if given.no_vectors else {}
        library = open_library(load_settings(data=Path(folder) / "data", **chosen))
        model = None if given.no_vectors else create_embedder(library.settings.embedding, library.settings.data)
        worker = Worker(library, lambda: model)
        thread = threading.Thread(target=worker.run, kwargs={"until_done": False})
        thread.start()
        for number in range(given.uploads + 1):
            path = Path(folder) / f"{number}.pdf"
            make_pdf(path, given.pages if number else 2, number)
            library.add("local", path)
            if number in (0, given.uploads):  # the first one loads everything that is loaded once
                wait(library)
                print(f"after {number} uploads: {resident()} MB", flush=True)
        worker.stop()
        thread.join()
        print(f"at rest: {resident()} MB")
        library.close()


def wait(library: object) -> None:
    while True:
        with library.database.reading() as connection:  # type: ignore[attr-defined]
            if not job_queue.count_pending(connection).total:
                return
        time.sleep(0.2)


if __name__ == "__main__":
    main()
