"""Set the limits of the isolated process: its environment, files, network, memory and programs.

A limit that the system does not offer is skipped without an error: the deadline of the parent always holds. `pincite
doctor` reports the limits that are in force.
"""

import io
import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pincite.isolation import landlock, seccomp
from pincite.isolation.priority import lower_priority

# Variables that a library or Python needs. All others, such as the keys of providers, stay with the parent.
_NAMES = frozenset(
    {
        *("PATH", "LANG", "LANGUAGE", "TZ", "TESSDATA_PREFIX"),
        *("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONHASHSEED", "PYTHONPYCACHEPREFIX"),
        *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "FONTCONFIG_PATH", "FONTCONFIG_FILE"),
        *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "PATHEXT", "COMSPEC", "NUMBER_OF_PROCESSORS"),
    }
)
_SET = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OMP_THREAD_LIMIT": "1",
    "PYTHONIOENCODING": "utf-8",
    "PYTHONDONTWRITEBYTECODE": "1",
}
_OPEN_FILES = 128
_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/nix/store", "/gnu/store", "/opt/conda")
_SYSTEM_FILES = (
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types", "/etc/fonts", "/dev/urandom"),
    *("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
)


@dataclass(frozen=True, slots=True)
class SandboxRules:
    """The limits of a child: its memory, one more file that it may read, and whether it may start programs.

    OCR needs to start programs.
    """

    memory_mb: int
    file: Path | None = None
    may_start_programs: bool = False
    is_background: bool = False


@dataclass(frozen=True, slots=True)
class SandboxStatus:
    """The limits that the system enforces: the version of Landlock (0: none), and whether calls are filtered."""

    landlock: int
    seccomp: bool


def write_rules(rules: SandboxRules) -> str:
    """Return the rules as an argument of the child's command."""
    file = str(rules.file) if rules.file else ""
    return json.dumps([rules.memory_mb, file, rules.may_start_programs, rules.is_background])


def read_rules(given: str) -> SandboxRules:
    """Return the rules that `write_rules` wrote."""
    memory_mb, file, may_start_programs, is_background = json.loads(given)
    return SandboxRules(int(memory_mb), Path(file) if file else None, bool(may_start_programs), bool(is_background))


def clean_environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of the isolated process: only the variables that Python and libraries need."""
    kept = {name: value for name, value in given.items() if name.upper() in _NAMES or name.startswith("LC_")}
    return kept | _SET


def restrict(rules: SandboxRules) -> SandboxStatus:
    """Give up all rights that reading does not need, for the rest of this process. Call it before any thread starts."""
    import tempfile

    if rules.is_background:
        lower_priority()  # before the filter of calls, which refuses it
    _limit_resources(rules.memory_mb)
    tempfile.TemporaryFile = _open_in_memory  # type: ignore[assignment]  # the process may write no file
    version = landlock.restrict(_list_places(rules))
    architecture = seccomp.find_architecture()
    if architecture is None:
        return SandboxStatus(version, False)
    program = seccomp.make_program(architecture, may_start_programs=rules.may_start_programs)
    return SandboxStatus(version, seccomp.install(program))


def limit_cpu(seconds: float) -> None:
    """End this process after so many more seconds of CPU time. A later call moves the limit."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    with suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        limit = int(used.ru_utime + used.ru_stime + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))


def _open_in_memory(*_: object, **__: object) -> io.BytesIO:
    return io.BytesIO()


def _limit_resources(memory_mb: int) -> None:
    """Limit memory, open files, written files and core dumps.

    The number of processes is limited by the system call filter, because the system's own limit counts all programs of
    a user.
    """
    try:
        import resource
    except ImportError:
        return
    limits = {
        resource.RLIMIT_AS: memory_mb * 1_000_000,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for kind, limit in limits.items():
        with suppress(ValueError, OSError):  # some systems have no such limit, or a lower one
            resource.setrlimit(kind, (limit, limit))


def _list_places(rules: SandboxRules) -> Iterator[tuple[Path, int]]:
    """Yield the files and folders that the process may use: Python, its packages, shared libraries, and one file."""
    runnable = landlock.RUN if rules.may_start_programs else landlock.READ
    for folder in _SYSTEM:
        yield Path(folder), runnable
    for file in _SYSTEM_FILES:
        yield Path(file), landlock.READ
    yield Path(os.devnull), landlock.WRITE
    yield from ((folder, landlock.READ) for folder in _list_python_folders())
    if rules.may_start_programs and (program := shutil.which("tesseract")):
        yield Path(program).resolve(), landlock.RUN
    if data := os.environ.get("TESSDATA_PREFIX"):
        yield Path(data), landlock.READ
    if rules.file:
        yield rules.file, landlock.READ


def _list_python_folders() -> Iterator[Path]:
    """Yield the folders of Python's own files and of the packages."""
    import sysconfig

    named = sysconfig.get_paths()
    yield from (Path(named[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    yield Path(sys.base_prefix) / "lib"
    yield from (Path(folder) for folder in sys.path if folder and Path(folder) != Path(folder).parent)
    if sys.pycache_prefix:
        yield Path(sys.pycache_prefix)
