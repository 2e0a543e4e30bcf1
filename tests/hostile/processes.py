"""Measure the memory and CPU time of a process and of all that it started, from /proc."""

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(process: int) -> float:
    """The CPU time of a process, of those it started, and of those of them that have ended."""
    total = 0.0
    for each in (process, *descendants(process)):
        fields = _fields(each)
        total += sum(int(fields[place]) for place in (11, 12, 13, 14)) / _TICKS if fields else 0.0
    return total


def descendants(process: int) -> list[int]:
    """The processes that a process started, and those that they started."""
    found, todo = list[int](), [process]
    while todo:
        started = _children(todo.pop())
        found += started
        todo += started
    return found


def peak_megabytes(processes: list[int]) -> float:
    """The most memory that one of the processes held since `forget_peaks`."""
    return max((_peak(process) for process in processes), default=0.0)


def forget_peaks(processes: list[int]) -> None:
    """Let the kernel measure the most memory of these processes anew."""
    for process in processes:
        try:
            Path(f"/proc/{process}/clear_refs").write_text("5")
        except OSError:
            continue  # it has ended, or is shielded; then its peak is that of its whole life


def _children(process: int) -> list[int]:
    """The processes that the threads of a process started."""
    found: list[int] = []
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            found += map(int, file.read_text().split())
        except OSError:
            continue  # the thread has ended
    return found


def _peak(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return max((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), default=0.0)


def _fields(process: int) -> list[str]:
    """The fields of /proc/PID/stat behind the name; none when the process has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
