"""The state that a run of a model leaves besides its events."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class RunState:
    """The tools that a run called, and the text that it wrote before it had evidence."""

    called: set[str] = field(default_factory=set)
    waiting: str = ""
