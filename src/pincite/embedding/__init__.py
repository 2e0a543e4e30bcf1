"""Embed text: the built-in model, an endpoint, or a hub model, behind one protocol."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pincite.settings import EmbeddingSettings


class Embedder(Protocol):
    """Embed texts as float32 rows, in the given order; vectors of equal `name` may be compared.

    Rows have length one, unless `embedding.similarity` is `dot`: then they are as the model returns them.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]: ...

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


def create_embedder(settings: EmbeddingSettings, data: Path) -> Embedder | None:
    """Create the embedder of the settings, or None to search by words alone; `data` is the folder for models."""
    if settings.provider == "none":
        return None
    if settings.provider == "local":
        from pincite.embedding.e5 import E5Embedder

        return E5Embedder(settings, data)
    if settings.provider == "hub":
        from pincite.embedding.hub import HubEmbedder

        return HubEmbedder(settings, data)
    from pincite.embedding.endpoint import EndpointEmbedder

    return EndpointEmbedder(settings)
