"""Find the names and codes of a sentence that its sources do not have."""

import re
from collections.abc import Iterator

from pincite.proof.shared_words import list_content_words, list_shared_words
from pincite.text.dates import MONTHS
from pincite.text.folding import fold_alphanumerics, fold_word
from pincite.text.language import detect_question_language

_CODE = re.compile(r"(?<![\w-])(?=[\w./-]{0,40}\d)(?=[\w./-]{0,40}[A-Z])[A-Z0-9][\w./-]{0,40}\w(?![\w-])")
_MEASURED = re.compile(r"\d[\d.,]*(?:st|nd|rd|th|er|e|ème|[kmgt]?[wbohgvm]{0,2})|FY\d+|[QT]\d", re.IGNORECASE)
# Within a sentence, not at its start, and no possessive: that is mostly the subject of the whole document.
_NAME = re.compile(r"(?<=[a-zà-ÿ,;’'\d)] )[A-ZÀ-Ý][^\W\d_]{3,}(?!['’]s?\b)(?![\w-])")
_CAPITAL = re.compile(r"(?<![^\W_])[A-ZÀ-Ý][^\W\d_]{2,}")
_SPEAKER = re.compile(r"\b(?:we|our|ours|us|nous|notre|nos)\b", re.IGNORECASE)
_ACRONYM = re.compile(r"\b(?:[A-Z]\.){2,}|\b[A-Z]{2,6}\b")
_SEVERAL = re.compile(
    r"[A-ZÀ-Ý][^\W\d_]{1,24}(?: [A-ZÀ-Ý][^\W\d_]{1,24})+"
)  # names in a row that an acronym may stand for
_TITLED = 0.5  # of a sentence's words: more capitals make it a title
_BEGINNING = 3  # letters that a country and its people share: Spain, Spanish


def find_codes(text: str) -> Iterator[str]:
    """Yield the codes of a text; figures with a unit are none."""
    for start, end in find_code_spans(text):
        yield text[start:end]


def find_code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the codes of a text."""
    for match in _CODE.finditer(text):
        code = match[0].rstrip("./-")
        if not _MEASURED.fullmatch(code) and len(fold_alphanumerics(code)) > 1:
            yield match.start(), match.start() + len(code)


def find_missing_codes(claim: str, sources: str) -> Iterator[str]:
    """Yield the codes of a sentence that stand nowhere in its sources."""
    squeezed = fold_alphanumerics(sources)
    for code in find_codes(claim):
        if fold_alphanumerics(code) not in squeezed:
            yield code


def find_missing_names(claim: str, sources: str) -> Iterator[str]:
    """Yield names within a sentence that stand nowhere in its sources, in no form.

    Names are translated between languages, and a text that says "we" does not name itself: both are left alone.
    """
    names = [match[0] for match in _NAME.finditer(claim) if fold_word(match[0]) not in MONTHS]
    if not names or _SPEAKER.search(sources) or detect_question_language(claim) != detect_question_language(sources):
        return
    words = list_content_words(claim)
    if len(_CAPITAL.findall(claim)) > _TITLED * len(words):
        return
    squeezed, known = fold_alphanumerics(sources), frozenset(list_content_words(sources))
    beginnings = {fold_word(match[0])[:_BEGINNING] for match in _CAPITAL.finditer(sources)}
    initials = "".join(match[0][0] for match in _CAPITAL.finditer(sources)).casefold()
    acronyms = {match[0].replace(".", "").casefold() for match in _ACRONYM.finditer(sources)}
    spelled = {
        word
        for match in _SEVERAL.finditer(claim)
        if "".join(word[0] for word in match[0].split()).casefold() in acronyms
        for word in match[0].split()
    }
    for name in dict.fromkeys(names):
        own = fold_word(name)
        if name in spelled:
            continue
        if own in squeezed or list_shared_words([own], known) or (len(own) < 9 and own[:_BEGINNING] in beginnings):
            continue
        if name.isupper() and own in initials:
            continue
        yield name
