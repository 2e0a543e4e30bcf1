import io
import json
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pincite.cli import main, options
from tests.screens import seen, terminal

if TYPE_CHECKING:
    from pincite.answer.services import Services
    from pincite.llm.model_roles import Models
    from pincite.settings import Settings
    from tests.turns import Script


@dataclass(frozen=True)
class Ran:
    """The result of a command: its exit status, its output and its messages on stderr."""

    status: int
    out: str
    said: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def pincite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Ran]]:
    """Runs a command through the program's own `main`, in a data folder of the test's, by words alone."""
    monkeypatch.setenv("PINCITE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PINCITE_EMBEDDING__PROVIDER", "none")
    monkeypatch.setenv("COLUMNS", "120")
    before = signal.getsignal(signal.SIGTERM)

    def run(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["pincite", *map(str, arguments)])
        status: Any = 0
        try:
            main()
        except SystemExit as end:
            status = end.code
        out, said = capsys.readouterr()
        return Ran(status or 0, out, said)

    yield run
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents, one English and one French."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "lease.md").write_text("# The lease\n\nThe lease ends after three years and may be renewed once.\n")
    (folder / "bail.txt").write_text("Le bail prend fin après trois ans et peut être renouvelé une seule fois.\n")
    return folder


@pytest.fixture
def answered_by(monkeypatch: pytest.MonkeyPatch) -> "Callable[[Script], None]":
    """Lets a model that follows a script answer every question from here on."""
    from pincite.answer import services
    from tests.turns import Scripted

    opened = services.open_services

    def answer(script: "Script") -> None:
        def open_scripted(settings: "Settings", models: "Models | None" = None) -> "Services":
            return opened(settings, models or Scripted(settings, script))

        monkeypatch.setattr(services, "open_services", open_scripted)

    return answer


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Makes every command write to one terminal; what is to be seen there comes out."""
    console = terminal()
    monkeypatch.setattr(options, "make_console", lambda stderr=False: console)
    file = console.file
    assert isinstance(file, io.StringIO)
    return lambda: seen(file.getvalue())
