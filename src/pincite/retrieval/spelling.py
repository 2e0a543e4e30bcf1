"""Misspelt words of a question to the nearest words of the documents.

A word is corrected only when no document in scope has it, in any of its forms, and a word at a small edit distance
stands in one of them. Numbers, codes, acronyms and quoted words stay as they are, and so does every word that the
embedder's vocabulary has: it is spelt well, the documents just do not mention it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.events import Correction
from pincite.index.vocabulary import WORD, Vocabulary
from pincite.store import documents
from pincite.types import Scope

if TYPE_CHECKING:
    from pincite.index import Index
    from pincite.store.database import Database

_SHORTEST = 5  # letters: of a shorter word too many others are near
_WORDS = 40  # of a question: a pasted page is not corrected
_QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”|«[^«»]*»|`[^`]*`|(?<![^\s\"”»`])[^\s\"”»`/@\\]*[/@\\]\S*")
_CODE = re.compile(r"(?<![\w.&+#-])(?:[^\W\d_]|-)*[\d_&+#.][\w.&+#-]*\w")


@dataclass(frozen=True, slots=True)
class Corrected:
    """A question as it is searched for, and the words of it that were read as others."""

    question: str
    words: tuple[Correction, ...] = ()


def correct_words(
    question: str,
    database: "Database",
    index: "Index",
    scope: Scope,
    is_word: Callable[[str], bool] = lambda _: False,
) -> Corrected:
    """The question with each word that no document in scope has replaced by the nearest that one has.

    `is_word` tells whether a word is known to be spelt well, whatever the documents have.
    """
    written = list(_list_words(question))
    if not written or len(written) > _WORDS:
        return Corrected(question)
    with database.reading() as connection:
        look = Vocabulary(connection, index, documents.in_scope(connection, scope), documents.languages(connection))
        changes = [
            (match, near)
            for match in written
            if look.lacks(match[0]) and not is_word(match[0]) and (near := look.find_nearest(match[0]))
        ]
    text = question
    for match, word in reversed(changes):
        text = text[: match.start()] + word + text[match.end() :]
    return Corrected(text, tuple({m[0]: Correction(written=m[0], read=word) for m, word in changes}.values()))


def _list_words(question: str) -> Iterator[re.Match[str]]:
    """The words of a question that may be misspelt: not quoted, no part of a code, no acronym, not too short."""
    kept = [match.span() for pattern in (_QUOTED, _CODE) for match in pattern.finditer(question)]
    has_small = any(map(str.islower, question))
    for match in WORD.finditer(question):
        is_kept = any(start < match.end() and match.start() < end for start, end in kept)
        is_acronym = match[0].isupper() and has_small
        if len(match[0]) >= _SHORTEST and not is_kept and not is_acronym:
            yield match
