"""Read a model's reply line by line: its edits, the blocks that cannot be read, and the prose around them."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from pincite.projects.edit_blocks import (
    Fence,
    Marker,
    read_closing,
    read_fence,
    read_opening,
    strip_start_lines,
)
from pincite.projects.edit_problems import create_problem
from pincite.projects.edits import CreateFile, Edit, EditProblem, ParsedReply, ReplaceText
from pincite.projects.file_commands import read_file_command
from pincite.projects.path_context import PathContext
from pincite.projects.path_lines import (
    NamedPath,
    get_name,
    has_extension,
    join_paths,
    read_path_line,
)
from pincite.projects.reply_lines import dedent_lines, divide_block, has_open_fence, is_unclear_end, split_reply
from pincite.projects.unified_diffs import (
    DEV_NULL,
    DIFF_LANGUAGES,
    count_hunk_lines,
    is_diff_line,
    list_diff_edits,
    read_diff,
    starts_diff,
)

_SHELLS = frozenset(
    {"bash", "sh", "shell", "console", "zsh", "terminal", "shell-session", "powershell", "output", "log"}
)
_SHELL_FILES = frozenset({"sh", "bash", "zsh", "ps1", "log"})


class NeedMore(Exception):
    """The lines so far do not decide how a line must be read."""


@dataclass(slots=True)
class OpenScan:
    """How far an edit without its end was read, so that more lines do not mean to read it from its beginning again."""

    kind: str
    start: int
    end: int  # the next line to look at
    depth: int = 0  # of fences inside
    has_inner: bool = False
    others: list[int] = field(default_factory=list)  # closing markers of other lengths
    left: tuple[int, int] | None = None  # lines of the hunk that are left


class ReplyReader:
    """Reads lines as they arrive. `take_prose` returns the prose that is certain so far."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self.problems: list[EditProblem] = []
        self._lines: list[str] = []
        self._at = 0
        self._is_final = False
        self._prose: list[str] = []
        self._number = 0
        self._fence: Fence | None = None
        self._has_block = False  # whether the open fence has blocks
        self._outer: Fence | None = None  # a longer fence around the open one
        self._paths = PathContext()
        self._scan: OpenScan | None = None

    def add(self, lines: list[str]) -> None:
        """Read as many of the lines as can be decided."""
        self._lines += lines
        self._read()

    def finish(self) -> None:
        """Read the rest: no line follows."""
        self._is_final = True
        self._read()

    def take_prose(self) -> str:
        """Return the prose since the last call."""
        taken = "".join(self._prose)
        self._prose.clear()
        return taken

    def count_undecided(self) -> int:
        """Return how many lines were given that are not decided."""
        return len(self._lines) - self._at

    def is_outside_fence(self) -> bool:
        """Return whether the next line is outside of fenced code."""
        return self._fence is None

    def _read(self) -> None:
        while self._at < len(self._lines):
            before = len(self.edits), len(self.problems), self._number
            try:
                self._step()
            except NeedMore:
                del self.edits[before[0] :], self.problems[before[1] :]
                self._number = before[2]
                return
            self._scan = None

    def _get(self, at: int) -> str | None:
        if at < len(self._lines):
            return self._lines[at]
        if self._is_final:
            return None
        raise NeedMore

    def _continue_scan(self, kind: str, start: int) -> OpenScan:
        """Return the scan of the edit that begins at a line, as far as it came."""
        if self._scan is None or (self._scan.kind, self._scan.start) != (kind, start):
            self._scan = OpenScan(kind, start, start)
        return self._scan

    def _skip_blank(self, at: int) -> int:
        while (line := self._get(at)) is not None and not line.strip():
            at += 1
        return at

    def _step(self) -> None:
        line = self._lines[self._at]
        if self._fence:
            self._step_in_fence(self._fence, line)
        elif opening := read_opening(line):
            self._read_block(self._at, opening, None)
        elif fence := read_fence(line):
            self._read_fence(self._at, fence, None)
        elif self._is_diff_start(self._at):
            self._read_bare_diff()
        elif self._add_command(line):
            self._at += 1
        elif read_closing(line):
            self._add_problem(self._paths.carried, "stray_marker")
            self._at += 1
        elif (named := read_path_line(line)) and self._read_named(named):
            pass
        else:
            self._pass_prose(line, named)

    def _step_in_fence(self, fence: Fence, line: str) -> None:
        if opening := read_opening(line):
            self._read_block(self._at, opening, None)
            return
        if fence.is_closed_by(line, any_indent=self._has_block):
            self._close_fence(line)
            return
        inner = read_fence(line)
        if inner and inner.info and inner.length < fence.length and not self._has_block:
            self._outer = fence  # a fence inside a longer one is a quotation
        elif inner and inner.info:
            self._leave_unclosed_fence()
            return
        named = read_path_line(line, True)
        if named:
            after = self._skip_blank(self._at + 1)
            follows = self._get(after)
            if follows is not None and (opening := read_opening(follows)):
                self._read_block(after, opening, named)
                return
            again = read_fence(follows) if follows is not None else None
            if self._has_block and again and again.info:
                self._leave_unclosed_fence()
                return
        if read_closing(line):
            self._add_problem(self._paths.carried, "stray_marker")
        if not self._has_block:
            self._prose.append(line)
        self._paths.pass_fenced(line, named, self._has_block)
        self._at += 1

    def _leave_unclosed_fence(self) -> None:
        """Read the line again outside the open fence, which was never closed."""
        self._paths.leave_unclosed_fence()
        self._fence = self._outer = None
        self._has_block = False

    def _close_fence(self, line: str) -> None:
        if not self._has_block:
            self._prose.append(line)
        self._paths.leave_fence(self._has_block)
        self._fence = self._outer = None
        self._has_block = False
        self._at += 1

    def _pass_prose(self, line: str, named: NamedPath | None) -> None:
        self._prose.append(line)
        self._paths.pass_prose(line, named)
        self._at += 1

    def _read_named(self, named: NamedPath) -> bool:
        """Read what a line with a path stands above: a block, fenced code or a diff. Return whether there is one."""
        if self._paths.is_list(named):
            return False  # the last path of a list is not the title of a block
        after = self._skip_blank(self._at + 1)
        follows = self._get(after)
        if follows is None:
            return False
        if opening := read_opening(follows):
            self._read_block(after, opening, named)
            return True
        fence = read_fence(follows)
        return bool(fence and self._read_fence(after, fence, named))

    def _read_fence(self, at: int, fence: Fence, named: NamedPath | None) -> bool:
        """Read fenced code, which may hold blocks, a diff or a file. Return whether the path above it was used."""
        on_line = fence.path
        if on_line and named:
            on_line = replace(named, path=join_paths(named.path, on_line.path))
        path = on_line or named
        first = self._skip_blank(at + 1)
        line = self._get(first)
        if line is not None and self._is_block_start(first, line):
            self._enter_fence(at, fence, path)
            return True
        if line is not None and (fence.language in DIFF_LANGUAGES or self._is_diff_start(first)):
            self._read_fenced_diff(at, fence, path)
            return True
        if path and self._may_be_file(fence, path):
            return self._read_file(at, fence, path)
        if named:
            return False  # the path line is prose, and the fence is read next
        self._prose.append(self._lines[at])
        self._fence, self._has_block, self._at = fence, False, at + 1
        return True

    def _is_block_start(self, at: int, line: str) -> bool:
        if read_opening(line):
            return True
        if not read_path_line(line, True):
            return False
        follows = self._get(self._skip_blank(at + 1))
        return follows is not None and bool(read_opening(follows))

    def _enter_fence(self, at: int, fence: Fence, path: NamedPath | None) -> None:
        self._fence, self._has_block, self._outer, self._at = fence, True, None, at + 1
        self._paths.enter_fence(path)

    def _may_be_file(self, fence: Fence, path: NamedPath) -> bool:
        if path.intent == "edit" or not path.is_marked:
            return False
        extension = get_name(path.path).rpartition(".")[2]
        is_shell_file = extension in _SHELL_FILES or not has_extension(path.path)
        return fence.language not in _SHELLS or is_shell_file or path.intent != ""

    def _read_file(self, at: int, fence: Fence, path: NamedPath) -> bool:
        """Read fenced code as the whole content of a file, up to the line that closes the fence."""
        scan = self._continue_scan("file", at + 1)
        while (line := self._get(scan.end)) is not None:
            inner = read_fence(line)
            if scan.depth == 0 and fence.is_closed_by(line):
                break
            if read_opening(line) and fence.length == 3 and scan.depth == 0:
                self._enter_fence(at, fence, path)  # text above a block
                return True
            if inner and inner.indent == fence.indent and inner.length >= fence.length and inner.mark == fence.mark:
                scan.depth, scan.has_inner = scan.depth + (1 if inner.info else -1), True
            scan.end += 1
        end = scan.end
        if line is None:
            self._add_problem(path.path, "unfinished_fence")
        elif is_unclear_end(path.path, self._lines[end + 1 :], scan.has_inner):
            self._add_problem(path.path, "ambiguous_fence")
        else:
            content = "".join(dedent_lines(self._lines[at + 1 : end], fence.indent, self._lines[at]))
            is_plain = path.intent in ("create", "replace")
            self.edits.append(CreateFile(self._count(), path.path, content, path.intent == "replace", is_plain))
        self._at = end + 1 if line is not None else end
        self._paths.forget()
        return True

    def _read_block(self, at: int, opening: Marker, named: NamedPath | None) -> None:
        """Read one block, from its opening marker to its closing one."""
        path = self._paths.choose(opening, named)
        start = at + 1
        end = self._find_end(start, opening)
        if end is None:
            self._add_problem(path, "unfinished_block")
            self._at = self._skip_unfinished(start)
        else:
            self._add_block(self._lines[start:end], opening, path, named, self._lines[at])
            self._at = end + 1
        self._paths.use(path, named)

    def _add_block(self, lines: list[str], opening: Marker, path: str, named: NamedPath | None, marker: str) -> None:
        """Divide a block and add its edit, or the problem with it."""
        lines = strip_start_lines(dedent_lines(lines, "", marker))
        readings = divide_block(lines, opening)
        is_new = bool(readings) and not readings[0][0].strip()
        if self._outer:
            self._add_problem(path, "quoted_block")
        elif not path or (is_new and named and not named.is_marked and "/" not in path):
            self._add_problem(path, "no_path")
        elif self._paths.is_unclear(path, named):
            self._add_problem(path, "ambiguous_path")
        elif not readings:
            self._add_problem(path, "no_divider")
        else:
            search, text = readings[0]
            if is_new:
                text = "".join(dedent_lines(split_reply(text), opening.indent, ""))
            others = tuple(readings) if len(readings) > 1 else ()
            self.edits.append(ReplaceText(self._count(), path, search, text, others))

    def _find_end(self, start: int, opening: Marker) -> int | None:
        """Return the line that closes a block; one of the same length comes before any other."""
        scan = self._continue_scan("block", start)
        while (line := self._get(scan.end)) is not None:
            closing = read_closing(line)
            if closing and closing.indent == opening.indent:
                if closing.length == opening.length:
                    return scan.end
                scan.others.append(scan.end)
            again = read_opening(line)
            if again and again.indent == opening.indent and again.length == opening.length:
                break
            scan.end += 1
        return scan.others[0] if len(scan.others) == 1 else None

    def _skip_unfinished(self, start: int) -> int:
        """Return the first line that is not part of an unfinished block: of the next block, or after the fence."""
        at = start
        while (line := self._get(at)) is not None and not read_opening(line):
            if self._fence and self._fence.is_closed_by(line):
                break
            at += 1
        return at

    def _is_diff_start(self, at: int) -> bool:
        line = self._get(at)
        if line is None or not line.startswith(("diff --git ", "--- ")):
            return False
        return starts_diff(line, self._get(at + 1) if line.startswith("--- ") else None)

    def _read_bare_diff(self) -> None:
        """Read a diff outside a fence, up to the first line that cannot be part of it."""
        scan = self._continue_scan("diff", self._at)
        while (line := self._get(scan.end)) is not None:
            if line.startswith("@@"):
                scan.left = count_hunk_lines(line.rstrip())
            elif self._is_diff_start(scan.end):
                scan.left = None
                scan.end += 1 if line.startswith("--- ") else 0
            elif scan.left is not None:
                if scan.left == (0, 0) and not line.startswith("\\"):
                    if line.strip() and is_diff_line(line):
                        self._add_problem(self._paths.carried, "bad_hunk")  # more lines than the header says
                    break
                sign = line[:1]
                scan.left = scan.left[0] - (sign in " -\n\r"), scan.left[1] - (sign in " +\n\r")
                if not is_diff_line(line) and line.strip():
                    break
            elif not is_diff_line(line):
                if line.strip():
                    break
                after = self._get(self._skip_blank(scan.end))
                if after is None or not is_diff_line(after):
                    break
            scan.end += 1
        self._add_diff(self._lines[self._at : scan.end], None)
        self._at = scan.end

    def _read_fenced_diff(self, at: int, fence: Fence, path: NamedPath | None) -> None:
        scan = self._continue_scan("fenced diff", at + 1)
        while (line := self._get(scan.end)) is not None and not fence.is_closed_by(line):
            scan.end += 1
        end = scan.end
        if line is None:
            self._add_problem(path.path if path else "", "unfinished_fence")
        elif has_open_fence(self._lines[end + 1 :]):
            self._add_problem(path.path if path else "", "ambiguous_fence")
        else:
            self._add_diff(dedent_lines(self._lines[at + 1 : end], fence.indent, self._lines[at]), path)
        self._at = end + 1 if line is not None else end

    def _add_diff(self, lines: list[str], named: NamedPath | None) -> None:
        above = self._paths.choose_for_diff(named)
        for file in read_diff(lines):
            for edit in list_diff_edits(file, above, self._number + 1):
                self._count()
                if isinstance(edit, EditProblem):
                    self.problems.append(edit)
                else:
                    self.edits.append(edit)
            if file.new:
                above = file.new if file.new != DEV_NULL else ""
        self._paths.use(above, named)

    def _add_command(self, line: str) -> bool:
        """Read a line that deletes or renames a file; return whether it is one."""
        edit = read_file_command(line, self._number + 1)
        if edit:
            self.edits.append(edit)
            self._count()
        return edit is not None

    def _count(self) -> int:
        self._number += 1
        return self._number

    def _add_problem(self, path: str, reason: str) -> None:
        self.problems.append(create_problem(self._count(), path, reason))


def parse_reply(reply: str) -> ParsedReply:
    """Return the edits of a reply, the blocks that cannot be read, and the prose around them."""
    reader = ReplyReader()
    reader.add(split_reply(reply.removeprefix("\ufeff")))
    reader.finish()
    changed = {edit.path for edit in reader.edits if isinstance(edit, ReplaceText)}
    edits = tuple(edit for edit in reader.edits if not _is_excerpt(edit, changed))
    return ParsedReply(edits, tuple(reader.problems), reader.take_prose())


def _is_excerpt(edit: Edit, changed: Collection[str]) -> bool:
    """Return whether an edit is only code under the path of a file that blocks change."""
    return isinstance(edit, CreateFile) and not edit.is_plain and edit.path in changed
