"""How far a text supports a sentence: numbers, names, negation, opposites and wording, by rules that can be read.

Nothing here knows a language model. What may be said against a sentence is found first; each finding has its reason
and its weight, and one that is a contradiction or a missing fact keeps the sentence from being verified, however
alike the words are.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.evidence.comparison import Comparison
from pincite.evidence.findings import Findings, findings
from pincite.evidence.wording import Prepared, prepare
from pincite.types import Support, Verdict

Meaning = Callable[[Sequence[str]], NDArray[np.float32]]

_TOP = 0.7  # what is not verified scores less than this
_COVERED = 0.75  # of a sentence's weight, to be verified by its words
_ANCHORED = 0.5  # of it, in one sentence of the source: the rest may be gathered around
_TOUCHED = 0.35  # and to be supported at all
_ALIKE = 0.9  # cosine of two texts that say much the same, in other words or another language
_USUAL = 0.88  # the cosine of two texts on one matter
_LITTLE = "the source says little of this"
ONLY_PART = "the source says only part of this"


def verify(sentence: str, support: str, context: str = "", meaning: Meaning | None = None) -> Verdict:
    """How far `support` bears out a sentence; `context` may say who is meant, and no more."""
    return judge(prepare(sentence), prepare(support), prepare(context) if context else None, meaning)


def judge(
    sentence: Prepared, support: Prepared, context: Prepared | None = None, meaning: Meaning | None = None
) -> Verdict:
    """The same for texts that are prepared."""
    found = findings(Comparison(sentence, support, context))
    verdict = _verdict(found, None)
    # What is said in the source's own words needs no model.
    if meaning is None or verdict.support == "verified":
        return verdict
    own, other = meaning([sentence.text, support.text])
    return _verdict(found, float(own @ other))


def _verdict(found: Findings, alike: float | None) -> Verdict:
    against = (*found.against, *found.missing, *found.replaced, *found.stronger)
    said = min(found.coverage, found.gathered)
    support: Support = "partial"
    if not against and said >= _COVERED and found.anchored >= _ANCHORED:
        support = "verified"
    elif found.against or (said < _TOUCHED and (alike or 0.0) < _ALIKE):
        support = "unsupported"
    if support != "verified" and not against:
        against = (_LITTLE if support == "unsupported" else ONLY_PART,)
    return Verdict(support, _score(support, _likely(found, alike)), against)


def _likely(found: Findings, alike: float | None) -> float:
    """How likely a sentence with these findings is borne out.

    Set by hand after logistic regressions on half of each of two public sets (experts' verdicts on cited claims, French
    pairs that contradict each other or not); docs/verifying.md has the figures of both halves.
    """
    amount = found.amount / (found.amount + 8)
    logit = -1.6 + 1.2 * found.coverage + 0.5 * found.runs + 3.5 * amount
    logit += 17 * (alike - _USUAL) if alike is not None else 0.0
    logit -= 2.5 * found.polarity + 4 * found.conflict + 0.5 * found.unknown
    return 1 / (1 + math.exp(-logit))


def _score(support: Support, likely: float) -> float:
    """One number for both: what is verified gains on what is not, and what is not never reaches the top."""
    return round(_TOP * likely + (1 - _TOP) * (support == "verified"), 4)
