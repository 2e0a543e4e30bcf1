"""Store files that are costly to make in a folder that is complete or absent, and check it each time it is opened."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

_SUMS = "checksums.json"
_HOUR = 3600


def is_intact(folder: Path) -> bool:
    """Return whether the folder exists with all its files unchanged."""
    try:
        sums = json.loads((folder / _SUMS).read_bytes())
        return bool(sums) and all(_hash_file(folder / name) == known for name, known in sums.items())
    except (OSError, ValueError, AttributeError):
        return False


def write_folder(folder: Path, files: Mapping[str, bytes | memoryview]) -> None:
    """Replace the folder in one step, safely against other processes and crashes."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(folder.parent)
    making = folder.parent / f".making-{secrets.token_hex(8)}"
    making.mkdir()
    try:
        for name, content in files.items():
            _write_file(making / name, content)
        sums = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        _write_file(making / _SUMS, json.dumps(sums).encode())
        _swap_folder(making, folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _write_file(path: Path, content: bytes | memoryview) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _swap_folder(making: Path, folder: Path) -> None:
    # A folder cannot be renamed onto another. An existing one, damaged or just made by another process, is moved away
    # first; in between the folder is absent, which a reader takes for "not made yet".
    for _ in range(3):
        old = folder.parent / f".making-{secrets.token_hex(8)}"
        try:
            folder.rename(old)
        except FileNotFoundError:
            pass
        else:
            shutil.rmtree(old, ignore_errors=True)
        try:
            making.rename(folder)
        except OSError:
            continue  # another process was faster
        return


def _remove_leftovers(parent: Path) -> None:
    """Remove the leftovers of killed processes."""
    for left in parent.glob(".making-*"):
        try:
            if time.time() - left.stat().st_mtime > _HOUR:
                shutil.rmtree(left, ignore_errors=True)
        except FileNotFoundError:
            pass  # another process removed it


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
