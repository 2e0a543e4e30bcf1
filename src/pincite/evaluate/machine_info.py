"""Describe the machine and the commit of a measurement."""

import os
import platform
from pathlib import Path


def describe_machine() -> str:
    """Return one line: version, commit, Python, processor and cores."""
    from pincite import __version__
    from pincite.commit import find_commit

    python = platform.python_version()
    commit = find_commit() or "no commit"
    return f"pincite {__version__} ({commit}), Python {python}, {_find_processor()}, {os.cpu_count()} cores"


def _find_processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    flags = next((line for line in lines if line.startswith("flags")), "")
    return name + (" with AMX" if "amx_bf16" in flags else "")
