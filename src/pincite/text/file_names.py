"""Shorten the names of files."""

from pathlib import PurePosixPath

_LONGEST_ENDING = 20  # characters after the last full stop; more are words of the name


def shorten_file_name(name: str, most: int) -> str:
    """Return at most so many characters of a file's name: its beginning, and its ending such as ".pdf"."""
    if len(name) <= most:
        return name
    ending = PurePosixPath(name).suffix
    if len(ending) > _LONGEST_ENDING:
        ending = ""
    return name[: most - len(ending)].rstrip(" .") + ending
