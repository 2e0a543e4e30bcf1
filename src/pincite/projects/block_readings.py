"""Choose how a block is meant: which of several lines divides it, with or without the fences inside it."""

from pincite.projects.edit_blocks import read_divider, read_fence
from pincite.projects.edit_matching import Replaced, replace_text
from pincite.projects.line_endings import split_lines, strip_ending
from pincite.projects.path_lines import get_name
from pincite.projects.shortened_text import expand_block

MARKDOWN = frozenset({"md", "mdx", "markdown", "rst", "txt", "adoc", "qmd"})


class Refused(Exception):
    """An edit that cannot be planned. `text` is the file, `meant` the lines searched for, `new` those there already."""

    def __init__(self, reason: str, message: str, hint: str, meant: str = "", text: str = "", new: str = "") -> None:
        super().__init__(message)
        self.reason, self.message, self.hint = reason, message, hint
        self.meant, self.text, self.new = meant, text, new


def strip_fences(text: str) -> str:
    """Return the code between the fences that a whole text stands in, exactly; any other text as it is."""
    lines = split_lines(text)
    if len(lines) < 2:
        return text
    fence = read_fence(lines[0])
    if not fence or not fence.is_closed_by(lines[-1]) or any(fence.is_closed_by(line) for line in lines[1:-1]):
        return text
    return "".join(lines[1:-1])


def choose_reading(text: str, readings: tuple[tuple[str, str], ...], path: str) -> tuple[str, str, str] | None:
    """Return search, replacement and the new text; None if the lines are not found; raise if it is not certain."""
    fits: list[tuple[str, str, str]] = []
    last: Replaced | None = None
    for search, new in readings:
        outcome = _match(path, text, search, new)
        if outcome.problem:
            last = outcome if not last or outcome.problem != "not_found" else last
        elif len(readings) == 1 or not read_divider(strip_ending(outcome.after)):
            fits.append((search, new, outcome.text))
    if len(fits) > 1:
        between = fits[-1][0].removeprefix(fits[0][0])
        if any(sign.isalnum() for sign in between):
            return fits[-1]
    if len(fits) == 1:
        return fits[0]
    if fits or (len(readings) > 1 and not (last and last.problem != "not_found")):
        raise Refused(
            "ambiguous_divider",
            "The block has several lines like =======, and it is not certain which one divides it.",
            "Write the block with longer markers, for instance nine signs each.",
        )
    if last and last.problem == "several_places":
        lines = ", ".join(map(str, last.lines[:5]))
        raise Refused(
            "several_places",
            f"The lines to replace are in {path} {len(last.lines)} times, from line {lines}.",
            "Add lines above or below until only one place fits.",
        )
    if last and last.problem == "not_at_end":
        raise Refused(
            "not_at_end",
            f"The block ends the file without a newline, but {path} goes on below line {last.lines[0]}.",
            "Leave out the line about the newline.",
        )
    if last and last.problem == "indentation":
        raise Refused(
            "indentation",
            f"The block is indented otherwise than {path}, and a new line does not fit that difference.",
            f"Indent the block as in the file, from line {last.lines[0]}.",
        )
    return None


def _match(path: str, text: str, search: str, new: str) -> Replaced:
    """Replace the lines by the steps of the ladder, then with fences removed, then with left out lines put in."""
    outcome = replace_text(text, search, new)
    if outcome.problem != "not_found":
        return outcome
    if get_name(path).rpartition(".")[2].lower() not in MARKDOWN:
        bare, bare_new = strip_fences(search), strip_fences(new)
        if bare != search and bare.strip() and (bare_new != new or not new.strip()):
            outcome = replace_text(text, bare, bare_new)
    if outcome.problem == "not_found" and (expanded := expand_block(text, search, new)) is not None:
        return Replaced(expanded)
    return outcome
