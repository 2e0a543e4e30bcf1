"""The documentation says what is so: its commands run, and nothing that can be called is missing."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from pincite.cli.all_commands import app
from tests.clock import PATIENCE
from tests.program import environment

ROOT = Path(__file__).parent.parent
TOUR = re.compile(r"<!-- tour -->\s*```sh\n(.*?)```", re.DOTALL)


def commands() -> list[str]:
    found = []
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        found += [f"{name} {inner}" for inner in getattr(command, "commands", {})] or [name]
    return found


def tour() -> list[str]:
    blocks = TOUR.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    lines = [line.partition(" #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line and not line.startswith(("make ", "#"))]


@pytest.mark.parametrize("command", commands())
def test_every_command_is_in_the_documentation(command: str) -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    assert any(f"pincite {command}" in page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))])
def test_no_page_names_a_command_that_does_not_exist(page: str) -> None:
    said = re.findall(r"(?:^|`)(?:\.venv/bin/)?pincite ([a-z]+)", (ROOT / page).read_text(encoding="utf-8"), re.M)
    known = {command.split()[0] for command in commands()}
    assert set(said) <= known


def test_every_proof_on_the_page_about_security_exists() -> None:
    named = set(re.findall(r"`(tests/[^`]+)`", (ROOT / "docs/security.md").read_text(encoding="utf-8")))
    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_every_tool_of_a_model_and_every_verdict_is_explained() -> None:
    from typing import get_args

    from pincite.answer.tools import load_toolset
    from pincite.types import Focus, Support

    page = (ROOT / "docs/answering.md").read_text(encoding="utf-8")
    named = [tool.name for tool in load_toolset()] + list(get_args(Support))
    assert [name for name in named if f"`{name}`" not in page] == []
    assert [focus for focus in get_args(Focus) if focus not in page] == []


def test_the_tour_of_the_readme_runs_as_it_stands(home: Path) -> None:
    lines = tour()
    assert any(" add " in line for line in lines)
    assert any(" search " in line for line in lines)
    assert any(" ask " in line for line in lines)
    for line in lines:
        program, *arguments = shlex.split(line)
        assert program == ".venv/bin/pincite", line
        done = subprocess.run(
            [sys.executable, "-m", "pincite", *arguments],
            cwd=ROOT,
            env=environment(home) | {"BROWSER": "true"},  # the page is written and no browser opens
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stderr}"
        if arguments[0] in ("search", "ask"):
            found = json.loads(done.stdout) if "--json" in arguments else done.stdout
            assert found, line


@pytest.mark.parametrize("page", [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")], ids=lambda page: page.name)
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"\]\((?!https?:|#)([^)#]+)", text) + re.findall(r"`(docs/[\w./-]+)`", text)
    missing = [link for link in named if not (page.parent / link).exists() and not (ROOT / link).exists()]
    assert not missing


NAMED = re.compile(r"`([\w/.-]+\.(?:py|ts|tsx|css))(?::(\w+))?`")
CODE = ("src/pincite", "ui/src", "tests", "benchmarks", "scripts")
FOLDERS = re.compile(rf"`((?:{'|'.join(CODE)})/[\w/.-]*/)`")


@pytest.fixture(scope="module")
def code_files() -> list[Path]:
    return [path for home in CODE for path in (ROOT / home).rglob("*.*") if path.is_file()]


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))])
def test_every_file_folder_and_function_that_a_page_names_exists(page: str, code_files: list[Path]) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    wrong = [folder for folder in FOLDERS.findall(text) if not (ROOT / folder).is_dir()]
    for name, function in NAMED.findall(text):
        paths = [path for path in code_files if f"/{path.as_posix()}".endswith(f"/{name}")]
        paths += [ROOT / name] if (ROOT / name).is_file() else []
        if not paths and "NAME" not in name:
            wrong.append(name)
        if function and not any(f"def {function}(" in one.read_text(encoding="utf-8") for one in paths):
            wrong.append(f"{name}:{function}")
    assert wrong == []


def test_the_walk_of_a_question_enters_no_file_twice() -> None:
    page = (ROOT / "docs/how-it-works.md").read_text(encoding="utf-8")
    walk = page.partition("## The walk of a question")[2].partition("The other plans")[0]
    steps = [name for name, function in NAMED.findall(walk) if function]
    assert len(steps) > 20
    assert len(steps) == len(set(steps))
