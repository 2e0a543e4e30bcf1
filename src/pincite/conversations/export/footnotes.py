"""Prepare a conversation for every file format: its exchanges, answers with footnotes, and sources."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from pincite.conversations.export.bibliography import CitedWork, make_bibliography
from pincite.conversations.export.formula_tree import ShownFormula
from pincite.conversations.export.note_positions import NotePlaces
from pincite.conversations.transcript import Conversation, ConversationMessage
from pincite.conversations.verdict_wording import describe_sentence, describe_stop, name_sentence
from pincite.events import Answer, Citation
from pincite.events.source_names import add_file_name, describe_cited_page, describe_lines, find_shared_titles
from pincite.text.citation_marks import find_shown_marks
from pincite.text.formulas import Formula, find_formulas
from pincite.text.language import detect_conversation_language

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

# Private-use characters enclose placeholders, which stay in the text while its Markdown is parsed.
OPEN, CLOSE = "\ue000", "\ue001"
PLACEHOLDER = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")
WRITING = {"en": "This answer is still being written.", "fr": "Cette réponse est en cours de rédaction."}
EMPTY = {"en": "No answer.", "fr": "Pas de réponse."}

_ANSWERED = {"en": "answered by Pincite", "fr": "réponse de Pincite"}
_BREAKS = re.compile(r"[ \t\r\n\v\f]+")
_HEADING = re.compile(r"#{1,5} ")
# These characters have a meaning in Markdown. Entities are read as plain characters everywhere except in code.
_SPELLED = {each: f"&#{ord(each)};" for each in "\\`*_[]<>|~&#"}


def list_exchanges(conversation: Conversation) -> Iterator[tuple[int, str, ConversationMessage]]:
    """Yield the number and text of each question, with its answer."""
    said = conversation.said
    for number, (question, answer) in enumerate(zip(said[::2], said[1::2], strict=False), 1):
        yield number, question.message.content, replace(answer, answer=_drop_uncited(answer.answer))


def _drop_uncited(answer: Answer | None) -> Answer | None:
    """Return an answer without the citations of passages that are shown on demand, which get no footnotes."""
    if answer is None:
        return None
    unseen = {passage.n for passage in answer.passages if passage.more}
    return answer.model_copy(update={"citations": [each for each in answer.citations if each.n not in unseen]})


def find_report_question(conversation: Conversation) -> str:
    """Return the question of a conversation that consists of one report, else an empty text."""
    if len(conversation.said) != 2:
        return ""
    question, said = conversation.said
    return " ".join(question.message.content.split()) if said.answer and said.answer.outline else ""


@dataclass(frozen=True, slots=True)
class AnnotatedAnswer:
    """An answer in Markdown with placeholders: `OPEN c1 CLOSE` for a citation mark, `n0` a note, `f0` a formula."""

    text: str
    notes: tuple[str, ...] = ()
    formulas: tuple[ShownFormula, ...] = ()

    def fill(self, mark: Callable[[int], str], note: Callable[[str], str]) -> str:
        """Return the text with its marks and notes in place of the placeholders."""

        def put(held: re.Match[str]) -> str:
            kind, number = held[1][0], int(held[1][1:])
            if kind == "f":
                return self.formulas[number].source
            return mark(number) if kind == "c" else note(self.notes[number])

        return PLACEHOLDER.sub(put, self.text)


@dataclass(frozen=True, slots=True)
class _Change:
    """A range of an answer to replace with other characters, and with a placeholder if there is one."""

    start: int
    end: int
    new: str = ""
    held: str = ""


def annotate_answer(answer: Answer, language: str, deeper: bool = False) -> AnnotatedAnswer:
    """Return the text of an answer with citation marks, and a note after each sentence that is not verified.

    Notes are never put into code; in a table row, they go into the last cell. If a note has no place after its
    sentence, it goes below the answer, together with the sentence. `deeper` lowers headings by one level, below the
    question.
    """
    text = answer.answer
    places = NotePlaces(text)
    notes: list[str] = []
    below: list[str] = []  # each note in its form for below the answer
    changes = [*_find_marks(answer, places), *(_lower_headings(text, places) if deeper else ())]
    found: list[int | None] = []
    for sentence in answer.sentences:
        if said := describe_sentence(sentence, language):
            has_place = 0 < sentence.end <= len(text)
            found.append(places.note(sentence.start, sentence.end) if has_place else None)
            notes.append(said)
            below.append(name_sentence(sentence, language) if sentence.text.strip() else "")
    if answer.stopped:
        end = len(text.rstrip())
        found.append(places.note(end, end))
        notes.append(describe_stop(language))
        below.append(notes[-1])
    changes += [_Change(at, at, "", f"n{number}") for number, at in enumerate(found) if at is not None]
    while unseen := _find_unseen(text, changes):
        # A Markdown parser sees these inside code or an address: their marks stay unchanged, their notes go below.
        changes = [change for number, change in enumerate(changes) if number not in unseen]
    placed = {change.held for change in changes}
    moved = [number for number in range(len(notes)) if f"n{number}" not in placed and below[number]]
    whole = _close_code_block(_apply_changes(text, changes, [change.held for change in changes]))
    whole = "\n\n".join([whole, *(_make_placeholder(f"n{number}") for number in moved)]) if moved else whole
    final = [below[number] if number in moved else note for number, note in enumerate(notes)]
    hidden, formulas = _hide_formulas(whole)
    return AnnotatedAnswer(hidden, tuple(map(strip_placeholders, final)), formulas)


def _hide_formulas(text: str) -> tuple[str, tuple[ShownFormula, ...]]:
    """Return the text with a placeholder for each formula. Marks and notes inside a formula move behind it."""
    formulas: list[ShownFormula] = []
    changes: list[tuple[Formula, str]] = []
    for found in find_formulas(text):
        inside = text[found.start : found.end]
        moved = "".join(held[0] for held in PLACEHOLDER.finditer(inside))
        changes.append((found, _make_placeholder(f"f{len(formulas)}") + moved))
        formulas.append(ShownFormula(PLACEHOLDER.sub("", found.tex), PLACEHOLDER.sub("", inside), found.is_display))
    hidden = _replace_formulas(text, changes)
    seen = {held[1] for words in _find_words(hidden) for held in PLACEHOLDER.finditer(words)}
    # A Markdown parser sees the others inside code or an address.
    kept = [(found, new) for number, (found, new) in enumerate(changes) if f"f{number}" in seen]
    return (hidden if len(kept) == len(changes) else _replace_formulas(text, kept)), tuple(formulas)


def _replace_formulas(text: str, changes: Sequence[tuple[Formula, str]]) -> str:
    pieces, at = [], 0
    for found, new in changes:
        pieces += [text[at : found.start], new]
        at = found.end
    return "".join([*pieces, text[at:]])


def _find_marks(answer: Answer, places: NotePlaces) -> Iterator[_Change]:
    """Yield the changes for citation marks. Marks after a code block or table row move to a place where they show.

    A mark stands after its sentence. A number in brackets inside a sentence is a word of it.
    """
    known = {citation.n for citation in answer.citations}
    said = [(sentence.start, sentence.end) for sentence in answer.sentences]
    for start, end, number in find_shown_marks(answer.answer, in_code=True):
        is_word = any(first < end <= last for first, last in said)
        place = places.mark(start, end) if number in known and not is_word else None
        if place is None:
            continue
        at, before = place
        if at == start:
            yield _Change(at, end, before, f"c{number}")
        else:
            yield _Change(at, at, "", f"c{number}")
            yield _Change(start, end)


def _lower_headings(text: str, places: NotePlaces) -> Iterator[_Change]:
    for line in places.lines:
        if line.kind == "prose" and _HEADING.match(text, line.start, line.end):
            yield _Change(line.start, line.start, "#")


def _apply_changes(text: str, changes: Sequence[_Change], held: Sequence[str]) -> str:
    """Return the text after the changes, with the placeholder of each."""
    pieces, at = [], 0
    for change, name in sorted(zip(changes, held, strict=True), key=lambda each: each[0].start):
        start = max(change.start, at)
        pieces += [strip_placeholders(text[at:start]), change.new, _make_placeholder(name) if name else ""]
        at = max(change.end, at)
    return "".join([*pieces, strip_placeholders(text[at:])])


def _find_unseen(text: str, changes: Sequence[_Change]) -> set[int]:
    """Return the indexes of changes whose placeholder a Markdown parser does not see as text."""
    sought = {number for number, change in enumerate(changes) if change.held}
    if not sought:
        return set()
    shadow = _apply_changes(
        text, changes, [f"x{number}" if change.held else "" for number, change in enumerate(changes)]
    )
    return sought - {int(held[1][1:]) for words in _find_words(shadow) for held in PLACEHOLDER.finditer(words)}


def _find_words(text: str) -> Iterator[str]:
    """Yield the text of a Markdown document without its code."""
    for token in make_markdown_reader().parse(text):
        yield from (child.content for child in token.children or () if child.type == "text")


def _close_code_block(text: str) -> str:
    """Return the text with an unclosed code block closed, so that following text is outside of it."""
    end = _make_placeholder("end")
    ended = f"{text}\n\n{end}"
    if any(end in words for words in _find_words(ended)):
        return text
    fences = [token.markup for token in make_markdown_reader().parse(ended) if token.type == "fence"]
    return f"{text}\n{fences[-1]}" if fences else text


@cache
def make_markdown_reader() -> "MarkdownIt":
    """Return the Markdown parser for all files. Raw HTML and pictures are off, so that nothing external is loaded."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def escape_markdown(note: str) -> str:
    """Return a note with all Markdown characters escaped."""
    return "".join(_SPELLED.get(character, character) for character in _BREAKS.sub(" ", note))


def _make_placeholder(name: str) -> str:
    return f"{OPEN}{name}{CLOSE}"


def list_works(conversation: Conversation, answer: Answer) -> list[CitedWork]:
    """Return the bibliography of a report, or an empty list for any other answer."""
    return make_bibliography(answer, conversation.facts) if answer.outline else []


def choose_language(question: str) -> str:
    """Return the language of a question, French or English, for the labels of the file."""
    return detect_conversation_language(question)


def name_source(answer: Answer, citation: Citation) -> str:
    """Return the title of a cited document, with its file name if the answer cites another with the same title."""
    if citation.path:
        return describe_lines(citation.path, citation.lines)
    return add_file_name(citation.title, citation.name, citation.title in find_shared_titles(answer.citations))


def describe_source(answer: Answer, citation: Citation, language: str = "en") -> str:
    """Return the source of a citation in words: title, page and address."""
    page = f", {describe_cited_page(citation, language, word='page')}" if citation.page else ""
    return f"{name_source(answer, citation)}{page}" + (f", {citation.url}" if citation.url else "")


def find_start_time(conversation: Conversation) -> datetime:
    """Return the time when a conversation began."""
    return datetime.fromtimestamp(conversation.about.created, UTC)


def describe_date(conversation: Conversation) -> str:
    """Return the date line below the title, in the language of a report."""
    language = choose_language(find_report_question(conversation))
    return f"{find_start_time(conversation).date().isoformat()}, {_ANSWERED[language]}"


def make_single_line(text: str) -> str:
    """Return a text on one line, without placeholder characters."""
    return strip_placeholders(" ".join(text.split()))


def strip_placeholders(text: str) -> str:
    """Return a text without the characters that enclose placeholders."""
    return text.replace(OPEN, "").replace(CLOSE, "")
