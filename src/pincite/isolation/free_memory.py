"""Give freed memory back to the operating system."""

import ctypes
import gc
from collections.abc import Callable
from functools import cache


def give_memory_back() -> None:
    """Return free memory to the system, where the C library can. A large document leaves much behind.

    Garbage is not collected here: that stops every thread, and parts of a document refer to each other in no circles.
    """
    _find_trim()(0)


def keep_loaded_objects() -> None:
    """Let the collection of garbage leave out all objects that exist now; call it when everything is loaded.

    Modules and routes are some 200,000 objects. A collection that looks at them stops every thread for a tenth of a
    second on an idle machine, and for longer on a busy one.
    """
    gc.freeze()


@cache
def _find_trim() -> Callable[[int], object]:
    try:
        found: Callable[[int], object] = ctypes.CDLL(None).malloc_trim
        return found
    except (AttributeError, OSError, TypeError):
        return lambda pad: None  # not the GNU C library
