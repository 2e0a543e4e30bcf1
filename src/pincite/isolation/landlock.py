"""Restrict this process with Landlock: it gives up files, the network and signals to other processes.

Versions of the interface: 1 files, 2 moves between folders, 3 truncation, 4 TCP, 5 devices, 6 signals and abstract
sockets. A kernel without Landlock, or with Landlock switched off, has version 0.
"""

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on all architectures
_VERSION, _BENEATH = 1, 1
_SET_NO_NEW_PRIVS = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE = 1 << 14
_KNOWN = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # how many rights about files a version knows
_TCP = 0b11  # bind and connect
_SCOPES = 0b11  # abstract sockets and signals
READ = _READ_FILE | _READ_FOLDER
RUN = READ | _EXECUTE
WRITE = _READ_FILE | _WRITE_FILE | _TRUNCATE
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE


def find_version() -> int:
    """Return the version of Landlock in the kernel; 0 when there is none."""
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(_long(_CREATE), None, _long(0), ctypes.c_uint32(_VERSION))))


def restrict(allowed: Iterable[tuple[Path, int]]) -> int:
    """Restrict this thread, and everything it starts, to the allowed files and folders, each with its rights.

    Paths that do not exist are skipped. Return the version that is in force, 0 when none is.
    """
    if not (version := find_version()):
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    known = (1 << _KNOWN.get(version, max(_KNOWN.values()))) - 1
    attributes = struct.pack("=Q", known)
    if version >= 4:
        attributes += struct.pack("=Q", _TCP)
    if version >= 6:
        attributes += struct.pack("=Q", _SCOPES)
    ruleset = int(libc.syscall(_long(_CREATE), attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0)))
    if ruleset < 0:
        return 0
    try:
        for path, rights in allowed:
            with suppress(OSError):
                _allow_path(libc, ruleset, path, rights & known)
        if libc.prctl(_SET_NO_NEW_PRIVS, *map(ctypes.c_ulong, (1, 0, 0, 0))):
            return 0
        failed = libc.syscall(_long(_RESTRICT), ctypes.c_int(ruleset), ctypes.c_uint32(0))
    finally:
        os.close(ruleset)
    return 0 if failed else version


def _allow_path(libc: ctypes.CDLL, ruleset: int, path: Path, rights: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _OF_FILES
        rule = struct.pack("=Qi", rights, place)
        libc.syscall(_long(_ADD), ctypes.c_int(ruleset), ctypes.c_int(_BENEATH), rule, ctypes.c_uint32(0))
    finally:
        os.close(place)


def _long(value: int) -> ctypes.c_long:
    return ctypes.c_long(value)
