"""The OpenAPI document with what FastAPI cannot tell itself: errors are JSON on every route, and what events carry."""

from collections.abc import Collection
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from pincite.events import EVENTS, Event
from pincite.server.errors import RESPONSES

_NAMES = "#/components/schemas/Event{model}"  # EventText, EventAnswer …: no other schema is called so


def described(schema: dict[str, Any], carried: Collection[type[BaseModel]] = ()) -> dict[str, Any]:
    """The document made whole, with what streams carry beside the events of answers; it may be given twice."""
    for methods in schema["paths"].values():
        for route in methods.values():
            for status in RESPONSES:
                told = route["responses"][status]
                told["content"] = {"application/json": next(iter(told["content"].values()))}
    schema["components"]["schemas"].update(_events())
    schema["components"]["schemas"].update({each.__name__: each.model_json_schema() for each in carried})
    return schema


def stream(says: str, *types: str, carries: Collection[type[BaseModel]] = ()) -> dict[int | str, dict[str, Any]]:
    """A stream of events as a route's answer, and what they carry; without types, those of an answer."""
    data: dict[str, Any] = {"type": "string", "contentMediaType": "application/json"}
    if not types:
        data["contentSchema"] = {"$ref": "#/components/schemas/Event"}
    elif carries:
        data["contentSchema"] = {"anyOf": [{"$ref": f"#/components/schemas/{each.__name__}"} for each in carries]}
    one = {
        "type": "object",
        "description": "One server-sent event.",
        "properties": {
            "id": {"type": "string", "description": "Its number in the conversation."},
            "event": {"type": "string", "enum": list(types or EVENTS)},
            "data": data,
        },
        "required": ["event", "data"],
    }
    return {200: {"description": says, "content": {"text/event-stream": {"schema": one}}}}


def _events() -> dict[str, Any]:
    """The payloads by the names of their models, and the event that carries one of them, told apart by its type."""
    refs, told = models_json_schema([(kind, "serialization") for kind in EVENTS.values()], ref_template=_NAMES)
    event = Event.model_json_schema()
    kinds = []
    for name, kind in EVENTS.items():
        own = {"type": {"const": name, "type": "string"}, "data": refs[kind, "serialization"]}
        kinds.append({**event, "title": name, "properties": {**event["properties"], **own}})
    schema = {"title": "Event", "description": event["description"], "oneOf": kinds}
    return {"Event": schema, **{f"Event{name}": each for name, each in told["$defs"].items()}}
