"""The changes of files that edits lead to, and the refusals of edits that cannot be applied."""

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from typing import Literal

from pincite.errors import PinciteError
from pincite.projects.line_endings import get_ending, split_lines
from pincite.projects.nearest_lines import NumberedLine
from pincite.projects.text_file import decode_file
from pincite.projects.unified_diffs import DEV_NULL, NO_NEWLINE

Action = Literal["modify", "create", "delete", "rename"]


@dataclass(frozen=True, slots=True)
class FileChange:
    """The bytes of a file before and after; None is no file. A renamed file has the bytes of its old path before."""

    path: str
    before: bytes | None = field(repr=False)
    after: bytes | None = field(repr=False)
    renamed_from: str = ""

    @property
    def action(self) -> Action:
        """Whether the file is modified, created, deleted or renamed."""
        if self.renamed_from:
            return "rename"
        if self.before is None:
            return "create"
        return "delete" if self.after is None else "modify"

    @property
    def before_sha256(self) -> str:
        """The hash of the bytes before, or "" if there is no file."""
        return compute_sha256(self.before)

    @property
    def after_sha256(self) -> str:
        """The hash of the bytes after, or "" if the file is deleted."""
        return compute_sha256(self.after)

    def diff(self) -> str:
        """Return the change as a unified diff."""
        old = f"a/{self.renamed_from or self.path}" if self.before is not None else DEV_NULL
        new = f"b/{self.path}" if self.after is not None else DEV_NULL
        head = f"diff --git a/{self.renamed_from or self.path} b/{self.path}\n"
        if self.renamed_from:
            head += f"rename from {self.renamed_from}\nrename to {self.path}\n"
        elif self.before is None:
            head += "new file mode 100644\n"
        elif self.after is None:
            head += "deleted file mode 100644\n"
        before, after = (_list_lines(self.path, data) for data in (self.before, self.after))
        lines = []
        for line in unified_diff(before, after, old, new):
            ending = get_ending(line)
            lines.append(line if ending == "\n" or ending == "\r\n" else f"{line}\n{NO_NEWLINE}\n")
        return head + "".join(lines)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An edit that is not applied: why, what to do, and the lines of the file that it may have meant.

    `path` is that of the file in the folder, however the edit writes it; "" if the edit names none.
    """

    number: int
    path: str
    reason: str
    message: str
    hint: str = ""
    nearest: tuple[NumberedLine, ...] = ()
    is_there_already: bool = False
    to: str = ""  # the new path of a rename


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """The changes of all edits that can be applied, and the refusals of the others."""

    files: tuple[FileChange, ...]
    refusals: tuple[Refusal, ...] = ()
    applicable: tuple[int, ...] = ()  # the numbers of the edits that can be applied
    renames: tuple[tuple[str, str], ...] = ()  # old and new path of each, in their order

    def select_files(self, paths: Collection[str]) -> "ChangeSet":
        """Return only the changes of these paths, with every refusal that concerns them.

        A refused block without a path may concern any file. Files that a rename ties together are selected together.
        """
        kept = tuple(file for file in self.files if file.path in paths)
        concerned = {*paths, *(file.renamed_from for file in kept), ""}
        refusals = [each for each in self.refusals if each.path in concerned or (each.to and each.to in concerned)]
        for tied in self._list_tied():
            left_out = sorted(tied - {file.path for file in kept})
            if left_out and len(left_out) < len(tied):
                names = " and ".join(sorted(tied))
                message = f"{names} belong together, because a rename moves text from one to the other."
                refusals.append(Refusal(0, left_out[0], "tied_files", message, "Accept all of them, or none."))
        return replace(self, files=kept, refusals=tuple(refusals))

    def _list_tied(self) -> list[set[str]]:
        """Return the paths of the changed files that renames tie together."""
        groups: list[set[str]] = []
        for pair in self.renames:
            joined = set(pair).union(*(group for group in groups if not group.isdisjoint(pair)))
            groups = [group for group in groups if group.isdisjoint(pair)] + [joined]
        return [{file.path for file in self.files if file.path in group} for group in groups]


class EditRefused(PinciteError):
    """Edits that cannot be applied, all of them with their reasons. Nothing was changed."""

    code = "edit_refused"

    def __init__(self, refusals: tuple[Refusal, ...], applicable: tuple[int, ...] = ()) -> None:
        first = refusals[0]
        rest = f" {len(refusals) - 1} more blocks are refused." if len(refusals) > 1 else ""
        super().__init__(f"{first.message}{rest} Nothing was changed.", first.hint, first.reason, {"path": first.path})
        self.refusals = refusals
        self.applicable = applicable


def compute_sha256(data: bytes | None) -> str:
    """Return the hash of a file's bytes, or "" for no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _list_lines(path: str, data: bytes | None) -> list[str]:
    if not data:
        return []
    # A lone carriage return does not end a line of a diff.
    text = decode_file(path, data).text
    joined: list[str] = []
    for line in split_lines(text):
        if joined and joined[-1].endswith("\r"):
            joined[-1] += line
        else:
            joined.append(line)
    return joined
