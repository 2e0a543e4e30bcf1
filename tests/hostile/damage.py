"""Damage to sound files: a few bytes, a missing piece, a wrong length, a broken member of a container."""

import io
import re
import struct
import zipfile
from collections.abc import Callable
from random import Random

from tests import files

Deed = Callable[[Random, bytes], bytes]


def damage(chance: Random, data: bytes) -> bytes:
    """The data after one deed chosen by chance."""
    return chance.choice(DEEDS)(chance, data)


def flip(chance: Random, data: bytes) -> bytes:
    """Change a few bytes, anywhere."""
    damaged = bytearray(data)
    for _ in range(chance.choice((1, 3, 10, 100))):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    return bytes(damaged)


def cut(chance: Random, data: bytes) -> bytes:
    """Take the end away, or the beginning, or a piece from the middle."""
    first, last = sorted(chance.randrange(1, len(data)) for _ in range(2))
    return chance.choice((data[:last], data[first:], data[:first] + data[last:]))


def double(chance: Random, data: bytes) -> bytes:
    """Put a piece of it somewhere else too."""
    first, last = sorted(chance.randrange(len(data)) for _ in range(2))
    place = chance.randrange(len(data))
    return data[:place] + data[first:last] + data[place:]


def renumber(chance: Random, data: bytes) -> bytes:
    """Make a number in it huge, negative or nothing: lengths, counts, offsets."""
    numbers = list(re.finditer(rb"\d{1,10}", data))
    if not numbers:
        return flip(chance, data)
    chosen = chance.choice(numbers)
    return data[: chosen.start()] + chance.choice((b"99999999999", b"-1", b"0")) + data[chosen.end() :]


def mismeasure(chance: Random, data: bytes) -> bytes:
    """Change a four-byte length to something else."""
    place = chance.randrange(max(len(data) - 4, 1))
    return data[:place] + struct.pack("<I", chance.choice((0, 1, 2**31, 2**32 - 1))) + data[place + 4 :]


def damage_inside(chance: Random, data: bytes) -> bytes:
    """Damage one member of a container before it is packed again, or leave it out, or make it of something else."""
    if data[:2] != b"PK":
        return flip(chance, data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice([name for name, content in members.items() if content])
    deed = chance.choice((flip, cut, double, renumber, None))
    if deed:
        members[name] = deed(chance, members[name])
    elif chance.random() < 0.5:
        del members[name]
    else:
        members[name] = b"<a>" * 10_000
    return files.zipped(dict(members))


DEEDS: tuple[Deed, ...] = (flip, cut, double, renumber, mismeasure, damage_inside)
