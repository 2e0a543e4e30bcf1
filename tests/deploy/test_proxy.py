"""The proxy's configuration is valid. `test_team.py` sends requests through it."""

import shutil
import subprocess

import pytest

from tests.deploy.compose import ROOT

CADDY = shutil.which("caddy")


@pytest.mark.skipif(not CADDY, reason="caddy is not installed: scripts/system-packages installs it on Debian")
def test_caddy_takes_its_configuration_and_would_not_format_it_otherwise() -> None:
    file = ROOT / "deploy" / "Caddyfile"
    assert CADDY
    command = [CADDY, "validate", "--adapter", "caddyfile", "--config", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    formatted = subprocess.run([CADDY, "fmt", str(file)], capture_output=True, text=True, check=False)
    assert formatted.stdout == file.read_text(encoding="utf-8")
