"""Source code: the text is the file, blocks are its definitions, whatever the language."""

import ast
from collections.abc import Iterator

from pincite.reading.encoding import read_text
from pincite.reading.source import Source
from pincite.types import Block, Document

LARGE = 3000  # characters; a longer piece is parted at its next level of indentation
_CLOSERS = ("}", ")", "]", "end", "else", "elif", "except", "finally", "catch", "fi", "done", "esac", "{")


def read(source: Source) -> Document:
    """A source file's document, with a block for every top-level definition."""
    text = read_text(source.path, source.limits.characters)
    return Document("code", text, blocks=tuple(blocks(text, python=source.name.lower().endswith((".py", ".pyi")))))


def blocks(text: str, *, python: bool = False) -> Iterator[Block]:
    """The code blocks of a text: by its grammar for Python that parses, else by blank lines and indentation."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    cuts = _python_cuts(text, lines) if python else None
    pieces = zip(cuts, [*cuts[1:], len(lines)], strict=True) if cuts else [(0, len(lines))]
    for first, last in pieces:
        for start, end in _parted(lines, starts, first, last, 0 if cuts is None else 1):
            while start < end and not lines[start].strip():
                start += 1
            body = text[starts[start] : min(starts[end], len(text))].rstrip()
            if body:
                yield Block("code", starts[start], starts[start] + len(body))


def _python_cuts(text: str, lines: list[str]) -> list[int] | None:
    """The lines where a top-level definition, with its decorators and comments, or the code after one begins."""
    try:
        nodes = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    cuts, after_definition = {0}, False
    for node in nodes:
        definition = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if definition or after_definition:
            decorators = (
                node.decorator_list if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else []
            )
            line = min([node.lineno, *(each.lineno for each in decorators)]) - 1
            while line and lines[line - 1].startswith("#"):
                line -= 1
            cuts.add(line)
        after_definition = definition
    return sorted(cut for cut in cuts if cut < len(lines))


def _parted(lines: list[str], starts: list[int], first: int, last: int, depth: int) -> Iterator[tuple[int, int]]:
    """The line ranges of a stretch, cut where after a blank line something begins at its outermost indentation."""
    if depth > 6 or (depth and starts[last] - starts[first] <= LARGE):
        yield first, last
        return
    body = range(first + (depth > 0), last)
    opening = [number for number in body if lines[number].strip() and not lines[number].lstrip().startswith(_CLOSERS)]
    outermost = min((_indent(lines[number]) for number in opening), default=0)
    cuts = [
        number
        for number in opening
        if number > first and not lines[number - 1].strip() and _indent(lines[number]) <= outermost
    ]
    for start, end in zip([first, *cuts], [*cuts, last], strict=True):
        yield from _parted(lines, starts, start, end, depth + 1)


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
