"""Recognize lines such as "..." or "# rest unchanged" that stand for lines of a file, and put those lines in.

That happens only where it is certain: the lines on both sides are in the file, exactly and once.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from pincite.projects.edit_matching import find_places
from pincite.projects.line_endings import find_usual_ending, get_ending, split_lines, strip_ending
from pincite.projects.path_lines import get_name

_LONGEST = 160  # characters of a line that stands for others
_OPENERS = ("{/*", "<!--", "/*", "//", "#", "--", ";", "%", "*", "{#")
_CLOSERS = ("*/}", "-->", "*/", "#}")
_REST = re.compile(
    r"(?:the )?(?:rest|remainder|remaining|other|existing|previous|same|unchanged|omitted|more|code|imports|methods)\b",
    re.IGNORECASE,
)
_SAYS_UNCHANGED = re.compile(
    r"\b(?:unchanged|existing (?:code|content|imports|methods|functions|implementation|tests|logic)"
    r"|(?:stays?|remains?|keep) (?:the same|as is|unchanged)|same as before|as before|rest of (?:the |your |this )?"
    r"(?:file|code|class|function|method|implementation|content|module|component|document|test|tests))\b",
    re.IGNORECASE,
)
_STATUS = r"(?: (?:remains?|stays?|is|are|goes|kept|here|unchanged|the same|as is|as before))"
# Without dots, only the whole comment can say it: "rest of the file unchanged", "existing code".
_WHOLE_COMMENTS = (
    re.compile(rf"(?:the )?(?:rest|remainder) of (?:the |your |this )?\w+(?: \w+)?{_STATUS}*", re.IGNORECASE),
    re.compile(rf"(?:all )?(?:the )?(?:other|rest|remaining|existing|previous)(?: \w+)?{_STATUS}+", re.IGNORECASE),
    re.compile(r"(?:your )?existing (?:code|implementation|content|imports)", re.IGNORECASE),
)
_PROSE_FILES = frozenset({"md", "mdx", "markdown", "rst", "txt", "adoc", "org", "qmd"})
_DOTTED_FILES = frozenset({"yaml", "yml"}) | _PROSE_FILES


def is_elision(line: str) -> bool:
    """Return whether a line may stand for lines that were left out."""
    text = line.strip()
    return text in ("...", "…", "[...]", "[…]", "(...)") or says_left_out(line)


def says_left_out(line: str) -> bool:
    """Return whether a comment says that lines were left out."""
    text = line.strip()
    if len(text) > _LONGEST:
        return False
    opener = next((each for each in _OPENERS if text.startswith(each)), "")
    text = text.removeprefix(opener).strip("/#*-; \t") if opener else text
    for closer in _CLOSERS:
        text = text.removesuffix(closer).rstrip()
    bare = text.replace("…", "...")
    starts, ends = bare.startswith("..."), bare.endswith("...")
    words = bare.strip(". ()[]")
    if not opener:
        return starts and bool(_SAYS_UNCHANGED.search(words) or _REST.match(words)) and len(words) < 80
    if not words:
        return starts
    if starts and (ends or bare[3:4] == " "):
        return True
    if ends and (_REST.match(words) or _SAYS_UNCHANGED.search(words)):
        return True
    return any(pattern.fullmatch(words) for pattern in _WHOLE_COMMENTS)


def find_new_elision(path: str, search: str, replacement: str, text: str) -> str:
    """Return the first line of a replacement that stands for others and is no line of the file itself, or ""."""
    extension = get_name(path).rpartition(".")[2].lower()
    known = {line.strip() for line in split_lines(search)}
    before = ""
    in_file: set[str] | None = None
    for line in split_lines(replacement):
        stripped = line.strip()
        if is_elision(line) and stripped not in known and not _is_literal(stripped, before, extension):
            in_file = {each.strip() for each in split_lines(text)} if in_file is None else in_file
            if stripped not in in_file:
                return stripped
        before = stripped or before
    return ""


def expand_block(text: str, search: str, replacement: str) -> str | None:
    """Return the text after a block in which equal lines on both sides stand for lines of the file, or None."""
    lines = split_lines(text)
    parts, marks = _split_at_elisions(split_lines(search))
    new_parts, new_marks = _split_at_elisions(split_lines(replacement))
    if not marks or [mark.strip() for mark in marks] != [mark.strip() for mark in new_marks]:
        return None
    while marks and not parts[0] and not new_parts[0]:
        parts, marks, new_parts = parts[1:], marks[1:], new_parts[1:]
    while marks and not parts[-1] and not new_parts[-1]:
        parts, marks, new_parts = parts[:-1], marks[:-1], new_parts[:-1]
    places = []
    for part in parts:
        found = find_places(lines, part)
        if len(found) != 1 or found[0].step != "exact" or not _is_telling(part):
            return None
        places.append(found[0])
    if any(first.end > second.start for first, second in pairwise(places)):
        return None
    made = [*lines[: places[0].start]]
    for at, (place, part) in enumerate(zip(places, new_parts, strict=True)):
        made += part
        made += lines[place.end : places[at + 1].start] if at + 1 < len(places) else lines[place.end :]
    return "".join(made)


def expand_file(text: str, content: str) -> str | None:
    """Return the whole file for a content that leaves out parts of the text, or None where that is not certain."""
    lines = split_lines(text)
    usual = find_usual_ending(lines)
    parts, marks = _split_at_elisions(split_lines(content))
    if not marks:
        return None
    keys = [strip_ending(line) for line in lines]
    if not _has_same_ends(keys, parts):
        return None
    made: list[str] = []
    at = 0  # the first line of the file that is not placed yet
    for index, part in enumerate(parts):
        bare = [strip_ending(line) for line in part]
        if index:
            start = _find_edge(keys, bare, is_end=False) if bare else len(keys)
            if start is None or start < at:
                return None
            made += lines[at:start]
            at = start
        if index < len(marks):
            end = _find_edge(keys, bare, is_end=True) if bare else at
            if end is None or end < at:
                return None
            at = end
        made += [strip_ending(line) + usual for line in part]
    if parts[-1] and not get_ending(lines[-1]):
        made[-1] = strip_ending(made[-1])
    return "".join(made)


def _split_at_elisions(lines: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    parts: list[list[str]] = [[]]
    marks = []
    for line in lines:
        if is_elision(line):
            marks.append(line)
            parts.append([])
        else:
            parts[-1].append(line)
    return parts, marks


def _is_telling(lines: Sequence[str]) -> bool:
    return any(sum(sign.isalnum() for sign in line) > 1 for line in lines)


def _has_same_ends(keys: Sequence[str], parts: Sequence[Sequence[str]]) -> bool:
    """Return whether the content begins and ends like the file, unless it leaves out what is there."""
    texts = [key for key in keys if key.strip()]
    first, last = ([strip_ending(line) for line in part if line.strip()] for part in (parts[0], parts[-1]))
    return bool(texts) and (not first or first[0] == texts[0]) and (not last or last[-1] == texts[-1])


def _find_edge(keys: Sequence[str], part: Sequence[str], is_end: bool) -> int | None:
    """Return where the last lines of a part end in the file, or where its first ones start, if that is one place."""
    for size in range(1, len(part) + 1):
        edge = part[-size:] if is_end else part[:size]
        found = [at for at in range(len(keys) - size + 1) if all(keys[at + k] == edge[k] for k in range(size))]
        if not found:
            return None
        if len(found) == 1 and _is_telling(edge):
            return found[0] + size if is_end else found[0]
    return None


def _is_literal(stripped: str, before: str, extension: str) -> bool:
    """Return whether such a line is usual text in a file of this kind."""
    if extension in _PROSE_FILES:
        return not _SAYS_UNCHANGED.search(stripped)
    if stripped not in ("...", "…"):
        return False
    if extension in ("py", "pyi"):
        return before.endswith((":", '"""', "'''"))  # the body of a function that does nothing
    return extension in _DOTTED_FILES
