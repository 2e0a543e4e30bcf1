"""Find the lines of a file that a block means, and replace them.

Four steps, each only if the one before finds nothing: the exact text; the same lines with other line endings or
trailing blanks; the same lines with another indentation, if it differs in the same way in all of them; refusal. A step
that finds the lines at several places refuses too. Lines that the block repeats unchanged keep every byte.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from typing import Literal

from pincite.projects.line_endings import find_usual_ending, get_ending, split_lines, strip_ending

Step = Literal["exact", "endings", "indentation"]
Reindent = Callable[[str], str | None]

_TAB_WIDTHS = {2, 3, 4, 8}


@dataclass(frozen=True, slots=True)
class Place:
    """The lines from `start` up to `end` of a file, and how an indentation of the block becomes the file's."""

    start: int
    end: int
    step: Step
    reindent: Reindent | None = None


@dataclass(frozen=True, slots=True)
class Replaced:
    """The text after a replacement, or the code of the reason against it and the first lines it could mean."""

    text: str = ""
    problem: Literal["", "not_found", "several_places", "indentation", "not_at_end"] = ""
    lines: tuple[int, ...] = ()
    after: str = ""  # the line of the file below the replaced ones


def replace_text(text: str, search: str, replacement: str) -> Replaced:
    """Return the text with the only place of `search` replaced."""
    lines = split_lines(text)
    wanted = split_lines(search)
    places = find_places(lines, wanted)
    if len(places) != 1:
        found = tuple(place.start + 1 for place in places)
        return Replaced(problem="several_places" if places else "not_found", lines=found)
    place = places[0]
    if place.step == "exact":
        new = split_lines(replacement)
    else:
        composed = _compose(lines, wanted, split_lines(replacement), place)
        if composed is None:
            return Replaced(problem="indentation", lines=(place.start + 1,))
        new = composed
    after = lines[place.end] if place.end < len(lines) else ""
    if after and new and not get_ending(new[-1]):
        return Replaced(problem="not_at_end", lines=(place.start + 1,))
    return Replaced("".join((*lines[: place.start], *new, *lines[place.end :])), after=after)


def find_places(lines: Sequence[str], wanted: Sequence[str]) -> list[Place]:
    """Return the places of the lines of a block by the first step that finds any."""
    if not wanted:
        return []
    found = [Place(at, at + len(wanted), "exact") for at in _find_all(lines, wanted)]
    if found:
        return found
    bare = [line.rstrip(" \t\r\n") for line in lines]
    bare_wanted = [line.rstrip(" \t\r\n") for line in wanted]
    # A side that says that the file ends without a newline can only be the end of the file.
    is_end = not get_ending(wanted[-1])
    starts = [at for at in _find_all(bare, bare_wanted) if not is_end or at + len(wanted) == len(lines)]
    if starts:
        return [Place(at, at + len(wanted), "endings") for at in starts]
    return _find_indented(bare, bare_wanted, is_end)


def _find_all(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    first, size = wanted[0], len(wanted)
    return [
        at
        for at in range(len(lines) - size + 1)
        if lines[at] == first and all(lines[at + k] == wanted[k] for k in range(1, size))
    ]


def _find_indented(bare: Sequence[str], wanted: Sequence[str], is_end: bool) -> list[Place]:
    """Return the places of lines that differ in their indentation alone, in the same way."""
    if not any(wanted):
        return []
    stripped = [line.lstrip(" \t") for line in bare]
    places = []
    for at in _find_all(stripped, [line.lstrip(" \t") for line in wanted]):
        end = at + len(wanted)
        pairs = [
            (_get_indent(line), _get_indent(other)) for line, other in zip(wanted, bare[at:end], strict=True) if line
        ]
        reindent = _find_shift(pairs) or _find_unit(pairs)
        if reindent and not (is_end and end < len(bare)):
            places.append(Place(at, end, "indentation", reindent))
    return places


def _get_indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _find_shift(pairs: Sequence[tuple[str, str]]) -> Reindent | None:
    """Return how to shift a line if all lines got, or all lost, the same indentation in front."""
    written, real = pairs[0]
    if len(real) >= len(written):
        added = real.removesuffix(written) if real.endswith(written) else None
        if added is not None and all(other == added + indent for indent, other in pairs):
            return lambda indent: added + indent
        return None
    removed = written.removesuffix(real) if written.endswith(real) else None
    if removed is None or any(indent != removed + other for indent, other in pairs):
        return None
    return lambda indent: indent.removeprefix(removed) if indent.startswith(removed) else None


def _find_unit(pairs: Sequence[tuple[str, str]]) -> Reindent | None:
    """Return how to write an indentation if the block has spaces where the file has tabs, or the reverse."""
    width = _find_tab_width([(written, real) for written, real in pairs])
    if width:
        return partial(_turn_into_tabs, width=width)
    width = _find_tab_width([(real, written) for written, real in pairs])
    return partial(_turn_into_spaces, width=width) if width else None


def _find_tab_width(pairs: Sequence[tuple[str, str]]) -> int:
    """Return how many spaces stand for one tab in all pairs of spaces and tabs, or 0."""
    widths = set()
    for spaces, tabs in pairs:
        if spaces.strip(" ") or tabs.strip("\t") or bool(spaces) != bool(tabs):
            return 0
        if tabs:
            widths.add(len(spaces) / len(tabs))
    return int(widths.pop()) if len(widths) == 1 and widths <= _TAB_WIDTHS else 0


def _turn_into_tabs(indent: str, width: int) -> str | None:
    return None if indent.strip(" ") or len(indent) % width else "\t" * (len(indent) // width)


def _turn_into_spaces(indent: str, width: int) -> str | None:
    return None if indent.strip("\t") else " " * (width * len(indent))


def _compose(lines: Sequence[str], wanted: Sequence[str], replacement: Sequence[str], place: Place) -> list[str] | None:
    """Return the new lines with the indentation and endings of those they replace; None if a line has too little."""
    old = lines[place.start : place.end]
    before, after = [strip_ending(line) for line in wanted], [strip_ending(line) for line in replacement]
    texts: list[str] = []
    endings: list[str] = []
    usual = find_usual_ending(old) if any(map(get_ending, old)) else find_usual_ending(lines)
    for kind, start, end, new_start, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            texts += [strip_ending(line) for line in old[start:end]]
            endings += [get_ending(line) for line in old[start:end]]
            continue
        for at, text in enumerate(after[new_start:new_end]):
            moved = _move(text, place.reindent)
            if moved is None:
                return None
            replaced = min(start + at, end - 1) if end > start else max(start - 1, 0)
            texts.append(moved)
            endings.append(get_ending(old[replaced]))
    if not texts:
        return []
    endings = [ending or usual for ending in endings]
    endings[-1] = _choose_last_ending(old, wanted, replacement, endings[-1])
    return [text + ending for text, ending in zip(texts, endings, strict=True)]


def _choose_last_ending(old: Sequence[str], wanted: Sequence[str], replacement: Sequence[str], usual: str) -> str:
    """Return the ending of the last new line: the file's own, unless the block adds or removes the last newline."""
    is_ended, was_ended = bool(get_ending(replacement[-1])), bool(get_ending(wanted[-1]))
    if is_ended == was_ended:
        return usual if get_ending(old[-1]) else ""
    return usual if is_ended else ""


def _move(text: str, reindent: Reindent | None) -> str | None:
    bare = text.lstrip(" \t")
    if reindent is None or not bare:
        return text
    indent = reindent(text[: len(text) - len(bare)])
    return None if indent is None else indent + bare
