"""Parse the JSON in a language model's reply. Models put it between other words, in code fences, or twice."""

import json
from collections.abc import Iterator
from typing import TypeVar

from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)


def parse_model_json(reply: str, model: type[Model]) -> Model | None:
    """Return the last JSON object of a reply that has the form of `model`; None where there is none.

    The last one counts, because a reply may quote the prompt or a source before it.
    """
    return next(reversed(_find_valid(_cut_objects(reply), model)), None)


def parse_innermost_json(reply: str, model: type[Model]) -> list[Model]:
    """Return all objects of the form of `model` that hold no other object, also from a reply that was cut off."""
    return _find_valid(_cut_innermost(reply), model)


def _find_valid(pieces: Iterator[str], model: type[Model]) -> list[Model]:
    found = []
    for piece in pieces:
        try:
            found.append(model.model_validate_json(piece))
        except ValidationError:
            continue
    return found


def _cut_objects(reply: str) -> Iterator[str]:
    """Yield the outermost JSON objects of a reply, in order."""
    decoder, at = json.JSONDecoder(), reply.find("{")
    while at >= 0:
        try:
            _, end = decoder.raw_decode(reply, at)
            yield reply[at:end]
        except (ValueError, RecursionError):
            end = at + 1
        at = reply.find("{", end)


def _cut_innermost(reply: str) -> Iterator[str]:
    """Yield each stretch from a brace to the next closing one without another brace between."""
    for closing in reply.split("}")[:-1]:
        _, brace, inside = closing.rpartition("{")
        if brace:
            yield f"{{{inside}}}"
