"""Names, codes and years in a question: found by their form, and the first word by how others write it."""

import re
import unicodedata
from collections.abc import Callable

from pincite.index.stopwords import STOP_WORDS
from pincite.reading.language import SMALL_WORDS, detect, french_or_english

# A word with what belongs to it: AT&T, covid-19, R2-D2. What is elided before it, and a possessive, do not.
WORD = re.compile(r"[^\W_]+(?:[&+#./-][^\W_]+)*[+#]*")
_ELIDED = re.compile(r"\b(?:[ldnmtscj]|qu)['’](?=\w)", re.I)
_POSSESSIVE = re.compile(r"['’]s\b|['’](?=\s|$)")
_YEAR = re.compile(r"1[0-9]\d\d|20\d\d")
_SMALL = STOP_WORDS["en"] | STOP_WORDS["fr"]
_GERMAN = frozenset(SMALL_WORDS["de"].split()) - {*SMALL_WORDS["en"].split(), *SMALL_WORDS["fr"].split()}
_TITLED = 0.7  # of the words of a question that begin with a capital: then capitals tell nothing
_SHORTEST = 3  # letters and digits of a code: Q4 is the fourth quarter, and CO2 is a name
_FEW = 3  # words, of which all may be names
_OWNS = "\u2060"  # stands for a possessive


def find_names(question: str, is_name: Callable[[str], bool] = lambda _: False) -> list[str]:
    """The names, codes and years of a question, as it writes them; words in a row that begin with capitals are one.

    The first word of a sentence has a capital anyway. It is a name where it is written like a code, a name goes on
    with the next word, or `is_name` says so. In German every noun has a capital: only codes and years are found.
    """
    text = _POSSESSIVE.sub(_OWNS, _ELIDED.sub("  ", question))
    words = list(WORD.finditer(text))
    capitals = sum(word[0][0].isupper() for word in words[1:])
    is_titled = len(words) > _FEW and capitals >= _TITLED * (len(words) - 1)
    tells_nothing = is_titled or (capitals > 0 and is_german(question))
    found: list[str] = []
    last: re.Match[str] | None = None
    for place, word in enumerate(words):
        is_first = place == 0 or text[words[place - 1].end() : word.start()].strip() in (".", "?", "!", ":")
        following = words[place + 1] if place + 1 < len(words) else None
        # What stands in brackets behind words, as in "social housing (HLM)", is another name for them.
        is_alias = place > 0 and text[: word.start()].endswith("(") and text[word.end() :].startswith(")")
        is_coded = is_code(word[0]) and not is_alias and not (is_titled and word[0].isalpha())
        goes_on = following is not None and _joins(text, word, following) and _is_proper(following[0])
        owns = text[word.end() :].startswith(_OWNS)
        is_proper = not tells_nothing and not is_alias and _is_proper(word[0])
        if not is_coded and not (is_proper and (not is_first or goes_on or owns or is_name(word[0]))):
            continue
        are_codes = last is not None and is_code(last[0]) and is_coded  # AMD R&D are two
        if last is not None and found and not is_year(word[0]) and not are_codes and _joins(text, last, word):
            found[-1] = f"{found[-1]} {word[0]}"
        else:
            found.append(word[0])
        last = None if is_year(word[0]) else word
    return list(dict.fromkeys(found))


def is_german(question: str) -> bool:
    """Whether a question is in German. The model that tells languages is only asked where small words allow it."""
    if _GERMAN.isdisjoint(word.casefold() for word in WORD.findall(question)):
        return not french_or_english(question) and detect(question) == "de"
    return detect(question) in ("de", "")  # it is too short to tell


def is_code(word: str) -> bool:
    """Whether a word is a year, has letters and digits, or is written in capitals."""
    letters = [sign for sign in word if sign.isalpha()]
    if is_year(word):
        return True
    if any(map(str.isdigit, word)):
        return (
            len(letters) > 0
            and len(word) >= _SHORTEST
            and word[-2:].casefold() not in ("st", "nd", "rd", "th", "er", "re", "me")
        )
    return (
        len(letters) > 1
        and fold(word) not in _SMALL
        and (all(map(str.isupper, letters)) or any(map(str.isupper, word[1:])))
    )


def is_year(word: str) -> bool:
    """Whether a word is a year."""
    return bool(_YEAR.fullmatch(word))


def fold(word: str) -> str:
    """A word in lower case, without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(sign))


def _is_proper(word: str) -> bool:
    """Whether a word is written like a name: a capital, and more than one letter."""
    return len(word) > 1 and word[0].isupper() and not word[1].isdigit() and fold(word) not in _SMALL


def _joins(text: str, one: re.Match[str], other: re.Match[str]) -> bool:
    return text[one.end() : other.start()] in (" ", "\u00a0")
