"""Tool calls as elements in a message's text: one helper makes and changes them, for every side that shows them."""

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from pincite.events import Event

_LONGEST = 200  # characters of an attribute


def shortened(value: object, most: int = _LONGEST) -> str:
    """An attribute as it is sent: one line, and not too long."""
    line = " ".join(str(value).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def tool_call(name: str, id: str, status: str = "running", attributes: Mapping[str, str] | None = None) -> str:
    """The element for a tool call that begins."""
    return _element("ToolCall", {"type": name, "status": status, "toolCallId": id, **(attributes or {})})


def subagent(name: str, id: str, task: str) -> str:
    """The element for a subagent that begins."""
    return _element("SubagentExecution", {"name": name, "status": "running", "subagentId": id, "task": task})


def finished(text: str, id: str, status: str, attributes: Mapping[str, str] | None = None) -> str:
    """A text in which the call with this id has its new status, and these attributes besides those it had."""
    attribute = r' [\w-]+="[^"]*"'
    own = rf' (?:toolCallId|subagentId)="{re.escape(escape(id))}"'
    known = re.compile(rf"<(ToolCall|SubagentExecution)((?:{attribute})*?{own}(?:{attribute})*)></\1>")

    def changed(match: re.Match[str]) -> str:
        had = dict(re.findall(r'([\w-]+)="([^"]*)"', match[2]))
        new = {"status": status, **(attributes or {})}
        had.update({key: escape(shortened(value)) for key, value in new.items() if _NAME.fullmatch(key)})
        return f"<{match[1]} " + " ".join(f'{key}="{value}"' for key, value in had.items()) + f"></{match[1]}>"

    return known.sub(changed, text)


def activity(said: Iterable[Event]) -> str:
    """The elements of all calls among some events, each as it stands after the last of them."""
    text = ""
    for event in said:
        data = event.data
        match event.type:
            case "tool_call_started" | "subagent_started":
                text += data["content"]
            case "tool_call_success" | "subagent_completed":
                text = finished(text, _id(data), "success", data.get("extra"))
            case "tool_call_error" | "subagent_error":
                text = finished(text, _id(data), "error", {"error": data["error"]})
    return text


def _id(data: Mapping[str, Any]) -> str:
    return str(data.get("toolCallId") or data.get("subagentId"))


_NAME = re.compile(r"[A-Za-z][\w-]*")


def _element(name: str, attributes: Mapping[str, str]) -> str:
    said = " ".join(f'{key}="{escape(shortened(value))}"' for key, value in attributes.items() if _NAME.fullmatch(key))
    return f"<{name} {said}></{name}>"
