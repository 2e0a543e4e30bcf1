"""The one check of what leaves: nothing that is told about a person goes to a tool or anywhere outside.

By construction the model that has tools never sees About Me; this stands behind that, where every call passes. A call
is held back when it has a word, a name, a number or an address of About Me that is neither an everyday word nor in the
question, the conversation or the evidence: in any case, accents, inflection or spacing, cut in pieces or run together,
and as percent signs, entities, hexadecimal or base64. It cannot see what was translated, described in other words,
spelt backwards or enciphered, nor a number of one or two digits, nor what is cut up over several calls.
"""

import base64
import html
import re
import unicodedata
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from urllib.parse import unquote_plus

from pincite.agent.everyday import EVERYDAY
from pincite.errors import Leak
from pincite.index.stems import fold, stemmer

_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_DIGITS = re.compile(r"\d(?:[ .\-/()\u00a0\u202f]{0,2}\d)+")
_CODED = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_FEWEST_DIGITS = 3
_PHONE = 8  # digits at the end that tell a telephone number, however its beginning is written
_SHORTEST_STEM = 4
_RUN = 4  # words in a row, one of which tells somebody apart, that are no accident
_LONG_RUN = 6  # words of any kind


def outgoing(words: str, profile: str, allowed: Sequence[str]) -> str:
    """What is to be sent, unchanged; an error when it carries something of the profile that none of `allowed` has."""
    if not profile.strip() or not words.strip():
        return words
    # The evidence may be long: it is only read when something is found that it may excuse.
    if _betrays(words, profile, ()) and _betrays(words, profile, allowed):
        raise Leak(
            "Personal details may not leave the house: what was to be sent has words of About Me.",
            "Use only words of the question, the conversation and its sources.",
        )
    return words


def spoken(arguments: object) -> str:
    """All the words in a tool's arguments, however deep, in one text: what is split over several of them is seen."""
    match arguments:
        case str():
            return arguments
        case Mapping():
            return " ".join(chain.from_iterable((spoken(key), spoken(value)) for key, value in arguments.items()))
        case Iterable():
            return " ".join(map(spoken, arguments))
        case _:
            return ""


def _betrays(words: str, profile: str, allowed: Sequence[str]) -> bool:
    """Does any reading of the words have something of the profile that nobody else said?"""
    told = _tokens(profile)
    known = _forms(chain.from_iterable(map(_tokens, allowed)))
    secret = [token for token in told if _tells(token) and known.isdisjoint(_forms_of(token))]
    numbers = _phones(profile) - _phones(*allowed)
    return any(
        _carries(text, secret, told) or _dials(text, numbers) or _repeats(text, profile, allowed)
        for text in list_readings(words)
    )


def list_numbers(text: str) -> Iterator[str]:
    """The digits of each number of a text, however they are grouped."""
    return (_only_digits(number) for number in _DIGITS.findall(spell_plainly(text)))


def _phones(*texts: str) -> set[str]:
    return {digits for text in texts for digits in list_numbers(text) if len(digits) >= _PHONE}


def _carries(text: str, secret: Sequence[str], told: Sequence[str]) -> bool:
    """Is a secret word among the words of the text, or made of several of them, or run together with others told?"""
    tokens = _tokens(text)
    if _forms(tokens) & _forms(secret):
        return True
    starts, ends, place = {0}, set(), 0
    for token in tokens:
        place += len(token)
        starts.add(place)
        ends.add(place)
    squeezed = "".join(tokens)
    for word in set(secret):
        at = squeezed.find(word)
        while at >= 0:
            if at in starts and at + len(word) in ends:
                return True
            at = squeezed.find(word, at + 1)
    parts = set(told)
    return any(_is_made_of(token, parts, set(secret)) for token in set(tokens))


def _is_made_of(token: str, parts: set[str], secret: set[str]) -> bool:
    """Is one token a secret word with other words of the profile before or after it: jeandupont?"""
    reached: dict[int, bool] = {0: False}  # where a word may end, and whether a secret one is among those before
    for at in range(len(token)):
        if at in reached:
            for part in parts:
                if len(part) > 1 and token.startswith(part, at):
                    end = at + len(part)
                    reached[end] = reached.get(end, False) or reached[at] or part in secret
    return reached.get(len(token), False)


def _dials(text: str, numbers: set[str]) -> bool:
    ends = {number[-_PHONE:] for number in numbers}
    said = set(list_numbers(text))
    return any(end in digits for end in ends for digits in said)


def _repeats(text: str, profile: str, allowed: Sequence[str]) -> bool:
    """Has the text several words of the profile in a row that nobody else said so?"""
    words = _tokens(profile)
    for size, telling in ((min(_RUN, len(words)), 1), (_LONG_RUN, 0)):
        told = {run for run in _runs(words, size) if sum(map(_tells, run)) >= telling}
        for said in allowed:
            told.difference_update(_runs(_tokens(said), size))
        if size > 1 and not told.isdisjoint(_runs(_tokens(text), size)):
            return True
    return False


def _runs(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return (tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def _tells(token: str) -> bool:
    """Does a word tell somebody apart?"""
    if token.isdigit():
        return len(token) >= _FEWEST_DIGITS
    return len(token) > 2 and _everyday().isdisjoint(_forms_of(token))


def list_readings(words: str) -> Iterator[str]:
    """The text as it stands, and as whoever receives it may read it."""
    yield words
    plain = unquote_plus(html.unescape(words))
    if plain != words:
        yield plain
    for found in _CODED.findall(plain):
        yield from _decoded(found)


def _decoded(coded: str) -> Iterator[str]:
    """What coded words say; they may be cut anywhere, and then their last letter is not whole."""
    bare = coded.rstrip("=").replace("-", "+").replace("_", "/")
    bare = bare[: len(bare) - (len(bare) % 4 == 1)]
    padded = bare + "=" * (-len(bare) % 4)
    for decode, given in ((base64.b64decode, padded), (bytes.fromhex, coded[: len(coded) // 2 * 2])):
        try:
            yield getincrementaldecoder("utf-8")().decode(decode(given))
        except ValueError:
            continue


def spell_plainly(text: str) -> str:
    """A text in one spelling, without what cannot be seen."""
    shown = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return fold(shown.casefold())


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(spell_plainly(text))


def _only_digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _forms(tokens: Iterable[str]) -> set[str]:
    return set(chain.from_iterable(map(_forms_of, tokens)))


def _forms_of(token: str) -> tuple[str, ...]:
    """A word and what its forms have in common, in both languages."""
    if len(token) < _SHORTEST_STEM or not token.isalpha():
        return (token,)
    return (token, *(form for stem in _stemmers() if len(form := stem(token)) >= _SHORTEST_STEM))


@cache
def _stemmers() -> tuple[Callable[[str], str], ...]:
    return stemmer("en"), stemmer("fr")


@cache
def _everyday() -> frozenset[str]:
    return frozenset(_forms(EVERYDAY))
