"""What every kind of file takes from a conversation: its exchanges, its answers with footnotes, its sources."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from pincite.conversations.bibliography import Work, bibliography
from pincite.conversations.placing import Places
from pincite.conversations.reading import Conversation, Said
from pincite.conversations.verdicts import describe_sentence, describe_stop, name_sentence
from pincite.events import Answer, Citation
from pincite.events.source_names import describe_page, find_alike, tell_apart
from pincite.retrieval.references import language_of

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# Characters of private use stand for what is put into the text while its Markdown is read.
OPEN, CLOSE = "\ue000", "\ue001"
HELD = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")
WRITING = {"en": "This answer is still being written.", "fr": "Cette réponse est en cours de rédaction."}
EMPTY = {"en": "No answer.", "fr": "Pas de réponse."}

_ANSWERED = {"en": "answered by Pincite", "fr": "réponse de Pincite"}
_BREAKS = re.compile(r"[ \t\r\n\v\f]+")
_HEADING = re.compile(r"#{1,5} ")
_MARK = re.compile(r" ?\[([0-9]{1,9})\]")
# In Markdown these would be marks of their own. Entities are read as the characters everywhere but in code.
_SPELLED = {each: f"&#{ord(each)};" for each in "\\`*_[]<>|~&#"}


def exchanges(conversation: Conversation) -> Iterator[tuple[int, str, Said]]:
    """The questions under their numbers, each with its answer."""
    said = conversation.said
    for number, (question, answer) in enumerate(zip(said[::2], said[1::2], strict=False), 1):
        yield number, question.message.content, replace(answer, answer=_only_cited(answer.answer))


def _only_cited(answer: Answer | None) -> Answer | None:
    """An answer without the citations of passages that are shown on demand: they are no footnotes."""
    if answer is None:
        return None
    unseen = {passage.n for passage in answer.passages if passage.more}
    return answer.model_copy(update={"citations": [each for each in answer.citations if each.n not in unseen]})


def report(conversation: Conversation) -> str:
    """The question of a conversation that is one report and nothing else; empty where it is not."""
    if len(conversation.said) != 2:
        return ""
    question, said = conversation.said
    return " ".join(question.message.content.split()) if said.answer and said.answer.outline else ""


@dataclass(frozen=True, slots=True)
class Annotated:
    """An answer in Markdown in which `OPEN c1 CLOSE` holds the place of a mark, `OPEN n0 CLOSE` that of a note."""

    text: str
    notes: tuple[str, ...] = ()

    def fill(self, mark: Callable[[int], str], note: Callable[[str], str]) -> str:
        """The text with its marks and notes in their places."""

        def put(held: re.Match[str]) -> str:
            kind, number = held[1][0], int(held[1][1:])
            return mark(number) if kind == "c" else note(self.notes[number])

        return HELD.sub(put, self.text)


@dataclass(frozen=True, slots=True)
class _Change:
    """Characters of an answer that give way to others, and to a mark or note that a reader has to see."""

    start: int
    end: int
    new: str = ""
    held: str = ""


def annotated(answer: Answer, spoken: str, deeper: bool = False) -> Annotated:
    """The answer's text with its marks, and a note after each sentence that is not verified.

    No note stands in code; one in a table's row stands in its last cell. A note for which there is no place behind its
    sentence stands below the answer, with the sentence. `deeper` puts headings a level down, under the question.
    """
    text = answer.answer
    places = Places(text)
    notes: list[str] = []
    below: list[str] = []  # for each note, as it is said below the answer
    changes = [*_marks(answer, places), *(_lowered(text, places) if deeper else ())]
    found: list[int | None] = []
    for sentence in answer.sentences:
        if said := describe_sentence(sentence, spoken):
            has_place = 0 < sentence.end <= len(text)
            found.append(places.note(sentence.start, sentence.end) if has_place else None)
            notes.append(said)
            below.append(name_sentence(sentence, spoken) if sentence.text.strip() else "")
    if answer.stopped:
        end = len(text.rstrip())
        found.append(places.note(end, end))
        notes.append(describe_stop(spoken))
        below.append(notes[-1])
    changes += [_Change(at, at, "", f"n{number}") for number, at in enumerate(found) if at is not None]
    while unseen := _unseen(text, changes):
        # To a reader of Markdown these stand in code or in an address: marks stay as they were, notes go below.
        changes = [change for number, change in enumerate(changes) if number not in unseen]
    standing = {change.held for change in changes}
    moved = [number for number in range(len(notes)) if f"n{number}" not in standing and below[number]]
    whole = _closed(_changed(text, changes, [change.held for change in changes]))
    whole = "\n\n".join([whole, *(_hold(f"n{number}") for number in moved)]) if moved else whole
    told = [below[number] if number in moved else note for number, note in enumerate(notes)]
    return Annotated(whole, tuple(map(plain, told)))


def _marks(answer: Answer, places: Places) -> Iterator[_Change]:
    """The marks of citations as changes; those behind a code block or a row of a table move to where they are seen."""
    known = {citation.n for citation in answer.citations}
    for mark in _MARK.finditer(answer.answer):
        place = places.mark(mark.start(), mark.end()) if int(mark[1]) in known else None
        if place is None:
            continue
        at, before = place
        if at == mark.start():
            yield _Change(at, mark.end(), before, f"c{mark[1]}")
        else:
            yield _Change(at, at, "", f"c{mark[1]}")
            yield _Change(mark.start(), mark.end())


def _lowered(text: str, places: Places) -> Iterator[_Change]:
    for line in places.lines:
        if line.kind == "prose" and _HEADING.match(text, line.start, line.end):
            yield _Change(line.start, line.start, "#")


def _changed(text: str, changes: Sequence[_Change], held: Sequence[str]) -> str:
    """The text after changes, with what each of them holds."""
    pieces, at = [], 0
    for change, name in sorted(zip(changes, held, strict=True), key=lambda each: each[0].start):
        start = max(change.start, at)
        pieces += [plain(text[at:start]), change.new, _hold(name) if name else ""]
        at = max(change.end, at)
    return "".join([*pieces, plain(text[at:])])


def _unseen(text: str, changes: Sequence[_Change]) -> set[int]:
    """The changes of which a reader of Markdown shows nothing, by their places in the list."""
    sought = {number for number, change in enumerate(changes) if change.held}
    if not sought:
        return set()
    shadow = _changed(text, changes, [f"x{number}" if change.held else "" for number, change in enumerate(changes)])
    return sought - {int(held[1][1:]) for words in _words(shadow) for held in HELD.finditer(words)}


def _words(text: str) -> Iterator[str]:
    """The words of a text in Markdown that are not code."""
    for token in reader().parse(text):
        yield from (child.content for child in token.children or () if child.type == "text")


def _closed(text: str) -> str:
    """The text with a code block that was not ended ended, so that what follows stands outside of it."""
    end = _hold("end")
    ended = f"{text}\n\n{end}"
    if any(end in words for words in _words(ended)):
        return text
    fences = [token.markup for token in reader().parse(ended) if token.type == "fence"]
    return f"{text}\n{fences[-1]}" if fences else text


@cache
def reader() -> "MarkdownIt":
    """The reader of Markdown of all files: no raw HTML and no pictures, so that nothing is loaded from outside."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def spell(note: str) -> str:
    """A note for a text in Markdown: nothing in it is a mark there."""
    return "".join(_SPELLED.get(character, character) for character in _BREAKS.sub(" ", note))


def _hold(name: str) -> str:
    return f"{OPEN}{name}{CLOSE}"


def works(conversation: Conversation, answer: Answer) -> list[Work]:
    """The bibliography of a report; no other answer has one."""
    return bibliography(answer, conversation.facts) if answer.outline else []


def language(question: str) -> str:
    """French or English, for the few words of our own."""
    return language_of(question)


def name_source(answer: Answer, citation: Citation) -> str:
    """The title of a cited document, with its file name where the answer cites another one of the same title."""
    return tell_apart(citation.title, citation.name, citation.title in find_alike(answer.citations))


def source(answer: Answer, citation: Citation, spoken: str = "en") -> str:
    """Where a citation stands, in words."""
    page = f", {describe_page(citation.page, citation.label, spoken, word='page')}" if citation.page else ""
    return f"{name_source(answer, citation)}{page}" + (f", {citation.url}" if citation.url else "")


def made(conversation: Conversation) -> datetime:
    """When a conversation began."""
    return datetime.fromtimestamp(conversation.about.created, UTC)


def date(conversation: Conversation) -> str:
    """The same as a line under its title, in the language of a report."""
    return f"{made(conversation).date().isoformat()}, {_ANSWERED[language(report(conversation))]}"


def line(text: str) -> str:
    """A text on one line."""
    return plain(" ".join(text.split()))


def plain(text: str) -> str:
    """A text without the characters that stand for something else."""
    return text.replace(OPEN, "").replace(CLOSE, "")
