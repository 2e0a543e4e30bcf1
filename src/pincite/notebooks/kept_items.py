"""Make the things that are kept in notebooks, each with its pins and its verdicts as they are at this moment.

A kept sentence is a small answer of its own: its text has citation marks from 1 on, and its citations have these
numbers. Everything that shows or exports answers can therefore show and export it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from pincite.errors import Misuse, NotReady
from pincite.events import Answer, Boxes, Citation, Sentence
from pincite.events.source_names import label_page
from pincite.library import Library
from pincite.library.document_tables import load_tables
from pincite.notebooks.kept_tables import find_head, write_cited_rows, write_document_rows, write_table
from pincite.store import document_sources, document_text, documents, messages
from pincite.store.database import Database
from pincite.store.notebook_items import NewItem, StoredItem
from pincite.text.display import join_broken_words
from pincite.types import Span

LONGEST_PASSAGE = 20_000  # characters
_LIST_MARK = re.compile(r"(?:[-*+>]|\d{1,3}[.)]|#{1,6})\s+")


@dataclass(frozen=True, slots=True)
class KeptProof:
    """The sentences of a kept thing with their verdicts, and its citations with their pins.

    `lost` are the numbers of the citations whose quote is not in the current text of its document.
    """

    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    lost: tuple[int, ...] = ()


def make_text_item(text: str, comment: str = "") -> NewItem:
    """Return the words of a person as a thing to keep."""
    return NewItem("text", text, comment)


def make_answer_item(database: Database, person: str, message: str, comment: str = "") -> NewItem:
    """Return a whole answer as a thing to keep; raise `NotReady` while it is being written."""
    source = _read_answer(database, person, message)
    answer = source.answer
    unseen = {passage.n for passage in answer.passages if passage.more}
    citations = [each for each in answer.citations if each.n not in unseen]
    return source.make_item("answer", answer.answer, answer.sentences, citations, comment)


def make_sentence_item(database: Database, person: str, message: str, number: int, comment: str = "") -> NewItem:
    """Return one sentence of an answer, counted from 0, as a thing to keep."""
    source = _read_answer(database, person, message)
    if number >= len(source.answer.sentences):
        raise Misuse("The answer has no such sentence.", "Read the conversation again.", "sentence")
    sentence = source.answer.sentences[number]
    cited = [each for each in source.answer.citations if each.n in sentence.citations]
    numbers = {each.n: place for place, each in enumerate(cited, 1)}
    words = _LIST_MARK.sub("", sentence.text.strip(), count=1).strip(" |\n") or sentence.text
    head = find_head(source.answer.answer, sentence.start)
    before, after = (f"{head}\n| ", " |") if head else ("", "")
    kept = sentence.model_copy(
        update={
            "text": words,
            "start": len(before),
            "end": len(before) + len(words),
            "citations": [numbers[n] for n in sentence.citations if n in numbers],
            "suggested": [],
        }
    )
    citations = [each.model_copy(update={"n": numbers[each.n]}) for each in cited]
    marks = "".join(f" [{each.n}]" for each in citations)
    return source.make_item("sentence", before + words + marks + after, [kept], citations, comment)


def make_citation_item(database: Database, person: str, message: str, number: int, comment: str = "") -> NewItem:
    """Return the passage that an answer cites under this number as a thing to keep."""
    source = _read_answer(database, person, message)
    cited = next((each for each in source.answer.citations if each.n == number), None)
    if cited is None:
        raise Misuse("The answer has no such citation.", "Read the conversation again.", "citation")
    parts = [each for each in source.answer.passages if each.n == number]
    if len(parts) == 1 and parts[0].rows:
        table = write_table(next(iter(parts[0].heads), []), parts[0].rows)
    elif any(each.rows for each in parts):
        texts = [write_table(next(iter(each.heads), []), each.rows) if each.rows else each.text for each in parts]
        table = "\n\n".join(
            filter(None, (each for part, text in zip(parts, texts, strict=True) for each in (part.lead, text)))
        )
    else:
        table = write_cited_rows(cited.rows, cited.quote)
    return source.make_item("passage", table or cited.quote, [], [cited.model_copy(update={"n": 1})], comment)


def make_passage_item(library: Library, person: str, span: Span, comment: str = "") -> NewItem:
    """Return a passage of a document that a person may see as a thing to keep."""
    citation = pin_passage(library, person, span)
    tables = load_tables(library.database, Span(citation.document, citation.start, citation.end))
    table = write_document_rows(tables, citation.quote)
    return NewItem("passage", table or citation.quote, comment, proof=_make_proof([], [citation]))


def pin_passage(library: Library, person: str, span: Span) -> Citation:
    """Return the pin of a passage: its document, its characters without blanks around them, its quote and its page."""
    with library.database.reading() as connection:
        stored = documents.get_visible(connection, person, span.document)
        text = document_text.read_text(
            connection, stored.id, span.start, min(span.end, span.start + LONGEST_PASSAGE + 1)
        )
        if len(text) > LONGEST_PASSAGE:
            raise Misuse("The passage is too long.", f"Keep at most {LONGEST_PASSAGE} characters.", "too_long")
        start = span.start + len(text) - len(text.lstrip())
        quote = text.strip()
        if not quote:
            raise Misuse("There are no words at this place of the document.", "Select some words.", "no_words")
        page = document_text.find_page_at(connection, stored.id, start)
        origin = document_sources.find_origins(connection, person, [stored.id]).get(stored.id)
    exact = Span(stored.id, start, start + len(quote))
    number = page.number if page else 0
    return Citation(
        n=1,
        evidence=0,
        document=stored.id,
        title=stored.title,
        kind=stored.kind,
        url=origin.url if origin else None,
        page=number or None,
        quote=quote if stored.kind == "code" else join_broken_words(quote),
        start=exact.start,
        end=exact.end,
        score=1.0,
        boxes=[
            Boxes(page=each.page, width=each.width, height=each.height, rects=list(each.rects))
            for each in library.boxes(person, exact)
        ],
        name=stored.name,
        label=label_page(stored.kind, number, page.label if page else ""),
    )


def find_same(items: Iterable[StoredItem], made: NewItem) -> StoredItem | None:
    """Return the thing that is the same as a new one: of the same answer, or at the same place of a document.

    Own words are never the same, nor is what comes with another comment.
    """
    if made.kind == "text":
        return None
    for each in items:
        is_alike = (each.kind, each.text) == (made.kind, made.text) and made.comment in ("", each.comment)
        is_here = _list_places(each) == _list_places(made) if made.kind == "passage" else each.message == made.message
        if is_alike and is_here:
            return each
    return None


def _list_places(item: NewItem | StoredItem) -> list[tuple[str, int, int]]:
    return [(pin["document"], pin["start"], pin["end"]) for pin in item.proof.get("citations", [])]


def read_proof(item: StoredItem) -> KeptProof:
    """Return the proof of a kept thing; an empty one if another version stored it in another form."""
    try:
        return KeptProof(
            tuple(Sentence.model_validate(each) for each in item.proof.get("sentences", [])),
            tuple(Citation.model_validate(each) for each in item.proof.get("citations", [])),
            tuple(item.proof.get("lost", ())),
        )
    except ValidationError:
        return KeptProof((), ())


@dataclass(frozen=True, slots=True)
class _AnswerSource:
    """An answer, the question that it answers, and where both are stored."""

    answer: Answer
    question: str
    conversation: str
    message: str

    def make_item(
        self, kind: str, text: str, sentences: Sequence[Sentence], citations: Sequence[Citation], comment: str
    ) -> NewItem:
        assert kind in ("sentence", "answer", "passage")
        return NewItem(
            kind=kind,  # type: ignore[arg-type]
            text=text,
            comment=comment,
            question=self.question,
            conversation=self.conversation,
            message=self.message,
            proof=_make_proof(sentences, citations),
        )


def _read_answer(database: Database, person: str, message: str) -> _AnswerSource:
    with database.reading() as connection:
        found = messages.get(connection, person, message)
        if found.role != "assistant":
            raise Misuse("Only an answer can be kept, and this is a question.", "Use the id of the answer.", "question")
        if not found.answer:
            raise NotReady("The answer is still being written.", "Keep it when it is complete.", "answer")
        question = messages.get_previous(connection, found).content
    return _AnswerSource(Answer.model_validate(found.answer), question, found.conversation, found.id)


def _make_proof(sentences: Sequence[Sentence], citations: Sequence[Citation]) -> dict[str, object]:
    return {
        "sentences": [each.model_dump(mode="json") for each in sentences],
        "citations": [each.model_dump(mode="json") for each in citations],
    }
