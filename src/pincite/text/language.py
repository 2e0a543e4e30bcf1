"""Detect the language of a document, a passage, a question or a conversation.

- `detect_document_language` tells about fifty languages apart and needs some text.
- `detect_passage_language` and `detect_question_language` tell French and English apart by their frequent words. The
  first counts words of prose; the second also counts words that ask, and works on a few words.
- `detect_conversation_language` chooses the language to answer in, and always gives one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

from pincite.text.stopwords import FREQUENT_WORDS
from pincite.text.words import LETTERS

# Languages of most documents; dialects and related languages would only take votes from them.
_CODES = """
    ar bg bn ca cs da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka ko la lt lv mk ms
    nl no pl pt ro ru sk sl sq sr sv ta te th tr uk ur vi zh
"""
LANGUAGES = _CODES.split()
MIN_LETTERS = 20
MIN_CONFIDENCE = 0.11  # a few codes and units score below, one short sentence far above
MIN_FREQUENT_WORDS = 5  # different ones
PLACES = 5
PLACE = 600

_PROSE_WEIGHTS = {code: dict.fromkeys(words, 1) for code, words in FREQUENT_WORDS.items()}
_ASKING = {
    "fr": "quel quelle quels quelles qui quoi comment combien pourquoi où quand est-ce qu c est d l il on je nous vous "
    "résume résumer résumez compare comparez peut doit sont un a entre bonjour bonsoir salut merci",
    "en": "what which who whom whose how why where when does did do are was were can should a an summarise summarize "
    "compare between hello hi thanks",
}
# A word that asks counts more than one that may stand in a name: "Who wrote Les Misérables?"
_QUESTION_WEIGHTS = {code: _PROSE_WEIGHTS[code] | dict.fromkeys(words.split(), 2) for code, words in _ASKING.items()}


class _Exchange(Protocol):
    """An earlier question of a conversation."""

    @property
    def question(self) -> str: ...


def detect_document_language(text: str) -> str:
    """Return the ISO 639-1 code of a text's language, or "" when the text is too short to tell.

    Samples from several places of the text decide.
    """
    sample = _take_sample(text)
    if sum(map(str.isalpha, sample)) < MIN_LETTERS:
        return ""
    if code := _detect_by_frequent_words(sample):
        return code
    code, confidence = _load_identifier().classify(sample)
    return str(code) if confidence > MIN_CONFIDENCE else ""


def detect_passage_language(text: str) -> str:
    """Return "fr" or "en" for a passage of prose, or "" when it has as many frequent words of both.

    Letters that number a list or a table, "(c)" and "(d)", are not counted.
    """
    votes = _count_votes(LETTERS.findall(text.casefold()), _PROSE_WEIGHTS)
    return "" if votes["fr"] == votes["en"] else max(("fr", "en"), key=lambda code: votes[code])


def detect_question_language(text: str) -> str:
    """Return "fr" or "en" for a question of a few words, or "" when it has no frequent word of either."""
    votes = _count_votes((word.casefold() for word in LETTERS.findall(text)), _QUESTION_WEIGHTS)
    if votes["fr"] != votes["en"]:
        return max(("fr", "en"), key=lambda code: votes[code])
    return "" if not votes["fr"] else "en" if text.isascii() else "fr"


def detect_conversation_language(question: str, history: Sequence[_Exchange] = (), language: str = "") -> str:
    """Return "fr" or "en": the given language, else that of the question or of the last question that tells it.

    English where no question does.
    """
    if language[:2].lower() in ("fr", "en"):
        return language[:2].lower()
    asked = (question, *(exchange.question for exchange in reversed(history)))
    return next((code for text in asked if (code := detect_question_language(text))), "en")


def _count_votes(words: Iterable[str], weights: Mapping[str, Mapping[str, int]]) -> Counter[str]:
    """Return the sum of the weights that the words have in each language."""
    votes: Counter[str] = Counter()
    for word, count in Counter(words).items():
        for code, known in weights.items():
            if word in known:
                votes[code] += count * known[word]
    return votes


def _detect_by_frequent_words(sample: str) -> str:
    """Return the language whose frequent words prevail: most documents need no model, which takes long to load.

    Fewer than `MIN_FREQUENT_WORDS` different words do not decide: Norwegian shares several with Dutch.
    """
    words = LETTERS.findall(sample.lower())
    votes = _count_votes(words, _PROSE_WEIGHTS)
    (code, most), (_, next_most) = (*votes.most_common(2), ("", 0), ("", 0))[:2]
    if not code or len(_PROSE_WEIGHTS[code].keys() & set(words)) < MIN_FREQUENT_WORDS:
        return ""
    return code if most > 0.2 * len(words) and most > 2 * next_most else ""


def _take_sample(text: str) -> str:
    if len(text) <= PLACES * PLACE:
        return text
    step = (len(text) - PLACE) // (PLACES - 1)
    return "\n".join(text[place * step : place * step + PLACE] for place in range(PLACES))


@cache
def _load_identifier() -> Any:
    from py3langid import langid

    identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    identifier.set_languages(LANGUAGES)
    return identifier
