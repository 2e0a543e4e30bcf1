"""Measure how fast real PDFs become searchable and ready, the resources used, and the time to the first hit.

python benchmarks/ingest.py FOLDER [--pages 600]
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from pincite.evaluate.machine_info import describe_machine
from pincite.types import Scope


@dataclass(frozen=True)
class Run:
    """One `pincite` process with its children: wall and CPU seconds, and peak memory of all together."""

    seconds: float
    cpu: float
    megabytes: float


def run(data: Path, *arguments: str, provider: str = "local") -> Run:
    environment = {**os.environ, "PINCITE_EMBEDDING__PROVIDER": provider}
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "pincite", *arguments, "--data", str(data)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    peak = [0.0]
    watcher = threading.Thread(target=_watch, args=(process.pid, peak), daemon=True)
    watcher.start()
    _, _, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    process.returncode = 0
    watcher.join()
    return Run(seconds, usage.ru_utime + usage.ru_stime, peak[0])


def _watch(root: int, peak: list[float]) -> None:
    while Path(f"/proc/{root}").exists():
        peak[0] = max(peak[0], sum(_resident(pid) for pid in _family(root)) / 1e6)
        time.sleep(0.1)


def _family(root: int) -> list[int]:
    family = [root]
    for pid in family:
        try:
            family += [
                int(child)
                for task in Path(f"/proc/{pid}/task").iterdir()
                for child in (task / "children").read_text().split()
            ]
        except OSError:
            continue
    return family


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def choose(folder: Path, pages: int) -> tuple[list[Path], int]:
    """Choose whole files in the order of their names until they have this many pages."""
    chosen, total = [], 0
    for path in sorted(folder.rglob("*.pdf")):
        if total >= pages:
            break
        document = pypdfium2.PdfDocument(path)
        total += len(document)
        document.close()
        chosen.append(path)
    return chosen, total


def first_hit(files: list[Path], data: Path, query: str) -> float:
    """Return the seconds from the start of `pincite add` until another process finds a passage."""
    begun = time.perf_counter()
    adding = subprocess.Popen(
        [sys.executable, "-m", "pincite", "add", *map(str, files), "--data", str(data)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    from pincite.library import open_library
    from pincite.search.search import PassageSearch
    from pincite.settings import load_settings

    try:
        settings = load_settings(data=data)
        library = open_library(settings)
        search = PassageSearch(library.database, library.index, None, settings)
        while not search.search(query, Scope(), mode="lexical"):
            if adding.poll() is not None:
                sys.exit(f"Nothing was found for {query!r}: choose words of the documents with --query.")
            time.sleep(0.02)
        library.close()
        return time.perf_counter() - begun
    finally:
        adding.terminate()
        adding.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=600, help="about how many pages to embed")
    parser.add_argument("--query", default="total net sales")
    given = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="pincite-bench-"))
    try:
        print(f"ingest: {describe_machine()}\n")
        print(f"{'pages':>7} {'files':>6} {'searchable, pages/CPU s':>24} {'pages/s':>8} {'MB':>6}")
        sizes = sorted({given.pages // 4, given.pages, 100_000})
        for size in sizes:
            files, pages = choose(given.folder, size)
            data = work / f"searchable-{size}"
            done = run(data, "add", *map(str, files), provider="none")
            rates = f"{pages / done.cpu:>24.1f} {pages / done.seconds:>8.1f}"
            print(f"{pages:>7} {len(files):>6} {rates} {done.megabytes:>6.0f}")
        files, pages = choose(given.folder, given.pages)
        data = work / "ready"
        done = run(data, "add", *map(str, files))
        listing = subprocess.run(
            [sys.executable, "-m", "pincite", "documents", "--json", "--data", str(data)],
            capture_output=True,
            check=True,
        )
        passages = sum(document["passages"] for document in json.loads(listing.stdout))
        stored = (data / "pincite.db").stat().st_size / pages / 1000
        rates = f"{pages / done.cpu:.2f} pages/CPU s, {pages / done.seconds:.2f}/s"
        print(f"\nready: {pages} pages, {passages} passages: {rates}, {done.megabytes:.0f} MB, {stored:.1f} kB/page")
        print(f"first hit: {first_hit(files, work / 'first', given.query):.2f} s after `pincite add` was started")
        for name in ("cold search (first)", "cold search (again)"):
            print(f"{name}: {run(data, 'search', given.query).seconds:.2f} s")
        print(f"cold search by words: {run(data, 'search', given.query, '--mode', 'lexical').seconds:.2f} s")
        bare = min(_seconds("-m", "pincite", "--help") for _ in range(5))
        print(f"pincite --help: {bare:.2f} s; python alone: {min(_seconds('-c', 'pass') for _ in range(5)):.2f} s")
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _seconds(*arguments: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
