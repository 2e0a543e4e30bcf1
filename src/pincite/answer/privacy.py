"""Check everything that leaves the program: no personal detail of About Me goes to a tool or to the outside.

The model that has tools never sees About Me. This check is a second barrier that every call passes. A call is refused
if it has a word, a name, a number or an address of About Me that is neither an everyday word nor in the question, the
conversation or the evidence. It finds them in any case, accents, inflection or spacing, cut in pieces or joined, and as
percent signs, entities, hexadecimal or base64. It cannot find text that is translated, described in other words,
reversed or enciphered, a number of one or two digits, or text split over several calls.
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

from pincite.answer.common_words import EVERYDAY
from pincite.errors import Leak
from pincite.text.folding import fold_accents
from pincite.text.stems import get_stemmer
from pincite.text.words import LETTERS_OR_DIGITS

_DIGITS = re.compile(r"\d(?:[ .\-/()\u00a0\u202f]{0,2}\d)+")
_CODED = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_FEWEST_DIGITS = 3
_PHONE = 8  # last digits that identify a telephone number, whatever its prefix
_SHORTEST_STEM = 4
_RUN = 4  # words in a row, one of them identifying, that are no coincidence
_LONG_RUN = 6  # words of any kind


def check_outgoing(words: str, profile: str, allowed: Sequence[str]) -> str:
    """Return the text to send, unchanged; raise `Leak` if it has a detail of the profile that none of `allowed` has."""
    if not profile.strip() or not words.strip():
        return words
    # The evidence may be long, so it is read only after a first hit without it.
    if _has_profile_words(words, profile, ()) and _has_profile_words(words, profile, allowed):
        raise Leak(
            "Personal details must stay private: the text to send has words of About Me.",
            "Use only words of the question, the conversation and its sources.",
        )
    return words


def join_argument_words(arguments: object) -> str:
    """Return all words in a tool's arguments, at any depth, as one text.

    A detail that is split over several arguments is then found.
    """
    match arguments:
        case str():
            return arguments
        case Mapping():
            return " ".join(
                chain.from_iterable(
                    (join_argument_words(key), join_argument_words(value)) for key, value in arguments.items()
                )
            )
        case Iterable():
            return " ".join(map(join_argument_words, arguments))
        case _:
            return ""


def _has_profile_words(words: str, profile: str, allowed: Sequence[str]) -> bool:
    """Whether any reading of the words has a detail of the profile that none of `allowed` has."""
    told = _split_tokens(profile)
    known = _list_forms(chain.from_iterable(map(_split_tokens, allowed)))
    secret = [token for token in told if _is_identifying(token) and known.isdisjoint(_list_word_forms(token))]
    numbers = _list_phones(profile) - _list_phones(*allowed)
    return any(
        _has_secret_word(text, secret, told) or _has_phone(text, numbers) or _has_profile_run(text, profile, allowed)
        for text in list_readings(words)
    )


def list_numbers(text: str) -> Iterator[str]:
    """Return the digits of each number of a text, whatever their grouping."""
    return (_keep_digits(number) for number in _DIGITS.findall(spell_plainly(text)))


def _list_phones(*texts: str) -> set[str]:
    return {digits for text in texts for digits in list_numbers(text) if len(digits) >= _PHONE}


def _has_secret_word(text: str, secret: Sequence[str], told: Sequence[str]) -> bool:
    """Whether a secret word is a word of the text, made of several words, or joined with other words of the profile."""
    tokens = _split_tokens(text)
    if _list_forms(tokens) & _list_forms(secret):
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
    """Whether one token is a secret word with other words of the profile before or after it: jeandupont."""
    reached: dict[int, bool] = {0: False}  # places where a word may end, and whether a secret word stands before
    for at in range(len(token)):
        if at in reached:
            for part in parts:
                if len(part) > 1 and token.startswith(part, at):
                    end = at + len(part)
                    reached[end] = reached.get(end, False) or reached[at] or part in secret
    return reached.get(len(token), False)


def _has_phone(text: str, numbers: set[str]) -> bool:
    ends = {number[-_PHONE:] for number in numbers}
    said = set(list_numbers(text))
    return any(end in digits for end in ends for digits in said)


def _has_profile_run(text: str, profile: str, allowed: Sequence[str]) -> bool:
    """Whether the text has several words of the profile in a row that no allowed text has so."""
    words = _split_tokens(profile)
    for size, telling in ((min(_RUN, len(words)), 1), (_LONG_RUN, 0)):
        told = {run for run in _list_runs(words, size) if sum(map(_is_identifying, run)) >= telling}
        for said in allowed:
            told.difference_update(_list_runs(_split_tokens(said), size))
        if size > 1 and not told.isdisjoint(_list_runs(_split_tokens(text), size)):
            return True
    return False


def _list_runs(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return (tuple(words[at : at + size]) for at in range(len(words) - size + 1))


def _is_identifying(token: str) -> bool:
    """Whether a word may identify a person."""
    if token.isdigit():
        return len(token) >= _FEWEST_DIGITS
    return len(token) > 2 and _load_everyday_forms().isdisjoint(_list_word_forms(token))


def list_readings(words: str) -> Iterator[str]:
    """Yield the text as it is, and as a receiver may decode it."""
    yield words
    plain = unquote_plus(html.unescape(words))
    if plain != words:
        yield plain
    for found in _CODED.findall(plain):
        yield from _list_decodings(found)


def _list_decodings(coded: str) -> Iterator[str]:
    """Yield the texts of coded words. They may be cut anywhere, so the last letter may be incomplete."""
    bare = coded.rstrip("=").replace("-", "+").replace("_", "/")
    bare = bare[: len(bare) - (len(bare) % 4 == 1)]
    padded = bare + "=" * (-len(bare) % 4)
    for decode, given in ((base64.b64decode, padded), (bytes.fromhex, coded[: len(coded) // 2 * 2])):
        try:
            yield getincrementaldecoder("utf-8")().decode(decode(given))
        except ValueError:
            continue


def spell_plainly(text: str) -> str:
    """Return a text in one spelling, without invisible characters."""
    shown = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return fold_accents(shown.casefold())


def _split_tokens(text: str) -> list[str]:
    return LETTERS_OR_DIGITS.findall(spell_plainly(text))


def _keep_digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def _list_forms(tokens: Iterable[str]) -> set[str]:
    return set(chain.from_iterable(map(_list_word_forms, tokens)))


def _list_word_forms(token: str) -> tuple[str, ...]:
    """Return a word and its stems in both languages."""
    if len(token) < _SHORTEST_STEM or not token.isalpha():
        return (token,)
    return (token, *(form for stem in _load_stemmers() if len(form := stem(token)) >= _SHORTEST_STEM))


@cache
def _load_stemmers() -> tuple[Callable[[str], str], ...]:
    return get_stemmer("en"), get_stemmer("fr")


@cache
def _load_everyday_forms() -> frozenset[str]:
    return frozenset(_list_forms(EVERYDAY))
