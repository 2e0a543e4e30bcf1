"""Print an answer as JSON for a program, and errors on stderr. This module does not import Rich, to start fast."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pincite.cli import options
from pincite.cli.growing_text import strip_controls
from pincite.cli.proof_output import NO_DAYS

if TYPE_CHECKING:
    from pincite.events import Answer, Data, Fault


class JsonRenderer:
    """Replaces `TerminalRenderer` when the answer is printed as JSON and stderr is not a terminal."""

    def __init__(self) -> None:
        self._fault: Fault | None = None

    @property
    def failed(self) -> bool:
        """Whether an error event arrived."""
        return self._fault is not None

    def begin(self) -> None:
        """Do nothing: no progress is shown."""

    def pause(self) -> None:
        """Do nothing: no progress is shown."""

    def hear(self, data: "Data") -> None:
        """Print an error event on stderr. Ignore other events; the final answer contains their data."""
        from pincite.events import Fault

        if isinstance(data, Fault):
            self._fault = data
            said = f"Error: {data.message}" + (f"\n{data.hint}" if data.hint else "")
            sys.stderr.write(strip_controls(said) + "\n")

    def end(self, answer: "Answer", hint: str = "", days: Mapping[str, str] = NO_DAYS) -> None:
        """Print the answer as JSON. The hint and the days are for people and are ignored."""
        failed = {"error": self._fault.model_dump(mode="json")} if self._fault else {}
        options.print_json(answer.model_dump(mode="json") | failed)
