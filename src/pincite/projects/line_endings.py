"""Split text into lines with their endings, and nothing else: form feeds and Unicode separators stay in the line."""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

_ENDING = re.compile(r"\r\n|\n|\r")
_MANY = 5_000  # lines; beyond, frequent ones such as blank lines are not aligned one by one


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, each with its ending. The last one may have none."""
    lines = []
    start = 0
    for found in _ENDING.finditer(text):
        lines.append(text[start : found.end()])
        start = found.end()
    if start < len(text):
        lines.append(text[start:])
    return lines


def get_ending(line: str) -> str:
    """Return the line ending of a line, or ""."""
    if line.endswith("\r\n"):
        return "\r\n"
    return line[-1] if line.endswith(("\n", "\r")) else ""


def strip_ending(line: str) -> str:
    """Return a line without its ending."""
    return line[: len(line) - len(get_ending(line))]


def find_usual_ending(lines: Sequence[str]) -> str:
    """Return the most frequent line ending, or a newline if there is none."""
    counted = Counter(ending for line in lines if (ending := get_ending(line)))
    return counted.most_common(1)[0][0] if counted else "\n"


def keep_endings(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Return the new lines of a text with the endings of its old ones.

    A line that stays keeps its ending, a line that replaces another one gets the ending of that one, and any other line
    gets the usual ending. Where the old text ends without a line ending, so does the new one.
    """
    usual = find_usual_ending(old)
    texts = [strip_ending(line) for line in new]
    endings = [usual] * len(new)
    if len({get_ending(line) for line in old} - {""}) > 1:
        matcher = SequenceMatcher(None, [strip_ending(line) for line in old], texts, autojunk=len(old) > _MANY)
        for _, first, last, start, end in matcher.get_opcodes():
            for line, at in zip(old[first:last], range(start, end), strict=False):
                endings[at] = get_ending(line) or usual
    if new and not (get_ending(old[-1]) and get_ending(new[-1])):
        endings[-1] = ""
    return [text + ending for text, ending in zip(texts, endings, strict=True)]
