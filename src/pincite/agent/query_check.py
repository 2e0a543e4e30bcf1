"""The words of a web search against the user's documents: a query may name what they say, and not repeat it.

A model that obeys a document could put its text into queries. A query is refused when it has, alone or together with
the queries before it in the turn, more than `_LONGEST_RUN` letters and digits in a row of a document, or a long number
of one, that the user did not write: in any case, accents and spacing, backwards, and as percent signs, entities,
hexadecimal or base64. Other words for the same, or a cipher, cannot be seen.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from pincite.agent.egress import list_numbers, list_readings, spell_plainly
from pincite.errors import Leak

_LONGEST_RUN = 40  # letters and digits, about seven words
_COMPARED = 1_000  # characters of the queries for which passages that are like them are looked for
_LONG_NUMBER = 9  # digits, as accounts, telephones and people have


def check_query(
    query: str,
    before: Sequence[str],
    private: Sequence[str],
    known: Sequence[str],
    find: Callable[[str], Iterable[str]] = lambda _: (),
) -> None:
    """Raise `Leak` when a query repeats a stretch of the private texts that none of the known texts has.

    `before` are the queries that the turn has sent already: a text cut up over several is seen. `find` gives further
    private texts, those that are most like a text.
    """
    earlier = _squeeze(" ".join(before))[-(_LONGEST_RUN - 1) :]
    readings = [_squeeze(reading) for reading in list_readings(query)]
    joined = [earlier + reading for reading in readings]
    windows = set(chain.from_iterable(_windows(text) for text in (*joined, *(text[::-1] for text in readings))))
    numbers = set(chain.from_iterable(_long_numbers(reading) for reading in list_readings(query)))
    if not windows and not numbers:
        return
    alike = (text for reading in list_readings(query) for text in find(" ".join((*before, reading))[-_COMPARED:]))
    texts = [*private, *alike]
    inside, outside = "\n".join(map(_squeeze, texts)), "\n".join(map(_squeeze, known))
    if any(window in inside and window not in outside for window in windows):
        raise Leak(
            "This search repeats the words of a document, which may not leave this machine.",
            "Search with a few key words of the question instead.",
        )
    secret, said = (" ".join(chain.from_iterable(map(_long_numbers, each))) for each in (texts, known))
    if any(number in secret and number not in said for number in numbers):
        raise Leak(
            "This search has a number of a document, which may not leave this machine.",
            "Search without it, or let the user write it.",
        )


def _windows(text: str) -> Iterator[str]:
    return (text[at : at + _LONGEST_RUN] for at in range(len(text) - _LONGEST_RUN + 1))


def _squeeze(text: str) -> str:
    """The letters and digits of a text in one spelling."""
    return "".join(filter(str.isalnum, spell_plainly(text)))


def _long_numbers(text: str) -> Iterator[str]:
    return (number for number in list_numbers(text) if len(number) >= _LONG_NUMBER)
