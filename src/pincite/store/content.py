"""How a document's text and structure are laid down: in slices, so that a span is read without the whole."""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import get_args

from pincite.types import Block, BlockKind

SLICE = 32_768

_KINDS: tuple[BlockKind, ...] = get_args(BlockKind)


def slices(text: str) -> Iterator[tuple[int, str]]:
    """The text in pieces of SLICE characters, each with its start."""
    for start in range(0, len(text), SLICE):
        yield start, text[start : start + SLICE]


def storable(text: str) -> str:
    """A text in which every character that no database takes became one mark, so that every offset stays true."""
    # Readers clean these; this is the last gate.
    text = text.replace("\0", "\ufffd")
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def pack_blocks(blocks: Sequence[Block]) -> bytes:
    """Blocks as a few bytes each; kinds go by name, so that the order of the kinds may change."""
    kinds = sorted({block.kind for block in blocks})
    rows = [[kinds.index(block.kind), block.start, block.end - block.start, block.level] for block in blocks]
    return zlib.compress(json.dumps([kinds, rows], separators=(",", ":")).encode(), 6)


def unpack_blocks(packed: bytes) -> tuple[Block, ...]:
    """The blocks that `pack_blocks` packed."""
    names, rows = json.loads(zlib.decompress(packed))
    kinds = [_KINDS[_KINDS.index(name)] for name in names]
    return tuple(Block(kinds[kind], start, start + length, level) for kind, start, length, level in rows)
