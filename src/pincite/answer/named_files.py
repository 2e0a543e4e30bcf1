"""Find the files that the user names in a conversation. A file that may hold secrets is named by `@path` alone."""

import re
from collections.abc import Iterable

from pincite.answer.context import Context
from pincite.answer.project_files import ProjectFiles
from pincite.projects.file_list import find_read_problem
from pincite.projects.paths import clean_path

_MOST = 8  # paths of unlisted files
_WRITTEN = re.compile(r"[\w.\-/\\]+")
_AT_SIGN = re.compile(r"(?<![\w.\-/\\@])@([\w.\-/\\~]+)")
_EXTENSION = re.compile(r"\w\.\w{1,8}$")
_BARE_NAMES = frozenset({"Makefile", "Dockerfile", "LICENSE"})


def is_named(context: Context, files: ProjectFiles, path: str) -> bool:
    """Whether the user named a file in a message of the conversation, by its path or by the name of the file.

    A file that may hold secrets, or a link to one, is named only by its path directly after an at sign: a message such
    as "never open .env" is no permission. Raise `PathRefused` for a path that leads outside.
    """
    if find_read_problem(files.project, path) == "secret_file":
        return not is_hidden_secret(context, files, path)
    written = _list_written_paths(_list_messages(context))
    return path in written or path.rpartition("/")[2] in written


def is_hidden_secret(context: Context, files: ProjectFiles, path: str) -> bool:
    """Whether a file may hold secrets, and no message of the user has its path directly after an at sign."""
    if find_read_problem(files.project, path) != "secret_file":
        return False
    return clean_path(path) not in _list_marked_paths(_list_messages(context))


def list_named_paths(files: ProjectFiles, messages: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the paths of files that messages of the user name, and other paths in them.

    A file is named by its path or, if it is the only one, by its file name. The other paths may be those of ignored
    files and of secrets.
    """
    known = {file.path for file in files.files}
    names: dict[str, list[str]] = {}
    for path in known:
        names.setdefault(path.rpartition("/")[2], []).append(path)
    found: list[str] = []
    others: list[str] = []
    for path in _list_written_paths(messages):
        if path in known:
            found.append(path)
        elif len(named := names.get(path, [])) == 1:
            found += named
        elif path not in names:
            others.append(path)
    return list(dict.fromkeys(found)), others[:_MOST]


def _list_messages(context: Context) -> list[str]:
    return [context.asked.question, *(each.question for each in context.asked.history)]


def _list_written_paths(messages: Iterable[str]) -> list[str]:
    """Return the words of messages that look like paths, and all that stand after an at sign, each once."""
    messages = list(messages)
    words = (word.rstrip(".-") for message in messages for word in _WRITTEN.findall(message))
    written = [path for word in words if _has_path_form(path := _strip_path(word))]
    return list(dict.fromkeys([*written, *_list_marked_paths(messages)]))


def _list_marked_paths(messages: Iterable[str]) -> list[str]:
    """Return the paths that stand directly after an at sign."""
    return [_strip_path(word.rstrip(".-")) for message in messages for word in _AT_SIGN.findall(message)]


def _strip_path(word: str) -> str:
    return word.replace("\\", "/").strip("/").removeprefix("./")


def _has_path_form(word: str) -> bool:
    is_hidden = word.startswith(".") and word[1:2].isalpha()
    return "/" in word or is_hidden or word in _BARE_NAMES or _EXTENSION.search(word) is not None
