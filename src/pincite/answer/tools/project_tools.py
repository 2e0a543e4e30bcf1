"""The tools that search, read and list the files of the project that a question is about."""

import asyncio
import re
from collections.abc import Sequence

from pincite.answer.context import Context
from pincite.answer.evidence_prompt import write_data_block
from pincite.answer.named_files import is_named
from pincite.answer.project_files import ProjectFiles
from pincite.answer.relevant_files import PARTS
from pincite.answer.tool_call import RunContext, ToolReturn
from pincite.answer.tools.found_evidence import return_evidence
from pincite.errors import Misuse, NotFound, PinciteError
from pincite.projects.line_numbers import LineNumbers
from pincite.projects.paths import clean_path
from pincite.types import Hit

_MOST_FILES = 20  # in one call
_MOST_PIECES = 12  # of one file, about 60,000 characters
_LISTED = 300  # paths in one list
_LINES = re.compile(r"^(?P<path>.+?):(?P<first>\d{1,7})(?:[-–](?P<last>\d{1,7}))?$")


async def read_files(run: RunContext[Context], paths: list[str]) -> ToolReturn[str]:
    """Read files of the project, by their paths as the tree has them.

    `path:100` reads from line 100 on, `path:100-180` these lines alone. Read a file before you change it.
    """
    context, files = run.deps, _get_files(run.deps)
    if not paths:
        raise Misuse("No path was given.", "Give the paths of the files to read.")
    hits: list[Hit] = []
    more: list[str] = []
    for written in paths[:_MOST_FILES]:
        try:
            found, note = await asyncio.to_thread(_read_file, files, context, written)
            hits += found
        except PinciteError as error:
            note = f"{error.message} {error.hint}".strip()
        more += [note] if note else []
    if len(paths) > _MOST_FILES:
        more.append(f"Only the first {_MOST_FILES} files were read.")
    if not hits:
        raise NotFound(" ".join(more), "list_files lists the files.")
    return await return_evidence(context, hits, "\n".join(more))


async def search_project(run: RunContext[Context], query: str) -> ToolReturn[str]:
    """Find the functions, classes and sections in the project's files that have the words of a query.

    Use names as the code has them, or words that describe what it does; search again with other words when the parts
    do not answer.
    """
    context, files = run.deps, _get_files(run.deps)
    context.ledger.searched.append(query)
    return await return_evidence(context, await asyncio.to_thread(files.search, query, PARTS))


async def list_files(run: RunContext[Context], folder: str = "") -> ToolReturn[str]:
    """List the files of the project with their sizes in bytes; `folder` lists only those below it."""
    files = _get_files(run.deps)
    below = f"{clean_path(folder)}/" if folder.strip("/. \\") else ""
    listed = await asyncio.to_thread(lambda: [each for each in files.files if each.path.startswith(below)])
    if not listed:
        raise NotFound(f"There is no file below {folder}.", "Call list_files without a folder.")
    more = f"… and {len(listed) - _LISTED:,} more; list one of the folders." if len(listed) > _LISTED else ""
    text = write_data_block([f"{each.path} ({each.size:,})" for each in listed[:_LISTED]])
    return ToolReturn("\n".join(filter(None, (text, more))), metadata=({"found": str(len(listed))},))


def _get_files(context: Context) -> ProjectFiles:
    assert context.project  # the tools are offered only then
    return context.project


def _read_file(files: ProjectFiles, context: Context, written: str) -> tuple[Sequence[Hit], str]:
    """Return the lines that were asked for as hits, and a note about the rest of the file."""
    asked = _LINES.match(written.strip())
    path = clean_path(asked["path"] if asked else written)
    file = files.read(path, named=is_named(context, files, path))
    lines = LineNumbers(file.text)
    first = int(asked["first"]) if asked else 1
    start = lines.find_start(max(first, 1))
    end = lines.find_start(int(asked["last"]) + 1) if asked and asked["last"] else len(file.text)
    hits = files.cut_file(file, start, end)
    if not hits:
        return [], f"{path} has no text{f' from line {first} on' if asked else ''}."
    if len(hits) <= _MOST_PIECES:
        return hits, ""
    following = lines.find_line(hits[_MOST_PIECES].span.start)
    return hits[:_MOST_PIECES], f'{path} goes on: call read_files with "{path}:{following}".'
