"""Read unified diffs as models write them. Hunks are placed by their lines, so wrong line numbers do no harm."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite.projects.edit_problems import create_problem
from pincite.projects.edits import CreateFile, DeleteFile, Edit, EditProblem, RenameFile, ReplaceText

NO_NEWLINE = "\\ No newline at end of file"
DEV_NULL = "/dev/null"
DIFF_LANGUAGES = frozenset({"diff", "patch", "udiff", "unified"})

_HUNK = re.compile(r"@@(?: -[0-9]+(?:,([0-9]+))? \+[0-9]+(?:,([0-9]+))? @@.*| .*@@.*|[ \t]*)$")
_GIT = re.compile(r'diff --git "?(\S.*)$')
_EXTENDED = re.compile(
    r"(?:index |old mode |new mode |new file mode |deleted file mode |similarity index |dissimilarity index "
    r"|rename from |rename to |copy from |copy to |Binary files |GIT binary patch)"
)


@dataclass(slots=True)
class DiffHunk:
    """The lines of a hunk before and after, as texts."""

    search: str = ""
    replace: str = ""


@dataclass(slots=True)
class FileDiff:
    """The part of a diff about one file; a path is "" where the diff does not name it."""

    old: str = ""
    new: str = ""
    hunks: list[DiffHunk] = field(default_factory=list)
    renamed_from: str = ""
    renamed_to: str = ""
    is_deletion: bool = False
    problem: str = ""  # the code of what cannot be read


def starts_diff(line: str, after: str | None) -> bool:
    """Return whether a diff with a header begins at a line; `after` is the next line, None at the end."""
    if line.startswith("diff --git "):
        return True
    return line.startswith("--- ") and after is not None and after.startswith("+++ ")


def is_diff_line(line: str) -> bool:
    """Return whether a line can be part of a diff that has begun."""
    return line.startswith((" ", "+", "-", "\\", "@@", "diff --git ")) or bool(_EXTENDED.match(line))


def count_hunk_lines(header: str) -> tuple[int, int] | None:
    """Return how many lines before and after the header of a hunk promises, or None without numbers."""
    found = _HUNK.match(header)
    if not found or "-" not in header[:5]:
        return None
    return int(found[1] or 1), int(found[2] or 1)


def read_diff(lines: Sequence[str]) -> list[FileDiff]:
    """Return the files of a diff. Lines without a header belong to a file without a path."""
    files: list[FileDiff] = []
    body: list[str] = []
    at = 0

    def finish_hunk() -> None:
        if any(line.strip("\n") for line in body):
            if not files:
                files.append(FileDiff())
            _add_hunk(files[-1], body)
        body.clear()

    while at < len(lines):
        line = lines[at].rstrip("\r\n")
        after = lines[at + 1] if at + 1 < len(lines) else None
        if found := _GIT.match(line):
            finish_hunk()
            files.append(_start_git_file(found[1]))
        elif line.startswith("--- ") and after is not None and after.startswith("+++ "):
            finish_hunk()
            if not (files and not files[-1].hunks and _is_from_git(files[-1])):
                files.append(FileDiff())
            files[-1].old, files[-1].new = _strip_prefixes(_read_name(line[4:]), _read_name(after[4:]))
            files[-1].is_deletion = files[-1].new == DEV_NULL
            at += 1
        elif files and not body and not files[-1].hunks and _EXTENDED.match(line):
            _read_extended(files[-1], line)
        elif line.startswith("@@") and _HUNK.match(line):
            finish_hunk()
        else:
            body.append(lines[at])
        at += 1
    finish_hunk()
    return files


def list_diff_edits(file: FileDiff, above: str, number: int) -> list[Edit | EditProblem]:
    """Return the edits of one file of a diff, numbered from `number`. A diff without a header is about `above`."""
    path = (file.new if file.new != DEV_NULL else file.old) or above
    if file.problem or not path or path == DEV_NULL:
        return [create_problem(number, path, file.problem or "no_path")]
    edits: list[Edit | EditProblem] = []
    if file.renamed_from and file.renamed_to:
        edits.append(RenameFile(number, file.renamed_from, file.renamed_to))
        path = file.renamed_to
    elif file.old not in (file.new, DEV_NULL) and file.new != DEV_NULL:
        return [create_problem(number, path, "ambiguous_path")]
    if file.is_deletion:
        content = "".join(hunk.search for hunk in file.hunks) if file.hunks else None
        return [*edits, DeleteFile(number, path, content)]
    if file.old == DEV_NULL:
        return [CreateFile(number, path, "".join(hunk.replace for hunk in file.hunks))]
    start = number + len(edits)
    return [
        *edits,
        *(ReplaceText(start + at, path, hunk.search, hunk.replace) for at, hunk in enumerate(file.hunks)),
    ]


def _is_from_git(file: FileDiff) -> bool:
    return bool(file.old)


def _start_git_file(paths: str) -> FileDiff:
    # Both paths are the same unless the file is renamed, and then other lines name them.
    old, _, new = paths.rpartition(" b/")
    return FileDiff(old.removeprefix("a/"), new.rstrip('"')) if old else FileDiff("?", "?", problem="diff_header")


def _read_extended(file: FileDiff, line: str) -> None:
    if line.startswith("rename from "):
        file.renamed_from = line.removeprefix("rename from ").strip()
    elif line.startswith("rename to "):
        file.renamed_to = line.removeprefix("rename to ").strip()
    elif line.startswith("new file mode "):
        file.old = DEV_NULL
    elif line.startswith("deleted file mode "):
        file.is_deletion, file.new = True, DEV_NULL
    elif line.startswith(("Binary files ", "GIT binary patch")):
        file.problem = "binary_diff"
    elif line.startswith(("old mode ", "new mode ", "copy from ", "copy to ")):
        file.problem = "diff_header"


def _read_name(written: str) -> str:
    name = written.rstrip("\r\n").split("\t")[0].rstrip()
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] and name[0] in "\"`'" else name


def _strip_prefixes(old: str, new: str) -> tuple[str, str]:
    """Remove the prefixes a/ and b/, if both names have theirs or the other name is /dev/null."""
    if (old.startswith("a/") or old == DEV_NULL) and (new.startswith("b/") or new == DEV_NULL):
        return old.removeprefix("a/"), new.removeprefix("b/")
    return old, new


def _add_hunk(file: FileDiff, body: list[str]) -> None:
    search: list[str] = []
    replace: list[str] = []
    while body and not body[-1].strip("\r\n"):
        body.pop()  # an empty last line is rather the end of the block than context
    has_change = False
    last: tuple[list[str], ...] = ()
    for line in body:
        sign, text = line[:1], line[1:]
        if not line.endswith("\n"):
            text += "\n"
        if line.startswith("\\"):
            for side in last:
                side[-1] = side[-1].rstrip("\r\n")
            continue
        if sign == "+":
            last = (replace,)
        elif sign == "-":
            last = (search,)
        elif sign == " ":
            last = (search, replace)
        elif not line.strip("\r\n"):
            last, text = (search, replace), line
        else:
            file.problem = "bad_hunk"
            return
        has_change = has_change or sign in "+-"
        for side in last:
            side.append(text)
    if has_change:
        file.hunks.append(DiffHunk("".join(search), "".join(replace)))
