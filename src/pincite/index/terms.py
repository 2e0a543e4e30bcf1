"""Turn text into the terms it is found by, the same for documents and questions and for both engines."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from pincite.index.term_pieces import split_chunk
from pincite.text.folding import fold_accents
from pincite.text.stems import get_stemmer
from pincite.text.stopwords import QUESTION_WORDS, STOP_WORDS

# Stored with each document: raise it when the same text would give other terms; `pincite reindex` then updates them.
ANALYSIS = 1

# A question is stemmed in the languages of most documents; more would only make it longer.
_LANGUAGES_OF_A_QUESTION = 6
# A pasted page is cut to its first words.
_WORDS_OF_A_QUESTION = 100
_REMEMBERED = 200_000

# A chunk is a word with its apostrophes and hyphens, or a number with its points and groups.
# Marks of Indic and Thai scripts belong to their letters, though Python does not count them as word characters.
_LETTER = r"[\w\u0300-\u036f\u0900-\u0eff]"
_CHUNK = re.compile(
    rf"\d{{1,3}}(?:[ ]\d{{3}})+(?!\d)(?:[.,]\d+)?(?!{_LETTER})"
    rf"|{_LETTER}+(?:(?:['’ʼ&.\-‐‑]|(?<=\d),(?=\d)){_LETTER}+)*(?:\+\+|\#)?"
)
_ELIDED = re.compile(r"^[^\W\d_]+(?=['’ʼ])")  # the l of l'eau
_LINE_END = re.compile("\u00ad(?:[ \t]*\r?\n[ \t]*)?")


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A word of a question with every form it may be indexed under: one stem for each language."""

    variants: tuple[str, ...]


class _TermCache(dict[str, tuple[str, ...]]):
    """A cache from chunks to terms in one language; its size is limited, since documents are full of numbers."""

    def __init__(self, language: str) -> None:
        self.stops = STOP_WORDS.get(language, frozenset())
        self.stem = get_stemmer(language)

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        found = tuple(term for piece in split_chunk(chunk) if (term := self.term(piece)))
        if len(chunk) <= 40:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[chunk] = found
        return found

    def term(self, piece: str) -> str:
        folded = fold_accents(piece)
        if folded in self.stops:
            return ""
        return self.stem(piece) if piece.isalpha() else folded


_term_caches: dict[str, _TermCache] = {}


def list_terms(text: str, language: str) -> list[str]:
    """Return the terms of a document's text in their order; an unknown language ("") is not stemmed."""
    return list(chain.from_iterable(map(_get_term_cache(language).__getitem__, split_chunks(text))))


def list_question_terms(text: str, languages: Sequence[str]) -> list[QueryTerm]:
    """Return the words of a question, each once, in the forms that documents in these languages are indexed under.

    The stop words of a language are in none of its documents. The stop words of the question's own language, if at
    least two identify it, are not searched for in documents of other languages either. Words that ask are in documents
    and are not searched for.
    """
    asked = list(dict.fromkeys(split_chunks(text)))[:_WORDS_OF_A_QUESTION]
    stops = _find_stop_words(asked) | QUESTION_WORDS
    spoken = list(languages)[:_LANGUAGES_OF_A_QUESTION] or ["en", "fr"]
    found: dict[tuple[str, ...], None] = {}
    for chunk in asked:
        for piece in split_chunk(chunk):
            if fold_accents(piece) in stops:
                continue
            variants = dict.fromkeys(term for language in spoken if (term := _get_term_cache(language).term(piece)))
            if variants:
                found.setdefault(tuple(variants))
    return [QueryTerm(variants) for variants in found]


def split_chunks(text: str) -> list[str]:
    """Split a text into chunks, in lower case and one spelling; a word broken by a line end is joined."""
    if "\u00ad" in text:
        text = _LINE_END.sub("", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found: list[str] = _CHUNK.findall(text.casefold())
    return found


def _get_term_cache(language: str) -> _TermCache:
    language = language.lower()[:2]
    if language not in _term_caches:
        _term_caches[language] = _TermCache(language)
    return _term_caches[language]


def _find_stop_words(asked: Iterable[str]) -> frozenset[str]:
    """Return the stop words of the question's language; none if fewer than two, elided ones too, identify it.

    If several languages are equally likely, return the stop words that they share.
    """
    words = {fold_accents(piece) for chunk in asked for piece in (*split_chunk(chunk), *_ELIDED.findall(chunk))}
    known = {language: len(words & stops) for language, stops in STOP_WORDS.items()}
    most = max(known.values())
    if most < 2:
        return frozenset()
    return frozenset.intersection(*(STOP_WORDS[language] for language, n in known.items() if n == most))
