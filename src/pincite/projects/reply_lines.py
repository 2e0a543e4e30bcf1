"""Split the lines of a reply, of its blocks and of its fenced code, and tell where that is not certain."""

from collections.abc import Sequence

from pincite.projects.edit_blocks import Marker, join_side, read_divider, read_fence
from pincite.projects.path_lines import get_name, read_path_line

_MARKDOWN = frozenset({"md", "mdx", "markdown", "qmd"})


def split_reply(text: str) -> list[str]:
    """Return the lines of a reply with their newlines. Only a newline ends a line."""
    lines = text.split("\n")
    kept = [line + "\n" for line in lines[:-1]]
    return [*kept, lines[-1]] if lines[-1] else kept


def dedent_lines(lines: list[str], indent: str, marker: str) -> list[str]:
    """Remove the carriage returns if the marker has one, and its indentation if all lines have it."""
    if marker.endswith("\r\n"):
        lines = [line[:-2] + "\n" if line.endswith("\r\n") else line for line in lines]
    if indent and all(line.startswith(indent) or not line.strip() for line in lines):
        lines = [line.removeprefix(indent) if line.strip() else line.lstrip(" \t") for line in lines]
    return lines


def divide_block(lines: list[str], opening: Marker) -> list[tuple[str, str]]:
    """Return all ways to divide the lines of a block into its two sides."""
    found = [(at, divider) for at, line in enumerate(lines) if (divider := read_divider(line))]
    found = [(at, divider) for at, divider in found if divider.indent == opening.indent]
    exact = [(at, divider) for at, divider in found if divider.length == opening.length]
    return [(join_side(lines[:at]), join_side(lines[at + 1 :])) for at, _ in exact or found]


def has_open_fence(lines: Sequence[str]) -> bool:
    """Return whether a fence in these lines is never closed."""
    is_open = False
    for line in lines:
        fence = read_fence(line)
        if fence:
            is_open = not is_open or bool(fence.info)
    return is_open


def is_unclear_end(path: str, rest: Sequence[str], has_inner: bool) -> bool:
    """Return whether the content of a file may end at a later fence than the one before these lines.

    That may be so in Markdown, if the content has fences itself, or if text follows directly. Then a later fence
    without a language may be the end of the content instead of the beginning of other code.
    """
    is_markdown = get_name(path).rpartition(".")[2].lower() in _MARKDOWN
    is_followed = bool(rest) and bool(rest[0].strip()) and not read_path_line(rest[0])
    if not (is_markdown or is_followed or has_inner):
        return False
    is_open = False
    above = ""
    for line in rest:
        fence = read_fence(line)
        if fence and not is_open:
            if not fence.info and not read_path_line(above):
                return True
            is_open = True
        elif fence and not fence.info:
            is_open = False
        above = line if line.strip() else above
    return is_open
