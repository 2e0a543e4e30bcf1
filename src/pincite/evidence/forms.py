"""A word to what it may stand for, and what it excludes: its stems, and its rows in the lexicons."""

from functools import lru_cache
from typing import Protocol, TypeVar

from pincite.evidence.opposites import LOOSE, SIDES
from pincite.evidence.synonyms import GROUPS
from pincite.evidence.tokens import fold

_VERB = 6
T = TypeVar("T")


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802


@lru_cache(maxsize=65536)
def known(lower: str, plain: str) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    """A word's keys, and the rows of opposites it stands in. The cache holds words, never texts."""
    forms = (plain, *_stems(lower))
    synonyms, opposites = _lexicons()
    groups = next((synonyms[form] for form in forms if form in synonyms), ())
    sides = next((opposites[form] for form in forms if form in opposites), ())
    alike = tuple(f"s:{n}" for n in groups) + tuple(f"o:{row}:{side}" for row, side in sides if row not in LOOSE)
    return (*dict.fromkeys(forms), *alike), sides


def _stems(lower: str) -> tuple[str, str]:
    """An English and a French stem: which of the two a word is need not be known."""
    english, french = _stemmers()
    # Snowball leaves "ils baissent" alone, because of "souvent".
    plural = len(lower) > _VERB and lower.endswith("ent") and not lower.endswith("ment")
    return f"e:{fold(english.stemWord(lower))}", f"f:{fold(french.stemWord(lower[:-2] if plural else lower))}"


@lru_cache(maxsize=1)
def _stemmers() -> tuple[_Stemmer, _Stemmer]:
    import Stemmer

    return Stemmer.Stemmer("english"), Stemmer.Stemmer("french")


@lru_cache(maxsize=1)
def _lexicons() -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[tuple[int, int], ...]]]:
    """Both lexicons by form and by stem."""
    return _by_form(GROUPS), _by_form(SIDES)


def _by_form(listed: dict[str, tuple[T, ...]]) -> dict[str, tuple[T, ...]]:
    found: dict[str, tuple[T, ...]] = {}
    for word, entries in listed.items():
        for form in (fold(word), *_stems(word)):
            found[form] = tuple(dict.fromkeys((*found.get(form, ()), *entries)))
    return found
