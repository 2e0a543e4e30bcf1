"""The rules of the access matrix: the thing that a route is about, what it sends, and who may do it.

A route with a path parameter names its thing in `THINGS`; a route that changes something has a body in `BODIES`, if it
takes one. The rest follows from the table of `route_access`.
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from pincite.server.route_access import ROUTE_ACCESS
from pincite.store import model_choices
from pincite.store.model_choices import StoredProvider
from tests.accounts.conftest import PASSWORD
from tests.server.access_world import ACCESSES, CONTENT, SHARED, Place, Sender, World
from tests.server.routes import Route
from tests.server.team import add_member

Values = dict[str, str]
REFUSED, DENIED, HIDDEN, DONE = 401, 403, 404, 200


@dataclass(frozen=True, slots=True)
class Thing:
    """A kind of thing: how one is made or found for its owner, and at which places there are some."""

    find: Callable[[World, str, Place, bool], Values]
    places: tuple[Place, ...] = ("own", "private")


def _find_document(world: World, name: str, place: Place, is_change: bool) -> Values:
    library, words = _library_of(name, place)
    if is_change:
        number = world.count()
        made = world.as_person(
            name, "POST", "/api/documents", {"library": library}, file=(f"n{number}.md", f"{words} {number}.\n")
        )
        return {"document": made["id"], "number": "1"}
    query = f"?library={quote(library)}&limit=1"
    found = world.as_person(name, "GET", f"/api/documents{query}&words={quote(words)}")["documents"]
    return {"document": found[0]["id"], "number": "1"}


def _library_of(name: str, place: Place) -> tuple[str, str]:
    """The library of a person's document at a place, and a word of the document's title."""
    if name == "Mia":
        if place == "shared":
            return SHARED["shared library"], SHARED["shared title"]
        return CONTENT["private library"], CONTENT["private title"]
    return f"Shelf{name}", f"Paper{name}"


def _find_conversation(world: World, name: str, place: Place, is_change: bool) -> Values:
    listed = world.as_person(name, "GET", "/api/conversations")["conversations"]
    if is_change or not listed:
        question = f"Who is the {CONTENT['conversation'] if name == 'Mia' else 'boatman'}?"
        world.as_person(name, "POST", "/api/chat", {"message": question})
        listed = world.as_person(name, "GET", "/api/conversations")["conversations"]
    return {"conversation": listed[0]["id"]}


def _find_message(world: World, name: str, place: Place, is_change: bool) -> Values:
    found = _find_conversation(world, name, place, is_change)["conversation"]
    said = world.as_person(name, "GET", f"/api/conversations/{found}")["messages"]
    return {"message": next(each["id"] for each in said if each["role"] == "assistant"), "n": "1"}


def _find_link(world: World, name: str, place: Place, is_change: bool) -> Values:
    found = _find_conversation(world, name, place, is_change)
    made = world.as_person(name, "POST", f"/api/conversations/{found['conversation']}/links", {"days": 1})
    return {**found, "link": made["link"]["id"]}


def _find_persona(world: World, name: str, place: Place, is_change: bool) -> Values:
    listed = world.as_person(name, "GET", "/api/personas")
    if is_change or not listed:
        called = f"{CONTENT['persona'] if name == 'Mia' else 'Plain'} {world.count()}"
        given = {"name": called, "instructions": CONTENT["instructions"] if name == "Mia" else "Be brief."}
        return {"persona": world.as_person(name, "POST", "/api/personas", given)["id"]}
    return {"persona": listed[0]["id"]}


def _find_notebook(world: World, name: str, place: Place, is_change: bool) -> Values:
    listed = [each for each in world.as_person(name, "GET", "/api/notebooks") if each["items"]]
    if is_change or not listed:
        title = f"{CONTENT['notebook'] if name == 'Mia' else 'Plain'} {world.count()}"
        listed = [world.as_person(name, "POST", "/api/notebooks", {"title": title})]
        given = {"kind": "text", "text": CONTENT["kept words"] if name == "Mia" else "Be brief."}
        world.as_person(name, "POST", f"/api/notebooks/{listed[0]['id']}/items", given)
    found = world.as_person(name, "GET", f"/api/notebooks/{listed[0]['id']}")
    return {"notebook": found["id"], "item": found["kept"][0]["id"]}


def _find_annotation(world: World, name: str, place: Place, is_change: bool) -> Values:
    document = _find_document(world, name, place, is_change=False)["document"]
    given = {"start": 0, "end": 8, "comment": CONTENT["comment"] if name == "Mia" else "Why?"}
    return {"annotation": world.as_person(name, "POST", f"/api/documents/{document}/annotations", given)["id"]}


def _find_workspace(world: World, name: str, place: Place, is_change: bool) -> Values:
    listed = world.as_person(name, "GET", "/api/workspaces")
    if is_change or not listed:
        called = f"{CONTENT['persona'] if name == 'Mia' else 'Plain'} {world.count()}"
        given = {"name": called, "instructions": CONTENT["instructions"] if name == "Mia" else "Be brief."}
        return {"workspace": world.as_person(name, "POST", "/api/workspaces", given)["id"]}
    return {"workspace": listed[0]["id"]}


def _find_workspace_conversation(world: World, name: str, place: Place, is_change: bool) -> Values:
    return {
        **_find_workspace(world, name, place, is_change),
        **_find_conversation(world, name, place, is_change),
    }


def _find_workspace_notebook(world: World, name: str, place: Place, is_change: bool) -> Values:
    return {**_find_workspace(world, name, place, is_change), **_find_notebook(world, name, place, is_change)}


def _find_session(world: World, name: str, place: Place, is_change: bool) -> Values:
    answered = world.send(
        {"User-Agent": f"of {name}"}, "POST", "/api/account/sign-in", {"name": name, "password": PASSWORD}
    )
    assert answered.status == 200, answered.text
    listed = world.as_person(name, "GET", "/api/account/sessions")["sessions"]
    return {"session": next(each["id"] for each in listed if each["agent"] == f"of {name}")}


def _find_token(world: World, name: str, place: Place, is_change: bool) -> Values:
    given = {"name": f"of {name} {world.count()}", "scopes": ["read"], "days": 1}
    made = world.as_person(name, "POST", "/api/account/tokens", given)
    return {"token": made["token"]["id"]}


def _find_library(world: World, name: str, place: Place, is_change: bool) -> Values:
    library = _library_of(name, place)[0]
    return {"library": library}


def _find_share(world: World, name: str, place: Place, is_change: bool) -> Values:
    library = _library_of(name, place)[0]
    other = add_member(world.database, f"Guest{world.count()}", "member")
    made = world.as_person(
        name, "POST", f"/api/libraries/{quote(library)}/shares", {"person": other.id, "access": "reader"}
    )
    return {"library": library, "share": made["id"]}


def _find_person(world: World, name: str, place: Place, is_change: bool) -> Values:
    if not is_change:
        return {"person": world.people["Mia"].id}
    return {"person": add_member(world.database, f"Extra{world.count()}", "member").id}


def _find_person_token(world: World, name: str, place: Place, is_change: bool) -> Values:
    return {"person": world.people["Mia"].id, **_find_token(world, "Mia", place, is_change)}


def _find_group(world: World, name: str, place: Place, is_change: bool) -> Values:
    made = world.as_person("Ada", "POST", "/api/groups", {"name": f"Group {world.count()}"})
    person = world.people["Bob"].id
    world.as_person("Ada", "PUT", f"/api/groups/{made['id']}/members/{person}")
    return {"group": made["id"], "person": person}


def _find_invitation(world: World, name: str, place: Place, is_change: bool) -> Values:
    return {"invitation": world.as_person("Ada", "POST", "/api/invitations", {"role": "guest"})["invitation"]["id"]}


def _find_project(world: World, name: str, place: Place, is_change: bool) -> Values:
    return {"project": world.as_person("Ada", "GET", "/api/projects")["projects"][0]["id"]}


def _find_provider(world: World, name: str, place: Place, is_change: bool) -> Values:
    """A provider that is stored; nobody is at its address."""
    stored = StoredProvider(f"gateway{world.count()}", "", "http://127.0.0.1:9/v1", "", 1.0)
    with world.database.writing() as connection:
        model_choices.put_provider(connection, stored)
    return {"provider": stored.name}


# By the parameters of a path, most important first. The first parameter is the thing whose owner decides.
THINGS: dict[tuple[str, ...], Thing] = {
    ("document",): Thing(_find_document, ("own", "shared", "private")),
    ("document", "number"): Thing(_find_document, ("own", "shared", "private")),
    ("conversation",): Thing(_find_conversation),
    ("conversation", "link"): Thing(_find_link),
    ("message",): Thing(_find_message),
    ("message", "n"): Thing(_find_message),
    ("persona",): Thing(_find_persona),
    ("notebook",): Thing(_find_notebook),
    ("notebook", "item"): Thing(_find_notebook),
    ("annotation",): Thing(_find_annotation),
    ("workspace",): Thing(_find_workspace),
    ("workspace", "conversation"): Thing(_find_workspace_conversation),
    ("workspace", "notebook"): Thing(_find_workspace_notebook),
    ("session",): Thing(_find_session),
    ("token",): Thing(_find_token),
    ("library",): Thing(_find_library, ("own", "shared", "private")),
    ("library", "share"): Thing(_find_share, ("own", "shared", "private")),
    # Of the server: its owners manage all of them.
    ("person",): Thing(_find_person, ("private",)),
    ("person", "token"): Thing(_find_person_token, ("private",)),
    ("group",): Thing(_find_group, ("private",)),
    ("group", "person"): Thing(_find_group, ("private",)),
    ("invitation",): Thing(_find_invitation, ("private",)),
    ("project",): Thing(_find_project, ("private",)),
    ("provider",): Thing(_find_provider, ("private",)),
}
SERVER_THINGS = ("person", "group", "invitation", "project", "provider")

Body = Callable[[World, Sender], Any]
BODIES: dict[tuple[str, str], Body] = {
    ("POST", "/api/chat"): lambda *_: {"message": "How deep?"},
    ("POST", "/api/search"): lambda *_: {"message": "How deep?"},
    ("POST", "/api/conversations/{conversation}/results"): lambda *_: {"call": "none", "status": "applied"},
    ("PATCH", "/api/conversations/{conversation}"): lambda *_: {"title": "Another title"},
    ("POST", "/api/conversations/{conversation}/links"): lambda *_: {"days": 1},
    ("POST", "/api/messages/{message}/rating"): lambda *_: {"value": 1},
    ("POST", "/api/documents"): lambda world, _: {"url": "http://127.0.0.1:9/none"},
    ("PATCH", "/api/documents/{document}"): lambda *_: {"title": "Another title"},
    ("POST", "/api/documents/tags"): lambda *_: {"documents": ["none"], "add": ["lease"]},
    ("POST", "/api/documents/move"): lambda *_: {"documents": ["none"], "library": "contracts"},
    ("POST", "/api/locate"): lambda *_: {"document": "none", "text": "A dance."},
    ("POST", "/api/personas"): lambda world, _: {"name": f"Persona {world.count()}", "instructions": "Be brief."},
    ("PUT", "/api/personas/{persona}"): lambda world, _: {"name": f"P {world.count()}", "instructions": "Be brief."},
    ("POST", "/api/notebooks"): lambda *_: {"title": "Another notebook"},
    ("PATCH", "/api/notebooks/{notebook}"): lambda *_: {"title": "Another title"},
    ("POST", "/api/notebooks/{notebook}/items"): lambda *_: {"kind": "text", "text": "Some words."},
    ("PATCH", "/api/notebooks/{notebook}/items/{item}"): lambda *_: {"comment": "Why?"},
    ("POST", "/api/documents/{document}/annotations"): lambda *_: {"start": 0, "end": 5},
    ("PATCH", "/api/annotations/{annotation}"): lambda *_: {"comment": "Why?"},
    ("POST", "/api/workspaces"): lambda world, _: {"name": f"Workspace {world.count()}"},
    ("PUT", "/api/workspaces/{workspace}"): lambda world, _: {"name": f"W {world.count()}"},
    ("POST", "/api/models/test"): lambda *_: {"model": "extractive"},
    ("PUT", "/api/models/providers/{provider}"): lambda *_: {"url": "http://127.0.0.1:9/v1"},
    ("POST", "/api/models/try"): lambda *_: {"model": "extractive", "check": "tools"},
    ("PUT", "/api/models/roles"): lambda *_: {"chat": ""},
    ("POST", "/api/models/added"): lambda *_: {"model": "ollama:some"},
    ("PUT", "/api/settings"): lambda *_: {"search_url": ""},
    ("POST", "/api/settings/search/test"): lambda *_: {"url": ""},
    ("POST", "/api/projects/{project}/apply"): lambda *_: {"changes": "none"},
    ("PUT", "/api/account/password"): lambda *_: {"old": "not the old one", "new": "quite another password"},
    ("POST", "/api/account/tokens"): lambda _, sender: {
        "name": "made",
        "scopes": [min(sender.scopes, default="read")],
        "days": 1,
    },
    ("DELETE", "/api/account"): lambda *_: {"password": PASSWORD},
    ("POST", "/api/account/referral"): lambda *_: {"code": "NO-SUCH-CODE"},
    ("PATCH", "/api/people/{person}"): lambda world, _: {"name": f"Renamed{world.count()}"},
    ("PUT", "/api/people/{person}/quota"): lambda *_: {"credits": 5},
    ("POST", "/api/invitations"): lambda *_: {"role": "guest"},
    ("POST", "/api/groups"): lambda world, _: {"name": f"Made {world.count()}"},
    ("PATCH", "/api/groups/{group}"): lambda world, _: {"name": f"Renamed {world.count()}"},
    ("POST", "/api/libraries/{library:path}/shares"): lambda world, _: {
        "person": world.people["Dee"].id,
        "access": "reader",
    },
}
# Queries without which a route does not answer.
QUERIES = {
    ("GET", "/api/documents/{document}/boxes"): "?start=0&end=5",
    ("GET", "/api/documents/{document}/find"): "?words=paper",
    ("GET", "/api/passages"): "?words=paper",
    ("GET", "/api/notebooks/search"): "?q=words",
    ("GET", "/api/projects/{project}/files"): "?path=notes.txt",
    ("GET", "/api/projects/{project}/search"): "?q=note",
    ("DELETE", "/api/models/added"): "?model=ollama:none",
}
# Routes that do what they should and then find no call, picture, file or change: status and reason.
ALMOST: dict[tuple[str, str], set[tuple[int, str]]] = {
    ("POST", "/api/conversations/{conversation}/results"): {(404, "call")},
    ("GET", "/api/messages/{message}/media/{n}"): {(404, "picture")},
    ("GET", "/api/documents/{document}/pages/{number}"): {(404, "page")},
    ("GET", "/api/documents/{document}/slides/{number}"): {(404, "page")},
    ("GET", "/api/documents/{document}/pictures/{number}"): {(404, "picture")},
    ("POST", "/api/documents/{document}/retry"): {(409, "")},
    ("POST", "/api/documents/{document}/annotations"): {(409, "")},  # a document that is not read yet
    ("POST", "/api/documents"): {(403, "address"), (403, "private")},
    ("POST", "/api/documents/tags"): {(404, "document")},
    ("POST", "/api/documents/move"): {(404, "document")},
    ("POST", "/api/locate"): {(404, "document")},
    ("PUT", "/api/models/providers/{provider}"): {(400, "unreachable")},
    ("GET", "/api/models/providers/{provider}/models"): {(400, "unreachable")},
    ("DELETE", "/api/models/added"): {(404, "model")},
    ("POST", "/api/judge/calibrate"): {(400, ""), (409, "measuring")},
    ("POST", "/api/settings/search/test"): {(422, "empty"), (422, "field")},  # no address: it would take seconds
    ("POST", "/api/projects/{project}/apply"): {(404, "message")},
    ("POST", "/api/projects/{project}/undo"): {(400, "nothing_to_undo")},
    ("GET", "/api/account/referral"): {(400, "no_account")},
    ("POST", "/api/account/referral"): {(400, "unknown_code"), (400, "no_account")},
    ("PUT", "/api/account/password"): {(401, "password"), (429, "attempts")},
}
# Routes that end the sender's own sessions or account: somebody new sends them where they are allowed.
SELF_DESTRUCTIVE = {("DELETE", "/api/account/sessions"), ("DELETE", "/api/account"), ("PUT", "/api/account/password")}
# Of one's own account: a token may do these without `admin`. It manages nothing else there.
FOR_ANY_TOKEN = {("GET", "/api/account/referral"), ("POST", "/api/account/referral")}
# A person who may read a document may do these.
FOR_READERS = {("POST", "/api/documents/{document}/annotations")}
# A guest does not see the names of people.
MEMBERS_ONLY = {("GET", "/api/directory")}


def expect_status(route: Route, sender: Sender, place: Place | None) -> int:
    """The status that a sender gets: `DONE` stands for all that mean it was done."""
    access = ROUTE_ACCESS[route.key]
    if not sender.person:
        return REFUSED
    if access != "account" and access not in sender.scopes:
        return DENIED
    if route.key in MEMBERS_ONLY and sender.role == "guest":
        return DENIED
    if access == "account" and sender.is_token and "admin" not in sender.scopes and route.key not in FOR_ANY_TOKEN:
        return DENIED
    if place is None or route.parameters[0] in SERVER_THINGS or place == "own":
        return DONE
    return _expect_of_others(route, sender, place)


def _expect_of_others(route: Route, sender: Sender, place: Place) -> int:
    """The status for a thing of Mia's."""
    if sender.person_name == "Mia":
        return DONE
    if place == "private" or not sender.access:
        return HIDDEN
    needed = "writer" if route.is_change and route.key not in FOR_READERS else "reader"
    if route.parameters[0] == "library":
        needed = "owner"
    return DONE if ACCESSES.index(sender.access) >= ACCESSES.index(needed) else DENIED


def list_places(route: Route, sender: Sender) -> list[Place | None]:
    """The places of the things that a sender asks for."""
    if not route.parameters:
        return [None]
    thing = THINGS[tuple(route.parameters)]
    can_own = bool(sender.person) and (
        route.parameters[0] not in ("document", "annotation", "library", "persona", "workspace")
        or sender.role != "guest"
    )
    if tuple(route.parameters) == ("conversation", "link"):
        can_own = can_own and sender.role != "guest"
    return [place for place in thing.places if place != "own" or can_own]


def find_values(world: World, route: Route, sender: Sender, place: Place | None) -> Values:
    """The values of a path's parameters for a thing at a place, as this sender writes them."""
    if place is None:
        return {}
    name = sender.person_name if place == "own" else "Mia"
    kind = tuple(route.parameters)
    key = (*kind, name, place)
    if route.is_change or key not in world.known:  # a thing that is only read can be read again
        world.known[key] = THINGS[kind].find(world, name, place, route.is_change)
    found = dict(world.known[key])
    if route.is_change:
        del world.known[key]
    if place != "own" and "library" in found and sender.person_name != "Mia":
        found["library"] = f"~Mia/{found['library']}"
    return found


def make_unknown(values: Mapping[str, str]) -> Values:
    """The same with the name of a thing that does not exist in the place of the first one."""
    first = next(iter(values))
    given = values[first]
    owner, slash, _ = given.rpartition("/")
    return {**values, first: f"{owner}{slash}{uuid.uuid4().hex}"}
