"""The evidence of one turn, numbered as its tools find it."""

from pincite.evidence.sentences import sentences
from pincite.types import Evidence, Hit, Span


class Ledger:
    """Gives each source its number, once: the same span found again keeps the one it has."""

    def __init__(self) -> None:
        self._numbers: dict[Span, int] = {}
        self._listed: list[Evidence] = []

    def __len__(self) -> int:
        return len(self._listed)

    @property
    def listed(self) -> tuple[Evidence, ...]:
        """All evidence in the order of its numbers, from 1."""
        return tuple(self._listed)

    def get(self, number: int) -> Evidence | None:
        """The evidence with this number, if there is one."""
        return self._listed[number - 1] if 0 < number <= len(self._listed) else None

    def add(self, hit: Hit, url: str | None = None) -> tuple[Evidence, bool]:
        """The evidence that a hit is, and whether it is new to the turn."""
        known = self._numbers.get(hit.span)
        if known is not None:
            return self._listed[known - 1], False
        number = self._numbers[hit.span] = len(self._listed) + 1
        first = hit.span.start
        evidence = Evidence(
            number=number,
            span=hit.span,
            title=hit.title,
            kind=hit.kind,
            text=hit.text,
            page=hit.page,
            last_page=hit.last_page,
            headings=hit.headings,
            url=url,
            score=hit.score,
            sentences=tuple((first + a, first + b) for a, b in sentences(hit.text)),
        )
        self._listed.append(evidence)
        return evidence, True
