"""Long strings that are hard for a regular expression, made from the expression's own letters and literals."""

import re
from collections.abc import Iterator, Sequence
from re import _constants as codes
from re import _parser as parser
from typing import Any

_CATEGORIES = {
    codes.CATEGORY_DIGIT: "7",
    codes.CATEGORY_NOT_DIGIT: "x",
    codes.CATEGORY_SPACE: " \n",
    codes.CATEGORY_NOT_SPACE: "x",
    codes.CATEGORY_WORD: "a7_",
    codes.CATEGORY_NOT_WORD: " -",
}
_CANDIDATES = "x a7 -.\n\té,;(<'\"/A"
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_MOST_ATOMS, _MOST_WORDS, _MOST_PAIRS = 10, 14, 24
_ENDS = ("", "\x00")


def build_hostile_strings(pattern: "re.Pattern[Any]", length: int) -> list[str]:
    """Strings of about this length: repeats of what the pattern is made of, in pairs, after what comes before them."""
    return [
        before + repeated * max(1, (length - len(before) - len(after)) // max(len(repeated), 1)) + after + end
        for before, repeated, after in dict.fromkeys(_shapes(pattern))
        for end in _ENDS
    ]


def _shapes(pattern: "re.Pattern[Any]") -> Iterator[tuple[str, str, str]]:
    """A beginning, what is repeated, and an end."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    parsed = parser.parse(text, pattern.flags & ~re.DEBUG)
    atoms = _unique(_atoms(parsed))[:_MOST_ATOMS]
    bodies = _unique(_bodies(parsed))
    words = _unique([*bodies, *_literals(parsed), _sample(parsed)])[:_MOST_WORDS]
    for word in _unique([*atoms, *words]):
        yield "", word, ""
    pairs = [(one, other) for one in words[:6] for other in atoms[:6] if one != other]
    for one, other in pairs[:_MOST_PAIRS]:
        yield "", one + other, ""
        yield one, other, ""
    for before, body, after in _places(parsed):
        for atom in _unique([body, *atoms[:4]]):
            yield before, atom, ""
            yield before, atom, after[:-1]
            yield before + body, before + atom, ""


def _atoms(parsed: Any) -> Iterator[str]:
    for code, given in parsed:
        if code is codes.LITERAL:
            yield chr(given)
        elif code in (codes.NOT_LITERAL, codes.IN, codes.ANY):
            yield from _members(code, given)
        for inner in _inner(code, given):
            yield from _atoms(inner)


def _members(code: Any, given: Any) -> list[str]:
    """Some characters that a class matches."""
    if code is codes.ANY:
        return ["x"]
    if code is codes.NOT_LITERAL:
        return [next(char for char in _CANDIDATES if ord(char) != given)]
    is_negated = bool(given) and given[0][0] is codes.NEGATE
    inside: list[str] = []
    for kind, value in given:
        if kind is codes.LITERAL:
            inside.append(chr(value))
        elif kind is codes.RANGE:
            inside.append(chr(value[0]))
        elif kind is codes.CATEGORY:
            inside.extend(_CATEGORIES[value])
    if not is_negated:
        return inside[:4] or ["x"]
    tester = [char for char in _CANDIDATES if not _is_in(char, given[1:])]
    return tester[:3] or ["\u4e00"]


def _is_in(char: str, given: Any) -> bool:
    for kind, value in given:
        if kind is codes.LITERAL and ord(char) == value:
            return True
        if kind is codes.RANGE and value[0] <= ord(char) <= value[1]:
            return True
        if kind is codes.CATEGORY and re.match(_CLASSES[value], char):
            return True
    return False


_CLASSES = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def _inner(code: Any, given: Any) -> list[Any]:
    """The expressions inside one."""
    if code in _REPEATS:
        return [given[2]]
    if code is codes.SUBPATTERN:
        return [given[-1]]
    if code is codes.ATOMIC_GROUP:
        return [given]
    if code is codes.BRANCH:
        return list(given[1])
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [given[1]]
    if code is codes.GROUPREF_EXISTS:
        return [each for each in given[1:] if each is not None]
    return []


def _sample(parsed: Any) -> str:
    """One text that an expression matches, or nearly."""
    return "".join(_sample_one(code, given) for code, given in parsed)


def _sample_one(code: Any, given: Any) -> str:
    if code is codes.LITERAL:
        return chr(given)
    if code in (codes.NOT_LITERAL, codes.IN, codes.ANY):
        return _members(code, given)[0]
    if code in _REPEATS:
        return _sample(given[2]) * min(max(int(given[0]), 1), 20)
    if code in (codes.ASSERT, codes.ASSERT_NOT, codes.GROUPREF_EXISTS):
        return ""
    inner = _inner(code, given)
    return _sample(inner[0]) if inner else ""


def _bodies(parsed: Any) -> Iterator[str]:
    """Yield the repeated parts of a pattern, at any depth."""
    for code, given in parsed:
        if code in _REPEATS and int(given[1]) > 1:
            yield _sample(given[2])
        for inner in _inner(code, given):
            yield from _bodies(inner)


def _literals(parsed: Any) -> Iterator[str]:
    """The words that are written out."""
    run = ""
    for code, given in parsed:
        if code is codes.LITERAL:
            run += chr(given)
            continue
        if len(run) > 1:
            yield run
        run = ""
        for inner in _inner(code, given):
            yield from _literals(inner)
    if len(run) > 1:
        yield run


def _places(parsed: Any, before: str = "", after: str = "") -> Iterator[tuple[str, str, str]]:
    """Each repeat with what an expression wants before and after it."""
    items = list(parsed)
    for at, (code, given) in enumerate(items):
        here = before + "".join(_sample_one(*each) for each in items[:at])
        rest = "".join(_sample_one(*each) for each in items[at + 1 :]) + after
        if code in _REPEATS and int(given[1]) > 1:
            yield here, _sample(given[2]), rest
        if code not in (codes.ASSERT, codes.ASSERT_NOT):
            for inner in _inner(code, given):
                yield from _places(inner, here, rest)


def _unique(given: Iterator[str] | Sequence[str]) -> list[str]:
    return [each for each in dict.fromkeys(given) if each]
