"""All routes of an application, also those that its OpenAPI document leaves out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import WebSocketRoute

from pincite.server import create_app
from pincite.settings import load_settings

_PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")


@dataclass(frozen=True, slots=True, order=True)
class Route:
    """A method and the template of a path."""

    template: str
    method: str

    def __str__(self) -> str:
        return f"{self.method} {self.template}"

    @property
    def key(self) -> tuple[str, str]:
        return self.method, self.template

    @property
    def parameters(self) -> list[str]:
        return _PARAMETER.findall(self.template)

    @property
    def is_change(self) -> bool:
        return self.method not in ("GET", "HEAD")

    def fill(self, values: Mapping[str, str]) -> str:
        """The path with these values."""
        return _PARAMETER.sub(lambda found: values[found[1]], self.template)


def list_routes(app: FastAPI) -> list[Route]:
    """Every route with each of its methods; HEAD counts as GET, and a WebSocket begins as one."""
    found = set()
    for each in iter_route_contexts(app.routes):
        methods = each.methods or ({"GET"} if isinstance(each.original_route, WebSocketRoute) else set())
        assert methods, each.original_route
        assert each.path is not None, each.original_route
        found |= {Route(each.path, "GET" if method == "HEAD" else method) for method in methods}
    return sorted(found)


APP = create_app(load_settings())
ROUTES = list_routes(APP)
