"""Gather settings from the command line, PINCITE_* variables, `pincite.toml`, and the names of other programs.

Each value has its origin, so that an error can say where to correct it.
"""

import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_origin

from pydantic import BaseModel

from pincite.errors import Misuse
from pincite.settings_aliases import UnusableAlias, read_aliases, warn_ignored

PREFIX = "PINCITE_"
_CONFIG = "PINCITE_CONFIG"
_OTHERS = (_CONFIG, "PINCITE_TOKEN")  # options of commands
_DEEPER = "__"
# Kubernetes sets these variables in every pod if a service is called "pincite".
_KUBERNETES = re.compile(r"PINCITE_(?:SERVICE_(?:HOST|PORT)\w*|PORT(?:_\d+_(?:TCP|UDP)\w*)?)")

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a value: a variable, a file, or an option of the command; `alias` is another program's name."""

    place: str
    alias: str = ""

    def __str__(self) -> str:
        return self.place


@dataclass(frozen=True, slots=True)
class GatheredValues:
    """All values as one nested table, and the origin of each."""

    values: dict[str, Any]
    origins: dict[Names, Origin]

    def origin(self, path: Names) -> Origin | None:
        """Return the origin of a setting, of a table above it, or of a value inside it."""
        inside = [origin for names, origin in self.origins.items() if names[: len(path)] == path]
        if inside and path not in self.origins:
            return inside[0]
        while path:
            if path in self.origins:
                return self.origins[path]
            path = path[:-1]
        return None


def gather_values(
    model: type[BaseModel],
    config: Path | None,
    given: Mapping[str, object],
    environment: Mapping[str, str],
    ignored: frozenset[str] = frozenset(),
) -> GatheredValues:
    """Gather the values for a settings model; later sources win: aliases, file, variables, command line.

    `ignored` are names of other programs to leave out. A value of theirs that is not valid causes a warning, unless one
    of our settings replaces it.
    """
    dotenv = _read_dotenv(Path(".env"))
    _check_variables(model, environment, "the environment")
    _check_variables(model, dotenv, ".env")
    found = GatheredValues({}, {})
    unknown: list[UnusableAlias] = []
    for alias in read_aliases({**dotenv, **environment}, ignored):
        if isinstance(alias, UnusableAlias):
            unknown.append(alias)
        else:
            _put_value(found, alias.path, alias.value, Origin(_describe_place(alias.name, environment), alias.name))
    named = config or (Path(environment[_CONFIG]) if environment.get(_CONFIG) else None)
    if named and not named.is_file():
        raise Misuse(f"There is no settings file {named}.", "Copy pincite.sample.toml there, or leave --config out.")
    file = named or Path("pincite.toml")
    _merge_table(found, (), _read_toml(file), Origin(str(file)))
    variables = {**_list_own_variables(dotenv), **_list_own_variables(environment)}
    # Whole tables first, so that a single value in one wins.
    for name, value in sorted(variables.items(), key=lambda pair: pair[0].count(_DEEPER)):
        path = tuple(name.removeprefix(PREFIX).lower().split(_DEEPER))
        _merge_value(found, path, _parse_value(model, path, value), Origin(_describe_place(name, environment)))
    for key, given_value in given.items():
        if given_value is not None:
            _merge_value(found, (key,), given_value, Origin(f"the option --{key}"))
    for each in unknown:
        if each.path not in found.origins:
            warn_ignored(each.name, each.reason)
    return found


def suggest_name(name: str, known: Iterable[str], prefix: str = "") -> str:
    """Return a question for a hint with the most similar known name behind a prefix, or "" if none is similar."""
    inner = [each.removeprefix(prefix) for each in known]
    near = difflib.get_close_matches(name.removeprefix(prefix), inner, n=1, cutoff=0.75)
    return f"Did you mean {prefix}{near[0]}? " if near else ""


def list_names(model: type[BaseModel], path: Names = ()) -> list[Names]:
    """Return every setting of a model as a path; a table with free names has `*`, then the fields of its entries."""
    found: list[Names] = []
    for name, field in model.model_fields.items():
        inner, entry = _get_model(field.annotation), _get_entry_model(field.annotation)
        if inner:
            found += list_names(inner, (*path, name))
        elif entry:
            found += list_names(entry, (*path, name, "*"))
        else:
            found.append((*path, name))
    return found


def split_list(given: object) -> object:
    """Split a text with commas into a list; return anything else unchanged."""
    if not isinstance(given, str):
        return given
    return [part.strip() for part in given.split(",") if part.strip()]


def _check_variables(model: type[BaseModel], environment: Mapping[str, str], where: str) -> None:
    """Reject an unknown PINCITE_* name, so that a typing error is noticed."""
    names = list_names(model)
    tables = {name[:1] for name in names if len(name) > 1}
    for name in _list_own_variables(environment):
        path = tuple(name.removeprefix(PREFIX).lower().split(_DEEPER))
        if path in tables or any(_is_match(path, known) for known in names):
            continue
        # A table with free names accepts any: the suggestions contain the name that was written.
        guesses = [
            _name_variable(tuple(path[at] if part == "*" and at < len(path) else part for at, part in enumerate(known)))
            for known in names
        ]
        # All names begin alike, which is no similarity.
        inner = [guess.removeprefix(PREFIX) for guess in (*guesses, _CONFIG)]
        near = difflib.get_close_matches(name.removeprefix(PREFIX), inner, n=1, cutoff=0.75)
        meant = f"Did you mean {PREFIX}{near[0]}? " if near else ""
        raise Misuse(
            f"{name} is set in {where}, but there is no such setting.", f"{meant}docs/settings.md lists them all."
        )


def _is_match(path: Names, known: Names) -> bool:
    if len(path) < len(known):
        # A whole table with free names, or one of its entries.
        return len(path) > 1 and path == known[: len(path)] and "*" in known[len(path) - 1 : len(path) + 1]
    return len(path) == len(known) and all(part in ("*", own) for own, part in zip(path, known, strict=True))


def _name_variable(path: Names) -> str:
    return PREFIX + _DEEPER.join(path).upper()


def _list_own_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the PINCITE_* settings, with names in capitals, without those that are no settings."""
    own = {name.upper(): value for name, value in environment.items() if name.upper().startswith(PREFIX)}
    return {name: value for name, value in own.items() if name not in _OTHERS and not _KUBERNETES.fullmatch(name)}


def _describe_place(name: str, environment: Mapping[str, str]) -> str:
    is_real = any(each.upper() == name.upper() for each in environment)
    return f"the variable {name}" if is_real else f"{name} in .env"


def _read_dotenv(path: Path) -> dict[str, str]:
    """Return the variables of a `.env` in the working folder, if it exists. The real environment is not changed."""
    if not path.is_file():
        return {}
    from dotenv import dotenv_values

    try:
        return {name: value for name, value in dotenv_values(path, interpolate=False).items() if value is not None}
    except (OSError, UnicodeDecodeError) as error:
        raise Misuse(f".env cannot be read: {error}", "Correct it, or start Pincite in another folder.") from None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (OSError, ValueError) as error:
        raise Misuse(
            f"The settings file {path} cannot be read: {error}", "It is TOML; see pincite.sample.toml."
        ) from None


def _merge_table(found: GatheredValues, path: Names, table: Mapping[str, Any], origin: Origin) -> None:
    for key, value in table.items():
        _merge_value(found, (*path, str(key)), value, origin)


def _merge_value(found: GatheredValues, path: Names, value: object, origin: Origin) -> None:
    if isinstance(value, Mapping):
        if not value:
            _put_value(found, path, {}, origin, keep=True)
        _merge_table(found, path, value, origin)
    else:
        _put_value(found, path, value, origin)


def _put_value(found: GatheredValues, path: Names, value: object, origin: Origin, keep: bool = False) -> None:
    table: MutableMapping[str, Any] = found.values
    for part in path[:-1]:
        inner = table.get(part)
        if not isinstance(inner, MutableMapping):
            inner = table[part] = {}
        table = inner
    if keep and path[-1] in table:
        return
    table[path[-1]] = value
    found.origins[path] = origin


def _parse_value(model: type[BaseModel], path: Names, value: str) -> object:
    """Parse the text of a variable: lists and tables are JSON, and a list may also be separated by commas."""
    kind = _find_annotation(model, path)
    is_list = get_origin(kind) in (tuple, list)
    if is_list or _get_model(kind) or _get_entry_model(kind):
        if is_list and not value.lstrip().startswith("["):
            return split_list(value)
        try:
            return json.loads(value)
        except ValueError:
            return value  # validation then reports the expected type
    return value


def _find_annotation(model: type[BaseModel], path: Names) -> Any:
    """Return the type of a setting, or None if there is no such setting."""
    field = model.model_fields.get(path[0])
    if field is None:
        return None
    if len(path) == 1:
        return field.annotation
    if inner := _get_model(field.annotation):
        return _find_annotation(inner, path[1:])
    entry = _get_entry_model(field.annotation)
    return (_find_annotation(entry, path[2:]) if len(path) > 2 else entry) if entry else None


def _get_model(kind: Any) -> type[BaseModel] | None:
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _get_entry_model(kind: Any) -> type[BaseModel] | None:
    """Return the model of the entries of a table with free names."""
    return _get_model(kind.__args__[1]) if get_origin(kind) is dict else None
