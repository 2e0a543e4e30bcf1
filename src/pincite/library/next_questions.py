"""Suggest what to ask next in a conversation: headings near the cited passages about which nothing was asked yet."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from pincite.library.document_structure import shorten_heading
from pincite.library.suggestions import QuestionSuggestion, clean_heading, make_suggestion, split_words
from pincite.store import conversations, document_layout, document_text, documents, messages
from pincite.store.database import Connection, Database
from pincite.store.documents import StoredDocument

_LOOKED_AT = 400  # headings per document
_DOCUMENTS = 6  # cited documents that are looked at


def suggest_follow_ups(database: Database, owner: str, conversation: str, count: int = 3) -> list[QuestionSuggestion]:
    """Suggest headings of the documents that the last answer cites, the nearest to its citations first.

    A heading is left out if a question or the title of its document has all its words, or if a cited passage stands
    under it. All are of the language of the document that is cited first. Raise `NotFound` if the owner has no such
    conversation.
    """
    with database.reading() as connection:
        conversations.get(connection, owner, conversation)
        said = messages.find(connection, conversation)
        answer = next((each.answer for each in reversed(said) if each.answer), None)
        asked = [split_words(each.content) for each in said if each.role == "user"]
        cited = _list_places(answer or {})
        known = documents.get_many(connection, owner, list(cited)[:_DOCUMENTS])
        known = [each for each in known if each.language == known[0].language]
        found = [list(_list_headings(connection, each, cited[each.id], asked)) for each in known]
    # Two of the document that is cited first, which fits the question best, then one of each document in turn.
    first = [make_suggestion(known[0], heading) for heading in found[0][:2]] if found else []
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


def _list_places(answer: Mapping[str, Any]) -> dict[str, list[int]]:
    """Return where each cited document is cited."""
    places: dict[str, list[int]] = {}
    for citation in answer.get("citations", ()):
        places.setdefault(citation["document"], []).append(citation["start"])
    return places


def _list_headings(
    connection: Connection, stored: StoredDocument, cited: list[int], asked: list[set[str]]
) -> Iterator[str]:
    """Yield the headings of a document that are worth a question, the nearest to a citation first."""
    blocks = [block for block in document_layout.load_blocks(connection, stored.id) if block.kind == "heading"]
    blocks = blocks[:_LOOKED_AT]
    read = {max((block.start for block in blocks if block.start <= at), default=-1) for at in cited}
    said = [*asked, split_words(stored.title)]
    for block in sorted(blocks, key=lambda block: min(abs(block.start - at) for at in cited)):
        if block.start in read:
            continue
        heading = clean_heading(shorten_heading(document_text.read_text(connection, stored.id, block.start, block.end)))
        words = split_words(heading)
        if words and not any(words <= each for each in said):
            yield heading
