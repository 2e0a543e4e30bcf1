"""Write evidence for a prompt: numbered by sentence, marked as data, each sentence once, cut to the free tokens."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pincite.events.source_names import describe_page, label_page
from pincite.proof.tables import describe_row
from pincite.text.citation_marks import shield_code, shield_source
from pincite.text.display import put_on_one_line
from pincite.text.token_count import CHARACTERS_PER_TOKEN, count_tokens
from pincite.types import Evidence, drop_line_end

_TAG = re.compile(r"<(?=\s*(?:/\s*)?evidence\b)", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\n|\r")
_OPEN, _CLOSE = "<evidence>", "</evidence>"
_LONGEST = 6_000  # characters of one evidence
_ID = 8  # characters of a document's id: enough to identify it


@dataclass(slots=True)
class ShownEvidence:
    """Records the evidence that a model was shown: the number of sentences of each, and all tokens."""

    sentences: dict[int, int] = field(default_factory=dict)
    tokens: int = 0

    def copy(self) -> "ShownEvidence":
        """Return a copy for another conversation that begins with the same messages."""
        return ShownEvidence(dict(self.sentences), self.tokens)


@dataclass(slots=True)
class _EvidenceText:
    """The text of one evidence: its heading line, and its sentences from the first new one on."""

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


def write_evidence_block(
    listed: Sequence[Evidence], memory: ShownEvidence | None = None, room: int | None = None
) -> str:
    """Write evidence as one block of data. Text of a source can neither close the block nor cite.

    Sentences that `memory` has are not shown again. `room` limits the tokens of the block.
    """
    if not listed:
        return "Nothing was found."
    text, left_out = write_evidence_text(listed, memory, room)
    return "\n\n".join(filter(None, (_OPEN, text, _CLOSE, describe_left_out(left_out))))


def write_evidence_text(
    listed: Sequence[Evidence], memory: ShownEvidence | None = None, room: int | None = None
) -> tuple[str, int]:
    """Write evidence without the marks around it. Return also the number of passages left out for lack of room."""
    known = memory.sentences if memory else {}
    parts = [_make_evidence_text(each, known.get(each.number, 0)) for each in dict.fromkeys(listed)]
    left_out = 0 if room is None else _fit_texts(parts, room)
    kept = [part for part in parts if part.lines or part.is_known or not part.is_cut]
    text = "\n\n".join(map(str, kept))
    if memory:
        memory.sentences.update({part.evidence.number: part.first + len(part.lines) for part in kept})
        memory.tokens += count_tokens(text)
    return text, left_out


def describe_left_out(number: int) -> str:
    """Return the line that tells a model how many passages it does not see."""
    return f"… {number} more passage{'s' if number > 1 else ''} left out to fit the model's context." if number else ""


def write_data_block(lines: Sequence[str], *, keeps_indent: bool = False) -> str:
    """Write lines that a source may have written, such as titles, as data; `keeps_indent` keeps the space before."""
    indents = [line[: len(line) - len(line.lstrip(" "))] if keeps_indent else "" for line in lines]
    return "\n".join((_OPEN, *map(str.__add__, indents, map(sanitise_line, lines)), _CLOSE))


def write_numbered_sources(listed: Sequence[tuple[Evidence, str]]) -> str:
    """Write sources as data, by number and heading line, each with a description that we add."""
    return "\n".join(
        (_OPEN, *(f"[{each.number}] {sanitise_line(describe_source(each))} {about}" for each, about in listed), _CLOSE)
    )


def write_source(evidence: Evidence) -> str:
    """Write one source: its number, its heading line, and its numbered sentences."""
    return str(_make_evidence_text(evidence, 0))


def describe_source(evidence: Evidence) -> str:
    """Return a source's title, file, day, id, pages and headings, on one line."""
    label = label_page(evidence.kind, evidence.page, evidence.label)
    pages = f", {describe_page(evidence.page, label, last=evidence.last_page)}" if evidence.page else ""
    path = [heading for heading in evidence.headings if heading != evidence.title]
    origin = urlsplit(evidence.url).hostname if evidence.url else evidence.name
    if evidence.path:
        first, last = evidence.find_lines(evidence.span.start, evidence.span.end) or (0, 0)
        return f"{evidence.path}, lines {first}–{last}" + (f" › {' › '.join(path)}" if path else "")
    details = [origin if origin != evidence.title else "", evidence.date, f"id {evidence.span.document[:_ID]}"]
    return f"{evidence.title} ({', '.join(filter(None, details))}){pages}" + (f" › {' › '.join(path)}" if path else "")


def sanitise_line(text: str) -> str:
    """Return text of a source on one line, so that it can neither cite, command nor close the marks around it."""
    return _neutralise_tags(shield_source(put_on_one_line(text)))


def sanitise_code(code: str) -> str:
    """Return source code with its line breaks, so that it can neither cite, command nor close the marks around it."""
    return _neutralise_tags(shield_code(code.replace("\r", "")))


def _neutralise_tags(text: str) -> str:
    framed = _TAG.sub("‹", text)
    if "<" not in framed:
        return framed
    # The framework uses tags of its own for some models. In instructions it does not remove tags of others.
    from pydantic_ai.framing import neutralize_tags

    return neutralize_tags(framed)


def _make_evidence_text(evidence: Evidence, first: int) -> _EvidenceText:
    """Make the text of an evidence from a sentence on. If all sentences were shown, it is the heading line alone."""
    number = evidence.number
    is_known = bool(first) and first >= len(evidence.sentences)
    again = "(shown above) " if is_known else "(continued) " if first else ""
    part = _EvidenceText(evidence, first, f"[{number}] {again}{sanitise_line(describe_source(evidence))}", [])
    length = 0
    for sentence in _list_sentences(evidence, first):
        length += len(sentence)
        if length > _LONGEST and part.lines:
            part.is_cut = True
            break
        part.lines.append(f"[{number}.{first + len(part.lines) + 1}]{sentence}")
    return part


def _list_sentences(evidence: Evidence, first: int) -> Iterator[str]:
    """Yield each sentence from this one on, with the space before it: prose, code or a table row."""
    if evidence.path:
        yield from _list_numbered_lines(evidence, first)
        return
    rows = [(row, describe_row(table, row)) for table in evidence.tables for row in table.rows if row.cells]
    for start, end in evidence.sentences[first:]:
        described = next((text for row, text in rows if row.start <= start < row.end), "")
        sentence = described or evidence.quote(start, end)
        if any(a <= start < b for a, b in evidence.code):
            yield f"\n{sanitise_code(sentence)}"
        else:
            yield f" {sanitise_line(sentence)}"


def _list_numbered_lines(evidence: Evidence, first: int) -> Iterator[str]:
    """Yield each stretch of a project's file, every line of it with its number and a tab before it.

    A model copies these lines into an edit, so nothing in them is changed but marks that would end the block.
    """
    starts = [start for start, _ in evidence.sentences]
    for place, start in enumerate(starts[first:], first):
        end = starts[place + 1] if place + 1 < len(starts) else evidence.span.end
        begun = evidence.span.start if place == 0 else _find_line_start(evidence, start)
        ended = end if place + 1 == len(starts) else _find_line_start(evidence, end)
        number, _ = evidence.find_lines(begun, begun) or (0, 0)
        lines = _LINE_END.split(drop_line_end(evidence.quote(begun, ended)))
        yield "".join(f"\n{number + at}\t{_neutralise_tags(line)}" for at, line in enumerate(lines))


def _find_line_start(evidence: Evidence, position: int) -> int:
    before = evidence.quote(evidence.span.start, position)
    return evidence.span.start + max(before.rfind("\n"), before.rfind("\r")) + 1


def _fit_texts(parts: Sequence[_EvidenceText], room: int) -> int:
    """Cut sentences from the end of the lowest-scored passages until all fit. Return how many are left empty."""
    # Count characters, because rounding up the tokens of each line would count too many.
    over = sum(len(f"{part}\n\n") for part in parts) - int(room * CHARACTERS_PER_TOKEN)
    emptied = 0
    # Of equal scores, the last passage is cut first.
    for place in sorted(range(len(parts)), key=lambda place: (parts[place].evidence.score, -place)):
        part = parts[place]
        while over > 0 and part.lines:
            over -= len(f"{part.lines.pop()}\n") - (0 if part.is_cut else len("\n…"))
            part.is_cut = True
        if part.is_cut and not part.lines:
            over -= len(f"{part.head}\n…\n\n")
            emptied += 1
    return emptied
