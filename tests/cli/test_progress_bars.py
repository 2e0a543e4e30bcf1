import io
import itertools
from types import SimpleNamespace

import pytest
from rich.console import Console

from pincite.cli.progress_bars import IngestionProgress
from pincite.jobs import StepProgress


def screen() -> tuple[Console, io.StringIO]:
    shown = io.StringIO()
    return Console(file=shown, force_terminal=True, width=80, color_system=None), shown


def test_both_bars_fit_in_eighty_columns_and_say_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    console, shown = screen()
    clock = itertools.count(step=100.0)
    monkeypatch.setattr("pincite.cli.progress_bars.time", SimpleNamespace(monotonic=lambda: next(clock)))
    view = IngestionProgress(console, 1200, lambda: 123_456)
    with view.shown():
        view(StepProgress("a", "read", 12_345, 99_999))
        view(StepProgress("a", "read", 0, 0, ended=True))
        view(StepProgress("a", "embed", 0, 5000))
        view(StepProgress("a", "embed", 4200, 5000))
        bars = view._bars.get_renderable()
        lines = console.render_lines(bars)
    said = "".join(segment.text for line in lines for segment in line)
    assert len(lines) == 2
    assert "1/1200" in said
    assert "12,345 pages" in said
    assert "4200/123456" in said
    assert "…" not in said
    assert shown.getvalue()


def test_one_page_is_counted_in_the_singular() -> None:
    console, _ = screen()
    view = IngestionProgress(console, 1, lambda: 0)
    with view.shown():
        view(StepProgress("a", "read", 1, 1))
        lines = console.render_lines(view._bars.get_renderable())
    assert "1 page ·" in "".join(segment.text for line in lines for segment in line)


def test_a_second_run_counts_only_what_is_left_to_do() -> None:
    console, _ = screen()
    view = IngestionProgress(console, 0, lambda: 100)
    with view.shown():
        view(StepProgress("a", "embed", 60, 100))
        view(StepProgress("a", "embed", 90, 100))
        (bar,) = view._bars.tasks
    assert (bar.description, bar.completed, bar.total) == ("Embedding", 90, 100)
