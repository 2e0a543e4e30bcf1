"""Evidence as a model reads it: numbered, sentence by sentence, marked as data, once, and cut to the room there is."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pincite.agent.context_window import CHARACTERS, count_tokens
from pincite.events.source_names import describe_page, label_page
from pincite.evidence.markers import shield_code, shielded
from pincite.proof.tables import describe_row
from pincite.text.display import put_on_one_line
from pincite.types import Evidence

_TAG = re.compile(r"<(?=\s*(?:/\s*)?evidence\b)", re.IGNORECASE)
_OPEN, _CLOSE = "<evidence>", "</evidence>"
_LONGEST = 6_000  # characters of one evidence
_ID = 8  # characters of a document's id, enough to name it by


@dataclass(slots=True)
class Memory:
    """Remembers the evidence that one model was shown: how many sentences of each, and tokens in all."""

    sentences: dict[int, int] = field(default_factory=dict)
    tokens: int = 0

    def copy(self) -> "Memory":
        """The same for another conversation that begins with the same messages."""
        return Memory(dict(self.sentences), self.tokens)


@dataclass(slots=True)
class _Part:
    """One evidence as it is about to be shown: its heading line, and its sentences from the first new one on."""

    evidence: Evidence
    first: int
    head: str
    lines: list[str]
    is_cut: bool = False

    @property
    def is_known(self) -> bool:
        return bool(self.first) and self.first >= len(self.evidence.sentences)

    def __str__(self) -> str:
        return "\n".join([self.head, *self.lines, *(["…"] if self.is_cut else [])])


def shown(listed: Sequence[Evidence], memory: Memory | None = None, room: int | None = None) -> str:
    """All of it as one block; what sources say in it can neither close it nor cite anything.

    Sentences that `memory` has are not shown again. `room` is the tokens that the block may have.
    """
    if not listed:
        return "Nothing was found."
    text, left_out = list_evidence(listed, memory, room)
    return "\n\n".join(filter(None, (_OPEN, text, _CLOSE, told_left_out(left_out))))


def list_evidence(listed: Sequence[Evidence], memory: Memory | None = None, room: int | None = None) -> tuple[str, int]:
    """Evidence without the marks around it, and how many passages were left out for want of room."""
    known = memory.sentences if memory else {}
    parts = [_part(each, known.get(each.number, 0)) for each in dict.fromkeys(listed)]
    left_out = 0 if room is None else _fit(parts, room)
    kept = [part for part in parts if part.lines or part.is_known or not part.is_cut]
    text = "\n\n".join(map(str, kept))
    if memory:
        memory.sentences.update({part.evidence.number: part.first + len(part.lines) for part in kept})
        memory.tokens += count_tokens(text)
    return text, left_out


def told_left_out(number: int) -> str:
    """The words that tell a model of passages that it is not shown."""
    return f"… {number} more passage{'s' if number > 1 else ''} left out to fit the model's context." if number else ""


def block(lines: Sequence[str]) -> str:
    """Lines that sources may have written, such as their titles, as data."""
    return "\n".join((_OPEN, *map(line, lines), _CLOSE))


def numbered(listed: Sequence[tuple[Evidence, str]]) -> str:
    """Sources by number and heading line, each with words of ours about it, as data."""
    return "\n".join((_OPEN, *(f"[{each.number}] {line(where(each))} {said}" for each, said in listed), _CLOSE))


def one(evidence: Evidence) -> str:
    """One source: its number, where it stands, and its sentences with theirs."""
    return str(_part(evidence, 0))


def where(evidence: Evidence) -> str:
    """A source's title, file, day, id, pages and headings, on one line."""
    label = label_page(evidence.kind, evidence.page, evidence.label)
    pages = f", {describe_page(evidence.page, label, last=evidence.last_page)}" if evidence.page else ""
    path = [heading for heading in evidence.headings if heading != evidence.title]
    home = urlsplit(evidence.url).hostname if evidence.url else evidence.name
    told = [home if home != evidence.title else "", evidence.date, f"id {evidence.span.document[:_ID]}"]
    return f"{evidence.title} ({', '.join(filter(None, told))}){pages}" + (f" › {' › '.join(path)}" if path else "")


def line(said: str) -> str:
    """Words of a source on one line, which can neither cite, command nor close the marks around them."""
    return _framed(shielded(put_on_one_line(said)))


def code(said: str) -> str:
    """Source code with its line breaks and indentation, which can neither cite, command nor close the marks either."""
    return _framed(shield_code(said.replace("\r", "")))


def _framed(said: str) -> str:
    framed = _TAG.sub("‹", said)
    if "<" not in framed:
        return framed
    # The framework speaks to some models between tags of its own; in instructions it takes nobody else's out.
    from pydantic_ai.framing import neutralize_tags

    return neutralize_tags(framed)


def _part(evidence: Evidence, first: int) -> _Part:
    """An evidence to be shown from a sentence on; one whose sentences were all shown has its heading line alone."""
    number = evidence.number
    is_known = bool(first) and first >= len(evidence.sentences)
    again = "(shown above) " if is_known else "(continued) " if first else ""
    part = _Part(evidence, first, f"[{number}] {again}{line(where(evidence))}", [])
    length = 0
    for said in _sentences(evidence, first):
        length += len(said)
        if length > _LONGEST and part.lines:
            part.is_cut = True
            break
        part.lines.append(f"[{number}.{first + len(part.lines) + 1}]{said}")
    return part


def _sentences(evidence: Evidence, first: int) -> Iterator[str]:
    """The words of each sentence from this place on, with the space before them: prose, code or a row of a table."""
    rows = [(row, describe_row(table, row)) for table in evidence.tables for row in table.rows if row.cells]
    for start, end in evidence.sentences[first:]:
        described = next((said for row, said in rows if row.start <= start < row.end), "")
        said = described or evidence.quote(start, end)
        if any(a <= start < b for a, b in evidence.code):
            yield f"\n{code(said)}"
        else:
            yield f" {line(said)}"


def _fit(parts: Sequence[_Part], room: int) -> int:
    """Cut sentences from the end of the passages with the lowest scores until all fits, and count the emptied ones."""
    # In characters: the tokens of many lines, each rounded up, are more than those of all together.
    over = sum(len(f"{part}\n\n") for part in parts) - int(room * CHARACTERS)
    emptied = 0
    # Of equal ones the last goes first: it follows what stands before it.
    for place in sorted(range(len(parts)), key=lambda place: (parts[place].evidence.score, -place)):
        part = parts[place]
        while over > 0 and part.lines:
            over -= len(f"{part.lines.pop()}\n") - (0 if part.is_cut else len("\n…"))
            part.is_cut = True
        if part.is_cut and not part.lines:
            over -= len(f"{part.head}\n…\n\n")
            emptied += 1
    return emptied
