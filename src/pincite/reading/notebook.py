"""Read Jupyter notebooks: prose cells as Markdown, code cells as code, and their outputs, up to a length."""

import json
import re
from typing import Any

from pincite.errors import Unreadable
from pincite.reading import code, markdown
from pincite.reading.document_draft import Draft
from pincite.reading.encoding import read_text
from pincite.reading.source import Source
from pincite.types import Block, Document

LONG_OUTPUT = 4000  # characters of one cell's outputs
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def read(source: Source) -> Document:
    """Read a notebook; pictures in outputs have no text, and a cut output is reported."""
    notebook = json.loads(read_text(source.path).removeprefix("\ufeff"), strict=False)
    cells = _list_cells(notebook)
    if cells is None:
        raise Unreadable(f"{source.name} is not a readable notebook.", "Open it in Jupyter and save it again.")
    metadata = _ensure_mapping(notebook.get("metadata"))
    is_python = _find_language(metadata) in ("python", "")
    draft = Draft(source.limits)
    cut = 0
    for number, cell in enumerate(cells, 1):
        source.progress(number, len(cells))
        cut += _write_cell(cell, draft, is_python)
    if cut:
        draft.problem(
            f"The outputs of {cut} cells are long: only the first {LONG_OUTPUT:,} characters of each are read."
        )
    return draft.document("notebook", _read_text(metadata.get("title")), _read_metadata(metadata))


def _list_cells(notebook: Any) -> list[dict[str, Any]] | None:
    """Return the cells in order, in old notebooks those of worksheets; None if there is no list of cells."""
    sheets = [
        _ensure_mapping(sheet).get("cells") for sheet in _ensure_list(_ensure_mapping(notebook).get("worksheets"))
    ]
    lists = [each for each in (_ensure_mapping(notebook).get("cells"), *sheets) if isinstance(each, list)]
    return [cell for cells in lists for cell in cells if isinstance(cell, dict)] if lists else None


def _write_cell(cell: dict[str, Any], draft: Draft, is_python: bool) -> bool:
    """Add a cell's blocks, and return whether its outputs were cut."""
    kind = cell.get("cell_type")
    text = _read_text(cell.get("source", cell.get("input"))).strip("\n")
    if kind == "markdown":
        draft.append(text, markdown.find_blocks(text))
    elif kind == "heading":
        level = cell.get("level")
        draft.add(" ".join(text.split()), "heading", level if isinstance(level, int) and 0 < level < 10 else 1)
    elif kind == "code":
        draft.append(text, code.find_blocks(text, python=is_python))
        return _write_outputs(_ensure_list(cell.get("outputs")), draft)
    else:
        draft.append(text, [Block("paragraph", 0, len(text))] if text.strip() else [])
    return False


def _write_outputs(outputs: list[Any], draft: Draft) -> bool:
    printed = "\n".join(filter(None, (_read_output(_ensure_mapping(output)).strip("\n") for output in outputs)))
    kept = printed[:LONG_OUTPUT]
    if len(printed) > LONG_OUTPUT and "\n" in kept:
        kept = kept[: kept.rindex("\n")]
    draft.add(kept.rstrip(), "code")
    return len(kept) < len(printed)


def _read_output(output: dict[str, Any]) -> str:
    """Return the text of one output: the printed text, the value, or the error in a line."""
    if output.get("output_type") in ("error", "pyerr"):
        return f"{_read_text(output.get('ename'))}: {_read_text(output.get('evalue'))}"
    data = _ensure_mapping(output.get("data", output))
    plain = next((_read_text(data[key]) for key in ("text/markdown", "text/plain", "text") if key in data), "")
    return _COLOURS.sub("", plain)


def _read_metadata(metadata: dict[str, Any]) -> dict[str, str]:
    names = [_read_text(_ensure_mapping(author).get("name")) for author in _ensure_list(metadata.get("authors"))]
    found = {"author": ", ".join(filter(None, names)), "programming language": _find_language(metadata)}
    return {key: value for key, value in found.items() if value}


def _find_language(metadata: dict[str, Any]) -> str:
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        if language := _read_text(_ensure_mapping(metadata.get(key)).get(name)):
            return language.lower()
    return ""


def _read_text(value: Any) -> str:
    """Return a text of a notebook, stored as one string or a list of lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _ensure_mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _ensure_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
