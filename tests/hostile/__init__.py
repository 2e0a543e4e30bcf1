"""Hostile files and web pages, made from a seed: each kind grows with a size, and is known by a name."""

import importlib
import random

from tests.hostile.kinds import KINDS, Kind

__all__ = ["KINDS", "Kind", "make"]

for _room in ("texts", "data", "pages", "messages", "office", "sheets", "pdfs", "pictures"):
    importlib.import_module(f"tests.hostile.{_room}")


def make(kind: str, size: int, seed: int = 1) -> bytes:
    """The bytes of a file of a kind; the same size and seed give the same bytes."""
    return KINDS[kind].make(random.Random(f"{kind} {seed}"), size)
