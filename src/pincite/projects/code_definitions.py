"""Find the definitions of a file: functions, methods and classes, and the sections of Markdown.

Python is read by its own grammar. Other languages are read by the words that begin a definition and by indentation,
which ends it.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

PartKind = Literal["function", "class", "section", "text"]

_LONGEST_LINE = 400  # characters of a line in which a definition is looked for
_LONGEST_PYTHON = 400_000  # characters that are read by the grammar
_PYTHON = (".py", ".pyi", ".pyw")
_MARKDOWN = (".md", ".markdown", ".mdx")
_DATA_ENDINGS = ".json .yaml .yml .toml .ini .cfg .txt .rst .csv .tsv .xml .html .css .lock"
_DATA = tuple(_DATA_ENDINGS.split())

_MODIFIERS = (
    r"(?:(?:export|default|declare|public|private|protected|internal|static|async|abstract|final|sealed|open|override|"
    r"virtual|inline|unsafe|extern|partial|data|suspend|const|pub(?:\([a-z]+\))?)[ \t]++)*+"
)
_CONTAINER = re.compile(
    rf"[ \t]*+{_MODIFIERS}(?:class|interface|struct|enum|trait|impl|module|namespace|record|object|protocol|extension|"
    r"union|contract|library)\b(?:[ \t]++|<[^<>]*+>[ \t]*+)(?P<name>[^\W\d][\w$.:]*+)"
)
_FUNCTION = re.compile(
    rf"[ \t]*+{_MODIFIERS}(?:def|function|func|fn|fun|sub|proc|procedure|macro_rules|defn|defp|macro|subroutine|type)"
    r"(?!\w)[*!]?[ \t]*+(?:\([^()]*+\)[ \t]*+)?(?P<name>[^\W\d][\w$.:?!]*+)"
)
_ASSIGNED = re.compile(rf"[ \t]*+{_MODIFIERS}(?:(?:const|let|var|val)[ \t]++)?+(?P<name>[\w$]++)[^=;()]*=(?!=)")
_CALLED = re.compile(r"[ \t]*+(?:[\w$<>\[\],*&:?@.]++[ \t]++)*[*&]*(?P<name>[\w$~]++(?:::[\w~]++)?)[ \t]*\(")
_STATEMENTS = """
assert await case catch defer delete do elif else for foreach function go guard if lock loop match new print repeat
return select sizeof super switch synchronized throw try typeof unless until using when while with yield
"""
_KEYWORDS = frozenset(_STATEMENTS.split())
_BRACKETS = ("{", "}", ")", "]", "end")
_ABOVE = ("#", "//", "/*", "*", "@", "--", ";;", "///", "[")
_HEADING = re.compile(r"(?P<level>#{1,6})[ \t]+(?P<name>\S.*)")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition by its lines, from 0; `last` is the line after it."""

    kind: PartKind
    name: str
    first: int
    named: int
    last: int


def find_definitions(path: str, text: str, lines: Sequence[str]) -> list[Definition]:
    """Return the definitions of a file in their order; `lines` are the lines of its text without their ends."""
    name = path.lower()
    if name.endswith(_MARKDOWN):
        return _find_sections(lines)
    if name.endswith(_DATA):
        return []
    if name.endswith(_PYTHON) and len(text) <= _LONGEST_PYTHON:
        found = _find_python_definitions(text)
        if found is not None:
            return [_include_comments(definition, lines) for definition in found]
    return [_include_comments(definition, lines) for definition in _scan_definitions(lines)]


def _find_python_definitions(text: str) -> list[Definition] | None:
    """Return functions, methods and classes; None if the text is not valid Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return list(_list_python_definitions(tree.body, ""))


def _list_python_definitions(body: Sequence[ast.stmt], prefix: str) -> Iterator[Definition]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1
            name, last = prefix + node.name, node.end_lineno or node.lineno
            if isinstance(node, ast.ClassDef):
                yield Definition("class", name, first, node.lineno - 1, last)
                if prefix.count(".") < 8:
                    yield from _list_python_definitions(node.body, f"{name}.")
            else:
                yield Definition("function", name, first, node.lineno - 1, last)
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _list_python_definitions(node.body, prefix)


def _scan_definitions(lines: Sequence[str]) -> list[Definition]:
    """Return the definitions of a text in any language, found line by line. A function has none inside it."""
    found: list[Definition] = []
    open_classes: list[tuple[int, str]] = []  # indentation and name
    indents = [_measure_indent(line) for line in lines]
    number = 0
    while number < len(lines):
        line = lines[number]
        matched = _match_definition(line, lines, number) if line.strip() else None
        if matched is None:
            number += 1
            continue
        kind, name = matched
        while open_classes and open_classes[-1][0] >= indents[number]:
            open_classes.pop()
        full = ".".join([*(name for _, name in open_classes), name])
        last = _find_end(lines, indents, number)
        found.append(Definition(kind, full, number, number, last))
        if kind == "class" and len(open_classes) < 8:
            open_classes.append((indents[number], name))
            number += 1
        else:
            number = last
    return found


def _match_definition(line: str, lines: Sequence[str], number: int) -> tuple[PartKind, str] | None:
    if len(line) > _LONGEST_LINE or line.lstrip().startswith(("//", "#", "*", "/*", "--")):
        return None
    if matched := _CONTAINER.match(line):
        return "class", matched["name"].strip(":.")
    if matched := _FUNCTION.match(line):
        return ("function", matched["name"].strip(":.")) if matched["name"] not in _KEYWORDS else None
    if (matched := _ASSIGNED.match(line)) and ("=>" in line or "function" in line):
        return "function", matched["name"]
    matched = _CALLED.match(line)
    first = line.split(None, 1)[0].partition("(")[0]
    if not matched or matched["name"] in _KEYWORDS or first in _KEYWORDS:
        return None
    # A call looks the same, but only a definition has a body.
    has_body = line.rstrip().endswith("{") or (number + 1 < len(lines) and lines[number + 1].strip() == "{")
    return ("function", matched["name"]) if has_body else None


def _find_end(lines: Sequence[str], indents: Sequence[int], number: int) -> int:
    """Return the line after a definition: that of the first later line which is indented as it is, or less.

    A line that only closes or opens a bracket belongs to the definition.
    """
    last = number + 1
    for later in range(number + 1, len(lines)):
        if indents[later] < 0:
            continue
        if indents[later] <= indents[number]:
            bare = lines[later].lstrip()
            if not bare.startswith(_BRACKETS):
                break
            if bare.startswith(("}", "end")) and not bare.rstrip(";, \t").endswith(("{", "(", "[")):
                return later + 1
        last = later + 1
    return last


def _find_sections(lines: Sequence[str]) -> list[Definition]:
    """Return the sections of Markdown, each from its heading to the next one, named with the headings above."""
    heads: list[tuple[int, int, str]] = []
    is_fenced = False
    for number, line in enumerate(lines):
        if _FENCE.match(line):
            is_fenced = not is_fenced
        elif not is_fenced and len(line) <= _LONGEST_LINE and (matched := _HEADING.match(line)):
            heads.append((number, len(matched["level"]), matched["name"].rstrip("# \t")))
    found: list[Definition] = []
    above: list[tuple[int, str]] = []
    ends = [*(head[0] for head in heads), len(lines)][1:]
    for (number, level, name), after in zip(heads, ends, strict=True):
        while above and above[-1][0] >= level:
            above.pop()
        above.append((level, name))
        found.append(Definition("section", " > ".join(name for _, name in above), number, number, after))
    return found


def _include_comments(definition: Definition, lines: Sequence[str]) -> Definition:
    """Return the definition with the comments and decorators right above it."""
    first = definition.first
    while first and lines[first - 1].lstrip().startswith(_ABOVE) and definition.first - first < 40:
        first -= 1
    return Definition(definition.kind, definition.name, first, definition.named, definition.last)


def _measure_indent(line: str) -> int:
    """Return the columns before the first sign of a line; -1 for a blank line."""
    if not line.strip():
        return -1
    bare = line.lstrip(" \t")
    return len(line[: len(line) - len(bare)].expandtabs(4))
