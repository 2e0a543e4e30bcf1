"""Look up English and French words in the word lists of pyspellchecker."""

import gzip
import pkgutil
import re
from functools import cache

_LANGUAGES = ("en", "fr")
_ACCENTED = {"a": "àâä", "c": "ç", "e": "éèêë", "i": "îï", "o": "ôö", "u": "ùûü"}


def is_dictionary_word(word: str) -> bool:
    """Return whether a word, in any form that people write, also without its accents, is English or French."""
    if not word.isalpha():
        return False
    lists, lower = _read_word_lists(), word.lower()
    entry = f'"{lower}":'.encode()
    if any(entry in words for words in lists):
        return True
    accented = "".join(f"(?:{'|'.join((sign, *_ACCENTED.get(sign, '')))})" for sign in lower)
    pattern = re.compile(f'"{accented}":'.encode())
    return any(pattern.search(words) for words in lists)


@cache
def _read_word_lists() -> tuple[bytes, ...]:
    """Return the word lists as they are in their files: 5 MB, where a dictionary of Python would need 45."""
    lists = (pkgutil.get_data("spellchecker", f"resources/{language}.json.gz") for language in _LANGUAGES)
    return tuple(gzip.decompress(each or b"") for each in lists)
