"""The name that is kept with vectors: equal names mean comparable vectors."""

from pincite.settings import EmbeddingSettings

E5_PREFIXES = ("query: ", "passage: ")


def vector_name(settings: EmbeddingSettings) -> str:
    """Settings in; the model's name out, with the provider and the prefixes where they are not what is expected."""
    prefixes = (settings.query_prefix, settings.passage_prefix)
    expected = E5_PREFIXES if "e5" in settings.model.lower() else ("", "")
    name = settings.model if settings.provider == "local" else f"{settings.provider}:{settings.model}"
    return name if prefixes == expected else f"{name} [{prefixes[0]}|{prefixes[1]}]"
