"""Split a document's text into slices and pack its blocks, so that a span can be read without the whole."""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import get_args

from pincite.types import Block, BlockKind

SLICE = 32_768

_KINDS: tuple[BlockKind, ...] = get_args(BlockKind)


def split_slices(text: str) -> Iterator[tuple[int, str]]:
    """Yield the text in pieces of SLICE characters, each with its start."""
    for start in range(0, len(text), SLICE):
        yield start, text[start : start + SLICE]


def replace_unstorable(text: str) -> str:
    """Replace each character that a database rejects by one mark, so that every offset stays valid."""
    # The readers already replace these; this is the last check.
    text = text.replace("\0", "\ufffd")
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def pack_blocks(blocks: Sequence[Block]) -> bytes:
    """Pack blocks into a few bytes each. Kinds are stored by name, so that their order may change."""
    kinds = sorted({block.kind for block in blocks})
    rows = [[kinds.index(block.kind), block.start, block.end - block.start, block.level] for block in blocks]
    return zlib.compress(json.dumps([kinds, rows], separators=(",", ":")).encode(), 6)


def unpack_blocks(packed: bytes) -> tuple[Block, ...]:
    """Unpack the blocks that `pack_blocks` packed."""
    names, rows = json.loads(zlib.decompress(packed))
    kinds = [_KINDS[_KINDS.index(name)] for name in names]
    return tuple(Block(kinds[kind], start, start + length, level) for kind, start, length, level in rows)
