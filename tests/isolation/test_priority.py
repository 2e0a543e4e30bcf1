"""The process that reads in the background gives way to the server; one that somebody waits for does not."""

import os
from pathlib import Path

import pytest
from tests.hostile.processes import descendants

from pincite.isolation.child_process import IsolatedProcess
from pincite.isolation.priority import BACKGROUND_NICENESS
from pincite.settings import ReadingSettings

OWN = os.getpriority(os.PRIO_PROCESS, 0)

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="Children are listed in /proc alone.")


def start_child(tmp_path: Path, reader: IsolatedProcess) -> int:
    """Let the process do one task; its id."""
    before = set(descendants(os.getpid()))
    page = tmp_path / "page.html"
    page.write_text("<p>Nothing.</p>")
    reader.run("list_links", 60, page, url="https://example.org/")
    (child,) = set(descendants(os.getpid())) - before
    return child


def test_a_process_in_the_background_has_a_lower_priority(tmp_path: Path) -> None:
    with IsolatedProcess(ReadingSettings(), is_background=True) as reader:
        child = start_child(tmp_path, reader)
        for thread in Path(f"/proc/{child}/task").iterdir():
            assert os.getpriority(os.PRIO_PROCESS, int(thread.name)) == max(OWN, BACKGROUND_NICENESS) > 0


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="This kernel shares by processes alone.")
def test_the_session_of_a_process_in_the_background_has_a_lower_priority(tmp_path: Path) -> None:
    with IsolatedProcess(ReadingSettings(), is_background=True) as reader:
        child = start_child(tmp_path, reader)
        said = Path(f"/proc/{child}/autogroup").read_text()
        assert said != Path("/proc/self/autogroup").read_text()
        assert said.split()[-1] == str(BACKGROUND_NICENESS)


def test_a_process_that_somebody_waits_for_keeps_its_priority(tmp_path: Path) -> None:
    with IsolatedProcess(ReadingSettings()) as reader:
        assert os.getpriority(os.PRIO_PROCESS, start_child(tmp_path, reader)) == OWN
