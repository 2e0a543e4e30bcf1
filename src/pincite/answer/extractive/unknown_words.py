"""Find the words of a question that are names typed in lower case and that no document has: "nixpkgs", "netflix".

The dictionaries and the embedder's vocabulary tell such a word from an ordinary one that the documents do not use.
"""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import islice
from string import ascii_lowercase

from pincite.text.dictionary import count_uses, find_dictionary_words, is_dictionary_word
from pincite.text.folding import fold_word
from pincite.text.stopwords import ENGLISH_OR_FRENCH
from pincite.text.words import LETTERS, blank_elisions

_READ, _TRIED = 200, 8  # words of a question at most, and those that are compared with correct words: that takes long
_SHORTEST = 4  # letters
_SHORT = 5  # too many shorter words are abbreviations or common ones
_MOSTLY = 0.92  # of the uses of a word that have a capital: then it is a name
_RARE = 1000  # uses in the texts behind the dictionaries: fewer may be of a name
_ALIKE = 0.6  # of the longer of two words that both begin with: then one is made from the other
_SPOKEN = 2 / 3  # of the words of an English or French question that the dictionaries have, at least
_TYPED = ascii_lowercase + "àâçèéêîôùû"  # letters that a misspelling may have


def list_unknown_words(
    question: str, is_written: Callable[[str], object], forms: Collection[str], capitals: Callable[[str], float | None]
) -> list[str]:
    """Return the words that are names in lower case and that no document has.

    `is_written` says whether a document has a word, `forms` are the folded words of the passages found, and `capitals`
    gives the share of a word's uses that have a capital; None for an unknown word.
    """
    words = list(dict.fromkeys(LETTERS.findall(blank_elisions(question))))[:_READ]
    if not _is_spoken(words):
        return []
    names = (
        word
        for word in words
        if len(word) >= _SHORTEST
        and word.islower()
        and fold_word(word) not in ENGLISH_OR_FRENCH
        and _is_name(word, capitals(word))
        and not is_written(word)
        and not any(_are_alike(fold_word(word), form) for form in forms)
    )
    return [word for word in islice(names, _TRIED) if capitals(word) is not None or not _is_misspelt(word)]


def _is_spoken(words: Sequence[str]) -> bool:
    """Whether words are English or French. Of so few words a detector of languages is often wrong."""
    return sum(map(is_dictionary_word, words)) >= _SPOKEN * len(words)


def _is_name(word: str, share: float | None) -> bool:
    """Whether a word is a name. A vocabulary that has it with a capital alone says so of a rare word only."""
    if share is None:
        return len(word) >= _SHORT and not is_dictionary_word(word)
    return share > _MOSTLY and (share < 1 or count_uses(word) < (_RARE if len(word) >= _SHORT else 1))


def _are_alike(word: str, form: str) -> bool:
    """Whether one of two words is made from the other: télétravailler, télétravail."""
    shared = next((place for place, pair in enumerate(zip(word, form, strict=False)) if pair[0] != pair[1]), None)
    length = min(len(word), len(form)) if shared is None else shared
    return length >= max(_SHORT, _ALIKE * max(len(word), len(form)))


@lru_cache(maxsize=256)
def _is_misspelt(word: str) -> bool:
    """Whether a word that is in no dictionary is one letter, or two swapped letters, away from a word that is."""
    if is_dictionary_word(word):
        return False
    parts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    near = {before + after[1:] for before, after in parts if after}
    near |= {before + after[1] + after[0] + after[2:] for before, after in parts if len(after) > 1}
    near |= {before + letter + rest for before, after in parts for letter in _TYPED for rest in (after, after[1:])}
    return bool(find_dictionary_words(near))
