"""Every route for everybody: what is theirs, what is shared with them, and what is somebody else's.

The rows are the routes of the application and the columns are the senders of `access_world`. A new route without an
entry in the table of access, or without a rule here, fails.
"""

import json
from collections.abc import Iterator

import pytest
from starlette.routing import compile_path

from pincite.accounts.principal import list_scopes
from pincite.server.route_access import ROUTE_ACCESS, find_route_access
from pincite.store.people import Role
from tests.server.access_rules import (
    ALMOST,
    BODIES,
    DENIED,
    DONE,
    HIDDEN,
    QUERIES,
    REFUSED,
    SELF_DESTRUCTIVE,
    THINGS,
    Values,
    expect_status,
    find_values,
    list_places,
    make_unknown,
)
from tests.server.access_world import ACCOUNT, CONTENT, SHARED, Answered, Place, Sender, World, open_world
from tests.server.routes import ROUTES, Route
from tests.server.team import add_member
from tests.thorough import keep_some

PROTECTED = [route for route in ROUTES if ROUTE_ACCESS.get(route.key) != "public"]
PUBLIC = [route for route in ROUTES if ROUTE_ACCESS.get(route.key) == "public"]
CODES = {REFUSED: "not_signed_in", DENIED: "denied", HIDDEN: "not_found"}
_COUNTED = ("content-length", "ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "x-request-id")
NOWHERE = "None-of-these-is-a-secret"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, _routes_made_once: None) -> Iterator[World]:
    with open_world(tmp_path_factory.mktemp("matrix")) as world:
        yield world


def test_every_route_says_what_its_caller_needs_and_every_entry_has_a_route() -> None:
    routes = {route.key for route in ROUTES}
    assert routes - ROUTE_ACCESS.keys() == set()
    assert ROUTE_ACCESS.keys() - routes == set()


def test_every_path_finds_the_entry_of_its_own_route() -> None:
    for route in ROUTES:
        path = route.fill(dict.fromkeys(route.parameters, "1"))
        assert find_route_access(route.method, path) == ROUTE_ACCESS[route.key], route
    for path in ("/api/documents/", "//api/documents", "/API/documents", "/api/none", "/api/documents/1/none"):
        assert find_route_access("GET", path) == "admin"


def test_every_route_with_a_parameter_has_a_rule_and_no_rule_is_for_nothing() -> None:
    used = {tuple(route.parameters) for route in PROTECTED if route.parameters}
    assert used - THINGS.keys() == set()
    assert THINGS.keys() - used == set()
    for table in (BODIES, QUERIES, ALMOST, dict.fromkeys(SELF_DESTRUCTIVE)):
        assert table.keys() - {route.key for route in PROTECTED} == set()


@pytest.mark.parametrize("route", keep_some(PROTECTED, one_in=9), ids=str)
def test_each_gets_what_is_theirs_or_shared_with_them_and_no_trace_of_the_rest(world: World, route: Route) -> None:
    cells = [(sender, place) for sender in world.senders for place in list_places(route, sender)]
    refused = [cell for cell in cells if expect_status(route, *cell) != DONE]
    found = {place: find_values(world, route, _mia(world), place) for place in {place for _, place in refused}}
    own = {id(sender): find_values(world, route, sender, place) for sender, place in refused if place == "own"}
    wrong: list[str] = []
    before = world.read_rows() if route.is_change else {}
    for sender, place in refused:
        values = own[id(sender)] if place == "own" else _as_written(found[place], sender)
        wrong += _check_refusal(world, route, sender, place, values)
    if route.is_change and world.read_rows() != before:
        wrong.append(f"{route}: a refused request changed something")
    for sender, place in cells:
        if expect_status(route, sender, place) == DONE:
            wrong += _check_success(world, route, sender, place)
    assert wrong == []


@pytest.mark.parametrize("route", keep_some(PUBLIC, one_in=4), ids=str)
def test_a_route_open_to_all_shows_nothing_of_anybody(world: World, route: Route) -> None:
    values = dict.fromkeys(route.parameters, NOWHERE)
    wrong = []
    # Signing in and out ends the session of its sender, so that these are new.
    for sender in (world.senders[0], _add_sender(world, "guest"), _add_sender(world, "member")):
        answered = _send(world, route, sender, values, {"secret": NOWHERE, "name": NOWHERE, "password": NOWHERE})
        wrong += _find_traces(answered, route, sender, values)
        if answered.status >= 500:
            wrong.append(f"{route} for {sender}: {answered.status}")
    assert wrong == []


def _list_named(world: World) -> Iterator[tuple[str, str, str, dict[str, object] | None, Values]]:
    """Requests that name a private thing of Mia's in a query or a body: scope, method, path, body and the name."""
    mia = _mia(world)
    things = {
        kind: find_values(world, Route("{" + kind + "}", "GET"), mia, "private")[kind]
        for kind in ("document", "conversation", "message", "persona", "notebook")
    }
    library = f"~Mia/{CONTENT['private library']}"
    for path in ("/api/chat", "/api/search"):
        for field, value in (("persona", things["persona"]), ("persona", CONTENT["persona"]), ("library", library)):
            yield "ask", "POST", path, {"message": "Tell me.", field: value}, {field: value}
        for value in (things["document"], things["document"][:8]):
            yield "ask", "POST", path, {"message": "Tell me.", "documents": [value]}, {"document": value}
    named = {"conversation": things["conversation"]}
    yield "ask", "POST", "/api/chat", {"message": "Tell me.", "conversationId": things["conversation"]}, named
    named = {"document": things["document"]}
    yield "write", "POST", "/api/locate", {"document": things["document"], "text": "A silk."}, named
    yield "write", "POST", "/api/documents", {"library": library}, {"library": library}
    yield "read", "GET", f"/api/documents?library={library}", None, {"library": library}
    yield "read", "GET", f"/api/documents/{things['document'][:8]}", None, {"document": things["document"][:8]}
    yield "read", "GET", f"/api/documents/{things['document'][:8]}/file", None, {"document": things["document"][:8]}
    yield "read", "GET", f"/api/personas/{CONTENT['persona']}", None, {"persona": CONTENT["persona"]}


def test_a_request_names_only_what_its_sender_may_see(world: World) -> None:
    for scope, method, path, body, named in _list_named(world):
        (name, value), *_ = named.items()
        unknown = make_unknown(named)[name][: max(len(value), 8)]
        for sender in world.senders:
            if not sender.person or sender.person_name == "Mia" or scope not in sender.scopes:
                continue
            cell = f"{method} {path} {body} for {sender}"
            file = ("a.md", "A file.") if (method, path) == ("POST", "/api/documents") else None
            answered = world.send(sender.headers, method, path, body, file)
            other_body = json.loads(json.dumps(body).replace(value, unknown))
            other = world.send(sender.headers, method, path.replace(value, unknown), other_body, file)
            assert answered.status == HIDDEN, f"{cell}: {answered.status} {answered.text[:200]}"
            assert _without_names(answered, named) == _without_names(other, {name: unknown}), cell
            assert _find_traces(answered, Route(path, method), sender, named) == []


def test_a_question_about_a_folder_of_the_server_is_for_its_owners(world: World) -> None:
    project = world.as_person("Ada", "GET", "/api/projects")["projects"][0]["id"]
    for sender in world.senders:
        if "ask" in sender.scopes:
            for path in ("/api/chat", "/api/search"):
                for name in (project, "none"):
                    answered = world.send(sender.headers, "POST", path, {"message": "What is in it?", "project": name})
                    assert (answered.status == DENIED) == ("admin" not in sender.scopes), (str(sender), answered.text)


def test_a_part_of_one_thing_is_not_reached_through_another(world: World) -> None:
    mia, bob = _mia(world), next(sender for sender in world.senders if sender.name == "a member")
    for route in PROTECTED:
        if tuple(route.parameters) in (("conversation", "link"), ("library", "share")):
            theirs = find_values(world, route, mia, "private")
            own = find_values(world, route, bob, "own")
            second = route.parameters[1]
            for mixed in ({**own, second: theirs[second]}, {**theirs, second: own[second]}):
                answered = _send(world, route, bob, mixed)
                assert answered.status == HIDDEN, (str(route), answered.text)
            assert _send(world, route, mia, theirs).status < 300


def test_the_progress_of_documents_is_told_to_those_who_may_read_them(world: World) -> None:
    for library in (CONTENT["private library"], SHARED["shared library"]):
        file = (f"{library}-news.md", f"News of {library}.\n")
        world.as_person("Mia", "POST", "/api/documents", {"library": library}, file=file)
    for name in ("Bob", "Rea", "Ada"):
        file = (f"Own news of {name}.md", f"News of {name}.\n")
        world.as_person(name, "POST", "/api/documents", {"library": f"Shelf{name}"}, file=file)
        told = world.send(world.people[name].signed_in, "GET", "/api/documents/events", is_listening=True).text
        assert f"Own news of {name}" in told or "progress" in told
        assert CONTENT["private library"] not in told
        assert SHARED["shared library"] not in told or name == "Rea"


def _add_sender(world: World, role: Role) -> Sender:
    """Somebody new with this role."""
    new = add_member(world.database, f"New{world.count()}", role)
    return Sender(f"a new {role}", new.signed_in, new.id, new.person.name, list_scopes(role), role)


def _mia(world: World) -> Sender:
    return next(sender for sender in world.senders if sender.name == "its owner")


def _as_written(values: Values, sender: Sender) -> Values:
    """The same thing of Mia's as others write it."""
    if "library" in values and sender.person_name != "Mia":
        return {**values, "library": f"~Mia/{values['library']}"}
    return values


def _send(world: World, route: Route, sender: Sender, values: Values, body: object = None) -> Answered:
    if body is None and route.key in BODIES:
        body = BODIES[route.key](world, sender)
    path = route.fill(values) + QUERIES.get(route.key, "")
    return world.send(sender.headers, route.method, path, body if route.is_change else None)


def _check_refusal(world: World, route: Route, sender: Sender, place: Place | None, values: Values) -> list[str]:
    expected = expect_status(route, sender, place)
    cell = f"{route} for {sender}, {place or 'nothing'}"
    answered = _send(world, route, sender, values)
    if answered.status != expected:
        return [f"{cell}: {answered.status} instead of {expected}: {answered.text[:200]}"]
    wrong = _find_traces(answered, route, sender, values)
    if answered.error["code"] != CODES[expected]:
        wrong.append(f"{cell}: the code is {answered.error['code']}")
    if expected == HIDDEN:
        unknown = make_unknown(values)
        other = _send(world, route, sender, unknown)
        if _without_names(answered, values) != _without_names(other, unknown):
            wrong.append(f"{cell}: {answered.text} tells more than {other.status} {other.text}")
    return wrong


def _check_success(world: World, route: Route, sender: Sender, place: Place | None) -> list[str]:
    cell = f"{route} for {sender}, {place or 'nothing'}"
    if route.key in SELF_DESTRUCTIVE:
        sender = _add_sender(world, sender.role)
    values = find_values(world, route, sender, place)
    answered = _send(world, route, sender, values)
    is_done = answered.status < 400
    if not is_done and (answered.status, answered.error.get("reason", "")) not in ALMOST.get(route.key, ()):
        return [f"{cell}: {answered.status}, but it is allowed: {answered.text[:200]}"]
    return _find_traces(answered, route, sender, values)


def _find_traces(answered: Answered, route: Route, sender: Sender, values: Values) -> list[str]:
    """The words of somebody else in a response. Those that the sender has written do not count."""
    told = f"{answered.text}\n{answered.headers}"
    for value in values.values():
        told = told.replace(value, "")
    told = told.lower()
    is_mia = sender.person_name == "Mia"
    words = {} if is_mia else dict(CONTENT)
    if not (is_mia or sender.access):
        words |= SHARED
    if not (is_mia or "admin" in sender.scopes):
        words |= ACCOUNT
    if route.template.startswith("/api/audit"):
        words.pop("shared library", None)  # the record says which library was shared
    found = [name for name, word in words.items() if word.lower() in told]
    found += [f"the header {name}" for name in ("content-security-policy",) if name not in answered.headers]
    return [f"{route} shows {sender} {', '.join(found)}: {answered.text[:300]}"] if found else []


def _without_names(answered: Answered, values: Values) -> tuple[int, str, dict[str, str]]:
    text = answered.text
    for name, value in values.items():
        text = text.replace(value, f"<{name}>").replace(value.rpartition("/")[2], f"<{name}>")
    headers = {name: value for name, value in answered.headers.items() if name not in _COUNTED}
    return answered.status, text, headers


def test_the_paths_of_routes_compile_as_the_application_compiles_them() -> None:
    for route in ROUTES:
        assert compile_path(route.template)[0].match(route.fill(dict.fromkeys(route.parameters, "1")))
