"""What the quick run leaves to the thorough one: most cases of a matrix, and most examples of a property."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

IS_THOROUGH = os.environ.get("HYPOTHESIS_PROFILE", "quick") != "quick"


def scale_examples(wanted: int) -> int:
    """Return how many examples a property with its own number is tried on: a quarter in the quick run."""
    return wanted if IS_THOROUGH else max(wanted // 4, min(wanted, 5))


def keep_some(cases: Iterable[Any], one_in: int) -> list[Any]:
    """Return the cases of a test with one argument, with all marked slow but each n-th."""
    return [mark_slow(case) if place % one_in else pytest.param(case) for place, case in enumerate(cases)]


def mark_slow(*values: Any) -> Any:
    """Return a case of a test that the quick run leaves out."""
    return pytest.param(*values, marks=pytest.mark.slow)
