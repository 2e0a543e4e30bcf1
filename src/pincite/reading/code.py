"""Read source code in any language: the text is the file, and its definitions are the blocks."""

import ast
from collections.abc import Iterator

from pincite.reading.encoding import read_text
from pincite.reading.source import Source
from pincite.types import Block, Document

LARGE = 3000  # characters; a longer piece is divided at its next level of indentation
_CLOSERS = ("}", ")", "]", "end", "else", "elif", "except", "finally", "catch", "fi", "done", "esac", "{")


def read(source: Source) -> Document:
    """Read a source file, with a block for every top-level definition."""
    text = read_text(source.path, source.limits.characters)
    return Document("code", text, blocks=tuple(find_blocks(text, python=source.name.lower().endswith((".py", ".pyi")))))


def find_blocks(text: str, *, python: bool = False) -> Iterator[Block]:
    """Yield the code blocks of a text: by the grammar for valid Python, else by blank lines and indentation."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    cuts = _find_python_cuts(text, lines) if python else None
    pieces = zip(cuts, [*cuts[1:], len(lines)], strict=True) if cuts else [(0, len(lines))]
    for first, last in pieces:
        for start, end in _split_lines(lines, starts, first, last, 0 if cuts is None else 1):
            while start < end and not lines[start].strip():
                start += 1
            body = text[starts[start] : min(starts[end], len(text))].rstrip()
            if body:
                yield Block("code", starts[start], starts[start] + len(body))


def _find_python_cuts(text: str, lines: list[str]) -> list[int] | None:
    """Return the lines where a top-level definition (with decorators and comments), or the code after one, begins."""
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


def _split_lines(lines: list[str], starts: list[int], first: int, last: int, depth: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of lines, cut where a line at the outermost indentation follows a blank line."""
    if depth > 6 or (depth and starts[last] - starts[first] <= LARGE):
        yield first, last
        return
    body = range(first + (depth > 0), last)
    opening = [number for number in body if lines[number].strip() and not lines[number].lstrip().startswith(_CLOSERS)]
    outermost = min((_measure_indent(lines[number]) for number in opening), default=0)
    cuts = [
        number
        for number in opening
        if number > first and not lines[number - 1].strip() and _measure_indent(lines[number]) <= outermost
    ]
    for start, end in zip([first, *cuts], [*cuts, last], strict=True):
        yield from _split_lines(lines, starts, start, end, depth + 1)


def _measure_indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
