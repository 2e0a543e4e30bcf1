"""Find the lines of a file that are most like the lines of a block: "did you mean"."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pincite.projects.line_endings import split_lines

_MOST_LINES = 12  # shown
_MOST_WINDOWS = 60  # compared in full
_LEAST_LIKE = 0.5


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """A line of a file with its number, from 1."""

    number: int
    text: str


def find_nearest_lines(text: str, search: str) -> tuple[NumberedLine, ...]:
    """Return the lines of a text that are most like those of a block, or none if nothing is like them."""
    lines = [line.strip() for line in split_lines(text)]
    wanted = [line.strip() for line in split_lines(search)]
    while wanted and not wanted[-1]:
        wanted.pop()
    while wanted and not wanted[0]:
        wanted.pop(0)
    if not wanted or not lines:
        return ()
    start = _find_best_start(lines, wanted)
    if start is None:
        return ()
    shown = split_lines(text)[start : start + min(len(wanted), _MOST_LINES)]
    return tuple(NumberedLine(start + at + 1, line.rstrip("\r\n")) for at, line in enumerate(shown))


def _find_best_start(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Return the first line of the window that is most like the wanted lines."""
    votes: dict[int, float] = {}
    rare = {line: lines.count(line) for line in set(wanted) if line}
    for offset, line in enumerate(wanted):
        if not line or not 0 < rare[line] <= 20:
            continue
        at = -1
        for _ in range(rare[line]):
            at = lines.index(line, at + 1)
            votes[max(at - offset, 0)] = votes.get(max(at - offset, 0), 0) + 1 / rare[line]
    candidates = sorted(votes, key=lambda at: (-votes[at], at))[:_MOST_WINDOWS]
    if not candidates:
        candidates = _find_alike(lines, wanted)
    target = "\n".join(wanted)
    best, best_ratio = None, _LEAST_LIKE
    for at in candidates:
        ratio = SequenceMatcher(None, "\n".join(lines[at : at + len(wanted)])[:2000], target[:2000], False).ratio()
        if ratio > best_ratio:
            best, best_ratio = at, ratio
    return best


def _find_alike(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Return windows by the words of their longest wanted line, where no line is the same."""
    offset = max(range(len(wanted)), key=lambda at: len(wanted[at]))
    words = set(wanted[offset].split())
    scored = []
    for at, line in enumerate(lines[:50_000]):
        if line and (shared := len(words.intersection(line.split()))):
            scored.append((-shared / max(len(words), len(line.split())), at))
    if not scored:
        matcher = SequenceMatcher(None, "", wanted[offset][:200], False)
        for at, line in enumerate(lines[:5_000]):
            matcher.set_seq1(line[:200])
            if line and matcher.quick_ratio() > _LEAST_LIKE:
                scored.append((-matcher.quick_ratio(), at))
    return [max(at - offset, 0) for _, at in sorted(scored)[:_MOST_WINDOWS]]
