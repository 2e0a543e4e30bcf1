"""Memory that was freed and that the C library keeps for later, given back to the system."""

import ctypes
import gc
from collections.abc import Callable
from functools import cache


def give_memory_back() -> None:
    """Return what is free to the system, where the C library can; a large document leaves much behind."""
    gc.collect()
    _trim()(0)


@cache
def _trim() -> Callable[[int], object]:
    try:
        found: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
        return found
    except (AttributeError, OSError, TypeError):
        return lambda pad: None  # not the GNU C library
