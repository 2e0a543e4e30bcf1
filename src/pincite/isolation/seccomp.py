"""Filter the system calls of the isolated process (seccomp) with a program for the kernel's packet filter.

A refused call fails with EPERM, so that a library sees an error and goes on. The filter lists the refused calls,
because libraries and versions of Python differ in the calls that they make.
"""

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable, Sequence
from typing import Literal

from pincite.isolation import system_calls as calls

Architecture = Literal["x86_64", "aarch64"]
Instruction = tuple[int, int, int, int]  # the operation, the jumps if true and if false, and a constant

ALLOW = 0x7FFF0000
KILL = 0x80000000
REFUSE = 0x00050000 | errno.EPERM
UNKNOWN = 0x00050000 | errno.ENOSYS  # libraries then use the older call, whose arguments a filter can read

_AUDIT: dict[Architecture, int] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000  # the bit of calls of the x32 interface, on x86_64
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in the kernel's data on a call
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_NAMESPACES = 0x7E020000
_THREAD = 0x00010000
_SET_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 38, 22, 2


def find_architecture() -> Architecture | None:
    """Return the architecture of this machine; None when there is no filter for it."""
    if sys.platform != "linux" or struct.calcsize("P") != 8:
        return None
    return next((known for known in _AUDIT if known == platform.machine()), None)


def make_program(architecture: Architecture, *, may_start_programs: bool) -> list[Instruction]:
    """Return the filter: no network, no changes to files, no other processes, and no programs unless allowed."""
    column = 0 if architecture == "x86_64" else 1
    refused = [calls.NETWORK, calls.OTHER_PROCESSES, calls.CHANGES_TO_FILES, calls.ADMINISTRATION]
    if not may_start_programs:
        refused.append(calls.PROGRAMS)
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, _AUDIT[architecture]),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if architecture == "x86_64":
        program += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, REFUSE)]
    for group in refused:
        program += _make_answers((pair[column] for pair in group.values()), REFUSE)
    program += _make_answers([calls.CLONE3[column], calls.OPENAT2[column]], UNKNOWN)
    program += _inspect(calls.OPEN[column], [*_load_argument(1), *_refuse_any_bit(_WRITING)])
    program += _inspect(calls.OPENAT[column], [*_load_argument(2), *_refuse_any_bit(_WRITING)])
    clone = [*_load_argument(0), *_refuse_any_bit(_NAMESPACES)]
    if not may_start_programs:
        clone += [(_ANY_BIT, 1, 0, _THREAD), (_RETURN, 0, 0, REFUSE)]
    program += _inspect(calls.CLONE[column], clone)
    own = [*_load_argument(0), (_EQUAL, 1, 0, 0), (_RETURN, 0, 0, REFUSE)]
    program += _inspect(calls.PRLIMIT64[column], own)  # 0 is the process itself
    return [*program, (_RETURN, 0, 0, ALLOW)]


def install(program: Sequence[Instruction]) -> bool:
    """Install a filter for this thread and everything it starts. Return whether the kernel accepted it."""
    libc = ctypes.CDLL(None, use_errno=True)
    packed = b"".join(struct.pack("<HBBI", *instruction) for instruction in program)
    held = ctypes.create_string_buffer(packed, len(packed))
    given = struct.pack("@HP", len(program), ctypes.addressof(held))
    if libc.prctl(_SET_NO_NEW_PRIVS, *_longs(1, 0, 0, 0)):
        return False
    return not libc.prctl(_SET_SECCOMP, ctypes.c_ulong(_FILTER), given, *_longs(0, 0))


def _longs(*values: int) -> tuple[ctypes.c_ulong, ...]:
    # prctl takes longs, and ctypes would pass numbers as ints whose upper half is undefined.
    return tuple(map(ctypes.c_ulong, values))


def _make_answers(numbers: Iterable[int | None], action: int) -> list[Instruction]:
    """Return instructions that answer any of the calls with an action."""
    return [
        instruction
        for number in numbers
        if number is not None
        for instruction in ((_EQUAL, 0, 1, number), (_RETURN, 0, 0, action))
    ]


def _inspect(number: int | None, instructions: list[Instruction]) -> list[Instruction]:
    """Return instructions for one call only. The call is allowed at their end."""
    if number is None:
        return []
    return [(_EQUAL, 0, len(instructions) + 1, number), *instructions, (_RETURN, 0, 0, ALLOW)]


def _load_argument(index: int) -> list[Instruction]:
    """Return the instruction that loads the lower half of an argument, which has all relevant flags."""
    return [(_LOAD, 0, 0, _ARGUMENTS + 8 * index)]


def _refuse_any_bit(bits: int) -> list[Instruction]:
    return [(_ANY_BIT, 0, 1, bits), (_RETURN, 0, 0, REFUSE)]
