"""Find the names, codes and years of a question that none of the passages found has."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from pincite.answer.extractive.unknown_words import list_unknown_words
from pincite.answer.search_need import is_small_talk, normalise_words
from pincite.text.dictionary import is_dictionary_word
from pincite.text.folding import fold_alphanumerics, fold_text, fold_word
from pincite.text.language import detect_passage_language, detect_question_language
from pincite.text.names import NAME_PART, find_names, is_code, is_year
from pincite.text.part_numbers import drop_named_parts, list_named_parts, read_opening_part
from pincite.text.words import LETTERS, WORD
from pincite.types import Evidence

_ALIKE = 5  # letters that a name and a word made from it have in common: Europe, européen
_ENDING = 4  # greatest number of letters added to the name in such a word
_YEAR_DIGITS = 4
_SHORT_CODE = 3  # letters and digits: CO2
_INITIALS = 5  # letters of an abbreviation at most
_FIRST = 3  # passages whose language is detected
_MOSTLY = 0.5  # of the uses of a word that have a capital: then it is a name
_ADDRESS = 3  # letters of a form of address at most: Mr Duval
_BEFORE = 8  # characters before a word that tell whether it begins a sentence
# Before a word within a sentence: another word. A number, a letter in brackets or a dash may begin an item.
_WITHIN = re.compile(r"(?:[^\W\d_]{2}[,;)\]’']*(?: [&/])?|\b[^\W\d_],?)[ \u00a0]$")
_ALIKE_NAMES = 0.87  # cosine of a name and its translation at least; see docs/benchmarks.md
_NAMES = 60  # of the passages that a name is compared with
_FISCAL = re.compile(r"(?:[FCH]Y|EX|[QHTS][1-4])['’]?(\d\d|\d{4})", re.I)  # FY23, Q42022
# A year within a range or behind an apostrophe, or in a range within a column's name. Longer rows of digits are dates.
_SHORT_YEAR = (
    r"(?<!\d)(?P<first>{0}\d\d)[-–/_]{1}(?!\d|[-–/_]\d)|['’]{1}(?!\d)"
    r"|(?<!\d)_(?:\d\d_{1}|{1}_\d\d)(?![^\W_]|_\d)"
)


class CountMentions(Protocol):
    """Counts the passages with a word, in one document or in all that may be searched."""

    def __call__(self, word: str, document: str = "") -> int: ...


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """Facts about the library besides the passages found, from the index and from the embedder's vocabulary.

    `capitals` is the share of a word's uses with a capital in the vocabulary; None for an unknown word. `nearest`
    gives the cosines of the passages nearest to a question, many more than were found. `compare` gives the cosine of a
    name and the nearest of others; in two languages it is high if they name the same.
    """

    count: CountMentions | None = None
    capitals: Callable[[str], float | None] | None = None
    nearest: Callable[[str], Sequence[float]] | None = None
    compare: Callable[[str, tuple[str, ...]], float] | None = None


NO_STATISTICS = CorpusStatistics()


@dataclass(frozen=True, slots=True)
class _SearchedTexts:
    """Texts in which names are looked for, and their words in lower case and without accents."""

    texts: tuple[str, ...]
    forms: frozenset[str]


def name_subjects(question: str, found: Sequence[Evidence], known: CorpusStatistics = NO_STATISTICS) -> list[str]:
    """Return the names, codes and years of a question.

    The first word counts as a name if the documents or the vocabulary write it as one. "Article 12" is no name.
    """
    return find_names(drop_named_parts(question), lambda word: _is_name(word, found, known))


def list_missing(
    question: str, found: Sequence[Evidence], known: CorpusStatistics = NO_STATISTICS, is_phrase: bool = False
) -> list[str]:
    """Return the names, codes and years of a question that no passage found has, nor its headings, title or file name.

    A numbered part that no passage has counts too: Article 12. Between two languages names are spelt differently: one
    counts only if no document has it and no name in the passages is alike in meaning. `is_phrase` says that the text is
    part of a question: its first word then has a capital for a reason.
    """
    names = (
        find_names(drop_named_parts(question), lambda _: True) if is_phrase else name_subjects(question, found, known)
    )
    told = _read_texts(map(_describe_source, found))
    is_translated = _is_translated(question, found)
    if known.count and not is_phrase:
        names += list_unknown_words(question, known.count, told.forms, known.capitals or (lambda _: None))
    missing = [name for name in names if not _is_mentioned(name, told, known.count)]
    missing = [
        name for name in missing if is_code(name) or not (is_translated and _may_be_translated(name, found, known))
    ]
    return missing + _list_missing_parts(question, found)


def _list_missing_parts(question: str, found: Sequence[Evidence]) -> list[str]:
    """Return the numbered parts of a document that a question names and no passage found has or mentions.

    The number must stand with a noun or open a line: "12 euros" is no Article 12.
    """
    asked = list_named_parts(question)
    if not asked:
        return []
    lines = [line.strip() for each in found for line in (each.title, *each.headings, *each.text.splitlines())]
    held = [part for line in lines for part in (*list_named_parts(line), read_opening_part(line)) if part]
    return [part.written for part in asked if not any(map(part.holds, held))]


def list_unknown(question: str, found: Sequence[Evidence], known: CorpusStatistics = NO_STATISTICS) -> list[str]:
    """Return the names that no document and no dictionary has, the first word too: the reason of a refusal.

    The first word has a capital anyway, so this tells nothing about a question that is answered.
    """
    missing = split_mentioned(list_missing(question, found, known, is_phrase=True), known)[0]
    return [name for name in missing if known.count and not any(map(is_dictionary_word, name.split()))]


def list_unrelated(
    question: str, shown: Sequence[str], found: Sequence[Evidence], known: CorpusStatistics = NO_STATISTICS
) -> list[str]:
    """Return the names of a question that none of the shown documents has, though some passage found has them.

    A year must stand in a passage found of such a document: a report mentions many years in passing. If the question
    has other names, the document must have one of them too: a 2021 in a list of stations is no year of a company.
    """
    if known.count is None:
        return []
    names = name_subjects(question, found, known)
    others = [name for name in names if not is_year(name)]
    somewhere, together = set[str](), set[str]()  # held by a shown document, and by one that has another name too
    for document in dict.fromkeys(shown):
        own = [each for each in found if each.span.document == document]
        if _is_translated(question, own):
            return []
        held = {name for each in own for name in find_held_names(names, each, known)}
        held |= {name for name in others if all(known.count(word, document) for word in name.split())}
        somewhere |= held
        together |= held if not others or not held.isdisjoint(others) else set()
    return [name for name in names if name not in (together if somewhere.issuperset(others) else somewhere)]


def find_held_names(names: Sequence[str], source: Evidence, known: CorpusStatistics = NO_STATISTICS) -> list[str]:
    """Return those of some names that a passage has, or its headings, title or file name."""
    told = _read_texts([_describe_source(source)])
    return [name for name in names if _is_mentioned(name, told, known.count)]


def split_mentioned(names: Iterable[str], known: CorpusStatistics = NO_STATISTICS) -> tuple[list[str], list[str]]:
    """Return the names that no document has, and the names that some document has, though no passage found does."""
    listed, count = list(names), known.count
    elsewhere = {name for name in listed if count is not None and all(count(word) for word in name.split())}
    return [name for name in listed if name not in elsewhere], [name for name in listed if name in elsewhere]


def _is_name(word: str, found: Sequence[Evidence], known: CorpusStatistics) -> bool:
    """Whether a word is a name: within sentences the passages found always write it with a capital.

    For a word that they have at the start of a sentence only, or not at all, the vocabulary gives the most frequent
    spelling. The word before a hyphen counts: "Puis-je".
    """
    within, first = Counter[bool](), Counter[bool]()
    for part in (part for each in found for part in (each.title, each.name, *each.headings, each.text)):
        for use in NAME_PART.finditer(part.replace("_", " ")):
            if _is_same_word(fold_word(word), fold_word(use[0])):
                is_first = not _WITHIN.search(part, max(use.start() - _BEFORE, 0), use.start())
                (first if is_first else within)[use[0][0].isupper()] += 1
    if within:
        return not within[False]
    if is_small_talk(normalise_words(word)):
        return False
    share = known.capitals(word.partition("-")[0]) if known.capitals else None
    return bool(first) and not first[False] if share is None else share > _MOSTLY


def _is_translated(question: str, found: Sequence[Evidence]) -> bool:
    """Whether the first passages found are in another language than a question."""
    spoken, asked = (
        detect_passage_language(" ".join(each.text for each in found[:_FIRST])),
        detect_question_language(question),
    )
    return bool(spoken and asked and spoken != asked)


def _may_be_translated(name: str, found: Sequence[Evidence], known: CorpusStatistics) -> bool:
    """Whether passages in another language may have a name in their own spelling."""
    if known.count is None or known.compare is None or any(known.count(word) for word in name.split()):
        return True
    others = dict.fromkeys(each for source in found[:_FIRST] for each in find_names(source.text))
    return not others or known.compare(name, tuple(others)[:_NAMES]) >= _ALIKE_NAMES


def _read_texts(texts: Iterable[str]) -> _SearchedTexts:
    listed = tuple(texts)
    words = (part for text in listed for word in NAME_PART.findall(text) for part in (word, *WORD.findall(word)))
    return _SearchedTexts(listed, frozenset(map(fold_word, words)))


def _describe_source(source: Evidence) -> str:
    return " ".join((source.title, source.name.replace("_", " "), *source.headings, source.text))


def _is_mentioned(name: str, told: _SearchedTexts, count: CountMentions | None) -> bool:
    is_there = _has_most_words(name, told, count) or _is_spelt_together(name, told.texts) or _is_abbreviated(name, told)
    return is_there or _is_surname_mentioned(name, told)


def _has_most_words(name: str, told: _SearchedTexts, count: CountMentions | None) -> bool:
    """Whether more than half of a name's words stand in texts, in any inflection, and the rarest of them too."""
    words = name.split()
    held = [any(_is_same_word(fold_word(word), form) for form in told.forms) for word in words]
    if all(held) or 2 * sum(held) <= len(words) or count is None:
        return 2 * sum(held) > len(words)
    rarest = min(range(len(words)), key=lambda place: count(words[place]))
    return held[rarest]


def _is_surname_mentioned(name: str, told: _SearchedTexts) -> bool:
    """Whether the last of several words of a name stands in a text as a name: "Babbage" for "Charles Babbage".

    It must be no common word there ("hotels"), and not the end of another name ("Las Vegas", "Adam Smith").
    """
    *first, last = name.split()
    is_common = any(re.search(rf"\b{re.escape(last.lower())}\b", text) for text in told.texts)
    if not first or is_common:
        return False
    for text in told.texts:
        for use in re.finditer(rf"\b{re.escape(last)}\b", text):
            before = re.search(r"(?<!\w)(\w+)\.?\s+$", text[max(use.start() - 40, 0) : use.start()])
            is_address = before is not None and len(before[1]) <= _ADDRESS and before[1] not in first
            if before is None or before[1][0].islower() or is_address:
                return True
    return False


def _is_spelt_together(name: str, texts: Sequence[str]) -> bool:
    """Whether the letters of a name stand in a text in one piece: "covid 19" for "COVID-19", "e-mail" for "email"."""
    squeezed = fold_alphanumerics(name)
    if len(squeezed) < (_SHORT_CODE if any(map(str.isdigit, squeezed)) else _ALIKE):
        return False
    letters = r"[\W_]*".join(map(re.escape, squeezed))
    spelt = re.compile(rf"(?<![^\W_]){letters}(?![^\W_])")
    return any(spelt.search(fold_text(text)) for text in texts)


def _is_abbreviated(name: str, told: _SearchedTexts) -> bool:
    """Whether texts have what a name is short for: the year of FY23, words with the initials of J&J or of CEO.

    Or they shorten a year of the question: 1999 is in "1998/99", "'99" and the column "deaths_85_99".
    """
    if year := _FISCAL.fullmatch(name):
        return (year[1] if len(year[1]) == _YEAR_DIGITS else f"20{year[1]}") in told.forms
    if is_year(name):
        shortened = re.compile(_SHORT_YEAR.format(name[:2], name[2:]))
        uses = (use for text in told.texts for use in shortened.finditer(text))
        return any(not use["first"] or use["first"] < name for use in uses)
    initials = [sign.casefold() for sign in name if sign.isupper()]
    if not 2 <= len(initials) <= _INITIALS or any(sign.islower() or sign.isdigit() for sign in name):
        return False
    if "&" in name and any(re.search(_make_initials_pattern(name), text, re.I) for text in told.texts):
        return True
    for text in told.texts:
        words = NAME_PART.findall(text)
        if any(_find_runs([word for word in words if word[0].isupper()], initials)):
            return True
        # Words in lower case have some initials by chance, such as "in both markets".
        runs = _find_runs(LETTERS.findall(text), initials) if len(initials) >= _SHORT_CODE else ()
        if any(len(run[0]) > _SHORT_CODE and len(run[-1]) > _SHORT_CODE for run in runs):
            return True
    return False


def _find_runs(words: Sequence[str], initials: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the runs of words that begin with these letters."""
    size = len(initials)
    starts = [fold_word(word[0]) for word in words]
    for at in range(len(starts) - size + 1):
        if starts[at : at + size] == initials:
            yield words[at : at + size]


def _make_initials_pattern(name: str) -> str:
    """Return a pattern for words with the letters of R&D at their beginnings: research and development."""
    return r"\s+(?:&|and|et)\s+".join(rf"\b{re.escape(letters)}\w+" for letters in name.split("&"))


def _is_same_word(word: str, form: str) -> bool:
    if word == form or ((word.isalpha() and form in (f"{word}s", f"{word}x")) or f"{form}s" == word):
        return True
    is_longer = len(form) - len(word) <= _ENDING and form.startswith(word[: max(_ALIKE, len(word) - 1)])
    return word.isalpha() and len(word) >= _ALIKE and is_longer
