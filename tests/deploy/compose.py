"""Read compose.yaml as `docker compose` does: merged, with the variables of .env filled in."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
VARIABLE = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")
LINE = re.compile(r"^(?:# )?([A-Z][A-Z0-9_]*)=(.*)$", re.M)


def read_compose(variables: Mapping[str, str]) -> dict[str, Any]:
    """Return the file with these variables, or the defaults that it names, in their places."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    filled: dict[str, Any] = _fill(YAML(typ="safe").load(text), variables)
    return filled


def read_sample() -> dict[str, str]:
    """Return every variable that .env.sample explains, also those that stand there as a comment."""
    return dict(LINE.findall((ROOT / ".env.sample").read_text(encoding="utf-8")))


def is_ours(service: Mapping[str, Any]) -> bool:
    """Whether a service runs Pincite."""
    return "build" in service


def _fill(value: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _fill(each, variables) for name, each in value.items()}
    if isinstance(value, list):
        return [_fill(each, variables) for each in value]
    if isinstance(value, str):
        return VARIABLE.sub(lambda found: variables.get(found[1]) or found[2] or "", value)
    return value
