"""Correct misspelt words of a question to the nearest words of the documents.

A word is corrected only if no document in scope has it in any form, and one has a word at a small edit distance.
Numbers, codes, acronyms and quoted words stay as they are. So does every word of the dictionary and of the embedder's
vocabulary: it is spelt correctly, the documents just do not mention it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.events import Correction
from pincite.index.known_words import Vocabulary
from pincite.store import documents
from pincite.text.dictionary import is_dictionary_word
from pincite.text.words import LETTERS
from pincite.types import Scope

if TYPE_CHECKING:
    from pincite.index import Index
    from pincite.store.database import Database

_SHORTEST = 4  # letters: a shorter word has too many near words
_WORDS = 40  # of a question: a pasted page is not corrected
_QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”|«[^«»]*»|`[^`]*`|(?<![^\s\"”»`])[^\s\"”»`/@\\]*[/@\\]\S*")
_CODE = re.compile(r"(?<![\w.&+#-])(?:[^\W\d_]|-)*[\d_&+#.][\w.&+#-]*\w")


@dataclass(frozen=True, slots=True)
class CorrectedQuestion:
    """The question to search for, and the words of it that were corrected."""

    question: str
    words: tuple[Correction, ...] = ()


def correct_words(
    question: str,
    database: "Database",
    index: "Index",
    scope: Scope,
    is_word: Callable[[str], bool] | None = None,
) -> CorrectedQuestion:
    """Return the question with each word that no document in scope has replaced by the nearest word that one has.

    `is_word` tells of more words than the dictionary's that they are correct even if no document has them.
    """
    written = list(_list_words(question))
    if not written or len(written) > _WORDS:
        return CorrectedQuestion(question)
    with database.searching() as connection:
        look = Vocabulary(
            connection, index, documents.list_ids_in_scope(connection, scope), documents.list_languages(connection)
        )
        changes = [
            (match, near)
            for match in written
            if look.is_unknown(match[0])
            and not is_dictionary_word(match[0])
            and not (is_word and is_word(match[0]))
            and (near := look.find_nearest(match[0]))
        ]
    text = question
    for match, word in reversed(changes):
        text = text[: match.start()] + word + text[match.end() :]
    return CorrectedQuestion(text, tuple({m[0]: Correction(written=m[0], read=word) for m, word in changes}.values()))


def _list_words(question: str) -> Iterator[re.Match[str]]:
    """Yield the words of a question that may be misspelt: not quoted, no part of a code, no acronym, not too short."""
    kept = [match.span() for pattern in (_QUOTED, _CODE) for match in pattern.finditer(question)]
    has_small = any(map(str.islower, question))
    for match in LETTERS.finditer(question):
        is_kept = any(start < match.end() and match.start() < end for start, end in kept)
        is_acronym = match[0].isupper() and has_small
        if len(match[0]) >= _SHORTEST and not is_kept and not is_acronym:
            yield match
