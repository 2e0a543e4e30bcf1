"""What hatchling runs before it builds a package: check that the page is there, and write down the commit."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PAGE = "src/pincite/server/page/index.html"
_COMMIT = "src/pincite/commit.txt"


class PackageBuildHook(BuildHookInterface[BuilderConfig]):
    """Stop a build that would make a package without its page. An editable install may lack it."""

    PLUGIN_NAME = "custom"
    _folder = ""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        if not (root / _PAGE).is_file():
            raise SystemExit(
                f"The page is not built: there is no {_PAGE}, and a package without it would serve no page.\n"
                "Run `make page` first, or `make dist`, which does both."
            )
        if (root / _COMMIT).is_file():
            return  # a source package, which has the commit of its checkout
        if commit := os.environ.get("SOURCE_COMMIT") or _ask_git(root):
            self._folder = tempfile.mkdtemp()
            written = Path(self._folder) / "commit.txt"
            written.write_text(commit + "\n", encoding="utf-8")
            inside = "pincite/commit.txt" if self.target_name == "wheel" else _COMMIT
            build_data["force_include"][str(written)] = inside

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _ask_git(root: Path) -> str:
    if not (root / ".git").exists():
        return ""  # git would answer for a checkout around this folder
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty"],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
