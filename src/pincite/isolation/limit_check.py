"""Check which limits of the isolated process are in force: a real child tries to break each of them."""

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.isolation import landlock
from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.probe import FAMILIES

if TYPE_CHECKING:
    from pincite.settings import ReadingSettings

_SECONDS = 60.0
_VARIABLE = "PINCITE_PROBE"
_LANDLOCK = "Linux with Landlock enforces it: version 5.13 or newer, with `landlock` in its list of security modules."
_SECCOMP = "Linux on x86_64 and aarch64 enforces it, unless a container forbids filters of system calls."
_SIGNALS = "Linux 6.12 or newer with Landlock enforces it."


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit, whether it held, and the requirement that a system must meet to enforce it."""

    detail: str
    is_enforced: bool
    remedy: str


def check_limits(settings: "ReadingSettings") -> list[Limit]:
    """Try every limit in a child that reads documents, and the limit on programs in one that parses web pages."""
    with tempfile.TemporaryDirectory(prefix="pincite-check-") as folder:
        outside, given = Path(folder) / "outside.txt", Path(folder) / "given.txt"
        outside.write_text("Another document.")
        given.write_text("The document that is read.")
        got = _try_in_child(settings, outside, given)
        got_by_parser = _try_in_child(settings.model_copy(update={"ocr": ""}), outside, given)
    version = f" (Landlock {found})" if (found := landlock.find_version()) else ""

    def judge(detail: str, attempts: tuple[str, ...], remedy: str) -> Limit:
        return Limit(detail, not any(got[attempt] for attempt in attempts if attempt in got), remedy)

    return [
        judge("environment: a reader sees none of your keys", ("see_variable",), "Please report this."),
        judge(
            f"files: a reader reads the document it is given and no other{version}",
            ("read_file", "list_folder", "read_parent"),
            _LANDLOCK,
        ),
        judge("changes: a reader writes, changes and removes no file", ("write_file", "change_mode"), _SECCOMP),
        judge("network: a reader opens no connection", FAMILIES, _SECCOMP),
        judge("signals: a reader cannot end other programs", ("signal_parent",), _SIGNALS),
        judge(f"memory: a reader gets no more than {settings.memory_mb:,} MB", ("allocate",), "Linux enforces it."),
        Limit("programs: a parser of web pages starts none", not got_by_parser["start_program"], _SECCOMP),
    ]


def _try_in_child(settings: "ReadingSettings", outside: Path, given: Path) -> dict[str, bool]:
    request = {"outside": str(outside), "variable": _VARIABLE, "memory_mb": settings.memory_mb}
    os.environ[_VARIABLE] = "a key"
    try:
        with IsolatedProcess(settings) as child:
            found: dict[str, bool] = json.loads(child.run("probe", _SECONDS, given, **request))
    finally:
        del os.environ[_VARIABLE]
    return found
