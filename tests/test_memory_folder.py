"""The files of a test run are in memory, and nothing of them stays there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import memory_folder

WORK = """
import os, sys, tempfile
from pathlib import Path
from tests import memory_folder
memory_folder._MEMORY, memory_folder._ROOM = Path(sys.argv[1]), int(sys.argv[2])
memory_folder.use_memory_folder()
print(tempfile.gettempdir())
"""


def run(memory: Path, room: int, **variables: str) -> Path:
    """The temporary folder of a process that puts its files into this memory if it has so much room."""
    kept = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
    command = [sys.executable, "-c", WORK, str(memory), str(room)]
    done = subprocess.run(command, env={**kept, **variables}, check=True, capture_output=True, text=True)
    return Path(done.stdout.strip())


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has files in memory.")
def test_files_are_in_memory_until_the_run_ends_and_those_of_a_killed_run_until_the_next(tmp_path: Path) -> None:
    killed, going_on, new = (tmp_path / f"{memory_folder._NAME}{name}" for name in ("killed", "going-on", "new"))
    for folder in (killed, going_on, new):
        folder.mkdir()
    (killed / memory_folder._LOCK).touch()
    assert memory_folder._lock(going_on)
    assert run(tmp_path, room=1).is_relative_to(tmp_path)
    assert set(tmp_path.iterdir()) == {going_on, new}


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has files in memory.")
def test_files_are_elsewhere_without_room_and_where_the_user_says(tmp_path: Path) -> None:
    assert not run(tmp_path / "memory", room=1).is_relative_to(tmp_path)
    assert not run(tmp_path, room=10**18).is_relative_to(tmp_path)
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    assert run(tmp_path, room=1, TMPDIR=str(chosen)) == chosen
