"""Tell the commit of this program: written into a package when it is built, or asked of git in a checkout."""

import subprocess
from pathlib import Path

_PACKAGE = Path(__file__).parent


def find_commit() -> str:
    """Return the commit, with `-dirty` after changes, or "" if it is not known."""
    written = _PACKAGE / "commit.txt"
    if written.is_file():
        return written.read_text(encoding="utf-8").strip()
    if _PACKAGE.parent.name != "src":
        return ""  # an installed package, and perhaps inside the checkout of another project
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=_PACKAGE,
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
