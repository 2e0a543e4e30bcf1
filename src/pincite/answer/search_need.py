"""Decide whether a message needs a search.

In doubt it does: an extra search costs little, a missing one costs the proof.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from pincite.answer import small_talk_phrases
from pincite.answer.small_talk_phrases import join_alternatives
from pincite.text.folding import fold_accents
from pincite.text.words import WORD
from pincite.types import Exchange, Focus

_LONGEST = 30  # greatest number of words in a message about the conversation itself

_PLEASE = rf"(?:{join_alternatives(small_talk_phrases.PLEASE)} ){{0,3}}"
_TONGUE = rf"(?:in|into|to|en) {join_alternatives(small_talk_phrases.LANGUAGE)}"
_HOW = rf"(?: (?:{_TONGUE}|{join_alternatives(small_talk_phrases.MANNER)}))"
_SAID = join_alternatives(small_talk_phrases.IT, small_talk_phrases.ANSWER)
_SMALL_TALK = re.compile(
    rf"{join_alternatives(small_talk_phrases.POLITE)}(?: {join_alternatives(small_talk_phrases.POLITE)})*"
)
_CLAUSE = re.compile(r"[^,.!;:…\n]{1,80}[,.!;:…\n]+\s*")
_AGREES = re.compile(r"(?:yes|yeah|yep|sure|ok|okay|please|oui|ouais|d accord)\b")


@cache
def _compile_meta_pattern() -> re.Pattern[str]:
    """Compile the pattern of messages about the last answer, which no source has. It takes 40 ms."""
    return re.compile(
        "|".join(
            (
                rf"{_PLEASE}{join_alternatives(small_talk_phrases.AGAIN)}(?: {_SAID})?{_HOW}*",
                rf"{_PLEASE}{join_alternatives(small_talk_phrases.REDO)} {_SAID}{_HOW}*",
                rf"{_PLEASE}{join_alternatives(small_talk_phrases.TELL)} {_SAID}{_HOW}+",
                rf"{_PLEASE}{join_alternatives(small_talk_phrases.SUM_UP)} "
                rf"{join_alternatives(small_talk_phrases.ANSWER)}{_HOW}*",
                rf"(?:and |now |et |maintenant |the same |the same thing |la meme chose ){{0,3}}"
                rf"(?:{_TONGUE}|{join_alternatives(small_talk_phrases.ALONE)}){_HOW}*",
                join_alternatives(small_talk_phrases.ABOUT),
            )
        )
    )


def needs_search(question: str, focus: Focus, history: Sequence[Exchange]) -> bool:
    """Whether sources must be searched: not for small talk, and not to repeat the last answer in other words."""
    if focus == "chat":
        return False
    said = normalise_words(question)
    if not said or said.count(" ") >= _LONGEST:
        return bool(said)
    if _SMALL_TALK.fullmatch(said):
        # "Yes" may answer a question of the assistant, for instance whether to search further.
        return bool(_AGREES.match(said) and history and history[-1].answer.rstrip().endswith("?"))
    return focus == "documents" or not history or _compile_meta_pattern().fullmatch(said) is None


def is_small_talk(said: str) -> bool:
    """Whether normalised words are small talk and nothing else; so is a message without words, such as a thumb."""
    return not said or (said.count(" ") < _LONGEST and _SMALL_TALK.fullmatch(said) is not None)


def drop_small_talk(question: str) -> str:
    """Return a question without the polite phrases before it: "Hello, how high is the dam?"; small talk alone stays."""
    while (clause := _CLAUSE.match(question)) and is_small_talk(normalise_words(clause[0])):
        if not normalise_words(question[clause.end() :]):
            break
        question = question[clause.end() :]
    return question


def normalise_words(message: str) -> str:
    """Return the words of a message in lower case, without accents and punctuation, with one space between them."""
    plain = unicodedata.normalize("NFKC", message).casefold().replace("’", "'").replace("'s", "s")
    return " ".join(fold_accents(word) for word in WORD.findall(plain))
