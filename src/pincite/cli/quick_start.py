"""What a command that answers one question does before anything large is imported, so that it starts sooner."""

import gc
import os
import sys

_OBJECTS = 100_000  # made between two collections; the default of 700 spends a tenth of the start on imports


def prepare_quick_start() -> None:
    """Skip work that only a long-running process needs. What the environment already says is left as it is."""
    if "numpy" in sys.modules:
        return  # too late to matter, as in a process that runs several commands
    # More threads than one cost several times the CPU on products as small as those of one question.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # we have none, and looking for some takes a while
    gc.set_threshold(_OBJECTS)
    # httpx's own command line draws in Rich's syntax colours; httpx expects that it may be absent.
    sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
