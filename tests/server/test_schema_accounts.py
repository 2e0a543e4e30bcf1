"""Requests made up from the OpenAPI document, sent by nobody, a reader and the server's owner: no fault, and no leak.

Each is sent as it was made up, and again with the ids of somebody else's things in its path.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from tests.server.access_rules import THINGS
from tests.server.access_world import ACCOUNT, CONTENT, SHARED, Answered, Sender, World, open_world
from tests.server.openapi import OPERATIONS, try_operation
from tests.server.routes import Route
from tests.thorough import keep_some

# A try of a search engine takes five seconds. Removing and changing people would leave nobody to look at.
_LEFT_OUT = re.compile(r"/api/(settings/search/test|people/\{person\}.*)")
TRIED = [operation for operation in OPERATIONS if not _LEFT_OUT.fullmatch(operation.template)]
_KINDS = ("document", "conversation", "message", "persona", "notebook", "annotation", "workspace")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, _routes_made_once: None) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("schema")) as world:
        yield world


@pytest.fixture(scope="module")
def ids(world: World) -> dict[str, str]:
    """Mia's private things."""
    found: dict[str, str] = {"library": f"~Mia/{CONTENT['private library']}"}
    for kind in _KINDS:
        found[kind] = THINGS[(kind,)].find(world, "Mia", "private", False)[kind]
    for kind in ("session", "token"):
        found[kind] = THINGS[(kind,)].find(world, "Mia", "private", True)[kind]
    return found


@pytest.mark.parametrize("operation", keep_some(TRIED, one_in=10), ids=str)
def test_no_request_of_anybody_finds_a_fault_or_something_of_somebody_else(
    operation: Route, world: World, ids: dict[str, str]
) -> None:
    try_operation(operation, _send_as_everybody, world=world, ids=ids)


@settings(
    max_examples=4,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],  # `test_schema` tries the edges of every field, a hundred of some
)
def _send_as_everybody(case: schemathesis.Case[Any], world: World, ids: dict[str, str]) -> None:
    made_up = dict(case.path_parameters or {})
    for chosen in (made_up, {name: ids.get(name, value) for name, value in made_up.items()}):
        case.path_parameters = chosen
        for name in ("nobody", "a reader's token", "the server owner's program"):
            sender = next(sender for sender in world.senders if sender.name == name)
            answered = _send(world, sender, case)
            assert answered.status != 500, (name, case.as_curl_command())
            assert _find_leaks(answered, sender, case, ids) == [], (name, case.as_curl_command(), answered.text[:500])
            if chosen is not made_up and chosen != made_up and ids.keys() & chosen.keys():
                assert answered.status >= 400, (name, case.as_curl_command(), answered.text[:500])


def _send(world: World, sender: Sender, case: schemathesis.Case[Any]) -> Answered:
    given = case.as_transport_kwargs(base_url="http://testserver")
    prepared = requests.Request(**given).prepare()
    body = prepared.body or b""
    headers = {
        name: value.decode("latin-1") if isinstance(value, bytes) else value
        for name, value in prepared.headers.items()
        if name.lower() not in ("cookie", "authorization")
    }
    content = body.encode() if isinstance(body, str) else body
    assert isinstance(content, bytes)
    assert prepared.method
    return world.send_bytes({**headers, **sender.headers}, prepared.method, prepared.path_url, content)


def _find_leaks(answered: Answered, sender: Sender, case: schemathesis.Case[Any], ids: dict[str, str]) -> list[str]:
    told = answered.text
    for value in (case.path_parameters or {}).values():
        told = told.replace(str(value), "")
    words = CONTENT | ACCOUNT | {f"id of a {kind}": id for kind, id in ids.items()}
    if not sender.access:
        words |= SHARED
    if "admin" in sender.scopes:  # the server's owner manages accounts
        words = {
            name: word for name, word in words.items() if name not in (*ACCOUNT, "id of a session", "id of a token")
        }
    if case.path.startswith("/api/audit"):
        words.pop("shared library", None)
    return [name for name, word in words.items() if word in told]
