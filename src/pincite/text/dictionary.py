"""Look up English and French words in the word lists of pyspellchecker."""

import gzip
import pkgutil
import re
from collections.abc import Collection
from functools import cache

_LANGUAGES = ("en", "fr")
_ACCENTED = {"a": "àâä", "c": "ç", "e": "éèêë", "i": "îï", "o": "ôö", "u": "ùûü"}
_ENTRY = re.compile(rb'"([^"]+)":')
_MANY = 20  # words; one pass over the lists is then faster than a search for each word


def is_dictionary_word(word: str) -> bool:
    """Return whether a word, in any form that people write, also without its accents, is English or French."""
    lower = word.lower()
    if not lower.isalpha() or _is_listed(lower):
        return lower.isalpha()
    accented = "".join(f"(?:{'|'.join((sign, *_ACCENTED.get(sign, '')))})" for sign in lower)
    pattern = re.compile(f'"{accented}":'.encode())
    return any(pattern.search(words) for words in _read_word_lists())


def count_uses(word: str) -> int:
    """Return how often the texts behind the word lists have a word, in the language that has it more; 0 if neither."""
    pattern = re.compile(f'"{re.escape(word.lower())}":\\s*(\\d+)'.encode())
    return max((int(found[1]) for words in _read_word_lists() if (found := pattern.search(words))), default=0)


def find_dictionary_words(words: Collection[str]) -> set[str]:
    """Return those of the words in lower case that are English or French, with their accents."""
    known = {word for word in words if word.isalpha()}
    if len(known) < _MANY:
        return set(filter(_is_listed, known))
    asked = {word.encode() for word in known}
    return {
        match[1].decode() for listed in _read_word_lists() for match in _ENTRY.finditer(listed) if match[1] in asked
    }


def _is_listed(word: str) -> bool:
    entry = f'"{word}":'.encode()
    return any(entry in words for words in _read_word_lists())


@cache
def _read_word_lists() -> tuple[bytes, ...]:
    """Return the word lists as they are in their files: 5 MB, where a dictionary of Python would need 45."""
    lists = (pkgutil.get_data("spellchecker", f"resources/{language}.json.gz") for language in _LANGUAGES)
    return tuple(gzip.decompress(each or b"") for each in lists)
