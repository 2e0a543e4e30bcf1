"""Read the lines by which a reply deletes or renames a file: `DELETE path` and `RENAME old -> new`.

Only these two forms are read, in capitals and from the first column. A line of a list, a heading, a quotation or
indented code that has such words is prose: a file is never deleted by a sentence about it.
"""

import re

from pincite.projects.edits import DeleteFile, RenameFile
from pincite.projects.path_lines import has_extension, has_path_form

_COMMAND = re.compile(r"(DELETE|RENAME) (\S.*)$")
_ARROW = " -> "
_LONGEST = 700


def read_file_command(line: str, number: int) -> DeleteFile | RenameFile | None:
    """Return the edit that a line asks for, or None for any other line."""
    text = line.rstrip()
    found = _COMMAND.match(text) if len(text) <= _LONGEST else None
    if not found:
        return None
    if found[1] == "DELETE":
        path = _read_operand(found[2], is_certain=False)
        return DeleteFile(number, path) if path else None
    parts = found[2].split(_ARROW)
    if len(parts) != 2:
        return None
    old, new = (_read_operand(part, is_certain=True) for part in parts)
    return RenameFile(number, old, new) if old and new else None


def _read_operand(written: str, is_certain: bool) -> str:
    """Return a path, or "". Without an extension or backticks, `DELETE /users/7` is rather a request of an API."""
    text = written.strip()
    is_quoted = len(text) > 2 and text[0] == text[-1] == "`"
    text = text.strip("`")
    if not has_path_form(text, is_quoted) or (" " in text and not is_quoted):
        return ""
    return text if is_quoted or is_certain or (has_extension(text) and not text.startswith("/")) else ""
