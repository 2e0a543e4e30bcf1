"""A question or an answer to the things it names, told by the words around them: there is no grammar here."""

import re
from dataclasses import dataclass

from pincite.index.analysis import terms
from pincite.index.stems import fold
from pincite.index.stopwords import STOP_WORDS
from pincite.retrieval.lexicon import AFTER, BEFORE, NOBODY, RELATIONS, VERBS, WANTS_VERB

WORD = re.compile(r"[^\W_]+(?:[.&'’\-/][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_CONTRACTED = re.compile(r"(?:n['’]t|['’](?:s|re|ve|ll|d|t|m))$")
_ELIDED = re.compile(r"\b(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\w)", re.IGNORECASE)
_INVERTED = re.compile(
    r"-(?:t-)?(?=(?:je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|lui|leur|l[ae]s?|y|en)\b)", re.IGNORECASE
)
_PARTICIPLE = re.compile(r"\w{3,}ed")
_ADVERB = {"en": re.compile(r"\w{3,}ly"), "fr": re.compile(r"\w{3,}ement")}
_INFINITIVE = re.compile(r"\w{2,}(?:er|ir|re)")
_PARTICIPLE_FR = re.compile(r"\w{2,}(?:e|i|u|is|it)e?s?")
_AUXILIARIES = frozenset(("est", "sont", "ete", "etait", "etaient", "etre", "sera", "il", "elle", "ils", "elles", "on"))
_SUPERLATIVE = re.compile(r"(?!forest|interest|harvest|protest|contest|request|priest|conquest)\w{3,}est")
_LINKS = frozenset(("de", "du", "des", "d", "à", "au", "aux"))
_ARTICLES = frozenset(("le", "la", "les", "l"))
_DETERMINERS = frozenset(("the", "a", "an", "le", "la", "les", "l", "un", "une", "du", "des"))
_SINGULAR = frozenset(("what", "which", "who", "that", "it", "he", "she", "this"))


@dataclass(frozen=True, slots=True)
class Topic:
    """A thing that a text names: its words, where they begin, and what they have in common with their other forms."""

    words: str
    start: int
    stems: frozenset[str]
    named: bool
    plural: bool

    @property
    def end(self) -> int:
        return self.start + len(self.words)


def topics(text: str, language: str) -> tuple[Topic, ...]:
    """The things a text names, in their order."""
    found: list[Topic] = []
    run: list[re.Match[str]] = []
    before, end = "", 0
    spread = _spread(text) if language == "fr" else text
    for match in WORD.finditer(spread):
        word, gap = base(match[0]), spread[end : match.start()].strip()
        named = match[0][:1].isupper() and end > 0 and not any(mark in gap for mark in ".!?")
        links = bool(run) and language == "fr" and _links(match[0].lower(), before)
        parts = not links and _parts(word, match[0], before, named, bool(run), language)
        if gap or parts:
            found += _topic(text, run, language)
            run = []
        if not parts:
            run.append(match)
        before, end = word, match.end()
    return (*found, *_topic(text, run, language))


def base(word: str) -> str:
    """A word in small letters, without accents and without what is contracted with it."""
    return _CONTRACTED.sub("", fold(word.lower()))


def is_gerund(word: str) -> bool:
    """Is it an English verb in -ing: consuming, planning?"""
    if not word.endswith("ing"):
        return False
    stem, verbs = word[:-3], VERBS["en"]
    return stem in verbs or stem + "e" in verbs or (stem[-1:] == stem[-2:-1] and stem[:-1] in verbs)


def _spread(text: str) -> str:
    """French with its elided and inverted words apart, every letter in its place."""
    text = _ELIDED.sub(lambda elided: elided[0][:-1] + " ", text)
    return _INVERTED.sub(lambda inverted: " " * len(inverted[0]), text)


def _links(word: str, before: str) -> bool:
    """Does a small French word hold two others together: durée de la garantie?"""
    return word in _LINKS or (word in _ARTICLES and before in ("de", "a"))


def _parts(word: str, written: str, before: str, named: bool, running: bool, language: str) -> bool:
    """Does this word end what is being named: is it a small word, a verb, an adverb?"""
    if word in STOP_WORDS[language] or len(word) < 2:
        return not (written.isupper() and len(written) > 1)
    if named:
        return False
    if _is_verb(word, before, language) or _ADVERB[language].fullmatch(word):
        return True
    return running and language == "en" and bool(_PARTICIPLE.fullmatch(word))


def _is_verb(word: str, before: str, language: str) -> bool:
    verbs = VERBS[language]
    if word in verbs:
        return before not in _DETERMINERS and not before.isdigit()
    if language == "fr":
        infinitive = before in WANTS_VERB and _INFINITIVE.fullmatch(word)
        return bool(infinitive or (before in _AUXILIARIES and _PARTICIPLE_FR.fullmatch(word)))
    if word.endswith("ed") and (word[:-2] in verbs or word[:-1] in verbs or word[:-3] + "y" in verbs):
        return True
    # "What causes …", "it owns …": elsewhere such a word is more often a plural.
    return before in _SINGULAR and word.endswith("s") and (word[:-1] in verbs or word[:-2] in verbs)


def _topic(text: str, run: list[re.Match[str]], language: str) -> list[Topic]:
    """What a run of words names, without what is only said of it; nothing when it only asks something of a thing."""

    def low(match: re.Match[str]) -> bool:
        return not match[0][:1].isupper()

    def drops(match: re.Match[str], first: bool) -> bool:
        word = base(match[0])
        if language == "en" and _SUPERLATIVE.fullmatch(word):
            return not first or len(run) == 1
        if word in (BEFORE if first else AFTER)[language] or word in NOBODY[language] or word in STOP_WORDS[language]:
            return True
        return first and len(run) > 1 and (is_gerund(word) if language == "en" else word in RELATIONS["fr"])

    while run and low(run[0]) and drops(run[0], True):
        run = run[1:]
    while run and low(run[-1]) and drops(run[-1], False):
        run = run[:-1]
    if all(low(match) and base(match[0]) in RELATIONS[language] for match in run) or all(m[0].isdigit() for m in run):
        return []
    words = _POSSESSIVE.sub("", text[run[0].start() : run[-1].end()])
    stems = frozenset(terms(words, language))
    last = base(run[-1][0])
    plural = last.endswith(("s", "x")) and not last.endswith("ss")
    return [Topic(words, run[0].start(), stems, not all(map(low, run)), plural)] if stems else []
