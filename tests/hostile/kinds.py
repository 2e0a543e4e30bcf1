"""The register of hostile kinds, and the words that files are filled with."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

Maker = Callable[[Random, int], bytes]

_TEXT = """
    the committee reviewed annual budget travel costs energy quarter members opinion vote spring conseil examiné
    déplacement énergie augmentait membres avis printemps report revenue region table 12 4711 2023 1.5
"""
_WORDS = _TEXT.split()


@dataclass(frozen=True)
class Kind:
    """A kind of file: its name's ending, how it is made, and how large it is in the quick and in the long test.

    `is_steady` is whether twice the size is twice the work; where a limit or an error ends it, it is not.
    """

    name: str
    ending: str
    make: Maker
    quick: int
    large: int
    is_steady: bool = True


KINDS: dict[str, Kind] = {}


def kind(ending: str, quick: int, large: int, *, is_steady: bool = True) -> Callable[[Maker], Maker]:
    """Enter a function that makes a file of `size` parts into the register, under its own name."""

    def enter(maker: Maker) -> Maker:
        name = maker.__name__
        assert name not in KINDS, name
        KINDS[name] = Kind(name, ending, maker, quick, large, is_steady)
        return maker

    return enter


def words(chance: Random, count: int) -> str:
    """So many words, with a full stop now and then."""
    chosen = chance.choices(_WORDS, k=count)
    return " ".join(f"{word}." if place % 17 == 16 else word for place, word in enumerate(chosen))
