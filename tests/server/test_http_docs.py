"""docs/http.md names every route and every event."""

from pathlib import Path

import pytest

from pincite.events import EVENTS
from pincite.server import create_app
from pincite.settings import load

PAGE = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")
ROUTES = [
    f"{method.upper()} {path}" for path, methods in create_app(load()).openapi()["paths"].items() for method in methods
]


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
