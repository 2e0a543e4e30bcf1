"""Show the progress and results of subagents that work on the parts of a question at the same time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.events.tool_labels import describe_call

if TYPE_CHECKING:
    from pincite.events import Section, SubagentCompleted, SubagentData, SubagentError, SubagentStarted

_LONGEST_TASK = 80  # characters
_THINKING = "Thinking"
_BETWEEN = " · "


@dataclass(slots=True)
class _SubagentState:
    name: str
    task: str
    doing: str = _THINKING
    found: int = 0


class SubagentProgress:
    """Tracks the running subagents in the order in which they started."""

    def __init__(self) -> None:
        self._running: dict[str, _SubagentState] = {}
        self._sections: dict[str, _SubagentState] = {}  # of a report, by their questions

    def doing(self, width: int) -> str:
        """Return one line of this width with the activity of all running subagents, empty if there are none."""
        said = [f"{part.name}: {part.doing}…" for part in self._running.values()]
        if sum(map(len, said)) + len(_BETWEEN) * (len(said) - 1) > width:
            most = max(width // len(said) - len(_BETWEEN), 8)
            said = [each if len(each) <= most else each[: most - 1] + "…" for each in said]
        return _BETWEEN.join(said)

    def plan(self, sections: "Sequence[Section]") -> None:
        """Name the subagents of a report by the numbers and headings of their sections."""
        for number, section in enumerate(sections, 1):
            self._sections[section.question] = _SubagentState(f"section {number}", section.heading)

    def begin(self, data: "SubagentStarted") -> None:
        """Add a subagent that has started."""
        part = self._sections.pop(data.task, None) or _SubagentState(data.name.replace("_", " "), data.task)
        self._running[data.subagentId] = part

    def hear(self, data: "SubagentData") -> None:
        """Update the activity of a subagent from its event. Ignore unknown events."""
        from pincite import events

        part, kind = self._running.get(data.subagentId), events.EVENTS.get(str(data.event.get("type")))
        if part is None or kind is None:
            return
        match kind.model_validate(data.event["data"]):
            case events.ToolCallStarted() as call:
                part.doing = describe_call(call)
            case events.ToolCallSuccess() as done:
                number = done.extra.get("found", "")
                part.found += int(number) if number.isdecimal() else 0
                part.doing = _THINKING
            case events.ToolCallError():
                part.doing = _THINKING
            case events.Text():
                part.doing = "Writing"

    def end(self, data: "SubagentCompleted | SubagentError") -> str:
        """Remove a finished subagent. Return a line with its task, result and time."""
        from pincite.events import SubagentError
        from pincite.locate.page_lines import take_first_words

        part = self._running.pop(data.subagentId, None) or _SubagentState("a part", "")
        task = f" “{take_first_words(part.task, _LONGEST_TASK)}”" if part.task else ""
        sign, why = ("✗", data.error) if isinstance(data, SubagentError) else ("✓", "")
        came = [why, f"{part.found} found" if part.found else "", f"{data.seconds:.1f} s"]
        return " · ".join([f"{part.name} {sign}{task}", *filter(None, came)])
