"""Show the prose of a reply while it is written, and hold its edit blocks back."""

from pincite.projects.file_commands import read_file_command
from pincite.projects.path_lines import may_become_path_line
from pincite.projects.reply_lines import split_reply
from pincite.projects.reply_reader import ReplyReader


class EditStream:
    """Takes a reply in pieces. The prose is the same however the reply is cut."""

    def __init__(self) -> None:
        self._reader = ReplyReader()
        self._pieces: list[str] = []
        self._line = ""  # the last line, which has no newline yet
        self._shown = 0  # how many characters of it were returned already

    def feed(self, text: str) -> str:
        """Return the prose that can be shown now."""
        if not self._pieces:
            text = text.removeprefix("\ufeff")
        self._pieces.append(text)
        *whole, self._line = (self._line + text).split("\n")
        prose = ""
        if whole:
            self._reader.add([line + "\n" for line in whole])
            prose = self._take_prose()
        if (self._shown and not whole) or self._may_show_line():
            prose += self._line[self._shown :]
            self._shown = len(self._line)
        return prose

    def finish(self) -> tuple[str, str]:
        """Return the last prose and the whole reply as it was written."""
        self._reader.add(split_reply(self._line))
        self._reader.finish()
        self._line = ""
        return self._take_prose(), "".join(self._pieces)

    def _may_show_line(self) -> bool:
        """Return whether the unfinished line is prose. A line that was shown in part already is."""
        is_decided = self._reader.count_undecided() == 0 and self._reader.is_outside_fence()
        return is_decided and is_surely_prose(self._line)

    def _take_prose(self) -> str:
        # The shown part of an unfinished line is the beginning of the prose that follows.
        prose = self._reader.take_prose()
        taken = prose[self._shown :]
        self._shown = max(self._shown - len(prose), 0)
        return taken


def is_surely_prose(start: str) -> bool:
    """Return whether a line with this beginning is prose, however it goes on."""
    if not start[:1].isalpha() or " " not in start.strip() or start.startswith("diff "):
        return False
    first = start.split(" ", 1)[0]
    if read_file_command(f"{first} a.b", 1) or read_file_command(f"{first} a.b -> c.d", 1):
        return False
    return not may_become_path_line(start)
