"""Suggest what to ask next in a conversation: headings and a table near the cited passages, not yet spoken of."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

from pincite.library.document_structure import shorten_heading
from pincite.library.real_headings import find_real_headings
from pincite.library.suggestions import (
    QuestionSuggestion,
    clean_heading,
    find_cell,
    make_suggestion,
    split_words,
    write_cell_question,
    write_in_sentence_case,
)
from pincite.store import conversations, document_layout, document_text, documents, messages
from pincite.store.database import Connection, Database
from pincite.store.documents import StoredDocument

_LOOKED_AT = 400  # headings per document
_DOCUMENTS = 6  # cited documents that are looked at


def suggest_follow_ups(database: Database, owner: str, conversation: str, count: int = 3) -> list[QuestionSuggestion]:
    """Suggest headings of the documents that the last answer cites, the nearest to its citations first.

    A heading is left out if a question or the title of its document has all its words, or if a passage that any answer
    cites stands under it. The second suggestion is a question on a table if there is one. All are of the language of
    the document that is cited first. Raise `NotFound` if the owner has no such conversation.
    """
    with database.reading() as connection:
        conversations.get(connection, owner, conversation)
        said = messages.find(connection, conversation)
        answer = next((each.answer for each in reversed(said) if each.answer), None)
        asked = [split_words(each.content) for each in said if each.role == "user"]
        cited = _list_places([answer or {}])
        spoken_of = _list_places([each.answer for each in said if each.answer])
        known = documents.get_many(connection, owner, list(cited)[:_DOCUMENTS])
        known = [each for each in known if each.language == known[0].language]
        found = [list(_list_headings(connection, each, cited[each.id], spoken_of[each.id], asked)) for each in known]
        on_table = _find_table_question(connection, known[0], cited[known[0].id], asked) if known else []
    # Two of the document that is cited first, which fits the question best, then one of each document in turn.
    best = [*found[0][:1], *on_table, *found[0][1:2]][:2] if found else []
    first = [make_suggestion(known[0], heading) for heading in best]
    turns = (
        make_suggestion(stored, heading)
        for headings in zip_longest(*found)
        for stored, heading in zip(known, headings, strict=True)
        if heading
    )
    chosen: dict[str, QuestionSuggestion] = {}
    for each in (*first, *turns):
        chosen.setdefault((each.heading or "").casefold(), each)
    return list(chosen.values())[:count]


def _find_table_question(
    connection: Connection, stored: StoredDocument, cited: list[int], asked: list[set[str]]
) -> list[str]:
    """Return a question on the table that is nearest to the first citation; none if it was asked."""
    cell = find_cell(connection, stored.id, document_layout.load_blocks(connection, stored.id), cited[0])
    is_asked = cell is not None and any(split_words(" ".join(cell)) <= each for each in asked)
    return [write_cell_question(stored, cell)] if cell and not is_asked else []


def _list_places(answers: Iterable[Mapping[str, Any]]) -> dict[str, list[int]]:
    """Return where each document that the answers cite is cited."""
    places: dict[str, list[int]] = {}
    for citation in (citation for answer in answers for citation in answer.get("citations", ())):
        places.setdefault(citation["document"], []).append(citation["start"])
    return places


def _list_headings(
    connection: Connection, stored: StoredDocument, cited: list[int], spoken_of: list[int], asked: list[set[str]]
) -> Iterator[str]:
    """Yield the headings of a document that are worth a question, the nearest to a citation first."""
    blocks = [block for block in document_layout.load_blocks(connection, stored.id) if block.kind == "heading"]
    blocks = sorted(blocks, key=lambda block: min(abs(block.start - at) for at in cited))[:_LOOKED_AT]
    starts = [block.start for block in blocks]
    read = {max((start for start in starts if start <= at), default=-1) for at in spoken_of}
    said = [*asked, split_words(stored.title)]
    titles = [
        shorten_heading(document_text.read_text(connection, stored.id, block.start, block.end)) for block in blocks
    ]
    for place in find_real_headings(titles) if stored.kind == "pdf" else range(len(titles)):
        heading = write_in_sentence_case(clean_heading(titles[place]))
        words = split_words(heading)
        if starts[place] not in read and words and not any(words <= each for each in said):
            yield heading
