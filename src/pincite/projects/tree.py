"""Draw the files of a project as a tree for a model, cut down step by step until it is short enough."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from pincite.projects.file_kinds import is_unimportant
from pincite.projects.file_list import ProjectFile
from pincite.text.token_count import CHARACTERS_PER_TOKEN, count_tokens

TreeLevel = Literal["full", "no_counts", "important", "shallow"]

_HEADS: dict[TreeLevel, str] = {
    "full": "All {files} files, each with its number of tokens.",
    "no_counts": "All {files} files. Token counts are left out to save space.",
    "important": "{shown} of {files} files. Token counts, build artefacts, caches and generated files are left out.",
    "shallow": "{shown} of {files} files. Token counts, build artefacts, caches, generated files and the files in the "
    "deepest folders are left out.",
}


@dataclass(frozen=True, slots=True)
class Tree:
    """A drawn tree; its first line says what is left out. `shown` of the `files` files are in it."""

    text: str
    level: TreeLevel
    files: int
    shown: int
    tokens: int


def draw_tree(files: Sequence[ProjectFile], tokens: Mapping[str, int], most_tokens: int) -> Tree:
    """Return the most complete tree of at most this many tokens.

    The order is: everything with token counts, then without the counts, then without unimportant files, then without
    the files in the deepest folders, one after the other. `tokens` has the count of each file that is known.
    """
    paths = sorted((file.path for file in files), key=_sort_key)
    room = int(most_tokens * CHARACTERS_PER_TOKEN)
    counts = {path: tokens[path] for path in paths if path in tokens}
    if _measure_length(paths, counts) + len(_write_head("full", paths, paths)) <= room:
        return _make_tree("full", paths, paths, counts)
    if _measure_length(paths, {}) + len(_write_head("no_counts", paths, paths)) <= room:
        return _make_tree("no_counts", paths, paths, {})
    important = [path for path in paths if not is_unimportant(path)]
    if _measure_length(important, {}) + len(_write_head("important", paths, important)) <= room:
        return _make_tree("important", paths, important, {})
    return _make_tree("shallow", paths, _keep_shallowest(paths, important, room), {})


def _keep_shallowest(paths: Sequence[str], important: Sequence[str], room: int) -> list[str]:
    """Return the files that remain when those in the deepest folders are dropped until the tree fits."""
    room -= len(_write_head("shallow", paths, important))
    kept: set[str] = set()
    folders: set[str] = set()
    for path in sorted(important, key=lambda path: path.count("/")):
        new = [folder for folder in _list_folders(path) if folder not in folders]
        room -= _measure_line(path) + sum(map(_measure_line, new))
        if room < 0:
            break
        folders.update(new)
        kept.add(path)
    return [path for path in important if path in kept]


def _make_tree(level: TreeLevel, paths: Sequence[str], shown: Sequence[str], counts: Mapping[str, int]) -> Tree:
    text = _write_head(level, paths, shown) + "".join(_draw_lines(shown, counts))
    return Tree(text, level, len(paths), len(shown), count_tokens(text))


def _write_head(level: TreeLevel, paths: Sequence[str], shown: Sequence[str]) -> str:
    return _HEADS[level].format(files=f"{len(paths):,}", shown=f"{len(shown):,}")


def _draw_lines(paths: Sequence[str], counts: Mapping[str, int]) -> Iterator[str]:
    """Yield one line for each folder and each file, indented by its depth; each begins with a line end."""
    open_folders: list[str] = []
    for folder, inside in groupby(paths, key=lambda path: path.rpartition("/")[0]):
        names = folder.split("/") if folder else []
        same = 0
        while same < min(len(names), len(open_folders)) and names[same] == open_folders[same]:
            same += 1
        for depth in range(same, len(names)):
            yield f"\n{' ' * depth}{names[depth]}/"
        open_folders = names
        for path in inside:
            count = f" {counts[path]}" if path in counts else ""
            yield f"\n{' ' * len(names)}{path.rpartition('/')[2]}{count}"


def _measure_length(paths: Sequence[str], counts: Mapping[str, int]) -> int:
    return sum(map(len, _draw_lines(paths, counts)))


def _measure_line(path: str) -> int:
    """Return the length of the line of a file, or of a folder that is written with a slash behind it."""
    return 1 + path.rstrip("/").count("/") + len(path) - 1 - path.rstrip("/").rfind("/")


def _list_folders(path: str) -> list[str]:
    """Return the folders of a path, outermost first, each with a slash behind it."""
    return [path[: place + 1] for place, sign in enumerate(path) if sign == "/"]


def _sort_key(path: str) -> str:
    """Sort the folders of a folder before its files, each by name, so that a folder's own files stand together."""
    folder, slash, name = path.rpartition("/")
    return "\0" + folder.replace("/", "/\0") + "/\1" + name if slash else "\1" + name
