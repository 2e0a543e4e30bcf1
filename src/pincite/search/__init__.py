"""Search for the passages that answer a question. `open_search` builds a search from the settings."""

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.embedding import Embedder
    from pincite.index import Index
    from pincite.search.search import PassageSearch
    from pincite.settings import Settings
    from pincite.store.database import Database


def open_search(database: "Database", index: "Index", settings: "Settings") -> "PassageSearch":
    """Return a search with the settings' embedder, or by words alone, with a warning, if there is none."""
    from pincite.search.search import PassageSearch

    return PassageSearch(database, index, open_embedder(settings), settings)


def open_embedder(settings: "Settings") -> "Embedder | None":
    """Return the settings' embedder, or None, with a warning, if it is unavailable."""
    from pincite.embedding import create_embedder
    from pincite.errors import EmbeddingError

    try:
        return create_embedder(settings.embedding, settings.data)
    except EmbeddingError as error:
        logging.getLogger(__name__).warning("%s Searching by words alone. %s", error.message, error.hint)
        return None
