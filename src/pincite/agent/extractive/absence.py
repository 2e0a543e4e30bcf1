"""Names, codes and years that a question asks about, and those that none of the passages found has."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Protocol

from pincite.index.stopwords import STOP_WORDS
from pincite.reading.language import french_or_english
from pincite.types import Evidence

# A word with what belongs to it: AT&T, covid-19, R2-D2. What is elided before it, and a possessive, do not.
_WORD = re.compile(r"[^\W_]+(?:[&+#./-][^\W_]+)*[+#]*")
_ELIDED = re.compile(r"\b(?:[ldnmtscj]|qu)['’](?=\w)", re.I)
_POSSESSIVE = re.compile(r"['’]s\b|['’](?=\s|$)")
_YEAR = re.compile(r"1[0-9]\d\d|20\d\d")
_SMALL = STOP_WORDS["en"] | STOP_WORDS["fr"]
_ALIKE = 5  # letters that a name and a word made from it have in common: Europe, européen
_ENDING = 4  # letters that such a word has more
_TITLED = 0.7  # of the words of a question that begin with a capital: then capitals tell nothing

_FEW = 3  # words, of which all may be names
_OWNS = "\u2060"  # stands for a possessive
_SHORT_CODE = 3  # letters and digits: CO2
_INITIALS = 5  # letters of an abbreviation at most
_FISCAL = re.compile(r"[A-Za-z]{1,3}['’]?(\d\d|\d{4})")  # FY23, Q42022


class Mentions(Protocol):
    """Says whether a document has a word, or without a document, any that may be looked in."""

    def __call__(self, word: str, document: str = "") -> bool: ...


def find_names(question: str) -> list[str]:
    """The names, codes and years of a question, as it writes them; words in a row that begin with capitals are one.

    The first word of a sentence is a name where it is written like a code, or a name goes on with the next word.
    """
    text = _POSSESSIVE.sub(_OWNS, _ELIDED.sub("  ", question))
    words = list(_WORD.finditer(text))
    capitals = sum(word[0][0].isupper() for word in words[1:])
    is_titled = len(words) > _FEW and capitals >= _TITLED * (len(words) - 1)
    found: list[str] = []
    last: re.Match[str] | None = None
    for place, word in enumerate(words):
        is_first = place == 0 or text[words[place - 1].end() : word.start()].strip() in (".", "?", "!", ":")
        following = words[place + 1] if place + 1 < len(words) else None
        # What stands in brackets behind words, as in "social housing (HLM)", is another name for them.
        is_alias = place > 0 and text[: word.start()].endswith("(") and text[word.end() :].startswith(")")
        is_code = _is_code(word[0]) and not is_alias and not (is_titled and word[0].isalpha())
        goes_on = following is not None and _joins(text, word, following) and _is_proper(following[0])
        owns = text[word.end() :].startswith(_OWNS)
        is_name = not is_titled and not is_alias and _is_proper(word[0]) and (not is_first or goes_on or owns)
        if not (is_code or is_name):
            continue
        if last is not None and found and not _is_year(word[0]) and _joins(text, last, word):
            found[-1] = f"{found[-1]} {word[0]}"
        else:
            found.append(word[0])
        last = None if _is_year(word[0]) else word
    return list(dict.fromkeys(found))


def list_missing(question: str, found: Sequence[Evidence]) -> list[str]:
    """The names, codes and years of a question that no passage found has, nor its headings, title or file name.

    Between two languages names are spelt differently: then codes and years alone count.
    """
    names = find_names(question)
    if not names:
        return []
    told = [_describe(each) for each in found]
    spoken, asked = french_or_english(" ".join(each.text[:300] for each in found[:3])), french_or_english(question)
    is_translated = bool(spoken and asked and spoken != asked)
    forms = _forms(told)
    return [name for name in names if not (is_translated and not _is_code(name)) and not _is_told(name, told, forms)]


def list_unrelated(question: str, shown: Sequence[str], found: Sequence[Evidence], mentions: Mentions) -> list[str]:
    """The names of a question that none of the documents shown has anywhere, though some passage found has them.

    A year must stand in a passage found of such a document: a report has many years in passing.
    """
    names = find_names(question)
    asked = french_or_english(question)
    for document in dict.fromkeys(shown):
        own = [each for each in found if each.span.document == document]
        spoken = french_or_english(" ".join(each.text[:300] for each in own[:3]))
        if spoken and asked and spoken != asked:
            return []
        names = [
            name
            for name in names
            if name not in {held for each in own for held in holds_names([name], each)}
            and (_is_year(name) or not all(mentions(word, document) for word in name.split()))
        ]
    return names


def holds_names(names: Sequence[str], source: Evidence) -> list[str]:
    """Those of some names that a passage has, or its headings, title or file name."""
    told = [_describe(source)]
    forms = _forms(told)
    return [name for name in names if _is_told(name, told, forms)]


def _describe(source: Evidence) -> str:
    return " ".join((source.title, source.name.replace("_", " "), *source.headings, source.text))


def _is_told(name: str, texts: Sequence[str], forms: frozenset[str]) -> bool:
    is_there = _is_there(name, forms) or _is_spelt(name, texts) or _is_abbreviated(name, texts, forms)
    return is_there or _is_surname_told(name, texts)


def fold(word: str) -> str:
    """A word in lower case, without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(sign))


def _forms(texts: Iterable[str]) -> frozenset[str]:
    """The words of texts, whole and in their parts, in lower case and without accents."""
    return frozenset(fold(part) for text in texts for word in _WORD.findall(text) for part in (word, *_parts(word)))


def _parts(word: str) -> list[str]:
    return re.findall(r"[^\W_]+", word)


def _is_there(name: str, forms: frozenset[str]) -> bool:
    """Whether more than half of a name's words are among these, in whatever inflection."""
    words = [fold(word) for word in name.split()]
    held = sum(any(_is_same(word, form) for form in forms) for word in words)
    return 2 * held > len(words)


def _is_surname_told(name: str, texts: Sequence[str]) -> bool:
    """Whether the last of several words of a name stands in a text as a name: "Babbage" for "Charles Babbage"."""
    *first, last = name.split()
    return bool(first) and any(re.search(rf"\b{re.escape(last)}\b", text) for text in texts)


def _is_spelt(name: str, texts: Sequence[str]) -> bool:
    """Whether the letters of a name stand in a text in one piece: "covid 19" for "COVID-19", "e-mail" for "email"."""
    squeezed = "".join(filter(str.isalnum, fold(name)))
    if len(squeezed) < (_SHORT_CODE if any(map(str.isdigit, squeezed)) else _ALIKE):
        return False
    letters = r"[\W_]*".join(map(re.escape, squeezed))
    spelt = re.compile(rf"(?<![^\W_]){letters}(?![^\W_])")
    return any(spelt.search(fold(text)) for text in texts)


def _is_abbreviated(name: str, texts: Sequence[str], forms: frozenset[str]) -> bool:
    """Whether texts have what a name is short for: the year of FY23, words with the initials J&J."""
    if year := _FISCAL.fullmatch(name):
        return year[1] in forms or f"20{year[1]}" in forms
    initials = [sign.casefold() for sign in name if sign.isupper()]
    if not 2 <= len(initials) <= _INITIALS or any(sign.islower() or sign.isdigit() for sign in name):
        return False
    for text in texts:
        words = [word for word in _WORD.findall(text) if word[0].isupper()]
        starts = [fold(word[0]) for word in words]
        size = len(initials)
        if any(starts[at : at + size] == initials for at in range(len(starts) - size + 1)):
            return True
    return False


def _is_same(word: str, form: str) -> bool:
    if word == form or ((word.isalpha() and form in (f"{word}s", f"{word}x")) or f"{form}s" == word):
        return True
    is_longer = len(form) - len(word) <= _ENDING and form.startswith(word[: max(_ALIKE, len(word) - 1)])
    return word.isalpha() and len(word) >= _ALIKE and is_longer


def _is_code(word: str) -> bool:
    """Whether a word is a year, has letters and digits, or is written in capitals."""
    letters = [sign for sign in word if sign.isalpha()]
    if _is_year(word):
        return True
    if any(map(str.isdigit, word)):
        return len(letters) > 0 and word[-2:].casefold() not in ("st", "nd", "rd", "th", "er", "re", "me")
    return (
        len(letters) > 1
        and fold(word) not in _SMALL
        and (all(map(str.isupper, letters)) or any(map(str.isupper, word[1:])))
    )


def _is_year(word: str) -> bool:
    return bool(_YEAR.fullmatch(word))


def _is_proper(word: str) -> bool:
    """Whether a word is written like a name: a capital, and more than one letter."""
    return len(word) > 1 and word[0].isupper() and fold(word) not in _SMALL


def _joins(text: str, one: re.Match[str], other: re.Match[str]) -> bool:
    return text[one.end() : other.start()] in (" ", "\u00a0")


def split_mentioned(names: Iterable[str], mentions: Mentions | None) -> tuple[list[str], list[str]]:
    """Names that no document has, and names that some document has, though no passage that was found."""
    listed = list(names)
    known = {name for name in listed if mentions is not None and all(mentions(word) for word in name.split())}
    return [name for name in listed if name not in known], [name for name in listed if name in known]
