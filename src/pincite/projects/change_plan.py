"""Plan what the edits of a reply do to the files of a folder, without writing anything.

Edits are planned in their order: a later block sees the file as the earlier ones leave it.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pincite.errors import Misuse, NotFound
from pincite.projects.block_readings import MARKDOWN, Refused, choose_reading, strip_fences
from pincite.projects.change_set import ChangeSet, FileChange, Refusal
from pincite.projects.edit_matching import find_places, replace_text
from pincite.projects.edits import CreateFile, DeleteFile, Edit, RenameFile, ReplaceText
from pincite.projects.file_kinds import is_secret
from pincite.projects.line_endings import keep_endings, split_lines, strip_ending
from pincite.projects.nearest_lines import find_nearest_lines
from pincite.projects.path_lines import get_name
from pincite.projects.paths import clean_path, open_file, resolve_path
from pincite.projects.reply_reader import parse_reply
from pincite.projects.shortened_text import expand_file, find_new_elision
from pincite.projects.text_file import TextFile, decode_file

_LARGEST = 64 << 20  # bytes of a file that is changed
_MOST_PATHS = 50_000  # entries of the folder that are looked at for a similar path
_SKIPPED = frozenset({".git", "node_modules", ".venv", "__pycache__"})
_SIGNATURE = "\ufeff"


def plan_reply(root: Path, reply: str) -> ChangeSet:
    """Return the changes that a reply asks for. Blocks that cannot be read are refusals too."""
    parsed = parse_reply(reply)
    planned = plan_changes(root, parsed.edits)
    unread = tuple(
        Refusal(each.number, _name_file(root.resolve(), each.path), each.reason, each.message, each.hint)
        for each in parsed.problems
    )
    refusals = tuple(sorted((*planned.refusals, *unread), key=lambda refusal: refusal.number))
    return replace(planned, refusals=refusals)


def plan_changes(root: Path, edits: Iterable[Edit]) -> ChangeSet:
    """Return the changes of the files of a folder, and the refusals of the edits that cannot be applied."""
    planner = _Planner(root.resolve())
    refusals, applicable = [], []
    for edit in edits:
        try:
            planner.add(edit)
        except Refused as refused:
            refusals.append(_describe(root.resolve(), edit, refused))
        except Misuse as error:
            reason = error.reason or error.code
            refusals.append(_describe(root.resolve(), edit, Refused(reason, error.message, error.hint)))
        else:
            applicable.append(edit.number)
    return ChangeSet(tuple(planner.list_changes()), tuple(refusals), tuple(applicable), tuple(planner.renames))


def locate_file(root: Path, written: str) -> str:
    """Return the real path of a file in a resolved folder, so that a link and its target are one file."""
    inside = written.removeprefix(f"{root}/")  # some models write where the folder is, too
    return resolve_path(root, inside).relative_to(root).as_posix()


class _Planner:
    """The files of a folder as the edits so far leave them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._before: dict[str, bytes | None] = {}
        self._now: dict[str, bytes | None] = {}
        self._codecs: dict[str, TextFile] = {}
        self._renamed: dict[str, str] = {}
        self._done: set[tuple[str, str, str]] = set()
        self.renames: list[tuple[str, str]] = []

    def add(self, edit: Edit) -> None:
        """Apply one edit to the files in memory, or raise."""
        path = locate_file(self._root, edit.path)
        if isinstance(edit, ReplaceText):
            self._replace(path, edit)
        elif isinstance(edit, CreateFile):
            self._create(path, edit)
        elif isinstance(edit, DeleteFile):
            self._check_link(edit.path)
            self._delete(path, edit)
        else:
            self._check_link(edit.path)
            self._rename(path, edit)

    def list_changes(self) -> Iterator[FileChange]:
        """Yield the files that differ from the folder, in the order in which they were named."""
        sources = {old: new for new, old in self._renamed.items() if self._now[new] is not None}
        for path, now in self._now.items():
            before = self._before[path]
            old = self._renamed.get(path, "")
            if now is not None and before is None and old and self._now[old] is None:
                yield FileChange(path, self._before[old], now, old)
            elif now is None and path in sources and self._before[sources[path]] is None:
                continue  # the renamed file says so
            elif now != before:
                yield FileChange(path, before, now)

    def _check_link(self, written: str) -> None:
        if (self._root / clean_path(written.removeprefix(f"{self._root}/"))).is_symlink():
            raise Refused("path_link", f"{written} is a link.", "Name the file it leads to.")

    def _check_place(self, path: str, leaving: str = "") -> None:
        """Refuse a new file that would have to be a folder for another one, or whose folder is a file."""
        planned = [other for other, now in self._now.items() if now is not None and other != leaving]
        for other in planned:
            if path.startswith(f"{other}/") or other.startswith(f"{path}/"):
                file, inside = sorted((path, other), key=len)
                message = f"{file} cannot be both a file and the folder of {inside}."
                raise Refused("path_name", message, "Choose another path for one of them.")

    def _read(self, path: str) -> bytes | None:
        if path in self._now:
            return self._now[path]
        data: bytes | None
        try:
            with open_file(self._root, path) as file:
                if os.fstat(file.fileno()).st_size > _LARGEST:
                    raise Refused("too_large", f"{path} is too large to be changed.", "Change it by hand.")
                data = file.read()
        except NotFound:
            data = None
        self._before[path] = self._now[path] = data
        return data

    def _decode(self, path: str, data: bytes) -> TextFile:
        """Return the text of a file; its encoding is decided once, by its bytes in the folder."""
        if path in self._codecs:
            known = self._codecs[path]
            mark = len(known.encode(""))
            return TextFile(
                path, data[mark:].decode(known.encoding), known.encoding, known.newline, known.bom, "", data
            )
        self._codecs[path] = decode_file(path, data)
        return self._codecs[path]

    def _write(self, path: str, file: TextFile | None, text: str, search: str = "", new: str = "") -> None:
        """Encode the text as the file was, or as UTF-8 if it is new."""
        if file is None:
            self._check_place(path)
        try:
            if file is None:
                self._now[path] = text.encode()
                return
            if not file.encoding.startswith("utf") and not new.isascii() and search.isascii():
                raise UnicodeError  # nothing shows that the guessed encoding is right
            self._now[path] = file.encode(text)
        except UnicodeError:
            encoding = file.encoding if file else "UTF-8"
            message = f"The new text has characters that are not certain in the encoding of {path} ({encoding})."
            raise Refused("encoding", message, "Use plain ASCII characters, or convert the file first.") from None

    def _replace(self, path: str, edit: ReplaceText) -> None:
        readings = edit.readings or ((edit.search, edit.replace),)
        data = self._read(path)
        if data is None:
            self._create_by_block(path, edit, readings)
            return
        file = self._decode(path, data)
        readings = tuple((search.removeprefix(_SIGNATURE), new.removeprefix(_SIGNATURE)) for search, new in readings)
        search, new = readings[0]
        if not search.strip():
            self._fill(path, file, search, new)
            return
        key = (path, search, new)
        chosen = choose_reading(file.text, readings, path)
        if key in self._done and chosen is None:
            return  # the same block a second time
        if key in self._done:
            hint = "Leave out one of the two, or join them to one block."
            raise Refused("repeated_block", f"Block {edit.number} repeats an earlier block of {path}.", hint)
        if chosen is None:
            self._refuse_text(path, file.text, search, new)
            return
        search, new, text = chosen
        if elision := find_new_elision(path, search, new, file.text):
            raise Refused(
                "shortened",
                f'The new text of block {edit.number} has the line "{elision}" in place of code.',
                "Write the lines out, or leave them out on both sides of a smaller block.",
            )
        self._write(path, file, text, search, new)
        self._done.add(key)

    def _create_by_block(self, path: str, edit: ReplaceText, readings: tuple[tuple[str, str], ...]) -> None:
        search, new = readings[0]
        if search.strip():
            raise Refused("file_missing", f"There is no file {path} in the project.", self._suggest_path(path))
        self._create_new(path, edit.number, new)

    def _create_new(self, path: str, number: int, content: str) -> None:
        if get_name(path).rpartition(".")[2].lower() not in MARKDOWN:
            content = strip_fences(content)
        if elision := find_new_elision(path, "", content, ""):
            raise Refused(
                "shortened",
                f'The new file of block {number} has the line "{elision}" in place of code.',
                "Write the whole file out.",
            )
        self._write(path, None, content)

    def _fill(self, path: str, file: TextFile, search: str, new: str) -> None:
        """Replace the whole text of an empty file."""
        if file.text not in ("", search) and (search or file.text.strip()):
            is_there = bool(new.strip()) and bool(find_places(split_lines(file.text), split_lines(new)))
            raise Refused(
                "file_exists",
                f"{path} exists and is not empty, but the block has no lines to search for.",
                "Write the lines that change into the SEARCH side, with a line above or below them.",
                new=new if is_there else "",
                text=file.text,
            )
        self._write(path, file, new, search, new)

    def _refuse_text(self, path: str, text: str, search: str, new: str) -> None:
        """Refuse a block whose lines are not in the file."""
        is_there = bool(new.strip()) and bool(find_places(split_lines(text), split_lines(new)))
        before = self._before[path]
        if before is not None and self._now[path] != before:
            original = self._codecs[path].text
            if not replace_text(original, search, new).problem:
                raise Refused(
                    "overlap",
                    f"An earlier block changes lines of {path} that this block searches for.",
                    "Join both to one block, or search for the lines as the earlier block leaves them.",
                    search,
                    text,
                    new if is_there else "",
                )
        raise Refused(
            "not_found",
            f"The lines to replace are not in {path}.",
            "The new lines are there already." if is_there else "Copy the lines from the file as they are now.",
            search,
            text,
            new if is_there else "",
        )

    def _create(self, path: str, edit: CreateFile) -> None:
        data = self._read(path)
        if data is None:
            self._create_new(path, edit.number, edit.content)
            return
        file = self._decode(path, data)
        content = edit.content.removeprefix(_SIGNATURE)
        lines, given = split_lines(file.text), split_lines(content)
        if [strip_ending(line) for line in lines] == [strip_ending(line) for line in given]:
            return
        if not edit.is_plain and given and find_places(lines, given):
            return  # code that only quotes the file
        if find_new_elision(path, "", content, "") and (not edit.is_plain or edit.may_replace):
            expanded = expand_file(file.text, content) if lines else None
            if expanded is None or find_new_elision(path, "", expanded, file.text):
                message = f"The content of {path} leaves out lines, and it is not certain which ones."
                raise Refused("shortened", message, "Use SEARCH/REPLACE blocks, or write the whole file out.")
            self._write(path, file, expanded, file.text, content)
        elif not edit.may_replace and file.text.strip():
            raise Refused(
                "file_exists",
                f"{path} exists already, and nothing says that its whole content is to be replaced.",
                f"Use SEARCH/REPLACE blocks, or write the line `Replace file: {path}` above the content.",
            )
        else:
            if lines:
                content = "".join(keep_endings(lines, given))
            self._write(path, file, content, file.text, content)

    def _delete(self, path: str, edit: DeleteFile) -> None:
        data = self._read(path)
        if data is None:
            raise Refused("file_missing", f"There is no file {path} to delete.", self._suggest_path(path))
        if edit.content is not None:
            text = self._decode(path, data).text
            if [line.rstrip() for line in split_lines(text)] != [line.rstrip() for line in split_lines(edit.content)]:
                message = f"{path} is not what the diff deletes."
                raise Refused("not_found", message, f"Write the line DELETE `{path}`, or repeat the diff.")
        self._now[path] = None

    def _rename(self, path: str, edit: RenameFile) -> None:
        data = self._read(path)
        to = locate_file(self._root, edit.to)
        if data is None:
            raise Refused("file_missing", f"There is no file {path} to rename.", self._suggest_path(path))
        if self._read(to) is not None:
            raise Refused("file_exists", f"{to} exists already.", "Choose another name, or delete it first.")
        self._check_place(to, leaving=path)
        self._now[to], self._now[path] = data, None
        self._renamed[to] = self._renamed.pop(path, path)
        self.renames.append((path, to))
        if path in self._codecs:
            self._codecs[to] = self._codecs[path]

    def _suggest_path(self, path: str) -> str:
        """Return a hint with the files of the same name elsewhere in the folder."""
        found = []
        seen = 0
        for folder, folders, files in os.walk(self._root):
            folders[:] = sorted(name for name in folders if name not in _SKIPPED)
            seen += len(files)
            if get_name(path) in files:
                found.append((Path(folder) / get_name(path)).relative_to(self._root).as_posix())
            if seen > _MOST_PATHS or len(found) > 3:
                break
        if found:
            return f"Did you mean {' or '.join(found[:3])}? Write the path from the project's folder."
        return "Write the path from the project's folder. An empty SEARCH side creates a file."


def _describe(root: Path, edit: Edit, refused: Refused) -> Refusal:
    path = _name_file(root, edit.path)
    # The lines go back to the model, which does not read files with secrets.
    nearest = find_nearest_lines(refused.text, refused.meant) if refused.meant and not is_secret(path) else ()
    to = _name_file(root, edit.to) if isinstance(edit, RenameFile) else ""
    is_there = bool(refused.new.strip())
    return Refusal(edit.number, path, refused.reason, refused.message, refused.hint, nearest, is_there, to)


def _name_file(root: Path, written: str) -> str:
    """Return the real path of a file, or the path as it is written where it is refused."""
    try:
        return locate_file(root, written)
    except Misuse:
        return written
