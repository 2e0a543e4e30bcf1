"""Give freed memory back to the operating system, and find out how much of it is left."""

import ctypes
import gc
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path


def give_memory_back() -> None:
    """Return free memory to the system, where the C library can. A large document leaves much behind.

    Garbage is not collected here: that stops every thread, and the parts of a document have no circular references.
    """
    _find_trim()(0)


def keep_loaded_objects() -> None:
    """Let the collection of garbage leave out all objects that exist now; call it when everything is loaded.

    Modules and routes are some 200,000 objects. A collection that looks at them stops every thread for a tenth of a
    second on an idle machine, and for longer on a busy one.
    """
    gc.freeze()


def find_free_memory() -> int | None:
    """Return the bytes that programs can still take: of the machine, or of the container if it has less."""
    found: list[int] = []
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        found.append(1024 * int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1]))
    with suppress(OSError, ValueError):  # "max" is no number: the container has no limit
        group = Path("/sys/fs/cgroup")
        most = int((group / "memory.max").read_text())
        found.append(most - int((group / "memory.current").read_text()) + _read_file_cache(group))
    return min(found, default=None)


def _read_file_cache(group: Path) -> int:
    """Return the bytes of files that the system keeps in memory as long as nothing else needs it."""
    lines = (line.split() for line in (group / "memory.stat").read_text().splitlines())
    return sum(int(value) for name, value in lines if name == "inactive_file")


@cache
def _find_trim() -> Callable[[int], object]:
    try:
        found: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
        return found
    except (AttributeError, OSError, TypeError):
        return lambda pad: None  # not the GNU C library
