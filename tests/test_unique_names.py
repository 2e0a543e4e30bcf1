"""A file name and a class name lead to one place."""

import re
from collections import Counter
from pathlib import Path

import pincite

CLASS = re.compile(r"^class (\w+)", re.MULTILINE)
MODULES = [path for path in Path(pincite.__file__).parent.rglob("*.py") if "migrations" not in path.parts]


def test_no_two_modules_have_the_same_file_name() -> None:
    names = Counter(path.name for path in MODULES if path.name != "__init__.py")
    assert [name for name, count in names.items() if count > 1] == []


def test_no_two_modules_define_a_class_of_the_same_name() -> None:
    classes = Counter(name for path in MODULES for name in CLASS.findall(path.read_text(encoding="utf-8")))
    assert [name for name, count in classes.items() if count > 1] == []
