"""Text in, vectors out: the built-in model, an endpoint, or a hub model, behind one protocol."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pincite.settings import EmbeddingSettings


class Embedder(Protocol):
    """Turns texts into float32 rows, in the order given; vectors of equal `name` may be compared.

    Rows have length one, unless `embedding.similarity` is `dot`: then they are as the model gives them.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]: ...

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


def embedder(settings: EmbeddingSettings, data: Path) -> Embedder | None:
    """The embedder that the settings name, or None for searching by words alone; `data` is where models are kept."""
    if settings.provider == "none":
        return None
    if settings.provider == "local":
        from pincite.index.embed.e5 import E5

        return E5(settings, data)
    if settings.provider == "hub":
        from pincite.index.embed.hub import Hub

        return Hub(settings, data)
    from pincite.index.embed.endpoint import Endpoint

    return Endpoint(settings)
