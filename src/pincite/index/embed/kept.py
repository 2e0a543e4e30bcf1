"""Files that are costly to make, kept in a folder that is whole or absent, and checked each time it is opened."""

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


def is_sound(folder: Path) -> bool:
    """Whether the folder is there with every file it was kept with, byte for byte."""
    try:
        sums = json.loads((folder / _SUMS).read_bytes())
        return bool(sums) and all(_sum(folder / name) == known for name, known in sums.items())
    except (OSError, ValueError, AttributeError):
        return False


def keep(folder: Path, files: Mapping[str, bytes | memoryview]) -> None:
    """Put the folder in place in one step, whoever else does the same and whenever this is killed."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    _sweep(folder.parent)
    making = folder.parent / f".making-{secrets.token_hex(8)}"
    making.mkdir()
    try:
        for name, content in files.items():
            _write(making / name, content)
        sums = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        _write(making / _SUMS, json.dumps(sums).encode())
        _swap(making, folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _write(path: Path, content: bytes | memoryview) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _swap(making: Path, folder: Path) -> None:
    # A folder cannot be renamed onto another. Whatever stands there, unsound or just made by another process, is moved
    # aside first; in between the folder is absent, which a reader takes for "not made yet".
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
            continue  # another process was quicker
        return


def _sweep(parent: Path) -> None:
    """Remove what killed processes left behind."""
    for left in parent.glob(".making-*"):
        try:
            if time.time() - left.stat().st_mtime > _HOUR:
                shutil.rmtree(left, ignore_errors=True)
        except FileNotFoundError:
            pass  # another process swept it


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
