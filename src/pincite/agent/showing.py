"""Evidence as a model reads it: numbered, sentence by sentence, and marked as what it is, data."""

from collections.abc import Sequence

from pydantic_ai.framing import neutralize_tags

from pincite.evidence.markers import shielded
from pincite.types import Evidence

_OPEN, _CLOSE = "<evidence>", "</evidence>"
_LONGEST = 6_000  # characters of one evidence


def shown(listed: Sequence[Evidence]) -> str:
    """All of it as one block; what sources say in it can neither close it nor cite anything."""
    if not listed:
        return "Nothing was found."
    return "\n\n".join((_OPEN, *map(one, listed), _CLOSE))


def block(lines: Sequence[str]) -> str:
    """Lines that sources may have written, such as their titles, as data."""
    return "\n".join((_OPEN, *map(line, lines), _CLOSE))


def one(evidence: Evidence) -> str:
    """One source: its number, where it stands, and its sentences with theirs."""
    lines = [f"[{evidence.number}] {line(where(evidence))}"]
    length = 0
    for number, (start, end) in enumerate(evidence.sentences, 1):
        said = line(evidence.quote(start, end))
        length += len(said)
        if length > _LONGEST:
            lines.append("…")
            break
        lines.append(f"[{evidence.number}.{number}] {said}")
    return "\n".join(lines)


def where(evidence: Evidence) -> str:
    """A source's title, pages and headings, on one line."""
    pages = f", p. {evidence.page}" if evidence.page else ""
    if evidence.last_page > evidence.page:
        pages += f"–{evidence.last_page}"
    path = [heading for heading in evidence.headings if heading != evidence.title]
    return f"{evidence.title}{pages}" + (f" › {' › '.join(path)}" if path else "")


def line(said: str) -> str:
    """Words of a source on one line, which can neither cite, command nor close the marks around them."""
    joined = " ".join(said.replace("\u00ad\n", "").replace("\u00ad", "").split())
    framed = shielded(joined).replace("<evidence", "‹evidence").replace("</evidence", "‹/evidence")
    # The framework speaks to some models between tags of its own; in instructions it takes nobody else's out.
    return neutralize_tags(framed)
