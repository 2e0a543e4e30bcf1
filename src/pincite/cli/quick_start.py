"""How a command that answers one question starts sooner, and ends sooner."""

import atexit
import gc
import os
import sys

# Made between two collections. One question makes fewer, and searching them for garbage takes a tenth of its CPU; a
# command that runs for long, as one that writes a report, still collects.
_OBJECTS = 1_000_000


def prepare_quick_start() -> None:
    """Skip work that only a long-running process needs. What the environment already says is left as it is.

    This is called before anything large is imported.
    """
    if "numpy" in sys.modules:
        return  # too late to matter, as in a process that runs several commands
    # More threads than one cost several times the CPU on products as small as those of one question.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # we have none, and looking for some takes a while
    gc.set_threshold(_OBJECTS)
    # The interpreter ends by searching all modules for garbage, a tenth of the CPU. Objects that nothing refers to are
    # freed as always; frozen ones that refer to each other are left to the system, which takes the memory back anyway.
    atexit.register(gc.freeze)
    # httpx's own command line draws in Rich's syntax colours; httpx expects that it may be absent.
    sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
