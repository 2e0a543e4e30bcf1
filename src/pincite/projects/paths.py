"""Check the paths that a model or a client writes, and open files so that no path leads out of the project's folder.

A path is relative to the folder. Leading slashes are removed and backslashes become slashes. Anything that could lead
out is refused with `PathRefused`, even if it would lead back in.
"""

import errno
import os
import re
import stat
import unicodedata
from pathlib import Path
from typing import BinaryIO, Literal
from urllib.parse import unquote

from pincite.errors import Misuse, NotFound

PathProblem = Literal["path_outside", "path_absolute", "path_empty", "path_name", "path_link", "path_special"]

_LONGEST_PATH = 4096  # bytes
_LONGEST_NAME = 255  # bytes
_MOST_DECODINGS = 3
_DRIVE = re.compile("[A-Za-z]:")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
# Signs that no text shows, but that turn or break the text around them: two different paths would look the same.
_UNSEEN = re.compile("[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
# Signs that some file systems ignore in a name.
_IGNORABLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
# Git's folder by its name and by the short name of some file systems.
_GIT_NAMES = frozenset({".git", "git~1"})

_HINT = "Write the path relative to the project's folder, such as src/main.py."


class PathRefused(Misuse):
    """A path that may lead out of the project's folder or that is no regular file; `reason` says why."""

    def __init__(self, written: str, message: str, reason: PathProblem, hint: str = _HINT) -> None:
        super().__init__(message, hint, reason, {"path": show_path(written)})


def show_path(written: str) -> str:
    """Return a path as it may be shown: short, on one line, and without signs that no text shows."""
    shown = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in written[:200])
    return shown + "…" if len(written) > 200 else shown


def clean_path(written: str) -> str:
    """Return a written path in its one form: relative, with slashes, without empty segments."""
    _check_signs(written)
    if written.startswith("\\\\") or _SCHEME.match(written):
        raise _refuse_absolute(written)
    names = [name for name in written.replace("\\", "/").split("/") if name not in ("", ".")]
    if not names:
        raise PathRefused(
            written, "The path is empty." if not written.strip() else "The path names no file.", "path_empty"
        )
    if _DRIVE.match(names[0]) or names[0] == "~":
        raise _refuse_absolute(written)
    for decoded in _list_decodings(written):
        if ".." in decoded.replace("\\", "/").split("/"):
            raise PathRefused(written, f'The path {show_path(written)} has a segment "..".', "path_outside")
    for name in names:
        _check_name(written, name)
    cleaned = "/".join(names)
    if len(cleaned.encode()) > _LONGEST_PATH:
        raise PathRefused(written, f"The path {show_path(written)} is too long.", "path_name")
    return cleaned


def resolve_path(root: Path, written: str) -> Path:
    """Return the real place of a path, which may not exist yet. A link must lead to a place in the folder."""
    place, left = root.resolve(), clean_path(written).split("/")
    inside = place
    while left:
        name = left.pop(0)
        step = place / name
        try:
            mode = step.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return step.joinpath(*left)
        except OSError as error:
            raise _explain_os_error(written, error) from None
        if stat.S_ISLNK(mode):
            step, mode = _follow_link(step, inside, written)
        if stat.S_ISREG(mode) and left:
            raise PathRefused(written, f"{show_path(name)} is a file, not a folder.", "path_name")
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise _refuse_special(written)
        place = step
    return place


def open_folder(root: Path, folder: str) -> int:
    """Return a descriptor of a folder of the project, "" for the project's own. The caller closes it.

    Each segment is opened in the one before it and no link is followed, so a link that is put in the way while we open
    leads nowhere.
    """
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
    base = root.resolve()
    names = resolve_path(base, folder).relative_to(base).parts if folder else ()
    opened = os.open(base, flags)
    for name in names:
        above = opened
        try:
            opened = os.open(name, flags, dir_fd=above)
        except OSError as error:
            raise _explain_os_error(folder, error) from None
        finally:
            os.close(above)
    return opened


def open_file(root: Path, path: str) -> BinaryIO:
    """Open a regular file of the project for reading."""
    base = root.resolve()
    real = resolve_path(base, path).relative_to(base)
    folder = open_folder(base, "" if real.parent == Path() else real.parent.as_posix())
    try:
        # Without waiting: opening a pipe without a writer would never return.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        opened = os.open(real.name, flags, dir_fd=folder)
    except OSError as error:
        raise _explain_os_error(path, error) from None
    finally:
        os.close(folder)
    mode = os.fstat(opened).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(opened, "rb")
    os.close(opened)
    if stat.S_ISDIR(mode):
        raise Misuse(f"{show_path(path)} is a folder.", "Name a file in it.", "is_folder", {"path": show_path(path)})
    raise _refuse_special(path)


def is_inside(path: Path, root: Path) -> bool:
    """Return whether a path is the folder itself or a place below it, by its segments."""
    return path == root or root in path.parents


def _check_signs(written: str) -> None:
    try:
        written.encode()
    except UnicodeEncodeError:
        raise PathRefused(written, "The path has a character that is not valid text.", "path_name") from None
    if any(unicodedata.category(sign) == "Cc" for sign in written) or _UNSEEN.search(written):
        raise PathRefused(written, f"The path {show_path(written)} has a control character.", "path_name")


def _check_name(written: str, name: str) -> None:
    """Refuse a name that another file system would take for another one."""
    folded = _IGNORABLE.sub("", unicodedata.normalize("NFKC", name))
    if "/" in folded or "\\" in folded or not folded.strip(". "):
        raise PathRefused(
            written, f'The path {show_path(written)} has a misleading name "{show_path(name)}".', "path_name"
        )
    if len(name.encode()) > _LONGEST_NAME:
        raise PathRefused(written, f"The path {show_path(written)} has a name that is too long.", "path_name")
    if folded.casefold().rstrip(". ").split(":")[0] in _GIT_NAMES:
        message = f"The path {show_path(written)} is in Git's own folder, which is neither read nor changed."
        raise PathRefused(written, message, "path_name", "Name a file of the project itself.")


def _list_decodings(written: str) -> list[str]:
    """Return the path as written and with its %-encoding removed, once and repeatedly."""
    found = [written]
    while len(found) <= _MOST_DECODINGS and (decoded := unquote(found[-1])) != found[-1]:
        found.append(decoded)
    return found


def _follow_link(link: Path, inside: Path, written: str) -> tuple[Path, int]:
    """Return the place to which a link leads, which must exist and be in the folder, and its mode."""
    try:
        target = link.resolve(strict=True)
        mode = target.lstat().st_mode
    except (OSError, RuntimeError):
        message = f"{show_path(written)} is a link that leads nowhere."
        raise PathRefused(written, message, "path_link", "Name the file itself.") from None
    if not is_inside(target, inside):
        message = f"{show_path(written)} is a link that leads out of the project's folder."
        raise PathRefused(written, message, "path_link", "Name a file in the folder.")
    if target != inside:
        clean_path(target.relative_to(inside).as_posix())
    return target, mode


def _refuse_absolute(written: str) -> PathRefused:
    return PathRefused(written, f"The path {show_path(written)} is absolute.", "path_absolute")


def _refuse_special(written: str) -> PathRefused:
    message = f"{show_path(written)} is neither a regular file nor a folder."
    return PathRefused(written, message, "path_special", "Name a regular file.")


def _explain_os_error(written: str, error: OSError) -> Misuse:
    shown = show_path(written)
    if error.errno == errno.ENOENT:
        return NotFound(f"There is no file {shown} in the project.", "Check the spelling.", "file", {"path": shown})
    if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
        return PathRefused(written, f"{shown} has a link or a file in the way.", "path_link", "Name the file itself.")
    if error.errno == errno.ENAMETOOLONG:
        return PathRefused(written, f"The path {shown} is too long.", "path_name")
    if error.errno in (errno.ENXIO, errno.ENODEV):
        return _refuse_special(written)
    return Misuse(
        f"{shown} cannot be opened: {error.strerror}.", "Check its permissions.", "cannot_open", {"path": shown}
    )
