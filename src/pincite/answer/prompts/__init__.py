"""Render the prompts: each is a file whose names, such as $evidence, are replaced with values."""

import re
from functools import cache
from importlib import resources
from string import Template

_BETWEEN_MARKS = re.compile(r"<(\w+)>\s*\$(\w+)\s*</\1>")


def render(name: str, **values: str) -> str:
    """Return a prompt with its values; raise `ValueError` when a value is missing or unknown.

    A paragraph whose value is empty is left out.
    """
    text = _read_template(name)
    wanted = set(Template(text).get_identifiers())
    if wanted != values.keys():
        missing, unknown = sorted(wanted - values.keys()), sorted(values.keys() - wanted)
        raise ValueError(f"The prompt {name} lacks {missing or 'nothing'}; it does not know {unknown or 'too few'}.")
    empty = {key for key, value in values.items() if not value.strip()}
    kept = [part for part in text.strip().split("\n\n") if empty.isdisjoint(Template(part).get_identifiers())]
    marks = {key: mark for mark, key in _BETWEEN_MARKS.findall(text)}
    return Template("\n\n".join(kept)).substitute(
        {key: _protect_marks(value.strip(), marks.get(key)) for key, value in values.items()}
    )


def _protect_marks(value: str, mark: str | None) -> str:
    """Change a value so that it cannot close the marks around it."""
    return re.sub(rf"<(?=\s*/?\s*{mark}\b)", "‹", value, flags=re.IGNORECASE) if mark else value


@cache
def _read_template(name: str) -> str:
    return (resources.files(__name__) / f"{name}.md").read_text(encoding="utf-8")
