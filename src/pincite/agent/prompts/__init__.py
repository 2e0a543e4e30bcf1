"""The prompts' texts, each in a file of its own, with values put where they are named: $evidence."""

import re
from functools import cache
from importlib import resources
from string import Template

_BETWEEN_MARKS = re.compile(r"<(\w+)>\s*\$(\w+)\s*</\1>")


def render(name: str, **values: str) -> str:
    """A prompt with its values; a paragraph whose value is empty is left out, a missing or unknown value refused."""
    text = _text(name)
    wanted = set(Template(text).get_identifiers())
    if wanted != values.keys():
        missing, unknown = sorted(wanted - values.keys()), sorted(values.keys() - wanted)
        raise ValueError(f"The prompt {name} lacks {missing or 'nothing'}; it does not know {unknown or 'too few'}.")
    empty = {key for key, value in values.items() if not value.strip()}
    kept = [part for part in text.strip().split("\n\n") if empty.isdisjoint(Template(part).get_identifiers())]
    marks = {key: mark for mark, key in _BETWEEN_MARKS.findall(text)}
    return Template("\n\n".join(kept)).substitute(
        {key: _inside(value.strip(), marks.get(key)) for key, value in values.items()}
    )


def _inside(value: str, mark: str | None) -> str:
    """A value that cannot end the marks it stands between, whatever it says."""
    return re.sub(rf"<(?=\s*/?\s*{mark}\b)", "‹", value, flags=re.IGNORECASE) if mark else value


@cache
def _text(name: str) -> str:
    return (resources.files(__name__) / f"{name}.md").read_text(encoding="utf-8")
