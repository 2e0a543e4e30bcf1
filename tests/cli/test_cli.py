import json
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from pincite import __version__
from pincite.cli.all_commands import app
from pincite.errors import StorageError
from tests.cli.conftest import Ran
from tests.thorough import mark_slow

GROUP = typer.main.get_command(app)
COMMANDS = sorted(
    [name] if not hasattr(command, "commands") else [name, inner]
    for name, command in GROUP.commands.items()  # type: ignore[attr-defined]
    for inner in getattr(command, "commands", [""])
)
HEAVY = {
    "pydantic_ai",
    "numpy",
    "sqlalchemy",
    "openvino",
    "pydantic",
    "rich",
    "fastapi",
    "uvicorn",
    "alembic",
    "pypdfium2",
    "httpx2",
}


def cpu_seconds(*arguments: str) -> float:
    """The CPU time that a Python process took for this."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    # Typer itself brings pydantic as soon as a command has arguments.
    [
        (["--help"], set()),
        mark_slow(["add", "--help"], {"pydantic"}),
        mark_slow(["search", "-h"], {"pydantic"}),
        (["ask", "-h"], {"pydantic"}),
        mark_slow(["chat", "-h"], {"pydantic"}),
    ],
)
def test_help_imports_nothing_heavy(arguments: list[str], allowed: set[str]) -> None:
    program = (
        "import sys, json\nfrom pincite.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\n"
        "sys.stderr.write(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True)
    assert "Usage" in done.stdout
    assert HEAVY & set(json.loads(done.stderr)) <= allowed


def test_help_costs_little_more_than_starting_python_and_typer() -> None:
    commands = (("-c", "pass"), ("-c", "import typer"), ("-m", "pincite", "--help"))
    least: tuple[float, ...] = (float("inf"),) * 3
    # Other work on the machine makes all three dearer for a while. They take turns, until each had a quiet moment.
    for _ in range(12):
        least = tuple(min(best, cpu_seconds(*command)) for best, command in zip(least, commands, strict=True))
        bare, with_typer, with_help = least
        if with_help < bare + 2 * (with_typer - bare) + 0.15:
            return
    raise AssertionError(f"Python, Typer and --help took {least} CPU seconds.")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_and_option_has_help_that_says_something(pincite: Callable[..., Ran], command: list[str]) -> None:
    ran = pincite(*command, "--help")
    assert ran.status == 0
    described = GROUP
    for name in command:
        described = described.commands[name]  # type: ignore[attr-defined]
    assert len(described.help or "") > 20
    for parameter in described.params:
        assert getattr(parameter, "help", None), f"{parameter.name} has no help"


def test_the_version_is_printed(pincite: Callable[..., Ran]) -> None:
    assert re.fullmatch(rf"pincite {re.escape(__version__)}( \([^)]+\))?\n", pincite("--version").out)


@pytest.mark.parametrize(
    "arguments",
    [["frob"], ["search"], ["search", "a", "-k", "0"], ["search", "a", "--mode", "psychic"], ["add"], ["remove"]],
)
def test_a_slip_of_the_finger_is_a_mistake_of_the_callers(pincite: Callable[..., Ran], arguments: list[str]) -> None:
    ran = pincite(*arguments)
    assert ran.status == 2
    assert ran.out == ""
    assert "Traceback" not in ran.said
    assert ran.said.count("Error") == 1


@pytest.mark.parametrize(
    "command",
    [
        "documents",
        "search x",
        "ask x",
        "chat",
        "conversations",
        "doctor",
        "add .",
        "remove x",
        "reindex",
        "worker --once",
    ],
)
def test_settings_that_are_not_right_are_told_once_with_what_to_do(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("PINCITE_PASSAGES__SIZE", "tiny")
    ran = pincite(*command.split())
    assert (ran.status, ran.out) == (2, "")
    assert ran.said.startswith("Error: The settings are wrong. passages.size")
    assert "docs/settings.md" in ran.said


@pytest.mark.parametrize(
    "command",
    ["documents", "search x", "ask x", "chat", "conversations", "add {here}", "reindex", "worker --once", "serve"],
)
def test_a_data_folder_that_cannot_be_made_is_told_without_a_traceback(
    pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path, command: str
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PINCITE_DATA", str(tmp_path / "file" / "data"))
    ran = pincite(*command.format(here=folder).split())
    assert (ran.status, ran.out) == (1, "")
    assert ran.said.startswith("Error: The data folder")
    assert "PINCITE_DATA" in ran.said


def test_an_error_without_a_hint_is_one_line(pincite: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise StorageError("The disk is full.")

    monkeypatch.setattr("pincite.library.open_library", refuse)
    ran = pincite("documents")
    assert (ran.status, ran.said) == (1, "Error: The disk is full.\n")


def test_a_reader_of_the_output_that_goes_away_is_no_error(tmp_path: Path, folder: Path) -> None:
    from tests import program

    chosen = {"EMBEDDING__PROVIDER": "none"}
    assert program.run("add", folder, data=tmp_path / "data", **chosen).returncode == 0
    done = subprocess.run(
        f"{sys.executable} -m pincite documents --json | true",
        shell=True,
        env=program.environment(tmp_path / "data", **chosen),
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stderr


def list_groups(name: str, command: Any) -> Iterator[Any]:
    """The commands that have others under them, this one among them."""
    if hasattr(command, "commands"):
        yield pytest.param(command, id=name)
        for inner, each in command.commands.items():
            yield from list_groups(f"{name} {inner}", each)


@pytest.mark.parametrize("group", list(list_groups("pincite", GROUP)))
def test_no_line_of_the_help_is_cut_on_a_narrow_screen(group: Any) -> None:
    with GROUP.make_context("pincite", ["--help"], resilient_parsing=True) as context:
        context.max_content_width = context.terminal_width = 80
        told = group.get_help(context)
    assert not [line for line in told.splitlines() if line.endswith("...") and "Usage" not in line]
