"""Whether a message needs a search at all. In doubt it does: a search too many costs little, one too few the proof."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from pincite.agent import phrases
from pincite.agent.phrases import either
from pincite.index.stems import fold
from pincite.types import Exchange, Focus

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 30  # words that a message about the talk itself has at most

_PLEASE = rf"(?:{either(phrases.PLEASE)} ){{0,3}}"
_TONGUE = rf"(?:in|into|to|en) {either(phrases.LANGUAGE)}"
_HOW = rf"(?: (?:{_TONGUE}|{either(phrases.MANNER)}))"
_SAID = either(phrases.IT, phrases.ANSWER)
_SMALL_TALK = re.compile(rf"{either(phrases.POLITE)}(?: {either(phrases.POLITE)})*")
_AGREES = re.compile(r"(?:yes|yeah|yep|sure|ok|okay|please|oui|ouais|d accord)\b")


@cache
def _meta() -> re.Pattern[str]:
    """What asks about the last answer: that is at hand, and no source has it. It takes 40 ms to compile."""
    return re.compile(
        "|".join(
            (
                rf"{_PLEASE}{either(phrases.AGAIN)}(?: {_SAID})?{_HOW}*",
                rf"{_PLEASE}{either(phrases.REDO)} {_SAID}{_HOW}*",
                rf"{_PLEASE}{either(phrases.TELL)} {_SAID}{_HOW}+",
                rf"{_PLEASE}{either(phrases.SUM_UP)} {either(phrases.ANSWER)}{_HOW}*",
                rf"(?:and |now |et |maintenant |the same |the same thing |la meme chose ){{0,3}}"
                rf"(?:{_TONGUE}|{either(phrases.ALONE)}){_HOW}*",
                either(phrases.ABOUT),
            )
        )
    )


def needs_search(question: str, focus: Focus, history: Sequence[Exchange]) -> bool:
    """Whether sources must be looked at: not to be polite, and not to say again what was answered."""
    if focus == "chat":
        return False
    said = plain_words(question)
    if not said or said.count(" ") >= _LONGEST:
        return bool(said)
    if _SMALL_TALK.fullmatch(said):
        # "Yes" answers what was asked last, and that may well be whether to look further.
        return bool(_AGREES.match(said) and history and history[-1].answer.rstrip().endswith("?"))
    return focus == "documents" or not history or _meta().fullmatch(said) is None


def is_small_talk(said: str) -> bool:
    """Whether plain words are polite and nothing else; a message without any, such as a thumb, is."""
    return not said or (said.count(" ") < _LONGEST and _SMALL_TALK.fullmatch(said) is not None)


def plain_words(message: str) -> str:
    """The words of a message in small letters, without accents and marks, with one space between them."""
    plain = unicodedata.normalize("NFKC", message).casefold().replace("’", "'").replace("'s", "s")
    return " ".join(fold(word) for word in _WORD.findall(plain))
