"""Describe the machine and the commit of a measurement."""

import os
import platform
import subprocess
from pathlib import Path


def describe_machine() -> str:
    """Return one line: version, commit, Python, processor and cores."""
    from pincite import __version__

    python = platform.python_version()
    return f"pincite {__version__} ({_find_commit()}), Python {python}, {_find_processor()}, {os.cpu_count()} cores"


def _find_commit() -> str:
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except OSError:
        return "no commit"
    return done.stdout.strip() or "no commit"


def _find_processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    flags = next((line for line in lines if line.startswith("flags")), "")
    return name + (" with AMX" if "amx_bf16" in flags else "")
