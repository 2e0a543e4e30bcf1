"""Add to the OpenAPI document: errors are JSON on every route, and the payloads of server-sent events."""

from collections.abc import Collection
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from pincite.events import EVENTS, Event
from pincite.server.error_responses import ERROR_RESPONSES, Problem

_REFERENCE = "#/components/schemas/{model}"
_VALIDATION = ("HTTPValidationError", "ValidationError")  # FastAPI's description of errors, which are `Problem` here
_NAMES = "#/components/schemas/Event{model}"  # EventText, EventAnswer …: no other schema has such a name


def complete_schema(schema: dict[str, Any], carried: Collection[type[BaseModel]] = ()) -> dict[str, Any]:
    """Return the completed document, with the models that streams carry besides events. It is idempotent."""
    _, problem = models_json_schema([(Problem, "serialization")], ref_template=_REFERENCE)
    body = {"application/json": {"schema": {"$ref": _REFERENCE.format(model=Problem.__name__)}}}
    errors = {status: {"description": description, "content": body} for status, description in ERROR_RESPONSES.items()}
    for methods in schema["paths"].values():
        for route in methods.values():
            route["responses"].pop("422", None)  # of FastAPI's own form
            route["responses"].update(errors)
    described = {**schema["components"]["schemas"], **problem["$defs"], **_make_event_schemas()}
    described.update({each.__name__: each.model_json_schema() for each in carried})
    schema["components"]["schemas"] = {name: described[name] for name in sorted(described) if name not in _VALIDATION}
    return schema


def describe_stream(
    says: str, *types: str, carries: Collection[type[BaseModel]] = ()
) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI response of a stream of events. Without `types`, these are the events of an answer."""
    data: dict[str, Any] = {"type": "string", "contentMediaType": "application/json"}
    if not types:
        data["contentSchema"] = {"$ref": "#/components/schemas/Event"}
    elif carries:
        data["contentSchema"] = {"anyOf": [{"$ref": f"#/components/schemas/{each.__name__}"} for each in carries]}
    one = {
        "type": "object",
        "description": "One server-sent event.",
        "properties": {
            "id": {"type": "string", "description": "Number of the event in the conversation."},
            "event": {"type": "string", "enum": list(types or EVENTS)},
            "data": data,
        },
        "required": ["event", "data"],
    }
    return {200: {"description": says, "content": {"text/event-stream": {"schema": one}}}}


def _make_event_schemas() -> dict[str, Any]:
    """Return the schemas of all payloads, and of the event that carries one of them according to its type."""
    refs, payloads = models_json_schema([(kind, "serialization") for kind in EVENTS.values()], ref_template=_NAMES)
    event = Event.model_json_schema()
    kinds = []
    for name, kind in EVENTS.items():
        own = {"type": {"const": name, "type": "string"}, "data": refs[kind, "serialization"]}
        kinds.append({**event, "title": name, "properties": {**event["properties"], **own}})
    schema = {"title": "Event", "description": event["description"], "oneOf": kinds}
    return {"Event": schema, **{f"Event{name}": each for name, each in payloads["$defs"].items()}}
