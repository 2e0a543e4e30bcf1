"""What every kind of file takes from a conversation: its exchanges, its answers with footnotes, its sources."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from pincite.conversations.bibliography import Work, bibliography
from pincite.conversations.reading import Conversation, Said
from pincite.events import Answer, Citation
from pincite.evidence.markers import CODE, after_marks, told
from pincite.retrieval.references import language_of

# Characters of private use stand for what is put into the text while its Markdown is read.
OPEN, CLOSE = "\ue000", "\ue001"
HELD = re.compile(f"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}")
WRITING = "This answer is still being written."

_NOTES = {
    "en": {"unsupported": "no source supports this", "partial": "supported in part", "stopped": "stopped here"},
    "fr": {"unsupported": "aucune source ne l'appuie", "partial": "appuyé en partie", "stopped": "arrêté ici"},
}
_ANSWERED = {"en": "answered by Pincite", "fr": "réponse de Pincite"}
_STOP = re.compile(r"[.!?…]?")
_HEADING = re.compile(r"^(#{1,5}) ", re.M)


def exchanges(conversation: Conversation) -> Iterator[tuple[int, str, Said]]:
    """The questions under their numbers, each with its answer."""
    said = conversation.said
    for number, (question, answer) in enumerate(zip(said[::2], said[1::2], strict=False), 1):
        yield number, question.message.content, answer


def report(conversation: Conversation) -> str:
    """The question of a conversation that is one report and nothing else; empty where it is not."""
    if len(conversation.said) != 2:
        return ""
    question, said = conversation.said
    return " ".join(question.message.content.split()) if said.answer and said.answer.outline else ""


def annotated(
    answer: Answer, mark: Callable[[int], str], note: Callable[[str], str], spoken: str, deeper: bool = False
) -> str:
    """The answer's text with its marks as links to footnotes, and a note after each sentence that is in doubt.

    `deeper` puts its headings a level down, under the question.
    """
    text, known, notes = answer.answer, {citation.n for citation in answer.citations}, _NOTES[spoken]
    changes = [(start, end, mark(number)) for start, end, number in told(text) if number in known]
    for sentence in answer.sentences:
        if sentence.support in notes and 0 < sentence.end <= len(text):
            place = _STOP.match(text, after_marks(text, sentence.end)).end()  # type: ignore[union-attr]
            changes.append((place, place, note(notes[sentence.support])))
    pieces, at = [], 0
    for start, end, new in sorted(changes, key=lambda change: change[:2]):
        if start >= at:
            pieces += [plain(text[at:start]), new]
            at = end
    whole = "".join([*pieces, plain(text[at:]), note(notes["stopped"]) if answer.stopped else ""])
    return _lowered(whole) if deeper else whole


def works(conversation: Conversation, answer: Answer) -> list[Work]:
    """The bibliography of a report; no other answer has one."""
    return bibliography(answer, conversation.facts) if answer.outline else []


def language(question: str) -> str:
    """French or English, for the few words of our own."""
    return language_of(question)


def source(citation: Citation) -> str:
    """Where a citation stands, in words."""
    page = f", page {citation.page}" if citation.page else ""
    return f"{citation.title}{page}" + (f", {citation.url}" if citation.url else "")


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


def _lowered(text: str) -> str:
    pieces = CODE.split(text)
    return "".join(piece if number % 2 else _HEADING.sub(r"#\1 ", piece) for number, piece in enumerate(pieces))
