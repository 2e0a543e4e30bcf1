"""Measures what a command costs that asks one question: CPU seconds (user and system) and time, as a table.

    python benchmarks/start_up.py [--runs 3] [--question "How high is the dam?"]

"cold" is the first run after the files of Python, its packages and Pincite were dropped from the file cache; "warm" the
best of the runs after it; "server" the best while `pincite serve` runs on the same data, whose own work is not counted.
The library holds the three files of samples/.
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
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took."""

    cpu: float
    seconds: float


def measure(arguments: Sequence[str], data: Path) -> Cost:
    """Run a command to its end."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "pincite", *arguments],
        env={**os.environ, "PINCITE_DATA": str(data)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"pincite {' '.join(arguments)} ended with {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - begun)


def drop_from_cache(folders: Sequence[Path]) -> None:
    """Ask the system to forget the files of some folders; what another process has open stays."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix in (".py", ".pyc", ".so", ".bin", ".blob", ".model", ".db"):
                descriptor = os.open(path, os.O_RDONLY)
                try:
                    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                finally:
                    os.close(descriptor)


@contextmanager
def serving(data: Path) -> Iterator[None]:
    """A server on the data folder, warm, until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pincite", "serve", "--port", "0"],
        env={**os.environ, "PINCITE_DATA": str(data)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        process.stdout.readline()
        measure(["ask", "What do these documents say?"], data)
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--question", default="How high is the dam?")
    given = parser.parse_args()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {commit.stdout.strip()}")
    print(f"load {os.getloadavg()[0]:.1f}\n")
    commands = [["--version"], ["search", given.question, "--json"], ["ask", given.question, "--json"]]
    packages = [Path(sysconfig.get_paths()[name]) for name in ("stdlib", "platlib")]
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
        data = Path(folder) / "data"
        measure(["add", str(ROOT / "samples")], data)
        print("| command | | CPU s | s |\n|---|---|---|---|")
        for command in commands:
            drop_from_cache([*packages, ROOT / "src", data])
            _tell(command, "cold", measure([*command, *_alone(command)], data))
            warm = [measure([*command, *_alone(command)], data) for _ in range(given.runs)]
            _tell(command, "warm", min(warm, key=lambda cost: cost.cpu))
        with serving(data):
            for command in commands[1:]:
                served = [measure(command, data) for _ in range(given.runs)]
                _tell(command, "server", min(served, key=lambda cost: cost.cpu))


def _alone(command: Sequence[str]) -> list[str]:
    return [] if command == ["--version"] else ["--no-server"]


def _tell(command: Sequence[str], case: str, cost: Cost) -> None:
    print(f"| `pincite {command[0]}` | {case} | {cost.cpu:.2f} | {cost.seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
