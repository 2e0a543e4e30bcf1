"""Text to the terms it is found by, the same for documents and questions and for both engines."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from pincite.index.pieces import pieces
from pincite.index.stems import fold, stemmer
from pincite.index.stopwords import STOP_WORDS

# Stored with each document: raise it whenever the same text would give other terms, and `pincite reindex` re-words.
ANALYSIS = 1

# A question is worded in the languages that most documents are in; more would only make it longer.
_LANGUAGES_OF_A_QUESTION = 6
# Somebody may paste a page: its first words will do.
_WORDS_OF_A_QUESTION = 100
_REMEMBERED = 200_000

# A chunk is what stands together: a word with its apostrophes and hyphens, a number with its points and groups.
# Marks of Indic and Thai scripts belong to their letters, though Python does not count them as word characters.
_LETTER = r"[\w\u0300-\u036f\u0900-\u0eff]"
_CHUNK = re.compile(
    rf"\d{{1,3}}(?:[ ]\d{{3}})+(?!\d)(?:[.,]\d+)?(?!{_LETTER})"
    rf"|{_LETTER}+(?:(?:['’ʼ&.\-‐‑]|(?<=\d),(?=\d)){_LETTER}+)*(?:\+\+|\#)?"
)
_LINE_END = re.compile("\u00ad(?:[ \t]*\r?\n[ \t]*)?")


@dataclass(frozen=True, slots=True)
class Sought:
    """One word of a question with every form it may be indexed under, one for each language's stems."""

    variants: tuple[str, ...]


class _Words(dict[str, tuple[str, ...]]):
    """Chunk → terms in one language, worked out once for each chunk; bounded, for documents are full of numbers."""

    def __init__(self, language: str) -> None:
        self.stops = STOP_WORDS.get(language, frozenset())
        self.stem = stemmer(language)

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        found = tuple(term for piece in pieces(chunk) if (term := self.term(piece)))
        if len(chunk) <= 40:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[chunk] = found
        return found

    def term(self, piece: str) -> str:
        folded = fold(piece)
        if folded in self.stops:
            return ""
        return self.stem(piece) if piece.isalpha() else folded


_words: dict[str, _Words] = {}


def terms(text: str, language: str) -> list[str]:
    """The terms of a document's text in their order; an unknown language ("") is not stemmed."""
    return list(chain.from_iterable(map(_of(language).__getitem__, chunks(text))))


def question_terms(text: str, languages: Sequence[str]) -> list[Sought]:
    """The words of a question, each once, in the forms that documents in these languages are indexed under.

    A language's stop words are in none of its documents; those of the question's own language, where they are enough
    to tell it, are not looked for in the others' documents either."""
    asked = list(dict.fromkeys(chunks(text)))[:_WORDS_OF_A_QUESTION]
    stops = _stops_of_question(asked)
    spoken = list(languages)[:_LANGUAGES_OF_A_QUESTION] or ["en", "fr"]
    found: dict[tuple[str, ...], None] = {}
    for chunk in asked:
        for piece in pieces(chunk):
            if fold(piece) in stops:
                continue
            variants = dict.fromkeys(term for language in spoken if (term := _of(language).term(piece)))
            if variants:
                found.setdefault(tuple(variants))
    return [Sought(variants) for variants in found]


def chunks(text: str) -> list[str]:
    """The text cut into chunks, in lower case and one spelling; a word cut by a line's end is whole again."""
    if "\u00ad" in text:
        text = _LINE_END.sub("", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found: list[str] = _CHUNK.findall(text.casefold())
    return found


def _of(language: str) -> _Words:
    language = language.lower()[:2]
    if language not in _words:
        _words[language] = _Words(language)
    return _words[language]


def _stops_of_question(asked: Iterable[str]) -> frozenset[str]:
    """The stop words of the question's language, none when fewer than two tell it; of equals, those they share."""
    words = {fold(piece) for chunk in asked for piece in pieces(chunk)}
    known = {language: len(words & stops) for language, stops in STOP_WORDS.items()}
    most = max(known.values())
    if most < 2:
        return frozenset()
    return frozenset.intersection(*(STOP_WORDS[language] for language, n in known.items() if n == most))
