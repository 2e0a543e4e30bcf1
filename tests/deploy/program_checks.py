"""Check what a container would start: its command with its options, and its settings."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import typer

from pincite.cli.all_commands import app
from pincite.settings import Settings, load_settings


def parse_command(arguments: Sequence[str]) -> list[str]:
    """Return the names of the command, as `accounts init`; an unknown command or option is an error."""
    command: Any = typer.main.get_command(app)
    names: list[str] = []
    rest = list(arguments)
    context = command.make_context("pincite", rest[:0], resilient_parsing=True)
    while hasattr(command, "commands"):
        name = rest.pop(0)
        assert name in command.commands, f"there is no command {name!r}"
        names.append(name)
        command = command.commands[name]
    command.make_context(names[-1], rest, parent=context)
    return names


def load_from(variables: Mapping[str, object], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return the settings of a process with these variables; one that is no setting is an error."""
    with monkeypatch.context() as patch:
        for name, value in variables.items():
            assert isinstance(value, str), f"{name} is {value!r}: variables are texts"
            patch.setenv(name, value)
        return load_settings()
