"""The function that a move calls while it works."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]  # the step, the number of items that are done, and of all items
