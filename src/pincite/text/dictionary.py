"""Look up English and French words in the word lists of pyspellchecker."""

import gzip
import pkgutil
import re
from collections.abc import Collection
from functools import cache

_LANGUAGES = ("en", "fr")
_ACCENTED = {"a": "àâä", "c": "ç", "e": "éèêë", "i": "îï", "o": "ôö", "u": "ùûü"}
_ENTRY = re.compile(rb'"([^"]+)":')
_MANY = 5000  # words; one pass over the lists is then faster than a search for each word


def is_dictionary_word(word: str) -> bool:
    """Return whether a word, in any form that people write, also without its accents, is English or French."""
    lower = word.lower()
    if not lower.isalpha() or _is_listed(lower):
        return lower.isalpha()
    return any(_has_accented(listed, lower) for listed in _read_word_lists())


def count_uses(word: str) -> int:
    """Return how often the texts behind the word lists have a word, in the language that has it more; 0 if neither."""
    start = f'"{word.lower()}":'.encode()
    lines = (_find_line(listed, start) for listed in _read_word_lists())
    return max((int(line[len(start) :].strip(b" ,")) for line in lines if line.startswith(start)), default=0)


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
    start = f'"{word}":'.encode()
    return any(_find_line(listed, start).startswith(start) for listed in _read_word_lists())


def _has_accented(listed: bytes, word: str) -> bool:
    """Whether a list has a word with other accents. Beginnings that no entry has are not followed."""
    starts = {'"'}
    for sign in word:
        longer = {start + each for start in starts for each in (sign, *_ACCENTED.get(sign, ""))}
        starts = {start for start in longer if _find_line(listed, start.encode()).startswith(start.encode())}
    return any(_find_line(listed, key).startswith(key) for key in (f'{start}":'.encode() for start in starts))


def _find_line(listed: bytes, start: bytes) -> bytes:
    """Return the first line of a sorted list that does not come before `start`; empty at the end."""
    low, high = 0, len(listed)
    while low < high:
        line = listed.rfind(b"\n", low, (low + high) // 2) + 1 or low
        end = listed.find(b"\n", line) % (len(listed) + 1)
        if listed[line:end] < start:
            low = end + 1
        else:
            high = line
    return listed[low : listed.find(b"\n", low) % (len(listed) + 1)]


@cache
def _read_word_lists() -> tuple[bytes, ...]:
    """Return the lines of the files, one word each in the order of their bytes: 5 MB, where a dictionary needs 45."""
    lists = (pkgutil.get_data("spellchecker", f"resources/{language}.json.gz") for language in _LANGUAGES)
    return tuple(gzip.decompress(each or b"").removeprefix(b"{\n") for each in lists)
