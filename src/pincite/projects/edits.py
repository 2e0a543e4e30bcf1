"""The edits of files that a model writes in a reply, and the reply as it was read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReplaceText:
    """Lines of a file and the lines that replace them. An empty `search` creates the file.

    `readings` holds every way to divide a block with several dividers, when its text has lines that look like one.
    """

    number: int
    path: str
    search: str
    replace: str
    readings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CreateFile:
    """The whole content of a file. Only with `may_replace` may the file exist already."""

    number: int
    path: str
    content: str
    may_replace: bool = False
    is_plain: bool = True  # whether the reply says that this is a file to write, and not only shows a path and code


@dataclass(frozen=True, slots=True)
class DeleteFile:
    """A file to delete. Where `content` is given, the file must have it."""

    number: int
    path: str
    content: str | None = None


@dataclass(frozen=True, slots=True)
class RenameFile:
    number: int
    path: str
    to: str


Edit = ReplaceText | CreateFile | DeleteFile | RenameFile


@dataclass(frozen=True, slots=True)
class EditProblem:
    """A block of a reply that cannot be read with certainty; `reason` is its code."""

    number: int
    path: str
    reason: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ParsedReply:
    """The edits of a reply in their order, the blocks that could not be read, and the text around them."""

    edits: tuple[Edit, ...]
    problems: tuple[EditProblem, ...]
    prose: str
