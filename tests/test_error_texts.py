"""The page has a text in each language for every error that the server may send."""

import ast
import importlib
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

import pincite
from pincite import errors
from pincite.errors import PinciteError
from pincite.projects.file_list import ReadProblem
from pincite.web.web_parser import Emptiness

SOURCE = Path(pincite.__file__).parent
TEXTS = Path(__file__).parents[1] / "ui" / "src" / "i18n"
LANGUAGES = ("en", "fr")

_CLASS = re.compile(r"^class (\w+)\(([\w, ]+)\):", re.MULTILINE)
_CONSTANTS = re.compile(r'^(\w+(?:, \w+)*) = ("\w+"(?:, "\w+")*)', re.MULTILINE)

# What only the terminal, the start of the server or its WebSocket reports; the page uses none of them.
_NOT_THE_PAGE = (
    *("cli/", "mcp/", "evaluate/", "backups/", "moves/", "telemetry/", "settings"),
    *("store/database_restore.py", "store/move_records.py", "store/migrations/", "accounts/first_owner.py"),
    "server/websocket_",
)
# Never sent: the base class, and errors that the program handles itself.
_NOT_SENT = frozenset({"error", "lease_lost", "retrieval_stopped"})
# The reasons where the code computes them. What is not listed fails the test.
_COMPUTED = {
    "projects/file_list.py: problem": get_args(ReadProblem),
    "llm/model_errors.py: failure": get_args(errors.ModelFailure),
    "llm/model_errors.py: reason": ("trouble", "invalid_reply"),
    "answer/page_reader.py: page.emptiness or 'failed'": get_args(Emptiness),
}


@dataclass(frozen=True)
class Raised:
    """A place that makes an error: its code, its reasons, and whether it says what to do."""

    place: str
    code: str
    reasons: tuple[str, ...]
    has_hint: bool


@cache
def read_texts(language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((TEXTS / language / "errors.json").read_text(encoding="utf-8"))
    return texts


def list_classes(kind: type[PinciteError]) -> Iterator[type[PinciteError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from list_classes(each)


def has_own_words(code: str) -> bool:
    """Whether the text of a code says all in the reader's language, and does not repeat the server's words."""
    return "{message}" not in read_texts("en").get(f"errors.{code}", "{message}")


@cache
def list_raised() -> tuple[Raised, ...]:
    """List the places of the source that make an error which the page may show."""
    texts = {
        name: path.read_text(encoding="utf-8")
        for path in sorted(SOURCE.rglob("*.py"))
        if not (name := path.relative_to(SOURCE).as_posix()).startswith(_NOT_THE_PAGE)
    }
    classes = _load_classes(texts)
    imported = {name: value for text in texts.values() for name, value in _read_constants(text)}
    makes_error = re.compile(rf"\b({'|'.join(classes)})\(")
    return tuple(
        _read_call(call, classes[_read_name(call.func)], name, imported | dict(_read_constants(text)))
        for name, text in texts.items()
        if makes_error.search(text)
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call) and _read_name(call.func) in classes
    )


def _load_classes(texts: Mapping[str, str]) -> dict[str, type[PinciteError]]:
    """Import the modules that define errors, and return all classes of errors by name."""
    written = [(name, *each) for name, text in texts.items() for each in _CLASS.findall(text)]
    found: dict[str, type[PinciteError]] = {PinciteError.__name__: PinciteError}
    while more := [each for each in written if each[1] not in found and set(each[2].split(", ")) & set(found)]:
        for name, made, _ in more:
            module = importlib.import_module(f"pincite.{name.removesuffix('.py').replace('/', '.')}")
            found[made] = getattr(module, made)
    return found


def _read_constants(text: str) -> Iterator[tuple[str, str]]:
    """Yield the strings that have a name in a module."""
    for names, values in _CONSTANTS.findall(text):
        yield from zip(names.split(", "), values.replace('"', "").split(", "), strict=False)


def _read_name(written: ast.expr) -> str:
    return written.id if isinstance(written, ast.Name) else written.attr if isinstance(written, ast.Attribute) else ""


def _read_call(call: ast.Call, made: type[PinciteError], name: str, constants: Mapping[str, str]) -> Raised:
    given: dict[str, ast.expr] = dict(zip(list(inspect.signature(made).parameters), call.args, strict=False))
    given |= {each.arg: each.value for each in call.keywords if each.arg}
    reasons = [
        reason
        for parameter in ("reason", "failure")
        if parameter in given
        for reason in _read_strings(given[parameter], name, constants)
        if reason not in ("", "failed")
    ]
    hint = given.get("hint")
    has_hint = hint is not None and not (isinstance(hint, ast.Constant) and not hint.value)
    return Raised(f"{name}:{call.lineno}", made.code, tuple(reasons), has_hint)


def _read_strings(value: ast.expr, name: str, constants: Mapping[str, str]) -> tuple[str, ...]:
    """Return the strings that an expression may be."""
    written = ast.unparse(value)
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return (value.value,)
    if written in constants:
        return (constants[written],)
    return _COMPUTED.get(f"{name}: {written}", (f"<{written}>",))


def list_keys(raised: Raised) -> list[str]:
    """Return the keys of the texts that the page shows for an error: by its reason, where that has one."""
    texts = read_texts("en")
    code, keys = f"errors.{raised.code}", [f"errors.{raised.code}.{reason}" for reason in raised.reasons]
    return [key if key in texts or not has_own_words(raised.code) else code for key in keys] or [code]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_text(language: str) -> None:
    codes = {each.code for each in list_classes(PinciteError) if each.__module__ == errors.__name__} - _NOT_SENT
    assert sorted(code for code in codes if f"errors.{code}" not in read_texts(language)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_reason_is_shown_in_the_words_of_the_server(language: str) -> None:
    missing = {
        f"{key} ({raised.place})"
        for raised in list_raised()
        if raised.reasons
        for key in list_keys(raised)
        if key not in read_texts(language)
    }
    assert sorted(missing) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_that_says_what_to_do_does_so_in_the_readers_language(language: str) -> None:
    texts = read_texts(language)
    missing = {
        f"{key}.hint ({raised.place})"
        for raised in list_raised()
        if raised.has_hint
        for key in list_keys(raised)
        if "{message}" not in texts.get(key, "{message}") and f"{key}.hint" not in texts
    }
    assert sorted(missing) == []
