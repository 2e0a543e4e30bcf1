"""Follow which file the blocks of a reply are about.

The path of a block is, in this order: on its marker; on the line above it, above or on its fence, or on the first line
inside; the path of the block before it, in the same fence or with nothing but blank lines in between; the only path in
the sentence above; a path line with prose below it; the heading of the section.
"""

import re

from pincite.projects.edit_blocks import Marker
from pincite.projects.path_lines import NamedPath, join_paths, read_mention, read_path_line

_HEADING = re.compile(r"#{1,6}[ \t]")
_RULES = ({"-"}, {"*"}, {"_"})


class PathContext:
    """The paths that hold at the current line of a reply; "" where there is none."""

    def __init__(self) -> None:
        self.carried = ""  # the path of the block before
        self._fence = ""  # the path of the open fence
        self._mention = ""  # in the sentence above
        self._pending = ""  # alone on a line above, and not used yet
        self._section = ""  # in the heading above
        self._has_stray = False  # whether the open fence has other text since its last block
        self._is_doubtful = False  # whether that text names another file
        self._was_listed = False  # whether the line before is a path in a list

    def choose(self, opening: Marker, named: NamedPath | None) -> str:
        """Return the path of a block; `named` is the path line directly above it."""
        on_marker = read_path_line(opening.rest) if opening.rest else None
        if on_marker:
            return on_marker.path
        if named:
            return join_paths(self._fence, named.path) if self._fence else named.path
        return self.carried or self._choose_above()

    def choose_for_diff(self, named: NamedPath | None) -> str:
        """Return the path of a diff that names none itself."""
        return named.path if named else self._choose_above() or self.carried

    def is_unclear(self, path: str, named: NamedPath | None) -> bool:
        """Return whether the text around a block names another file too."""
        if named or self._is_doubtful:
            return not named
        above = self._pending or self._section
        return path == self._mention and bool(above) and join_paths(path, above) != path

    def is_list(self, named: NamedPath) -> bool:
        """Return whether a path is a further item of a list of paths, so that it is no title."""
        return named.is_listed and self._was_listed

    def use(self, path: str, named: NamedPath | None) -> None:
        """Note that a block was about a path."""
        self.carried = path
        self._mention = self._pending = ""
        self._has_stray = self._is_doubtful = self._was_listed = False
        self._set_section(path, named)

    def enter_fence(self, named: NamedPath | None) -> None:
        """Note that a fence with blocks begins; `named` is the path above or on it."""
        self._fence = named.path if named else ""
        self.carried = self._fence or self.carried
        self._has_stray = self._is_doubtful = False
        if named:
            self._set_section(named.path, named)

    def leave_fence(self, has_block: bool) -> None:
        """Note that fenced code ends."""
        if not has_block:
            self.carried = self._mention = ""
        self._fence = ""
        self._has_stray = self._is_doubtful = False

    def leave_unclosed_fence(self) -> None:
        """Note that fenced code ends without a line that closes it."""
        if self._has_stray:
            self.carried = ""
        self.leave_fence(True)

    def forget(self) -> None:
        """Note that a whole file was read: the next block has a path of its own."""
        self.carried = self._mention = self._pending = ""

    def pass_prose(self, line: str, named: NamedPath | None) -> None:
        """Follow a line of prose."""
        if not line.strip():
            return
        is_again = bool(named and self.is_list(named))
        self._was_listed = bool(named and named.is_listed)
        self.carried = ""
        self._mention = "" if is_again else named.path if named else read_mention(line)
        if _HEADING.match(line):
            self._section, self._pending = self._mention, ""
        elif named and not named.is_listed:
            self._pending = named.path
        elif set(line.strip()) in _RULES:
            self._section = self._pending = ""

    def pass_fenced(self, line: str, named: NamedPath | None, has_block: bool) -> None:
        """Follow a line of fenced code that is no part of a block."""
        if not line.strip():
            return
        self._has_stray = True
        self._mention = named.path if named else ""
        if not has_block:
            self.carried = ""
        elif (other := self._mention or read_mention(line)) and join_paths(self.carried, other) != self.carried:
            self._is_doubtful = True  # a remark about another file, or its path in an unknown form

    def _choose_above(self) -> str:
        above = self._pending or self._section
        if self._mention and above:
            return join_paths(above, self._mention)
        return self._mention or above

    def _set_section(self, path: str, named: NamedPath | None) -> None:
        """Let a heading hold for its section. A path in another form ends the section of another file."""
        if named and named.is_heading:
            self._section = path
        elif self._section and join_paths(self._section, path) != self._section:
            self._section = ""
