"""Turn code and the questions about it into terms: each identifier as a whole and in its words.

`parse_reply`, `parseReply` and `ParseReply` give the same terms: `parsereply`, `pars` and `repli`.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import compress

from pincite.index.term_pieces import split_chunk
from pincite.text.folding import fold_accents
from pincite.text.stems import get_stemmer
from pincite.text.stopwords import STOP_WORDS

CODE_ANALYSIS = 1  # stored with the index of a project's files: raise it when the same text would give other terms

_IDENTIFIER = re.compile(r"\w+")
# The words of an identifier: HTTPServer2 is HTTP, Server and 2.
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_HEADING = re.compile(r"^#+[ \t](.*)$", re.MULTILINE)
_KEYWORDS = """
class const def enum fn fun func function impl interface module namespace object protocol record struct trait type
"""
_DEFINING = frozenset(_KEYWORDS.split())  # the next word is the name of a definition
_LONGEST = 64  # characters of an identifier; a longer one is a key or encoded data
_LONGEST_TEXT = 2_000_000  # characters of which the terms are counted
_MOST_IDENTIFIERS = 5000  # different ones in one text; the most frequent ones are kept
_MOST_REPEATS = 8  # of one identifier in one text: more say nothing more about it
_REMEMBERED = 200_000
_QUESTION_WORDS = 64
_STOPS = STOP_WORDS["en"] | STOP_WORDS["fr"]


class _IdentifierCache(dict[str, str]):
    """A cache from identifiers to their terms, each with a space behind it; limited in size."""

    def __init__(self) -> None:
        self._stem = get_stemmer("en")

    def __missing__(self, identifier: str) -> str:
        found = "".join(f"{term} " for term in dict.fromkeys(self._list_terms(identifier)))
        if len(self) >= _REMEMBERED:
            self.clear()
        self[identifier] = found
        return found

    def _list_terms(self, identifier: str) -> Iterable[str]:
        if len(identifier) > _LONGEST:
            return
        if not identifier.isascii():
            for piece in split_chunk(identifier.casefold()):
                yield fold_accents(piece)
            return
        words = _WORD.findall(identifier)
        if len(words) > 1:
            yield "".join(words).lower()
        for word in words:
            if len(word) > 1 or len(words) == 1:
                yield self._stem(word.lower())


_terms = _IdentifierCache()


def write_terms(text: str) -> str:
    """Return the terms of a text with spaces between them, each as often as it is in the text, up to a limit."""
    return _write_identifiers(_IDENTIFIER.findall(text[:_LONGEST_TEXT]))


def write_file_terms(text: str) -> tuple[str, str]:
    """Return the terms of the text of a file, and those of the names that it defines or gives to its sections."""
    identifiers = _IDENTIFIER.findall(text[:_LONGEST_TEXT])
    names = list(compress(identifiers[1:], map(_DEFINING.__contains__, identifiers)))
    if "\n#" in text or text.startswith("#"):
        names += _IDENTIFIER.findall(" ".join(_HEADING.findall(text[:_LONGEST_TEXT])))
    return _write_identifiers(identifiers), _write_identifiers(names)


def count_terms(text: str, wanted: Collection[str]) -> tuple[dict[str, int], int]:
    """Return how often each of the wanted terms is in a text, and how many identifiers the text has."""
    identifiers = Counter(_IDENTIFIER.findall(text))
    counted: dict[str, int] = {}
    for identifier, times in identifiers.items():
        for term in _terms[identifier].split():
            if term in wanted:
                counted[term] = counted.get(term, 0) + times
    return counted, identifiers.total()


def list_query_terms(question: str) -> list[str]:
    """Return the terms of a question, each once, without words that say nothing such as "the"."""
    words = list(dict.fromkeys(_IDENTIFIER.findall(question)))
    asked = [word for word in words if fold_accents(word.casefold()) not in _STOPS][:_QUESTION_WORDS] or words
    return list(dict.fromkeys(term for word in asked for term in _terms[word].split()))[:_QUESTION_WORDS]


def _write_identifiers(identifiers: Sequence[str]) -> str:
    found = Counter(identifiers)
    chosen = found.items() if len(found) <= _MOST_IDENTIFIERS else found.most_common(_MOST_IDENTIFIERS)
    return "".join([_terms[identifier] * min(times, _MOST_REPEATS) for identifier, times in chosen])
