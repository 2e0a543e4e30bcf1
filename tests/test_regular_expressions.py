"""No regular expression of the program takes much more than four times as long for four times the text."""

import ast
import functools
import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

import pincite
from tests.hostile_strings import build_hostile_strings
from tests.thorough import mark_slow

LONG = 2_000  # characters, and a quarter of them
FLOOR = 0.001  # CPU seconds for the long one below which nothing is measured
QUESTION_FLOOR = 0.05  # the same where a text is cut to a question's length
GROWTH = 7.2  # four times the text takes four times as long; sixteen times as long is quadratic
HANGS = 0.5  # CPU seconds for one text
CLOCK = 0.008  # CPU seconds that can be measured
CALLS = frozenset({"compile", "search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split"})

# These modules read the sentence that asks, cut to so many characters of one line with single spaces. A text so short
# may be read in a time that grows faster, as long as it stays small.
QUESTIONS = {
    "pincite.answer.extractive.question_kind": 600,
    "pincite.answer.extractive.search_plan": 600,
    "pincite.answer.split.split_rules": 600,
}

Pattern = re.Pattern[Any]


class Hanging(Exception):
    pass


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise `Hanging` when the block takes more CPU time; a running match heeds signals."""

    def stop(_: int, __: FrameType | None) -> None:
        raise Hanging

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        # One that is still under way would end the process, were it not ignored.
        signal.signal(signal.SIGPROF, signal.SIG_IGN if before is signal.SIG_DFL else before)


def uses(pattern: Pattern, named: frozenset[str] = frozenset()) -> dict[str, Callable[[Any], object]]:
    """Return the methods that the program calls on a pattern; all of them if that is not known."""
    blank = "" if isinstance(pattern.pattern, str) else b""
    ways: dict[str, Callable[[Any], object]] = {
        "search": pattern.search,
        "match": pattern.match,
        "fullmatch": pattern.fullmatch,
        "sub": lambda text: pattern.sub(blank, text),
    }
    wanted = {"sub" if name in ("subn", "findall", "finditer", "split") else name for name in named}
    return {name: way for name, way in ways.items() if not wanted or name in wanted}


def time_once(use: Callable[[Any], object], text: Any) -> float:
    """The CPU time of one run."""
    begun = time.thread_time()
    use(text)
    return time.thread_time() - begun


def seconds_for(use: Callable[[Any], object], text: Any) -> float:
    """The CPU time of one run, from as many as the clock needs to tell it."""
    times, taken = 1, 0.0
    while taken < CLOCK:
        begun = time.thread_time()
        for _ in range(times):
            use(text)
        taken, times = time.thread_time() - begun, times * 4
    return taken / (times // 4)


def find_slow(pattern: Pattern, named: frozenset[str] = frozenset(), longest: int = LONG) -> str:
    """A text for which a pattern's time grows too fast, and how; "" for a good pattern."""
    is_bytes = isinstance(pattern.pattern, bytes)
    shorter, longer = build_hostile_strings(pattern, longest // 4), build_hostile_strings(pattern, longest)
    if longest < LONG:
        shorter, longer = ([" ".join(text.split()) for text in texts] for texts in (shorter, longer))
    for short, long in zip(shorter, longer, strict=True):
        one, two = (
            (short.encode("latin-1", "replace"), long.encode("latin-1", "replace")) if is_bytes else (short, long)
        )
        for name, use in uses(pattern, named).items():
            try:
                with at_most(HANGS):
                    taken = time_once(use, two)
                    if taken < (FLOOR if longest == LONG else QUESTION_FLOOR):
                        continue
                    if taken < GROWTH * min(time_once(use, one), time_once(use, one)):
                        continue
            except Hanging:
                return f"{name} does not end on {long[:60]!r}… ({len(long)} characters)"
            # Several times, since another process may have been in the way.
            if all(seconds_for(use, two) > GROWTH * seconds_for(use, one) for _ in range(3)):
                return f"{name} takes over {GROWTH} times as long on four times {short[:60]!r}…{short[-10:]!r}"
    return ""


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(pincite.__path__, "pincite."):
        if "migrations" in found.name or found.name.endswith("__main__"):
            continue
        yield importlib.import_module(found.name)


def patterns_in(value: object, depth: int = 3) -> Iterator[Pattern]:
    """The compiled patterns in a value of a module, also inside tuples, lists, sets and dictionaries."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        for each in (*value.keys(), *value.values()):
            yield from patterns_in(each, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from patterns_in(each, depth - 1)


def written_in(module: ModuleType) -> Iterator[tuple[Pattern, str]]:
    """The patterns that stand in the code of a module, as far as they are made of constants, and what they do."""
    assert module.__file__ is not None
    for node in ast.walk(_parse(Path(module.__file__))):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name), args=[first, *_]) if name in CALLS:
                flags = [*node.args[1:2]] if name == "compile" else []
                flags += [keyword.value for keyword in node.keywords if keyword.arg == "flags"]
                flags += node.args[2:3] if name in ("search", "match", "fullmatch", "findall", "finditer") else []
                try:
                    made, *given = [_evaluated(each, module) for each in (first, *flags)]
                except NameError:
                    continue  # it is made while the program runs
                if isinstance(made, str | bytes):
                    yield re.compile(made, *given), "" if name == "compile" else name


def _evaluated(node: ast.expr, module: ModuleType) -> Any:
    return eval(compile(ast.Expression(node), "<pattern>", "eval"), vars(module))


@functools.cache
def _parse(path: Path) -> ast.Module:
    """Parse a module. Before 3.11.8 Python counts the depth of two threads that parse together, and may fail."""
    text = path.read_text(encoding="utf-8")
    for _ in range(9):
        with suppress(SystemError):
            return ast.parse(text)
    return ast.parse(text)


def called_in(module: ModuleType) -> Iterator[tuple[int, str]]:
    """The patterns that a module names, each by its identity, with the methods that it calls on them."""
    assert module.__file__ is not None
    for node in ast.walk(_parse(Path(module.__file__))):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if name in CALLS:
                if isinstance(pattern := vars(module).get(owner), re.Pattern):
                    yield id(pattern), name
            case ast.Name(id=owner) if isinstance(pattern := vars(module).get(owner), re.Pattern):
                yield id(pattern), ""


def collected() -> dict[Pattern, tuple[str, frozenset[str]]]:
    """Every pattern of the program, the module it is in, and the methods that are called on it."""
    found: dict[Pattern, str] = {}
    called: dict[int, list[str]] = {}
    for module in modules():
        for value in list(vars(module).values()):
            for pattern in patterns_in(value):
                found.setdefault(pattern, module.__name__)
        for pattern, name in written_in(module):
            found.setdefault(pattern, module.__name__)
            called.setdefault(id(pattern), []).extend([name, ""] if name else [])
        for identity, name in called_in(module):
            called.setdefault(identity, []).append(name)
    return {pattern: (name, _methods(called.get(id(pattern), []))) for pattern, name in found.items()}


def _methods(called: list[str]) -> frozenset[str]:
    """The methods of a pattern; none where it is also used in a way that does not show them."""
    names = [name for name in called if name]
    # Each call names the pattern too, and so does the line that makes it.
    is_passed_on = called.count("") > len(names) + 1
    return frozenset() if is_passed_on else frozenset(names)


@pytest.mark.parametrize("one_in", [25, mark_slow(1)])
def test_no_pattern_of_the_program_is_slow_on_long_texts(one_in: int) -> None:
    patterns = collected()
    assert len(patterns) > 250  # all of them were found
    slow = [
        f"{name}: {pattern.pattern!r}\n    {why}"
        for pattern, (name, methods) in islice(patterns.items(), 0, None, one_in)
        if (why := find_slow(pattern, methods, QUESTIONS.get(name, LONG)))
    ]
    assert not slow, "\n".join(slow)


def test_slow_patterns_are_found_out_and_their_mended_forms_pass() -> None:
    for bad in (r"(a+)+b", r"\s+x", r"(\w+\s?)+$", r"<[^>]*>", r"\d+\.\d+", r"(?:a|a)*b", r".*=.*"):
        assert find_slow(re.compile(bad)), bad
    for good in (r"(?<!\s)\s+x", r"<[^<>]*>", r"(?<!\d)\d{1,20}\.", r"[a-z]+", r"\bword\b"):
        assert not find_slow(re.compile(good)), good
