"""Look up words of the documents through the terms of the index: is a word known, and which words are near it?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pincite.index.terms import QueryTerm, list_question_terms, list_terms
from pincite.store import document_text, stored_passages
from pincite.text.folding import fold_accents
from pincite.text.stopwords import ENGLISH_OR_FRENCH
from pincite.text.words import LETTERS

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from pincite.index import Index

_LONG = 9  # letters from which on a misspelling may have two edits
_SHORT = 4  # letters: only swapped letters are corrected in so short a word, which has many near ones
_STEM = 4  # letters that a stem must have to be taken for the beginning of a word
_CANDIDATES = 12  # terms of the index that are tried, as whole words and as stems
_PASSAGES = 6  # in which the words behind a term are read


@dataclass(frozen=True, slots=True)
class _Near:
    """A word of the documents near a written one, with its edit distance and the number of passages that have it."""

    edits: int
    passages: int
    word: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of the documents in scope, found through the terms of the index."""

    connection: "Connection"
    index: "Index"
    inside: frozenset[str] | None
    languages: Sequence[str]

    def is_unknown(self, word: str) -> bool:
        """Whether no passage has the word; a word that is never searched for, such as a stop word, is not unknown."""
        asked = list_question_terms(word, self.languages)
        return bool(asked) and not self.index.lexical(self.connection, asked, self.inside, 1)

    def find_nearest(self, written: str) -> str:
        """Return the word of the documents that is nearest to a written one; empty if none is near."""
        folded = fold_accents(written.casefold())
        most = 2 if len(folded) >= _LONG else 1
        small = min((_count_edits(folded, word) for word in ENGLISH_OR_FRENCH), default=most + 1)
        found = [
            _Near(edits, count, word)
            for term, count in self._list_candidates(folded, most)
            for word in self._list_forms(term, written[:1].isupper() and not written.isupper())
            if (edits := _count_edits(folded, near := fold_accents(word.casefold()))) <= most
            and (_has_same_letters(folded, near) if len(written) <= _SHORT else not _is_other_form(folded, near))
        ]
        best = min(found, key=lambda one: (one.edits, -one.passages, one.word), default=None)
        return best.word if best and best.edits < small else ""

    def _list_candidates(self, written: str, most: int) -> list[tuple[str, int]]:
        """Return the terms that a word near the written one may be indexed under, with their passage counts.

        A term is a stem in some languages: it is compared with as many letters of the written word as it has.
        """
        # The first letter is rarely wrong, but it may be swapped with the second.
        beginnings = dict.fromkeys((written[0], written[1] + written[0]))
        counts = {
            term: count
            for first in beginnings
            for term, count in self.index.terms(self.connection, first)
            if _STEM <= len(term) <= len(written) + most and term.isalpha()
        }
        by_length: dict[int, list[str]] = {}
        for term in counts:
            by_length.setdefault(len(term), []).append(term)
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        whole: dict[str, int] = {}
        stems: dict[str, int] = {}
        for length, same in by_length.items():
            for prefix in {written[: length + step] for step in (-1, 0, 1)} | {written}:
                is_whole = prefix == written
                edits = whole if is_whole else stems
                allowed = most if is_whole else 1
                for term, distance, _ in process.extract(
                    prefix, same, scorer=OSA.distance, score_cutoff=allowed, limit=None
                ):
                    edits[term] = min(distance, edits.get(term, distance))
        near = sorted(whole, key=lambda term: (whole[term], -counts[term], term))[:_CANDIDATES]
        # A longer stem leaves less of the written word undecided.
        begun = sorted(stems.keys() - whole.keys(), key=lambda term: (stems[term], -len(term), -counts[term], term))
        return [(term, counts[term]) for term in (*near, *begun[:_CANDIDATES])]

    def _list_forms(self, term: str, is_name: bool) -> list[str]:
        """Return the words behind a term in some passages, in their most frequent spelling.

        For a name, only words with a capital are returned.
        """
        found = self.index.lexical(self.connection, [QueryTerm((term,))], self.inside, _PASSAGES)
        forms: dict[str, Counter[str]] = {}
        is_form = partial(self._is_form, term)
        for row in stored_passages.get(self.connection, [id for id, _ in found]):
            body = document_text.read_text(self.connection, row.document, row.passage.start, row.passage.end)
            for word in LETTERS.findall("\n".join((row.title, *row.passage.headings, body))):
                if word.casefold() in forms or is_form(word):
                    forms.setdefault(word.casefold(), Counter())[word] += 1
        written = (max(counted, key=lambda word: (counted[word], word)) for counted in forms.values())
        return [word for word in written if not is_name or word[:1].isupper()]

    def _is_form(self, term: str, word: str) -> bool:
        if fold_accents(word[:1].casefold())[:1] != term[:1]:
            return False
        return any(list_terms(word, language) == [term] for language in (*self.languages, ""))


def _count_edits(one: str, other: str) -> int:
    """Return how many letters are missing, added, changed or swapped with their neighbour."""
    from rapidfuzz.distance import OSA

    return OSA.distance(one, other)


def _has_same_letters(one: str, other: str) -> bool:
    return sorted(one) == sorted(other)


def _is_other_form(one: str, other: str) -> bool:
    """Whether two words differ only in the last letter: they are then forms of one word, and no misspelling."""
    from rapidfuzz.distance import Prefix

    return Prefix.similarity(one, other) >= max(len(one), len(other)) - 1
