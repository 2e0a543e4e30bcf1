"""The filter of system calls, run by an interpreter of the kernel's packet filter: so both architectures are tested."""

import errno
import os
import struct

import pytest

from pincite.isolation import system_calls as calls
from pincite.isolation.seccomp import ALLOW, KILL, REFUSE, UNKNOWN, Architecture, Instruction, make_program

AUDIT: dict[Architecture, int] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Calls that Python, pdfium and tesseract make all the time: read, write, mmap, exit_group, futex.
NEEDED: dict[Architecture, list[int]] = {"x86_64": [0, 1, 9, 231, 202], "aarch64": [63, 64, 222, 94, 98]}


def judge(program: list[Instruction], number: int, *arguments: int, audit: int) -> int:
    """Return what the kernel does with a system call under the filter."""
    seen = struct.pack("<IIQ6Q", number, audit, 0, *arguments, *[0] * (6 - len(arguments)))
    at, held = 0, 0
    while True:
        code, if_true, if_false, constant = program[at]
        at += 1
        match code:
            case 0x20:
                (held,) = struct.unpack_from("<I", seen, constant)
            case 0x15:
                at += if_true if held == constant else if_false
            case 0x35:
                at += if_true if held >= constant else if_false
            case 0x45:
                at += if_true if held & constant else if_false
            case 0x06:
                return constant
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


@pytest.fixture(params=["x86_64", "aarch64"])
def architecture(request: pytest.FixtureRequest) -> Architecture:
    found: Architecture = request.param
    return found


@pytest.mark.parametrize("may_start_programs", [True, False])
def test_the_calls_of_a_reader_are_allowed_and_the_rest_refused(
    architecture: Architecture, may_start_programs: bool
) -> None:
    program = make_program(architecture, may_start_programs=may_start_programs)
    column = list(AUDIT).index(architecture)
    audit = AUDIT[architecture]
    assert {judge(program, number, audit=audit) for number in NEEDED[architecture]} == {ALLOW}
    for group in (calls.NETWORK, calls.OTHER_PROCESSES, calls.CHANGES_TO_FILES, calls.ADMINISTRATION):
        for name, numbers in group.items():
            if (number := numbers[column]) is not None:
                assert judge(program, number, audit=audit) == REFUSE, name
    expected = ALLOW if may_start_programs else REFUSE
    for name, numbers in calls.PROGRAMS.items():
        if (number := numbers[column]) is not None:
            assert judge(program, number, audit=audit) == expected, name


def test_files_are_opened_for_reading_alone(architecture: Architecture) -> None:
    program, audit = make_program(architecture, may_start_programs=True), AUDIT[architecture]
    opens = [
        (numbers[list(AUDIT).index(architecture)], place) for numbers, place in ((calls.OPEN, 1), (calls.OPENAT, 2))
    ]
    for number, place in opens:
        if number is None:
            continue
        for flags, expected in {
            os.O_RDONLY | os.O_CLOEXEC: ALLOW,
            os.O_WRONLY: REFUSE,
            os.O_RDWR: REFUSE,
            os.O_RDONLY | os.O_CREAT: REFUSE,
            os.O_RDONLY | os.O_TRUNC: REFUSE,
        }.items():
            assert judge(program, number, *[0] * place, flags, audit=audit) == expected, flags


def test_threads_are_allowed_where_programs_are_not_and_namespaces_nowhere(architecture: Architecture) -> None:
    clone, audit = calls.CLONE[list(AUDIT).index(architecture)], AUDIT[architecture]
    assert clone is not None
    thread, fork, new_user = 0x3D0F00, 17, 0x10000000 | 17
    reader, parser = (make_program(architecture, may_start_programs=may) for may in (True, False))
    assert [judge(reader, clone, flags, audit=audit) for flags in (thread, fork, new_user)] == [ALLOW, ALLOW, REFUSE]
    assert [judge(parser, clone, flags, audit=audit) for flags in (thread, fork, new_user)] == [ALLOW, REFUSE, REFUSE]


def test_limits_of_the_parent_cannot_be_set(architecture: Architecture) -> None:
    program, number = (
        make_program(architecture, may_start_programs=True),
        calls.PRLIMIT64[list(AUDIT).index(architecture)],
    )
    assert number is not None
    assert judge(program, number, 0, audit=AUDIT[architecture]) == ALLOW
    assert judge(program, number, os.getppid(), audit=AUDIT[architecture]) == REFUSE


def test_calls_whose_arguments_cannot_be_seen_look_as_if_the_kernel_were_older(architecture: Architecture) -> None:
    program, column = make_program(architecture, may_start_programs=True), list(AUDIT).index(architecture)
    for numbers in (calls.CLONE3, calls.OPENAT2):
        number = numbers[column]
        assert number is not None
        assert judge(program, number, audit=AUDIT[architecture]) == UNKNOWN
    assert UNKNOWN & 0xFFFF == errno.ENOSYS


def test_calls_in_the_layout_of_another_architecture_are_not_let_through() -> None:
    program = make_program("x86_64", may_start_programs=True)
    assert judge(program, 0, audit=0x40000003) == KILL  # 32 bits
    assert judge(program, 0x40000000 | 41, audit=AUDIT["x86_64"]) == REFUSE  # x32


def test_every_jump_stays_inside_the_program(architecture: Architecture) -> None:
    program = make_program(architecture, may_start_programs=False)
    assert len(program) < 4096  # as many as the kernel takes
    for at, (code, if_true, if_false, _) in enumerate(program):
        if code in (0x15, 0x35, 0x45):
            assert 0 <= max(if_true, if_false) < 256
            assert at + 1 + max(if_true, if_false) < len(program)
    assert program[-1][0] == 0x06
