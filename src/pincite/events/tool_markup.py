"""Write tool calls as elements in a message's text, and update them when they end.

The page has the same in `ui/src/conversation/markup.ts`; the tests of both read `tests/events/markup_cases.json`.
Characters and spaces are named here one by one because the two languages count and class them differently.
"""

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from pincite.events import Event

_LONGEST = 200  # characters of an attribute
_SPACES = re.compile("[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_ATTRIBUTE = r' [A-Za-z][A-Za-z0-9_-]*="[^"]*"'
_ELEMENT = re.compile(rf"<(ToolCall|SubagentExecution)((?:{_ATTRIBUTE})+)></\1>")
_PARTS = re.compile(r' ([A-Za-z][A-Za-z0-9_-]*)="([^"]*)"')
_IDS = ("toolCallId", "subagentId")
_OWN = ("status", *_IDS)  # attributes that no tool may set


def shorten_value(value: object, most: int = _LONGEST) -> str:
    """Return an attribute's value on one line, shortened."""
    line = _SPACES.sub(" ", str(value)).strip(" ")
    return line if len(line) <= most else line[: most - 1] + "…"


def make_tool_call(name: str, id: str, status: str = "running", attributes: Mapping[str, str] | None = None) -> str:
    """Return the element for a tool call that begins."""
    return _make_element(
        "ToolCall", _merge_attributes({"type": name, "status": status, "toolCallId": id}, attributes or {})
    )


def make_subagent(name: str, id: str, task: str) -> str:
    """Return the element for a subagent that begins."""
    return _make_element("SubagentExecution", {"name": name, "status": "running", "subagentId": id, "task": task})


def finish_call(text: str, id: str, status: str, attributes: Mapping[str, str] | None = None) -> str:
    """Return a text in which the call with this id has a new status and more attributes."""
    own = escape(shorten_value(id))
    added = {key: escape(shorten_value(value)) for key, value in (attributes or {}).items()}

    def change(element: re.Match[str]) -> str:
        had = dict(_PARTS.findall(element[2]))
        if own not in [had[key] for key in _IDS if key in had]:
            return element[0]
        return _write_element(element[1], _merge_attributes(had, added) | {"status": escape(shorten_value(status))})

    return _ELEMENT.sub(change, text)


def render_activity(said: Iterable[Event]) -> str:
    """Return the elements of all calls among some events, in their final state."""
    text = ""
    for event in said:
        data = event.data
        match event.type:
            case "tool_call_started" | "subagent_started":
                text += data["content"]
            case "tool_call_success":
                text = finish_call(text, _find_id(data), "success", data.get("extra"))
            case "subagent_completed":
                text = finish_call(text, _find_id(data), "success", {"summary": data["summary"]})
            case "tool_call_error" | "subagent_error":
                text = finish_call(text, _find_id(data), "error", {"error": data["error"]})
    return text


def _find_id(data: Mapping[str, Any]) -> str:
    return str(data.get("toolCallId") or data.get("subagentId"))


def _merge_attributes(had: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Merge attributes; new ones replace those of the same name, except the call's own."""
    return {**had, **{key: value for key, value in more.items() if key not in _OWN}}


def _make_element(name: str, attributes: Mapping[str, str]) -> str:
    return _write_element(name, {key: escape(shorten_value(value)) for key, value in attributes.items()})


def _write_element(name: str, attributes: Mapping[str, str]) -> str:
    said = " ".join(f'{key}="{value}"' for key, value in attributes.items() if _NAME.fullmatch(key))
    return f"<{name} {said}></{name}>"
