"""Read the properties of an office file."""

import re
from typing import Any
from zipfile import BadZipFile, ZipFile

from pincite.reading import zip_container

_FIELDS = {"title": "title", "creator": "author", "created": "date", "subject": "subject", "keywords": "keywords"}


def read_core_properties(package: ZipFile) -> dict[str, str]:
    """Return the title, author, day of creation, subject and keywords that are given.

    Damage here loses nothing else.
    """
    try:
        root: Any = zip_container.read_part(package, "docProps/core.xml")
    except (SyntaxError, ValueError, OSError, BadZipFile, EOFError):
        return {}
    found: dict[str, str] = {}
    for element in root if root is not None else ():
        name = str(element.tag).rpartition("}")[2]
        text = " ".join((element.text or "").split())
        if name in _FIELDS and text:
            found[_FIELDS[name]] = text
    day = re.match(r"\d{4}-\d{2}-\d{2}", found.pop("date", ""))
    return found | ({"date": day[0]} if day else {})
