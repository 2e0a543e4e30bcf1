"""Jupyter notebooks: prose cells as Markdown, code cells as code, and what they printed, up to a length."""

import json
import re
from typing import Any

from pincite.errors import Unreadable
from pincite.reading import code, markdown
from pincite.reading.draft import Draft
from pincite.reading.encoding import read_text
from pincite.reading.source import Source
from pincite.types import Block, Document

LONG_OUTPUT = 4000  # characters of one cell's outputs that are kept
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def read(source: Source) -> Document:
    """A notebook's document; pictures among the outputs have no text, and a cut output is told."""
    notebook = json.loads(read_text(source.path).removeprefix("\ufeff"), strict=False)
    cells = _cells(notebook)
    if cells is None:
        raise Unreadable(f"{source.name} is no notebook that can be read.", "Open it in Jupyter and save it again.")
    metadata = _mapping(notebook.get("metadata"))
    is_python = _language(metadata) in ("python", "")
    draft = Draft(source.limits)
    cut = 0
    for number, cell in enumerate(cells, 1):
        source.progress(number, len(cells))
        cut += _write(cell, draft, is_python)
    if cut:
        draft.problem(
            f"The outputs of {cut} cells are long: only the first {LONG_OUTPUT:,} characters of each are kept."
        )
    return draft.document("notebook", _text(metadata.get("title")), _about(metadata))


def _cells(notebook: Any) -> list[dict[str, Any]] | None:
    """The cells in order, those of worksheets in old notebooks; None when there is no list of them."""
    sheets = [_mapping(sheet).get("cells") for sheet in _list(_mapping(notebook).get("worksheets"))]
    lists = [each for each in (_mapping(notebook).get("cells"), *sheets) if isinstance(each, list)]
    return [cell for cells in lists for cell in cells if isinstance(cell, dict)] if lists else None


def _write(cell: dict[str, Any], draft: Draft, is_python: bool) -> bool:
    """Add a cell's blocks; whether its outputs were cut."""
    kind = cell.get("cell_type")
    text = _text(cell.get("source", cell.get("input"))).strip("\n")
    if kind == "markdown":
        draft.append(text, markdown.find_blocks(text))
    elif kind == "heading":
        level = cell.get("level")
        draft.add(" ".join(text.split()), "heading", level if isinstance(level, int) and 0 < level < 10 else 1)
    elif kind == "code":
        draft.append(text, code.blocks(text, python=is_python))
        return _write_outputs(_list(cell.get("outputs")), draft)
    else:
        draft.append(text, [Block("paragraph", 0, len(text))] if text.strip() else [])
    return False


def _write_outputs(outputs: list[Any], draft: Draft) -> bool:
    said = "\n".join(filter(None, (_said(_mapping(output)).strip("\n") for output in outputs)))
    kept = said[:LONG_OUTPUT]
    if len(said) > LONG_OUTPUT and "\n" in kept:
        kept = kept[: kept.rindex("\n")]
    draft.add(kept.rstrip(), "code")
    return len(kept) < len(said)


def _said(output: dict[str, Any]) -> str:
    """The text of one output: what was printed, the value, or the error in a line."""
    if output.get("output_type") in ("error", "pyerr"):
        return f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
    data = _mapping(output.get("data", output))
    plain = next((_text(data[key]) for key in ("text/markdown", "text/plain", "text") if key in data), "")
    return _COLOURS.sub("", plain)


def _about(metadata: dict[str, Any]) -> dict[str, str]:
    names = [_text(_mapping(author).get("name")) for author in _list(metadata.get("authors"))]
    found = {"author": ", ".join(filter(None, names)), "programming language": _language(metadata)}
    return {key: value for key, value in found.items() if value}


def _language(metadata: dict[str, Any]) -> str:
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        if said := _text(_mapping(metadata.get(key)).get(name)):
            return said.lower()
    return ""


def _text(value: Any) -> str:
    """A notebook's text: one string, or a list of lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
