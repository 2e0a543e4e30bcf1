"""A small project for tests: a folder of code and text, and services that were opened on it."""

from pathlib import Path
from typing import Any

from pincite.answer.services import Services
from tests.turns import Script, open_test_services

RETRY = '''"""Retry requests that failed."""

import time

ATTEMPTS = 3


def compute_delay(attempt: int) -> float:
    """Return the seconds to wait before an attempt: they double each time."""
    return 0.5 * 2**attempt


def send_with_retries(send, request):
    for attempt in range(ATTEMPTS):
        try:
            return send(request)
        except ConnectionError:
            time.sleep(compute_delay(attempt))
    raise ConnectionError("gave up")
'''
SHAPES = """from dataclasses import dataclass


@dataclass
class Circle:
    radius: float

    def area(self) -> float:
        return 3.14159 * self.radius**2


@dataclass
class Square:
    side: float

    def area(self) -> float:
        return self.side**2
"""
README = """# Sketches

Draws shapes and sends them to a printer.

## Installing

Run `make install`. It needs Python 3.11.
"""
FILES = {
    "src/net/retry.py": RETRY,
    "src/shapes.py": SHAPES,
    "README.md": README,
    "web/app.ts": "export function drawCircle(radius: number): void {\n  paper.circle(radius);\n}\n",
    ".env": "PRINTER_PASSWORD=hunter2\n",
    ".gitignore": "build/\n",
    "build/out.py": "compute_delay = None\n",
}


def make_project(folder: Path, files: dict[str, str | bytes] | None = None) -> Path:
    """A folder with these files."""
    for path, content in (files if files is not None else dict(FILES)).items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def open_project_services(
    tmp_path: Path,
    script: Script | None = None,
    files: dict[str, str | bytes] | None = None,
    texts: dict[str, str] | None = None,
    **given: Any,
) -> Services:
    """Services that was started on a project called `sketches`."""
    root = make_project(tmp_path / "sketches", files)
    own = given.pop("projects", {})
    return open_test_services(tmp_path, texts or {}, script, projects={"folders": [root], **own}, **given)
