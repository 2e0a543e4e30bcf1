"""A text to the language most of it is in."""

import re
from collections import Counter
from functools import cache
from typing import Any

# Languages people keep documents in; dialects and small relatives only steal votes from them.
_CODES = """
    ar bg bn ca cs da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka ko la lt lv mk ms
    nl no pl pt ro ru sk sl sq sr sv ta te th tr uk ur vi zh
"""
LANGUAGES = _CODES.split()
MIN_LETTERS = 20
MIN_CONFIDENCE = 0.11  # a few codes and units score below, one short sentence far above
PLACES = 5
PLACE = 600

# The small words of prose settle most documents without the model, which takes most of a second to load.
SMALL_WORDS = {
    "en": "the of and to in is that for with as was by are this be from which it not or on at have has their its",
    "fr": "le la les de des du et est une dans que qui pour par sur au aux avec ce cette sont ne pas ou se il",
    "de": "der die das und ist nicht ein eine den dem des mit von für auf zu im auch sich als bei werden wird oder",
    "es": "el los las del una que y en por con para es se su como más pero al lo son este esta fue han ser entre",
    "it": "il gli di che è per una con del della dei nel sono non alla anche come le da più questo questa si ha lo",
    "pt": "o os as do da dos das que em um uma para com não por mais é no na ao se foi são pela pelo como seu sua",
    "nl": "de het een van en in is dat op te zijn met voor niet aan er om ook als bij door naar maar dit wordt",
}
_VOTES = {
    word: [code for code, words in SMALL_WORDS.items() if word in words.split()]
    for words in SMALL_WORDS.values()
    for word in words.split()
}
_ASKING = {
    "fr": "quel quelle quels quelles qui quoi comment combien pourquoi où quand est-ce qu c est d l il on je nous vous "
    "résume résumer résumez compare comparez peut doit sont un a entre bonjour bonsoir salut merci",
    "en": "what which who whom whose how why where when does did do are was were can should a an summarise summarize "
    "compare between hello hi thanks",
}
# A word that asks tells more than one that may stand in a name: "Who wrote Les Misérables?"
_OF_QUESTIONS = {
    code: dict.fromkeys(SMALL_WORDS[code].split(), 1) | dict.fromkeys(words.split(), 2)
    for code, words in _ASKING.items()
}
_WORD = re.compile(r"[^\W\d_]+")


def detect(text: str) -> str:
    """The ISO 639-1 code of the text's language from samples of several places; "" when there is too little to tell."""
    sample = _sample(text)
    if sum(map(str.isalpha, sample)) < MIN_LETTERS:
        return ""
    if code := _by_small_words(sample):
        return code
    code, confidence = _identifier().classify(sample)
    return str(code) if confidence > MIN_CONFIDENCE else ""


def french_or_english(text: str) -> str:
    """Which of the two a few words are in, by those that say nothing else; "" when they have none of either."""
    words = [word.casefold() for word in _WORD.findall(text)]
    votes = {code: sum(known.get(word, 0) for word in words) for code, known in _OF_QUESTIONS.items()}
    if votes["fr"] != votes["en"]:
        return max(votes, key=lambda code: votes[code])
    return "" if not votes["fr"] else "en" if text.isascii() else "fr"


def prose_language(text: str) -> str:
    """Which of French and English a passage is in, by the small words of prose; "" when it has as many of both.

    Letters that number a list or a table, "(c)" and "(d)", are no words of a passage.
    """
    votes = Counter(code for word in _WORD.findall(text.casefold()) for code in _VOTES.get(word, ()))
    return "" if votes["fr"] == votes["en"] else max(("fr", "en"), key=lambda code: votes[code])


def _by_small_words(sample: str) -> str:
    words = _WORD.findall(sample.lower())
    votes = Counter(code for word in words for code in _VOTES.get(word, ()))
    if len(words) < 100 or not votes:
        return ""
    (code, most), (_, next_most) = (*votes.most_common(2), ("", 0))[:2]
    return code if most > 0.2 * len(words) and most > 2 * next_most else ""


def _sample(text: str) -> str:
    if len(text) <= PLACES * PLACE:
        return text
    step = (len(text) - PLACE) // (PLACES - 1)
    return "\n".join(text[place * step : place * step + PLACE] for place in range(PLACES))


@cache
def _identifier() -> Any:
    from py3langid import langid

    identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    identifier.set_languages(LANGUAGES)
    return identifier
