"""Search the notebooks, kept things, highlights and comments of a person by words."""

from dataclasses import dataclass
from typing import Literal

from pincite.conversations.search_excerpt import make_excerpt
from pincite.store import annotations, documents, notebook_items, notebooks
from pincite.store.database import Database
from pincite.store.sql_folding import split_search_words
from pincite.text.folding import fold_in_place


@dataclass(frozen=True, slots=True)
class FoundNote:
    """A notebook, a kept thing or a highlight that contains the words of a search.

    `title` is that of the notebook, or of the document with the highlight.
    """

    kind: Literal["notebook", "item", "annotation"]
    id: str
    title: str
    excerpt: str = ""
    notebook: str = ""
    document: str = ""
    start: int = 0
    end: int = 0
    page: int | None = None
    label: str = ""


def search_notes(database: Database, person: str, words: str, limit: int = 20) -> list[FoundNote]:
    """Return up to `limit` notebooks by title, then as many kept things, then as many highlights and comments.

    Each contains all words. Accents and case are ignored.
    """
    sought = split_search_words(words)
    if not sought:
        return []
    with database.reading() as connection:
        titles = {each.id: each.title for each in notebooks.find(connection, person)}
        items = notebook_items.find_by_words(connection, person, words, limit)
        highlights = annotations.find_by_words(connection, person, words, limit)
        names = {
            each.id: each.title
            for each in documents.get_many(connection, person, annotations.list_documents(highlights))
        }
    named = [id for id, title in titles.items() if all(word in fold_in_place(title) for word in sought)]
    return [
        *(FoundNote("notebook", id, titles[id], notebook=id) for id in named[:limit]),
        *(
            FoundNote(
                "item",
                each.id,
                titles.get(each.notebook, ""),
                make_excerpt(" — ".join(filter(None, (each.comment, each.text, each.question))), sought),
                notebook=each.notebook,
            )
            for each in items
        ),
        *(
            FoundNote(
                "annotation",
                each.id,
                names.get(each.document, ""),
                make_excerpt(" — ".join(filter(None, (each.comment, each.quote))), sought),
                document=each.document,
                start=each.start,
                end=each.end,
                page=each.page,
                label=each.label,
            )
            for each in highlights
        ),
    ]
