"""The page's own words, by their keys: tests find things as a person does, by what is written on them."""

import json
import re
from functools import cache
from pathlib import Path

_WORDS = Path(__file__).parents[2] / "ui" / "src" / "i18n"


@cache
def resources(language: str) -> dict[str, str]:
    """All that the page can say in a language."""
    return {
        key: text
        for path in sorted((_WORDS / language).glob("*.json"))
        for key, text in json.loads(path.read_text(encoding="utf-8")).items()
    }


def say(key: str, language: str = "en", **values: str | int) -> str:
    """Return the text of the page under a key."""
    text = resources(language)[key]
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def like(key: str, language: str = "en", **values: str | int) -> re.Pattern[str]:
    """Return a pattern of the text under a key, with any words in the places that are not given."""
    parts = re.split(r"\{\w+\}", say(key, language, **values))
    # The names by which a browser finds things have plain spaces.
    spaced = (re.escape(part).replace("\xa0", r"\s").replace("\u202f", r"\s") for part in parts)
    return re.compile("^" + ".*".join(spaced) + "$", re.DOTALL)
