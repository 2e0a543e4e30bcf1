"""Name the vectors of a model: equal names mean comparable vectors."""

from pincite.settings import EmbeddingSettings

E5_PREFIXES = ("query: ", "passage: ")


def make_vector_name(settings: EmbeddingSettings) -> str:
    """Return the model's name, with provider, prefixes and similarity if they are not the usual ones.

    The built-in model returns vectors of length one, for which both similarities are the same.
    """
    prefixes = (settings.query_prefix, settings.passage_prefix)
    expected = E5_PREFIXES if "e5" in settings.model.lower() else ("", "")
    name = settings.model if settings.provider == "local" else f"{settings.provider}:{settings.model}"
    name = name if prefixes == expected else f"{name} [{prefixes[0]}|{prefixes[1]}]"
    return f"{name} [dot]" if settings.similarity == "dot" and settings.provider != "local" else name
