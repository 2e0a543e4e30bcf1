"""A second opinion on a sentence that its sources support in part: the system model's, if the settings want it."""

import re

from pincite.agent.helping import replied
from pincite.agent.prompts import render
from pincite.agent.turn import Turn
from pincite.evidence.pin import Pinned
from pincite.evidence.verify import ONLY_PART
from pincite.types import Support, Verdict

_WORD = re.compile(r"\W*(yes|partly|no|oui|en partie|non)\b", re.IGNORECASE)
_SUPPORT: dict[str, Support] = {
    "yes": "verified",
    "oui": "verified",
    "partly": "partial",
    "en partie": "partial",
    "no": "unsupported",
    "non": "unsupported",
}


async def second(turn: Turn, sentence: str, pinned: Pinned) -> Pinned:
    """What is pinned, with the verdict after a second opinion; as it was when there is none to be had.

    A model may doubt what the rules found. It may not overrule them: what they hold against a sentence stays.
    """
    if pinned.verdict.support != "partial" or turn.models.system is None:
        return pinned
    quotes = [turn.quote(each.span, each.evidence) for each in pinned.pins]
    told = render("opinion", quotation="\n".join(quotes), sentence=sentence)
    said = await replied(turn, told, "There is no second opinion")
    if said is None:
        return pinned
    word = _WORD.match(said)
    support = _SUPPORT[word[1].lower()] if word else "partial"
    verdict = pinned.verdict
    if support == "partial" or (support == "verified" and set(verdict.reasons) - {ONLY_PART}):
        return pinned
    reasons = (
        (*verdict.reasons, f"{turn.models.system.name} says it is not supported") if support == "unsupported" else ()
    )
    return Pinned(pinned.pins, Verdict(support, verdict.score, reasons))
