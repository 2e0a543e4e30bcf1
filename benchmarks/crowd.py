"""Measure many simultaneous questions to a real `pincite serve`; print a table.

    python benchmarks/crowd.py [--tree before=DIR] [--tree after=DIR] [--at-once 10,50,100] [--rounds 3]
                               [--questions 2000] [--uploads 20] [--embedder local]

A tree is a checkout; without one, this checkout is measured. Every round measures all trees in turn, each with its own
server and data, so that a busy machine slows all of them alike. The library contains short texts about invented towns;
no language model is used. The client measures the time to the first event and to the complete answer from the moment it
connects. It checks that the events of each stream are numbered without a gap and end with `message_completed`. "CPU" is
the processor time of the server. "lock" is the time that another program waits for the write lock of the database,
measured ten times a second. `--questions` asks that many questions, twenty at once. `--uploads` sends that many PDFs of
100 pages while fifty questions are asked, and reports the memory of the server before and after.
"""

import argparse
import asyncio
import json
import os
import platform
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

HERE = Path(__file__).parent
_TOWNS = 150
_SIDE_BY_SIDE = 20  # questions at once of `--questions`
_PAGES = 100


@dataclass(frozen=True, slots=True)
class Tree:
    """A checkout and its name in the table."""

    name: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds to the first event and to the last, and whether every event arrived once and in order."""

    first: float
    whole: float
    complete: bool


@dataclass(slots=True)
class Server:
    """A server process and its address."""

    process: "subprocess.Popen[str]"
    host: str
    port: int
    data: Path

    def memory(self) -> float:
        """The resident memory in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return 0.0

    def cpu(self) -> float:
        """The processor time used so far, in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Before:
    """The resources a server had used before a case."""

    memory: float
    cpu: float


@dataclass(slots=True)
class LockTimer:
    """Repeatedly takes the write lock of a SQLite database, and records the waiting times."""

    database: Path
    waited: list[float] = field(default_factory=list)
    _ended: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        connection = sqlite3.connect(self.database, isolation_level=None, timeout=60)
        while not self._ended.wait(0.1):
            begun = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            self.waited.append(time.perf_counter() - begun)
            connection.execute("ROLLBACK")
        connection.close()

    def stop(self) -> None:
        self._ended.set()


@contextmanager
def timing_locks(server: Server) -> Iterator[LockTimer]:
    timer = LockTimer(server.data / "pincite.db")
    thread = threading.Thread(target=timer.run)
    thread.start()
    try:
        yield timer
    finally:
        timer.stop()
        thread.join()


def write_texts(folder: Path) -> list[str]:
    """Write the texts of the library. Return the questions about them."""
    draw = random.Random(1)
    folder.mkdir()
    questions = []
    for number in range(_TOWNS):
        town = "".join(draw.choice(("ba", "ren", "mo", "li", "tar", "os", "vel", "kin")) for _ in range(3)).title()
        town = f"{town}{chr(97 + number % 26)}"
        arches, year, height = draw.randint(3, 40), draw.randint(1500, 1990), draw.randint(20, 300)
        (folder / f"{number}.txt").write_text(
            f"The town of {town}\n\n{town} lies on the river between two hills. The bridge of {town} has {arches} "
            f"arches and was built in {year}. Travellers paid a toll there until the railway came.\n\n"
            f"The tower of {town} is {height} metres high. It holds the archive of the council, and its bell is rung "
            f"at noon. The market of {town} is held on the first Monday of each month.\n"
        )
        questions += [f"How many arches does the bridge of {town} have?", f"How high is the tower of {town}?"]
    draw.shuffle(questions)
    return questions


def environment(tree: Tree, data: Path, embedder: str) -> dict[str, str]:
    paths = [str(tree.folder / "src"), *filter(None, [os.environ.get("PYTHONPATH", "")])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "PINCITE_DATA": str(data),
        "PINCITE_EMBEDDING__PROVIDER": embedder,
    }


@contextmanager
def serving(python: str, tree: Tree, data: Path, embedder: str) -> Iterator[Server]:
    """Run a server on the data folder until the block ends."""
    process = subprocess.Popen(
        [python, "-m", "pincite", "serve", "--port", "0"],
        env=environment(tree, data, embedder),
        cwd=tree.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout
        said = process.stdout.readline()
        if "http://" not in said:
            sys.exit(f"{tree.name}: the server did not start: {said}")
        place = urlsplit(said.split()[3])
        yield Server(process, place.hostname or "", place.port or 0, data)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


async def ask(server: Server, question: str) -> Timed:
    """Ask a question in a new conversation, over a new connection."""
    begun = time.perf_counter()
    first = 0.0
    numbers, last = [], ""
    reader, writer = await asyncio.open_connection(server.host, server.port, limit=1 << 24)
    try:
        _request(writer, server, "/api/chat", json.dumps({"message": question}).encode(), "application/json")
        async for line in reader:
            if line.startswith(b"event: "):
                first = first or time.perf_counter() - begun
                last = line[7:].decode().strip()
            elif line.startswith(b"id: "):
                numbers.append(int(line[4:]))
    finally:
        writer.close()
    complete = last == "message_completed" and numbers == list(range(1, len(numbers) + 1))
    return Timed(first, time.perf_counter() - begun, complete)


async def upload(server: Server, name: str, content: bytes) -> None:
    """Upload a file and wait for the server's response."""
    reader, writer = await asyncio.open_connection(server.host, server.port)
    mark = "boundary0123456789"
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    body = head + content + f"\r\n--{mark}--\r\n".encode()
    _request(writer, server, "/api/documents", body, f"multipart/form-data; boundary={mark}")
    status = await reader.readline()
    if b" 20" not in status:
        sys.exit(f"an upload was refused: {status.decode()}")
    await reader.read()
    writer.close()


async def wait_for_reading(server: Server) -> None:
    """Wait until all documents are read."""
    while True:
        reader, writer = await asyncio.open_connection(server.host, server.port)
        writer.write(f"GET /ready HTTP/1.1\r\nHost: {server.host}:{server.port}\r\nConnection: close\r\n\r\n".encode())
        said = await reader.read()
        writer.close()
        if b'"waiting":0' in said:
            return
        await asyncio.sleep(0.5)


def _request(writer: asyncio.StreamWriter, server: Server, path: str, body: bytes, kind: str) -> None:
    lines = (
        f"POST {path} HTTP/1.1",
        f"Host: {server.host}:{server.port}",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


async def all_at_once(server: Server, questions: Sequence[str]) -> list[Timed]:
    return list(await asyncio.gather(*(ask(server, question) for question in questions)))


async def side_by_side(server: Server, questions: Sequence[str], at_once: int) -> list[Timed]:
    waiting = iter(questions)

    async def one_after_another() -> list[Timed]:
        return [await ask(server, question) for question in waiting]

    timed = await asyncio.gather(*(one_after_another() for _ in range(at_once)))
    return [each for one in timed for each in one]


def row(case: str, tree: Tree, timed: Sequence[Timed], server: Server, before: Before, locks: LockTimer) -> str:
    first = [each.first for each in timed]
    whole = [each.whole for each in timed]
    broken = sum(not each.complete for each in timed)
    return (
        f"| {case} | {tree.name} | {share(first, 50):.2f} | {share(first, 95):.2f} | {share(whole, 50):.2f} "
        f"| {share(whole, 95):.2f} | {server.cpu() - before.cpu:.1f} "
        f"| {1000 * share(locks.waited, 99):.0f} | {before.memory:.0f} | {server.memory():.0f} | {broken} |"
    )


def share(values: Sequence[float], percent: int) -> float:
    """Return a percentile of the values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, -(-percent * len(ordered) // 100) - 1)] if ordered else 0.0


def measure(case: str, tree: Tree, server: Server, questions: Sequence[str], at_once: int = 0) -> None:
    before = Before(server.memory(), server.cpu())
    with timing_locks(server) as locks:
        asking = side_by_side(server, questions, at_once) if at_once else all_at_once(server, questions)
        timed = asyncio.run(asking)
    print(row(case, tree, timed, server, before, locks), flush=True)


def measure_uploads(tree: Tree, server: Server, questions: Sequence[str], pdfs: Sequence[bytes]) -> None:
    async def both() -> list[Timed]:
        sending = asyncio.gather(*(upload(server, f"{n}.pdf", content) for n, content in enumerate(pdfs)))
        timed = await side_by_side(server, questions, 5)
        await sending
        await wait_for_reading(server)
        return timed

    before = Before(server.memory(), server.cpu())
    with timing_locks(server) as locks:
        timed = asyncio.run(both())
    time.sleep(2)  # let the server free the memory of the last file
    print(row(f"{len(pdfs)} uploads", tree, timed, server, before, locks), flush=True)


def make_pdf(number: int) -> bytes:
    """Return a unique PDF of 100 pages."""
    from fpdf import FPDF

    pdf = FPDF(unit="pt", format="A4")
    pdf.set_font("Helvetica", size=11)
    for page in range(_PAGES):
        pdf.add_page()
        words = f"Report {number}, page {page + 1}. The committee reviewed the budget of district {number} and found "
        words += f"that the cost of item {page} had risen to {1000 + 7 * page + number} euros since the last spring. "
        pdf.multi_cell(475, 14, words * 12)
    return bytes(pdf.output())


def describe_machine(trees: Sequence[Tree]) -> str:
    commits = []
    for tree in trees:
        command = ["git", "describe", "--always", "--dirty"]
        done = subprocess.run(command, cwd=tree.folder, capture_output=True, text=True, check=False)
        commits.append(f"{tree.name} {done.stdout.strip() or '(no repository)'}")
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    return f"{machine}; {', '.join(commits)}; load {os.getloadavg()[0]:.1f}"


def _tree(given: str) -> Tree:
    name, _, folder = given.rpartition("=")
    return Tree(name or Path(folder).name, Path(folder).resolve())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=_tree, action="append", help="NAME=FOLDER of a checkout; may be given again")
    parser.add_argument("--python", default=sys.executable, help="the interpreter of the servers")
    parser.add_argument("--at-once", default="10,50,100")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--questions", type=int, default=0)
    parser.add_argument("--uploads", type=int, default=0)
    parser.add_argument("--embedder", default="none", help="none, or local for the model that comes with Pincite")
    given = parser.parse_args()
    trees = given.tree or [Tree("here", HERE.parent)]
    print(describe_machine(trees))
    print("seconds; lock in ms (p99); memory of the server in MB; broken: streams with a lost or doubled event\n")
    print("| case | tree | first p50 | p95 | whole p50 | p95 | CPU | lock | before | after | broken |")
    print("|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    sizes = [int(size) for size in given.at_once.split(",") if size]
    with tempfile.TemporaryDirectory(prefix="pincite-crowd-") as folder:
        texts = Path(folder) / "texts"
        questions = write_texts(texts)
        for tree in trees:
            adding = [given.python, "-m", "pincite", "add", str(texts)]
            data = Path(folder) / tree.name
            variables = environment(tree, data, given.embedder)
            subprocess.run(adding, env=variables, cwd=tree.folder, check=True, capture_output=True)
        for _ in range(given.rounds):
            for size in sizes:
                for tree in trees:
                    with serving(given.python, tree, Path(folder) / tree.name, given.embedder) as server:
                        asyncio.run(side_by_side(server, questions[-6:], 2))  # warm up the server
                        measure(f"{size} at once", tree, server, (questions * 10)[:size])
        pdfs = [make_pdf(number) for number in range(given.uploads)]
        for tree in trees:
            with serving(given.python, tree, Path(folder) / tree.name, given.embedder) as server:
                asyncio.run(side_by_side(server, questions[-6:], 2))
                if given.questions:
                    many = (questions * (given.questions // len(questions) + 1))[: given.questions]
                    measure(f"{given.questions} questions", tree, server, many, _SIDE_BY_SIDE)
                if pdfs:
                    measure_uploads(tree, server, questions[:50], pdfs)


if __name__ == "__main__":
    main()
