"""A turn's events for a program: its answer as JSON, errors on stderr. It draws nothing, so Rich is not imported."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pincite.cli import door
from pincite.cli.rows import harmless
from pincite.cli.sources import NO_DAYS

if TYPE_CHECKING:
    from pincite.events import Answer, Data, Fault


class JsonTeller:
    """Takes the place of `Teller` where the answer is printed as JSON and nobody watches."""

    def __init__(self) -> None:
        self._fault: Fault | None = None

    @property
    def failed(self) -> bool:
        """Whether something went wrong on the way."""
        return self._fault is not None

    def begin(self) -> None:
        """Nothing is said of what is under way."""

    def pause(self) -> None:
        """There is nothing to take away from the screen."""

    def hear(self, data: "Data") -> None:
        """Print an error; of all else the answer at the end has what matters."""
        from pincite.events import Fault

        if isinstance(data, Fault):
            self._fault = data
            said = f"Error: {data.message}" + (f"\n{data.hint}" if data.hint else "")
            sys.stderr.write(harmless(said) + "\n")

    def end(self, answer: "Answer", hint: str = "", days: Mapping[str, str] = NO_DAYS) -> None:
        """Print the answer; hints and days are for people."""
        failed = {"error": self._fault.model_dump(mode="json")} if self._fault else {}
        door.print_json(answer.model_dump(mode="json") | failed)
