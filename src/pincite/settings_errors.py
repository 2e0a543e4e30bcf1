"""Mistakes in settings as plain sentences: which setting, its value, what is expected, and where it was set."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from pincite.errors import Misuse
from pincite.settings_sources import Gathered, list_names, nearest

_LONGEST = 60  # characters of a value that is shown
_SECRETS = ("key",)  # settings whose values are never shown
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "string": "a text",
    "path": "the path of a folder",
    "tuple": 'a list, such as ["minio:9000", "10.0.0.0/8"]; in a variable commas will do',
    "list": "a list",
    "dict": "a table",
    "model": "a table",
    "mapping": "a table",
}
_PATTERNS = {
    "search_url": "an address such as http://localhost:8080, without a name, a password or a query",
    "url": "an address such as http://localhost:8000/v1",
}


def explain(error: ValidationError, gathered: Gathered, model: type[BaseModel]) -> Misuse:
    """The mistakes that a check found, as an error for the person who made them."""
    sentences = [_sentence(each, gathered, model) for each in _distinct(error.errors())]
    return Misuse("The settings are not right. " + " ".join(sentences), "docs/settings.md lists them all.")


def list_unusable_aliases(error: ValidationError, gathered: Gathered, model: type[BaseModel]) -> dict[str, str]:
    """The names of other programs whose values are not right for a setting of ours, each with the reason."""
    found: dict[str, str] = {}
    for each in _distinct(error.errors()):
        origin = gathered.origin(_path(each["loc"]))
        if origin and origin.alias:
            found.setdefault(origin.alias, _sentence(each, gathered, model))
    return found


def _distinct(errors: Sequence[Any]) -> list[Mapping[str, Any]]:
    """One mistake for each setting: a setting that may be of two kinds is wrong as either."""
    found: dict[tuple[str, ...], Mapping[str, Any]] = {}
    for each in errors:
        found.setdefault(_path(each["loc"]), each)
    return list(found.values())


def _sentence(error: Mapping[str, Any], gathered: Gathered, model: type[BaseModel]) -> str:
    path = _path(error["loc"])
    name = ".".join(path)
    origin = gathered.origin(path)
    where = f" ({origin})" if origin else ""
    if error["type"] == "extra_forbidden":
        known = [".".join(each) for each in list_names(model)]
        return f"There is no setting {name}{where}. {nearest(name, known)}".strip()
    if error["type"] == "value_error":
        return f"{name}{where}: {error['ctx']['error']}."
    if path[-1] == "[key]" or error["loc"][-1] == "[key]":
        return f"{name}{where} is no name for a provider: use small letters, digits, - and _."
    is_shown = path[-1] not in _SECRETS and not isinstance(error["input"], Mapping)
    value = f" is {_shown(error['input'])}, but" if is_shown else ""
    return f"{name}{where}{value} must be {_expected(error, path)}."


def _expected(error: Mapping[str, Any], path: tuple[str, ...]) -> str:
    kind, context = str(error["type"]), error.get("ctx", {})
    match kind:
        case "greater_than":
            return f"a number above {context['gt']:g}"
        case "greater_than_equal":
            return f"a number from {context['ge']:g} on"
        case "less_than_equal":
            return f"a number up to {context['le']:g}"
        case "less_than":
            return f"a number below {context['lt']:g}"
        case "literal_error":
            return f"one of {str(context['expected']).replace(' or ', ', ')}"
        case "string_too_short":
            return "a text that is not empty"
        case "string_pattern_mismatch":
            return _PATTERNS.get(path[-1], "written otherwise")
    return _KINDS.get(kind.partition("_")[0], "of another kind")


def _path(location: Sequence[object]) -> tuple[str, ...]:
    """The names of a setting, without the places inside a list and the kinds that were tried."""
    return tuple(
        str(part) for part in location if isinstance(part, str) and part not in ("int", "float", "bool", "str", "[key]")
    )


def _shown(value: object) -> str:
    told = repr(value) if isinstance(value, str) else str(value)
    return told if len(told) <= _LONGEST else told[:_LONGEST] + "…"
