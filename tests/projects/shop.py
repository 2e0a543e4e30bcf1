"""A project of a few files, a reply that changes them, and the whole tree to compare."""

import os
import stat
from pathlib import Path

from pincite.projects.changes import apply_changes, plan_reply
from pincite.projects.project import Project, open_project

REPLY = """\
src/a.py
<<<<<<< SEARCH
one
=======
uno
>>>>>>> REPLACE

docs/new/b.md
<<<<<<< SEARCH
=======
# B
>>>>>>> REPLACE

DELETE src/old.py
RENAME src/c.py -> lib/c.py
"""


def open_shop(root: Path) -> Project:
    """A project with files of several modes and line endings."""
    (root / "src").mkdir(parents=True)
    (root / "src/a.py").write_bytes(b"zero\r\none\r\ntwo")
    (root / "src/c.py").write_bytes(b"\xef\xbb\xbfc = 1\n")
    (root / "src/old.py").write_bytes(b"old\xff\n")
    (root / "src/a.py").chmod(0o750)
    (root / "src/old.py").chmod(0o640)
    return open_project(root)


def snapshot(root: Path) -> dict[str, tuple[int, bytes | str | None]]:
    """The whole tree: mode and content of everything in it."""
    found: dict[str, tuple[int, bytes | str | None]] = {}
    for path in sorted(root.rglob("*")):
        mode = path.lstat().st_mode
        content = os.readlink(path) if stat.S_ISLNK(mode) else path.read_bytes() if stat.S_ISREG(mode) else None
        found[path.relative_to(root).as_posix()] = (mode, content)
    return found


def apply_reply(project: Project, journal: Path, reply: str = REPLY) -> str:
    return apply_changes(project, plan_reply(project.root, reply), journal).id


def create_files(*paths: str) -> str:
    """A reply that creates files."""
    return "\n".join(f"{path}\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n" for path in paths)
