"""Find formulas in LaTeX in a Markdown text: `$…$`, `$$…$$`, `\\(…\\)` and `\\[…\\]`.

The page has the same rules in `ui/src/conversation/markdown/hideMath.ts`; the tests of both use
`tests/text/formula_cases.json`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LONGEST = 2000
_SPACE = r"\s\u00a0\u202f"
# A dollar sign beside a word or a number, as in "US$5", begins and ends no formula.
_SIGN = re.compile(
    r"^ {0,3}(?P<fence>```+|~~~+)|(?P<ticks>`+)|(?<!\\)(?P<block>\$\$)|(?<!\\)\\(?P<bracket>[\[(])"
    r"|(?<![\w$\\/])(?P<dollar>\$)",
    re.MULTILINE | re.ASCII,
)
_INLINE = re.compile(rf"(?![{_SPACE}$])(?:[^$\n\\]|\\.)*?[^{_SPACE}\\$](?=\$(?![\w$]))", re.ASCII)
_TICKS = re.compile("`+")
_BLANK_LINE = re.compile(r"\n[ \t>]*\n")
_CLOSING = {"[": "\\]", "(": "\\)"}
_COMMAND = re.compile(r"\\[a-zA-Z]|[\^_=<>≈≠≤≥]")
_LETTERS = re.compile(r"[a-zA-Z]{3,}")
_FUNCTIONS = {"sin", "cos", "tan", "log", "exp", "max", "min", "lim", "det"}
_PLAIN = re.compile(r"[\w\s+\-*/(),.'!|:]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in LaTeX and its range in the text, with its signs. A display formula has a line of its own."""

    tex: str
    is_display: bool
    start: int
    end: int


def find_formulas(text: str) -> Iterator[Formula]:
    """Yield the formulas of a Markdown text in order. Nothing in code is a formula."""
    at = 0
    unclosed: set[str] = set()  # runs of backticks that no later run closes
    while sign := _SIGN.search(text, at):
        at = sign.end()
        if sign["fence"]:
            closing = re.compile(f"^ {{0,3}}{re.escape(sign['fence'])}", re.MULTILINE).search(text, at)
            at = closing.end() if closing else len(text)
        elif ticks := sign["ticks"]:
            ends = () if ticks in unclosed else _TICKS.finditer(text, at)
            end = next((each.end() for each in ends if each[0] == ticks), None)
            if end is None:
                unclosed.add(ticks)
            at = end or at
        elif found := _read_formula(text, sign):
            yield found
            at = found.end


def _read_formula(text: str, sign: re.Match[str]) -> Formula | None:
    """Return the formula that begins with a sign, or None if none does."""
    start = sign.end()
    if sign["dollar"]:
        inside = _INLINE.match(text, start)
        end, closing = (inside.end(), "$") if inside and is_formula(inside[0]) else (-1, "$")
    else:
        closing = _CLOSING.get(sign["bracket"] or "", "$$")
        end = text.find(closing, start + 1, start + _LONGEST + len(closing))
    tex = text[start:end] if end >= 0 else ""
    if not tex.strip() or len(tex) > _LONGEST or (not sign["dollar"] and _BLANK_LINE.search(tex)):
        return None
    is_display = not sign["dollar"] and sign["bracket"] != "("
    return Formula(tex.strip(), is_display, sign.start(), end + len(closing))


def is_formula(tex: str) -> bool:
    """Return whether the words between two dollar signs are a formula, and not a text between two prices."""
    if _COMMAND.search(tex):
        return True
    if not _PLAIN.fullmatch(tex) or not re.search("[a-zA-Z]", tex):
        return False
    if any(word not in _FUNCTIONS for word in _LETTERS.findall(tex)):
        return False
    return not re.search(r"\s", tex) or bool(re.search(r"[+\-*/(|]", tex))
