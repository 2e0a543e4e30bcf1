"""Find the names, codes and years in a question by the way they are written."""

import re
from collections.abc import Callable

from pincite.text.folding import fold_word
from pincite.text.language import detect_document_language, detect_question_language
from pincite.text.stopwords import ENGLISH_OR_FRENCH, FREQUENT_WORDS, QUESTION_WORDS
from pincite.text.words import blank_elisions, strip_word

# A word with the signs inside it: AT&T, covid-19, R2-D2; without an elision before it or a possessive behind it.
NAME_PART = re.compile(r"[^\W_]+(?:[&+#./-][^\W_]+)*[+#]*")
_POSSESSIVE = re.compile(r"['’]s\b|['’](?=\s|$)")
_YEAR = re.compile(r"1[0-9]\d\d|20\d\d")
_GERMAN = frozenset(FREQUENT_WORDS["de"]).difference(FREQUENT_WORDS["en"], FREQUENT_WORDS["fr"])
_TITLED = 0.7  # share of words with a capital from which on capitals mean nothing in a question
_SHORTEST = 3  # letters and digits of a code: Q4 is the fourth quarter, and CO2 is a name
_FEW = 3  # words, of which all may be names
_OWNS = "\u2060"  # stands for a possessive
_ANSWER = (
    r"explain|answer|tell|say|write|describe|translate|summari[sz]e|expliqu\w+|répon\w+|di[st]|écri\w+|décri\w+|"
    r"tradui\w+|résum\w+"
)
# The language that the answer should be in, where the question says how to answer.
_SAYS_HOW = re.compile(rf"\b(?:{_ANSWER})\b", re.I)
# A verb that asks for something, at the beginning of a question.
_REQUEST = re.compile(
    rf"(?:{_ANSWER}|compare|define|enumerate|find|give|identify|list|mention|name|outline|show|cite[rz]?|compare[rz]|"
    r"défini\w*|dites|donne[rz]?|énumère[rz]?|énumére[rz]|identifie[rz]?|indique[rz]?|liste[rz]?|mentionne[rz]?|montre[rz]?|"
    r"nomme[rz]?|parle[rz]?|précise[rz]?|rappelle|rappele[rz]|trouve[rz]?)(?:-.*)?",
    re.I,
)
_ANSWER_LANGUAGE = re.compile(
    r"\b(?:in (?:plain )?(?:English|French|German|Spanish|Italian)|en (?:Anglais|Français|Allemand|Espagnol|Italien))"
    r"(?=(?:,? please|,? s['’]il (?:te|vous) pla[iî]t)?[ \u00a0\u202f]?[?.!]?\s*$)"
)


def find_names(question: str, is_name: Callable[[str], bool] = lambda _: False) -> list[str]:
    """Return the names, codes and years of a question as it writes them; words in a row with capitals are one name.

    The first word of a sentence has a capital anyway. It is a name if it is written like a code, if a name
    continues with the next word, or if `is_name` says so, and never if it is a word that asks. In German every noun has
    a capital, so only codes and years are found.
    """
    about = _ANSWER_LANGUAGE.sub("", question) if _SAYS_HOW.search(question) else question
    text = _POSSESSIVE.sub(_OWNS, blank_elisions(about))
    words = list(NAME_PART.finditer(text))
    capitals = sum(word[0][0].isupper() for word in words[1:])
    is_titled = len(words) > _FEW and capitals >= _TITLED * (len(words) - 1)
    tells_nothing = is_titled or (capitals > 0 and is_german(question))
    found: list[str] = []
    last: re.Match[str] | None = None
    for place, word in enumerate(words):
        is_first = place == 0 or text[words[place - 1].end() : word.start()].strip() in (".", "?", "!", ":")
        following = words[place + 1] if place + 1 < len(words) else None
        # A word in brackets, as in "social housing (HLM)", is another name for the words before it.
        is_alias = place > 0 and text[: word.start()].endswith("(") and text[word.end() :].startswith(")")
        is_coded = is_code(word[0]) and not is_alias and not (is_titled and word[0].isalpha())
        goes_on = following is not None and _is_joined(text, word, following) and _is_proper(following[0])
        owns = text[word.end() :].startswith(_OWNS)
        is_proper = not tells_nothing and not is_alias and _is_proper(word[0]) and not (is_first and _asks(word[0]))
        if not is_coded and not (is_proper and (not is_first or goes_on or owns or is_name(word[0]))):
            continue
        are_codes = last is not None and is_code(last[0]) and is_coded  # AMD R&D are two
        if last is not None and found and not is_year(word[0]) and not are_codes and _is_joined(text, last, word):
            found[-1] = f"{found[-1]} {word[0]}"
        else:
            found.append(word[0])
        last = None if is_year(word[0]) else word
    return list(dict.fromkeys(found))


def is_german(question: str) -> bool:
    """Whether a question is in German. The language model is asked only where the frequent words allow German."""
    if _GERMAN.isdisjoint(word.casefold() for word in NAME_PART.findall(question)):
        return not detect_question_language(question) and detect_document_language(question) == "de"
    return detect_document_language(question) in ("de", "")  # "" if the question is too short


def is_code(word: str) -> bool:
    """Whether a word is a year, has letters and digits, or has capitals inside; "Royaume-Uni" is two words."""
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
        and fold_word(word) not in ENGLISH_OR_FRENCH
        and (all(map(str.isupper, letters)) or any(sign.isupper() for part in word.split("-") for sign in part[1:]))
    )


def is_year(word: str) -> bool:
    """Whether a word is a year."""
    return bool(_YEAR.fullmatch(word))


def _is_proper(word: str) -> bool:
    """Whether a word is written like a name: a capital, and more than one letter."""
    return len(word) > 1 and word[0].isupper() and not word[1].isdigit() and fold_word(word) not in ENGLISH_OR_FRENCH


def _asks(word: str) -> bool:
    """Whether the first word of a question asks: "Combien", "Doit-on", "Explain"."""
    bare = fold_word(strip_word(word))
    return bare in QUESTION_WORDS or bare in ENGLISH_OR_FRENCH or bool(_REQUEST.fullmatch(word))


def _is_joined(text: str, one: re.Match[str], other: re.Match[str]) -> bool:
    return text[one.end() : other.start()] in (" ", "\u00a0")
