"""Write files of a project so that each is old or new, never in between, and can be put back without disk space.

Every step is done in a folder that was opened segment by segment, so no link can lead it elsewhere. A new file is
written under a hidden name beside its place, and the old one stays under another hidden name until the change is final.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from pincite.errors import Misuse, NotFound
from pincite.projects.change_journal import JournalEntry
from pincite.projects.change_set import compute_sha256
from pincite.projects.paths import open_folder

_CHUNK = 1 << 20
_WRITE_BITS = 0o222
_NO_FILE = "no regular file"  # in place of a hash


class ReadOnly(OSError):
    """A file or folder that must not be written."""


class NotRegular(OSError):
    """A folder, a link or a device where a file is expected."""


class FileWriter:
    """Writes one file of a change: `stage`, then `swap`, then `clean`; or `restore` at any time."""

    def __init__(self, root: Path, entry: JournalEntry, token: str, number: int) -> None:
        self._root = root
        self._entry = entry
        place = PurePosixPath(entry.path)
        self.folder = "" if place.parent == PurePosixPath() else place.parent.as_posix()
        self._name = place.name
        # The names do not repeat that of the file, which may be as long as a name can be.
        self._new, self._old = (f".pincite-{token}-{number}.{kind}" for kind in ("new", "old"))

    def read(self) -> bytes | None:
        """Return the bytes of the file as it is now, None for no file."""
        try:
            with self._open_folder() as folder:
                return _read_bytes(folder, self._name)
        except NotFound:
            return None

    def has_hidden_file(self) -> bool:
        """Return whether one of the hidden names is taken."""
        with suppress(Misuse), self._open_folder() as folder:
            return not {self._new, self._old}.isdisjoint(os.listdir(folder))
        return False

    def check_writable(self) -> None:
        """Raise `ReadOnly` if the file or its folder must not be written, even where the system would allow it."""
        folder = self.folder
        while True:
            try:
                with _open_folder(self._root, folder) as opened:
                    if not os.fstat(opened).st_mode & _WRITE_BITS or not os.access(".", os.W_OK, dir_fd=opened):
                        raise ReadOnly(errno.EACCES, "the folder is read-only", folder or ".")
                    if folder == self.folder and self._entry.before:
                        mode = os.stat(self._name, dir_fd=opened, follow_symlinks=False).st_mode
                        if not mode & _WRITE_BITS or not os.access(self._name, os.W_OK, dir_fd=opened):
                            raise ReadOnly(errno.EACCES, "the file is read-only", self._entry.path)
                return
            except NotFound:
                folder = PurePosixPath(folder).parent.as_posix().removeprefix(".")

    def stage(self, content: bytes | None) -> None:
        """Write the new content beside the file."""
        for path in self._entry.folders:
            self._make_folder(path)
        if content is None:
            return
        with self._open_folder() as folder:
            self._write(folder, content)

    def swap(self) -> None:
        """Put the new file in the place of the old one, or take the old one away."""
        with self._open_folder() as folder:
            if self._entry.before and self._entry.after:
                with suppress(OSError):  # a file system without links: the journal has the bytes
                    os.link(self._name, self._old, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
                os.rename(self._new, self._name, src_dir_fd=folder, dst_dir_fd=folder)
            elif self._entry.before:
                os.rename(self._name, self._old, src_dir_fd=folder, dst_dir_fd=folder)
            else:
                self._place_new(folder)

    def sync_folder(self) -> None:
        """Make the names in the file's folder durable."""
        with self._open_folder() as folder:
            os.fsync(folder)

    def clean(self) -> None:
        """Remove the hidden files; the change is final."""
        with suppress(NotFound), self._open_folder() as folder:
            self._remove_hidden(folder)

    def restore(self, before: bytes | None) -> bool:
        """Put the file back as it was; repeating it does no harm. Return whether no content is lost.

        Anything that someone else has put in its place since stays there.
        """
        is_kept = True
        try:
            with self._open_folder() as folder:
                now = _hash_file(folder, self._name)
                is_ours = now in ("", self._entry.after)
                is_untouched = now == self._entry.before
                is_kept = before is None or is_ours or is_untouched or not _hash_file(folder, self._old)
                if before is None:
                    if now and now == self._entry.after and self._is_made_by_us(folder):
                        os.unlink(self._name, dir_fd=folder)
                elif _hash_file(folder, self._old) and is_ours:
                    os.rename(self._old, self._name, src_dir_fd=folder, dst_dir_fd=folder)
                elif is_ours and not is_untouched:
                    with suppress(FileNotFoundError):
                        os.unlink(self._new, dir_fd=folder)
                    self._write(folder, before)
                    os.rename(self._new, self._name, src_dir_fd=folder, dst_dir_fd=folder)
                self._remove_hidden(folder)
                os.fsync(folder)
        except NotFound:
            pass  # the folder was not made yet
        except Misuse:
            is_kept = before is None  # the folder was replaced by something else
        self.remove_folders()
        return is_kept

    def remove_folders(self) -> None:
        """Remove the folders that were made for the file, if they are empty."""
        for path in reversed(self._entry.folders):
            parent, _, name = path.rpartition("/")
            with suppress(Misuse, OSError), _open_folder(self._root, parent) as opened:
                os.rmdir(name, dir_fd=opened)

    def _remove_hidden(self, folder: int) -> None:
        for name in (self._new, self._old):
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=folder)

    def _is_made_by_us(self, folder: int) -> bool:
        """Return whether a new file is the one that was staged: both names lead to it, or only the place is left."""
        try:
            staged = os.stat(self._new, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return True
        return os.path.samestat(staged, os.stat(self._name, dir_fd=folder, follow_symlinks=False))

    def _place_new(self, folder: int) -> None:
        try:
            # Unlike a rename, a link never replaces a file that someone else has just made.
            os.link(self._new, self._name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError:
            if _hash_file(folder, self._name):
                raise FileExistsError(errno.EEXIST, "the file exists", self._entry.path) from None
            os.rename(self._new, self._name, src_dir_fd=folder, dst_dir_fd=folder)

    def _write(self, folder: int, content: bytes) -> None:
        """Write the hidden new file with the mode, owner and attributes of the old one."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        opened = os.open(self._new, flags, 0o666, dir_fd=folder)
        try:
            left = memoryview(content)
            while left:
                left = left[os.write(opened, left[:_CHUNK]) :]
            self._copy_owner(opened)
            _copy_attributes(folder, self._name, opened)
            if self._entry.mode is not None:
                os.fchmod(opened, self._entry.mode)
            os.fsync(opened)
        except BaseException:
            os.close(opened)
            with suppress(OSError):
                os.unlink(self._new, dir_fd=folder)
            raise
        os.close(opened)

    def _copy_owner(self, opened: int) -> None:
        now = os.fstat(opened)
        if self._entry.owner is not None and (now.st_uid, now.st_gid) != self._entry.owner:
            os.fchown(opened, *self._entry.owner)

    def _make_folder(self, path: str) -> None:
        parent, _, name = path.rpartition("/")
        with _open_folder(self._root, parent) as opened:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=opened)
            os.fsync(opened)

    @contextmanager
    def _open_folder(self) -> Iterator[int]:
        with _open_folder(self._root, self.folder) as opened:
            yield opened


def read_status(root: Path, path: str) -> os.stat_result | None:
    """Return the status of a file, None for no file."""
    parent, _, name = path.rpartition("/")
    try:
        with _open_folder(root, parent) as opened:
            return os.stat(name, dir_fd=opened, follow_symlinks=False)
    except (NotFound, FileNotFoundError):
        return None


def list_missing_folders(root: Path, path: str) -> tuple[str, ...]:
    """Return the folders that must be made for a path, the outermost first."""
    parents = [parent.as_posix() for parent in PurePosixPath(path).parents if parent != PurePosixPath()]
    return tuple(parent for parent in reversed(parents) if not os.path.lexists(root / parent))


@contextmanager
def _open_folder(root: Path, folder: str) -> Iterator[int]:
    opened = open_folder(root, folder)
    try:
        yield opened
    finally:
        os.close(opened)


def _read_bytes(folder: int, name: str) -> bytes | None:
    try:
        opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.ENXIO, errno.ENODEV):
            raise NotRegular(errno.EINVAL, "not a regular file", name) from None
        raise
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise NotRegular(errno.EINVAL, "not a regular file", name)
    with os.fdopen(opened, "rb") as file:
        return file.read()


def _hash_file(folder: int, name: str) -> str:
    """Return the hash of a file, "" for none, and `_NO_FILE` for a folder, a link or a device."""
    try:
        return compute_sha256(_read_bytes(folder, name))
    except NotRegular:
        return _NO_FILE


def _copy_attributes(folder: int, name: str, opened: int) -> None:
    """Copy the extended attributes of the old file, where the system has them and allows it."""
    if not hasattr(os, "listxattr"):
        return
    with suppress(OSError):
        old = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        try:
            for attribute in os.listxattr(old):
                with suppress(OSError):
                    os.setxattr(opened, attribute, os.getxattr(old, attribute))
        finally:
            os.close(old)
