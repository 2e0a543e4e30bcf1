"""The parts of a question that are worked on side by side: what all of them do now, and what came of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.cli.doing import named

if TYPE_CHECKING:
    from pincite.events import Section, SubagentCompleted, SubagentData, SubagentError, SubagentStarted

_LONGEST_TASK = 80  # characters
_THINKING = "Thinking"
_BETWEEN = " · "


@dataclass(slots=True)
class _Part:
    name: str
    task: str
    doing: str = _THINKING
    found: int = 0


class Parts:
    """The parts that are under way, in the order in which they began."""

    def __init__(self) -> None:
        self._running: dict[str, _Part] = {}
        self._sections: dict[str, _Part] = {}  # of a report, by their questions

    def doing(self, width: int) -> str:
        """What all of them do, on one line of this width, which they share; nothing when none is under way."""
        said = [f"{part.name}: {part.doing}…" for part in self._running.values()]
        if sum(map(len, said)) + len(_BETWEEN) * (len(said) - 1) > width:
            most = max(width // len(said) - len(_BETWEEN), 8)
            said = [each if len(each) <= most else each[: most - 1] + "…" for each in said]
        return _BETWEEN.join(said)

    def plan(self, sections: "Sequence[Section]") -> None:
        """Call the parts that write these sections by their numbers and headings: they all have one name."""
        for number, section in enumerate(sections, 1):
            self._sections[section.question] = _Part(f"section {number}", section.heading)

    def begin(self, data: "SubagentStarted") -> None:
        """One more is under way."""
        part = self._sections.pop(data.task, None) or _Part(data.name.replace("_", " "), data.task)
        self._running[data.subagentId] = part

    def hear(self, data: "SubagentData") -> None:
        """Take note of what one of them does; what this version does not know is passed over."""
        from pincite import events

        part, kind = self._running.get(data.subagentId), events.EVENTS.get(str(data.event.get("type")))
        if part is None or kind is None:
            return
        match kind.model_validate(data.event["data"]):
            case events.ToolCallStarted() as call:
                part.doing = named(call, 0)
            case events.ToolCallSuccess() as done:
                number = done.extra.get("found", "")
                part.found += int(number) if number.isdecimal() else 0
                part.doing = _THINKING
            case events.ToolCallError():
                part.doing = _THINKING
            case events.Text():
                part.doing = "Writing"

    def end(self, data: "SubagentCompleted | SubagentError") -> str:
        """One of them is over: what it was to do, what came of it and how long it took, on a line."""
        from pincite.events import SubagentError
        from pincite.evidence.lines import opening

        part = self._running.pop(data.subagentId, None) or _Part("a part", "")
        task = f" “{opening(part.task, _LONGEST_TASK)}”" if part.task else ""
        sign, why = ("✗", data.error) if isinstance(data, SubagentError) else ("✓", "")
        came = [why, f"{part.found} found" if part.found else "", f"{data.seconds:.1f} s"]
        return " · ".join([f"{part.name} {sign}{task}", *filter(None, came)])
