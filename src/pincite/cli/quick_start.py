"""Reduce the start-up and shutdown time of a command that answers one question."""

import atexit
import gc
import os
import sys

# New objects between two garbage collections. One question creates fewer, and collecting would take a tenth of its CPU
# time. A long-running command, such as one that writes a report, still collects.
_OBJECTS = 1_000_000


def prepare_quick_start() -> None:
    """Skip work that only a long-running process needs. Environment variables that are already set keep their values.

    Call it before any large module is imported.
    """
    if "numpy" in sys.modules:
        return  # too late to have an effect, as in a process that runs several commands
    # For matrices as small as those of one question, several threads use several times the CPU time of one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # we use none, and searching for plugins takes time
    gc.set_threshold(_OBJECTS)
    # At exit the interpreter searches all modules for garbage, which takes a tenth of the CPU time. Unreferenced
    # objects are still freed. Frozen reference cycles are not; the system reclaims their memory when the process ends.
    atexit.register(gc.freeze)
    # The command line of httpx imports the syntax colours of Rich; httpx works without that module.
    sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
