"""A program that is forked from a warm process does the same as one that is started from nothing."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import program
from tests.clock import PATIENCE
from tests.thorough import keep_some
from tests.warm_process import ForkedProgram, start_program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux forks the program.")
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}


@pytest.mark.parametrize(
    "arguments",
    keep_some(
        [["documents"], ["--version"], ["documents", "--nope"], ["nothing"], ["locate", "gone.pdf", "--text", "é"]],
        one_in=5,
    ),
)
def test_its_output_and_its_status_are_the_same(tmp_path: Path, arguments: list[str]) -> None:
    variables = program.environment(tmp_path / "data")
    forked = start_program(*arguments, env=variables, cwd=tmp_path, **PIPES)
    assert isinstance(forked, ForkedProgram)
    found = forked.communicate(timeout=PATIENCE)
    command = [sys.executable, "-m", "pincite", *arguments]
    real = subprocess.run(command, env=variables, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (*found, forked.returncode) == (real.stdout, real.stderr, real.returncode)


@pytest.mark.slow
def test_a_killed_one_has_the_signal_as_its_status_and_the_others_go_on(tmp_path: Path) -> None:
    killed = program.start("serve", "--port", "0", data=tmp_path / "a", EMBEDDING__PROVIDER="none")
    with program.serving(tmp_path / "b", EMBEDDING__PROVIDER="none"):
        assert killed.stdout
        assert "http://" in killed.stdout.readline()
        assert killed.poll() is None
        killed.kill()
        killed.communicate(timeout=PATIENCE)
        assert killed.returncode == killed.poll() == -signal.SIGKILL


def test_variables_that_only_python_reads_get_a_new_process(tmp_path: Path) -> None:
    variables = {**program.environment(tmp_path / "data"), "PYTHONIOENCODING": "ascii:strict"}
    process = start_program("--version", env=variables, **PIPES)
    assert not isinstance(process, ForkedProgram)
    assert "pincite" in process.communicate(timeout=PATIENCE)[0].lower()
