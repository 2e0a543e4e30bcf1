"""docs/http.md names every route, every event, every focus and every code of an error."""

from pathlib import Path
from typing import get_args

import pytest

from pincite import errors
from pincite.errors import PinciteError
from pincite.events import EVENTS
from pincite.types import Focus
from tests.server.openapi import OPERATIONS

PAGE = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")
ROUTES = list(map(str, OPERATIONS))
CODES = {each.code for each in vars(errors).values() if isinstance(each, type) and issubclass(each, PinciteError)}
INSIDE = {"error", "lease_lost", "retrieval_stopped"}  # codes that are never sent to a client


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_is_documented(route: str) -> None:
    assert f"| `{route}` |" in PAGE


@pytest.mark.parametrize("event", EVENTS)
def test_every_event_is_documented(event: str) -> None:
    assert f"`{event}`" in PAGE


@pytest.mark.parametrize(
    "route", [line.split("`")[1] for line in PAGE.splitlines() if line.startswith("| `") and "/" in line.split("`")[1]]
)
def test_every_route_that_is_documented_is_there(route: str) -> None:
    assert route in ROUTES


@pytest.mark.parametrize("code", sorted(CODES - INSIDE))
def test_every_code_of_an_error_is_documented(code: str) -> None:
    assert f"`{code}`" in PAGE


@pytest.mark.parametrize("focus", get_args(Focus))
def test_every_focus_is_documented(focus: str) -> None:
    (row,) = (line for line in PAGE.splitlines() if line.startswith("| `focusMode` |"))
    assert f"`{focus}`" in row
