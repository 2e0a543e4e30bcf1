"""How an answer says that there is none, in the asker's language, and how that is known again."""

import re
from typing import TYPE_CHECKING

from pincite.events.markup import shortened
from pincite.retrieval.references import language_of

if TYPE_CHECKING:
    from pincite.agent.turn import Turn

_REFUSALS = {
    "en": "I found nothing in the sources that answers this.",
    "fr": "Je n'ai rien trouvé dans les sources qui réponde à cette question.",
}
_EMPTY = {
    "en": "There are no documents here yet: add some, and ask again.",
    "fr": "Il n'y a pas encore de documents ici : ajoutez-en, puis reposez la question.",
}
_LOOKED = {"en": "Looked for: {}.", "fr": "Recherché : {}."}
_QUOTES = {"en": "“{}”", "fr": "« {} »"}

_NOUN = r"(?:sources?|documents?|evidence|passages?|textes?|texts?|contexte?|excerpts?|extraits?|information|preuves?)"
_PATTERNS = re.compile(
    "|".join(
        (
            r"\bI (?:have )?found nothing\b",
            r"\b(?:I|we) (?:did not|didn't|could not|couldn't|cannot|can't|was unable to|were unable to) find\b",
            r"\b(?:was|were|is|are) not (?:found|answered|mentioned|specified|stated|given|covered) "
            rf"(?:in|by) (?:the|your|any|these)\b.{{0,30}}{_NOUN}",
            rf"\b{_NOUN}\b.{{0,40}}\b(?:do|does|did) ?(?:not|n't) "
            r"(?:say|mention|contain|answer|provide|specify|state|give|include|address|cover)\b",
            rf"\b(?:no|nothing in the) {_NOUN}\b.{{0,40}}\b(?:answers?|says?|mentions?|contains?|found)\b",
            r"\bcould not be researched\b",
            r"\bn'a pas pu être traitée?\b",
            r"\bje n'ai (?:rien|pas) (?:pu )?trouv",
            r"\bje ne (?:trouve|peux) (?:rien|pas)\b.{0,40}\b(?:sources?|documents?|trouver|répondre)",
            rf"\b{_NOUN}\b.{{0,40}}\bne (?:dit|disent|mentionnent?|contien(?:t|nent)|répond(?:ent)?|précisent?"
            r"|donnent?|indiquent?|fournissent|permet(?:tent)?)\b.{0,20}\b(?:pas|rien)\b",
            rf"\baucune?s? (?:des |de ces )?{_NOUN}\b.{{0,20}}\bne "
            r"(?:dit|mentionne|contient|répond|précise|donne|indique)\b",
        )
    ),
    re.IGNORECASE,
)
_LONGEST = 300  # characters: who says more than this says something
# Behind these, or with a figure, a sentence that begins as a refusal says something after all.
_BUT = re.compile(
    r"\b(?:but|however|although|though|yet|except|while|mais|cependant|toutefois|sauf|bien que)\b|\d", re.I
)
# A question that is named is what was looked for, and claims nothing.
_ASKED = re.compile(r"[“«\"][^“”«»\"]*\?\s*[”»\"]")
_SHOWN = 120  # characters of a search
_PROBLEMS = 3  # that are told


def refusal(language: str) -> str:
    """The sentence that says nothing was found."""
    return _REFUSALS["fr" if language == "fr" else "en"]


def is_refusal(sentence: str) -> bool:
    """Whether a sentence says that the sources do not answer, and nothing else."""
    text = sentence.strip().replace("’", "'")
    said = _ASKED.sub("", text)
    return bool(text) and len(text) <= _LONGEST and bool(_PATTERNS.search(said)) and not _BUT.search(said)


def looked_for(turn: "Turn", said: str) -> str:
    """What is added to a refusal: the sentence itself if it is missing, what stood in the way, what was looked for."""
    language = language_of(turn.asked.question, turn.asked.history)
    parts = [] if said.strip() else [refusal(language)]
    # A web that can be searched needs no documents.
    is_web = turn.engine is not None or turn.asked.focus == "web" or bool(turn.prior)
    if not is_web and not len(turn.ledger) and not _has_documents(turn):
        parts.append(_EMPTY[language])
    else:
        parts += list(dict.fromkeys(turn.problems))[:_PROBLEMS]
        if turn.searched:
            quoted = [_QUOTES[language].format(shortened(words, _SHOWN)) for words in dict.fromkeys(turn.searched)]
            parts.append(_LOOKED[language].format(", ".join(quoted)))
    added = " ".join(parts)
    return f" {added}" if said.strip() and added else added


def _has_documents(turn: "Turn") -> bool:
    from pincite.retrieval import browse

    return bool(browse.listed(turn.house.library.database, turn.asked.scope))
