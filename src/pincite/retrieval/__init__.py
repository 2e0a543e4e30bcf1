"""A question to ranked passages. `open_search` composes a search from the settings."""

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.index import Index
    from pincite.index.embed import Embedder
    from pincite.retrieval.search import Search
    from pincite.settings import Settings
    from pincite.store.database import Database


def open_search(database: "Database", index: "Index", settings: "Settings") -> "Search":
    """A search with the settings' embedder; by words alone, with a warning, when that cannot be had."""
    from pincite.retrieval.search import Search

    return Search(database, index, open_embedder(settings), settings)


def open_embedder(settings: "Settings") -> "Embedder | None":
    """The settings' embedder; None, with a warning, when it cannot be had."""
    from pincite.errors import EmbeddingError
    from pincite.index.embed import embedder

    try:
        return embedder(settings.embedding, settings.data)
    except EmbeddingError as error:
        logging.getLogger(__name__).warning("%s Searching by words alone. %s", error.message, error.hint)
        return None
