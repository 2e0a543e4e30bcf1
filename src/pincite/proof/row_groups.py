"""Find the labels that a row of a table stands under: the labels above it with a smaller indentation."""

from collections.abc import Iterable
from dataclasses import dataclass, field

_STEP = 2  # spaces that make an indentation; a single one is a matter of typing


@dataclass(slots=True)
class RowGroups:
    """Follows the rows of a table from top to bottom, and gives the labels that each row belongs to.

    `indents` are the spaces in front of all rows. If they are all equal, indentation has no meaning.
    """

    indents: Iterable[int]
    _base: int = field(default=0, init=False)
    _above: list[tuple[int, str]] = field(default_factory=list, init=False)
    is_indented: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        found = list(self.indents)
        self._base = min(found, default=0)
        self.is_indented = max(found, default=0) - self._base >= _STEP

    def find_parents(self, indent: int, label: str) -> list[str]:
        """Return the labels that a row with this indentation stands under, outermost first; then it is the last one."""
        if not self.is_indented:
            return []
        depth = (indent - self._base) // _STEP
        while self._above and self._above[-1][0] >= depth:
            self._above.pop()
        parents = [name for _, name in self._above]
        if label:
            self._above.append((depth, label))
        return parents
