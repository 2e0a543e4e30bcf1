"""Tool calls as elements in a message's text: made once, and rewritten when they end.

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


def shortened(value: object, most: int = _LONGEST) -> str:
    """An attribute as it is sent: one line, and not too long."""
    line = _SPACES.sub(" ", str(value)).strip(" ")
    return line if len(line) <= most else line[: most - 1] + "…"


def tool_call(name: str, id: str, status: str = "running", attributes: Mapping[str, str] | None = None) -> str:
    """The element for a tool call that begins."""
    return _element("ToolCall", _merged({"type": name, "status": status, "toolCallId": id}, attributes or {}))


def subagent(name: str, id: str, task: str) -> str:
    """The element for a subagent that begins."""
    return _element("SubagentExecution", {"name": name, "status": "running", "subagentId": id, "task": task})


def finished(text: str, id: str, status: str, attributes: Mapping[str, str] | None = None) -> str:
    """A text in which the call with this id has its new status, and these attributes besides those it had."""
    own = escape(shortened(id))
    added = {key: escape(shortened(value)) for key, value in (attributes or {}).items()}

    def change(element: re.Match[str]) -> str:
        had = dict(_PARTS.findall(element[2]))
        if own not in [had[key] for key in _IDS if key in had]:
            return element[0]
        return _written(element[1], _merged(had, added) | {"status": escape(shortened(status))})

    return _ELEMENT.sub(change, text)


def activity(said: Iterable[Event]) -> str:
    """The elements of all calls among some events, each as it stands after the last of them."""
    text = ""
    for event in said:
        data = event.data
        match event.type:
            case "tool_call_started" | "subagent_started":
                text += data["content"]
            case "tool_call_success":
                text = finished(text, _id(data), "success", data.get("extra"))
            case "subagent_completed":
                text = finished(text, _id(data), "success", {"summary": data["summary"]})
            case "tool_call_error" | "subagent_error":
                text = finished(text, _id(data), "error", {"error": data["error"]})
    return text


def _id(data: Mapping[str, Any]) -> str:
    return str(data.get("toolCallId") or data.get("subagentId"))


def _merged(had: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Attributes with others, which take the place of those of the same name; those of the call itself stay."""
    return {**had, **{key: value for key, value in more.items() if key not in _OWN}}


def _element(name: str, attributes: Mapping[str, str]) -> str:
    return _written(name, {key: escape(shortened(value)) for key, value in attributes.items()})


def _written(name: str, attributes: Mapping[str, str]) -> str:
    said = " ".join(f'{key}="{value}"' for key, value in attributes.items() if _NAME.fullmatch(key))
    return f"<{name} {said}></{name}>"
