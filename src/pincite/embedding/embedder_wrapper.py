"""The part that embedders around another embedder have in common."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.embedding import Embedder


class EmbedderWrapper:
    """Hold an embedder. `load` and other abilities that not every embedder has are those of the wrapped one."""

    def __init__(self, embedder: "Embedder") -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def __getattr__(self, ability: str) -> Any:
        if ability.startswith("_"):  # a copy without fields asks for `_embedder`
            raise AttributeError(ability)
        return getattr(self._embedder, ability)
