"""Check the query of a web search against the user's documents: it may name their subjects, but not repeat their text.

A model that obeys a document could put its text into queries. A query is refused in two cases: it repeats
`_LONGEST_RUN` letters and digits in a row from a document, or a long number from one. Earlier queries of the turn
count too. Text that the user wrote is allowed. Case, accents and spacing do not matter; reversed text, percent signs,
entities, hexadecimal and base64 are decoded. Paraphrases and ciphers cannot be found.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from pincite.answer.privacy import list_numbers, list_readings, spell_plainly
from pincite.errors import Leak

_LONGEST_RUN = 40  # letters and digits, about seven words
_COMPARED = 1_000  # characters of the queries for which similar passages are searched
_LONG_NUMBER = 9  # digits, as accounts, telephones and people have


def check_query(
    query: str,
    before: Sequence[str],
    private: Sequence[str],
    known: Sequence[str],
    find: Callable[[str], Iterable[str]] = lambda _: (),
) -> None:
    """Raise `Leak` when a query repeats a stretch of the private texts that none of the known texts has.

    `before` are the queries that the turn has sent already, so that a text split over several is found. `find`
    gives further private texts, those most like a text.
    """
    earlier = _keep_letters(" ".join(before))[-(_LONGEST_RUN - 1) :]
    readings = [_keep_letters(reading) for reading in list_readings(query)]
    joined = [earlier + reading for reading in readings]
    windows = set(chain.from_iterable(_list_windows(text) for text in (*joined, *(text[::-1] for text in readings))))
    numbers = set(chain.from_iterable(_list_long_numbers(reading) for reading in list_readings(query)))
    if not windows and not numbers:
        return
    alike = (text for reading in list_readings(query) for text in find(" ".join((*before, reading))[-_COMPARED:]))
    texts = [*private, *alike]
    inside, outside = "\n".join(map(_keep_letters, texts)), "\n".join(map(_keep_letters, known))
    if any(window in inside and window not in outside for window in windows):
        raise Leak(
            "This search repeats the words of a document, which may not leave this machine.",
            "Search with a few key words of the question instead.",
        )
    secret, said = (" ".join(chain.from_iterable(map(_list_long_numbers, each))) for each in (texts, known))
    if any(number in secret and number not in said for number in numbers):
        raise Leak(
            "This search has a number of a document, which may not leave this machine.",
            "Search without it, or let the user write it.",
        )


def _list_windows(text: str) -> Iterator[str]:
    return (text[at : at + _LONGEST_RUN] for at in range(len(text) - _LONGEST_RUN + 1))


def _keep_letters(text: str) -> str:
    """Return the letters and digits of a text in one spelling."""
    return "".join(filter(str.isalnum, spell_plainly(text)))


def _list_long_numbers(text: str) -> Iterator[str]:
    return (number for number in list_numbers(text) if len(number) >= _LONG_NUMBER)
