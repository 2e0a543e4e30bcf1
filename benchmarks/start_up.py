"""Measure the cost of a command that asks one question: CPU seconds (user and system) and time; print a table.

    python benchmarks/start_up.py [--runs 7] [--question "How high is the dam?"] [--against ANOTHER_CHECKOUT]

"cold" is the first run after the files of Python, its packages and Pincite were dropped from the file cache. "warm" is
the median of the later runs. "server" is the median while `pincite serve` runs on the same data; its own work is not
counted. "in a process" is the median of successive questions in a process that has answered one before. With
`--against`, runs of both checkouts alternate, so that a busy machine slows both alike, and there is no cold run.
Bytecode is compiled before the measurement, as in an installed program. The library contains the three sample
documents.
"""

import argparse
import os
import platform
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
_ASKED_AGAIN = """
import asyncio, sys, time
from pincite.cli.quick_start import prepare_quick_start
prepare_quick_start()
from pincite.answer.services import open_services
from pincite.answer.question import AskedQuestion
from pincite.answer.pipeline import stream_answer
from pincite.settings import load_settings

async def ask(services, question):
    async for _ in stream_answer(services.open_context(AskedQuestion(question=question))):
        pass

services = open_services(load_settings())
for number in range(int(sys.argv[2]) + 1):
    begun = time.process_time(), time.perf_counter()
    asyncio.run(ask(services, sys.argv[1]))
    if number:
        print(time.process_time() - begun[0], time.perf_counter() - begun[1])
services.close()
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """The CPU and wall time of a process."""

    cpu: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Checkout:
    """A version of the program, with its own data folder and compiled bytecode."""

    root: Path
    folder: Path

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        own = {
            "PINCITE_DATA": str(self.data),
            "PYTHONPATH": str(self.root / "src"),
            "PYTHONPYCACHEPREFIX": str(self.folder / "bytecode"),
        }
        return inherited | own

    @property
    def name(self) -> str:
        told = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=self.root, capture_output=True, text=True)
        return told.stdout.strip() or self.root.name


def measure(arguments: Sequence[str], checkout: Checkout) -> Cost:
    """Run a command and return its cost."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "pincite", *arguments],
        env=checkout.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"pincite {' '.join(arguments)} ended with {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - begun)


def measure_again(question: str, runs: int, checkout: Checkout) -> list[Cost]:
    """Ask a question repeatedly in one process and return the costs."""
    done = subprocess.run(
        [sys.executable, "-c", _ASKED_AGAIN, question, str(runs)],
        env=checkout.environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return [Cost(*map(float, line.split())) for line in done.stdout.splitlines()]


def drop_from_cache(folders: Sequence[Path]) -> None:
    """Drop the files of some folders from the system's file cache. Files that other processes use may stay."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix in (".py", ".pyc", ".so", ".bin", ".blob", ".model", ".db"):
                descriptor = os.open(path, os.O_RDONLY)
                try:
                    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                finally:
                    os.close(descriptor)


@contextmanager
def serving(checkout: Checkout) -> Iterator[None]:
    """Run a warm server on the data folder until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pincite", "serve", "--port", "0"],
        env=checkout.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        process.stdout.readline()
        measure(["ask", "What do these documents say?"], checkout)
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--question", default="How high is the dam?")
    parser.add_argument("--against", type=Path)
    given = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"load {os.getloadavg()[0]:.1f}\n")
    commands = [["--version"], ["search", given.question, "--json"], ["ask", given.question, "--json"]]
    packages = [Path(sysconfig.get_paths()[name]) for name in ("stdlib", "platlib")]
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder, ExitStack() as servers:
        roots = [ROOT, *([given.against.resolve()] if given.against else [])]
        checkouts = [Checkout(root, Path(folder) / str(number)) for number, root in enumerate(roots)]
        for checkout in checkouts:
            measure(["add", str(ROOT / "src" / "pincite" / "library" / "samples")], checkout)
        print("| command | | state | CPU s | s |\n|---|---|---|---|---|")
        for command in commands:
            alone = [*command, *([] if command == ["--version"] else ["--no-server"])]
            for checkout in checkouts:
                measure(alone, checkout)  # compiles what it imports
            if not given.against:
                drop_from_cache([*packages, ROOT / "src", Path(folder)])
                _tell(command, "cold", checkouts[0], [measure(alone, checkouts[0])])
            _alternate(command, "warm", alone, checkouts, given.runs)
        for checkout in checkouts:
            _tell(commands[2], "in a process", checkout, measure_again(given.question, given.runs, checkout))
        for checkout in checkouts:
            servers.enter_context(serving(checkout))
        for command in commands[1:]:
            _alternate(command, "server", command, checkouts, given.runs)


def _alternate(
    command: Sequence[str], case: str, arguments: Sequence[str], checkouts: Sequence[Checkout], runs: int
) -> None:
    costs: dict[Path, list[Cost]] = {checkout.root: [] for checkout in checkouts}
    for _ in range(runs):
        for checkout in checkouts:
            costs[checkout.root].append(measure(arguments, checkout))
    for checkout in checkouts:
        _tell(command, case, checkout, costs[checkout.root])


def _tell(command: Sequence[str], case: str, checkout: Checkout, costs: Sequence[Cost]) -> None:
    cpu, seconds = median(cost.cpu for cost in costs), median(cost.seconds for cost in costs)
    print(f"| `pincite {command[0]}` | {case} | {checkout.name} | {cpu:.2f} | {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
