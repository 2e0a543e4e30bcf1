"""Explain mistakes in settings: the setting, its value, the expected value, and where it was set."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from pincite.errors import Misuse, hide_logins
from pincite.settings_sources import GatheredValues, list_names, suggest_name

_LONGEST = 60  # characters of a value in a message
# Settings whose names end so have values that are never shown.
_SECRETS = ("key", "secret", "password", "token", "database", "replica", "direct")
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "string": "a text",
    "path": "the path of a folder",
    "tuple": 'a list, such as ["minio:9000", "10.0.0.0/8"]; in a variable, commas work too',
    "list": "a list",
    "dict": "a table",
    "model": "a table",
    "mapping": "a table",
}
_PATTERNS = {
    "search_url": "an address such as http://localhost:8080, without a name, a password or a query",
    "files.url": "a bucket such as s3://bucket/prefix",
    "endpoint": "an address such as http://minio:9000, without a name, a password or a path",
    "traces": "an address such as http://localhost:4318",
    "url": "an address such as http://localhost:8000/v1",
}


def explain_validation_error(error: ValidationError, gathered: GatheredValues, model: type[BaseModel]) -> Misuse:
    """Return the mistakes found by validation as one error for the user."""
    sentences = [_describe_error(each, gathered, model) for each in _drop_repeated_errors(error.errors())]
    return Misuse("The settings are wrong. " + " ".join(sentences), "docs/settings.md lists them all.")


def list_unusable_aliases(error: ValidationError, gathered: GatheredValues, model: type[BaseModel]) -> dict[str, str]:
    """Return the names of other programs whose values are not valid for our settings, each with the reason."""
    found: dict[str, str] = {}
    for each in _drop_repeated_errors(error.errors()):
        origin = gathered.origin(_find_setting_path(each["loc"]))
        if origin and origin.alias:
            found.setdefault(origin.alias, _describe_error(each, gathered, model))
    return found


def _drop_repeated_errors(errors: Sequence[Any]) -> list[Mapping[str, Any]]:
    """Return one mistake for each setting; a setting with two possible types causes two."""
    found: dict[tuple[str, ...], Mapping[str, Any]] = {}
    for each in errors:
        found.setdefault(_find_setting_path(each["loc"]), each)
    return list(found.values())


def _describe_error(error: Mapping[str, Any], gathered: GatheredValues, model: type[BaseModel]) -> str:
    path = _find_setting_path(error["loc"])
    name = ".".join(path)
    origin = gathered.origin(path)
    where = f" ({origin})" if origin else ""
    if error["type"] == "extra_forbidden":
        known = [".".join(each) for each in list_names(model)]
        return f"There is no setting {name}{where}. {suggest_name(name, known)}".strip()
    if error["type"] == "value_error":
        return f"{name}{where}: {error['ctx']['error']}."
    if path[-1] == "[key]" or error["loc"][-1] == "[key]":
        return f"{name}{where} cannot name a provider: use lower-case letters, digits, - and _."
    is_shown = not path[-1].endswith(_SECRETS) and not isinstance(error["input"], Mapping)
    value = f" is {_shorten_value(error['input'])}, but" if is_shown else ""
    return f"{name}{where}{value} must be {_describe_expected(error, path)}."


def _describe_expected(error: Mapping[str, Any], path: tuple[str, ...]) -> str:
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
            return _PATTERNS.get(".".join(path)) or _PATTERNS.get(path[-1], "in another format")
    return _KINDS.get(kind.partition("_")[0], "of another type")


def _find_setting_path(location: Sequence[object]) -> tuple[str, ...]:
    """Return the path of a setting, without indices of a list and the types that were tried."""
    return tuple(
        str(part) for part in location if isinstance(part, str) and part not in ("int", "float", "bool", "str", "[key]")
    )


def _shorten_value(value: object) -> str:
    shown = hide_logins(repr(value) if isinstance(value, str) else str(value))
    return shown if len(shown) <= _LONGEST else shown[:_LONGEST] + "…"
