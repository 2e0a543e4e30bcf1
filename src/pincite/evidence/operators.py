"""What is said of a word by those before it: that it is not so, may be so, must be so, or only so."""

import re
from collections.abc import Sequence
from typing import NamedTuple

NOT, MAY, MUST, ONLY = 1, 2, 4, 8
_KINDS = (NOT, MAY, MUST, ONLY)
_REACH = 3  # words that a cue is said of, at most

_CUES = {
    NOT: "not never none nobody nothing neither nor without cannot hardly fails failed failing fail lack lacks lacked "
    "lacking unable refuse refuses refused ne non ni sans aucun aucune jamais nul nulle refusent refusait incapable "
    "deny denies denied denying refute refutes refuted dement dementent dementi dementie nie nient refutent "
    "renonce renoncent renoncer",
    MAY: "may might could possibly perhaps probably potentially allegedly reportedly supposedly seems seem appears "
    "pourrait pourraient peut-etre probablement possiblement eventuellement semble semblent pretendument sembler "
    "presume presumee susceptible susceptibles",
    MUST: "must shall required doit doivent devra devront devaient devait faut oblige obligee tenus tenu",
    ONLY: "only solely exclusively seulement uniquement exclusivement",
}
CUES = {word: kind for kind, words in _CUES.items() for word in words.split()}
_NEGATES_WITH_NE = frozenset(("pas", "plus", "jamais", "rien", "personne", "guere", "point"))
# "not only … but", "no fewer than": nothing is denied.
_TAKES_BACK = frozenset(("only", "just", "merely", "simply", "seulement", "uniquement"))
_FAILING = frozenset(("fail", "fails", "failed", "failing"))
_RENOUNCING = frozenset(("renonce", "renoncent", "renoncer"))
_REFUSING = frozenset(("refuse", "refusent", "refuses", "refused"))
_ALONE = frozenset(("seul", "seule", "seuls", "seules"))  # "seul le gérant", not "un seul gérant"
_FAR = 6


class Said(NamedTuple):
    """Kinds of cue that stand right before a word, and within reach of it."""

    directly: int = 0
    loosely: int = 0


def cues(plain: Sequence[str], after: Sequence[str]) -> list[int]:
    """The kind of cue that each word is, 0 for none; `after` is what stands between a word and the next."""
    found = [CUES.get(word, 0) for word in plain]
    for i, word in enumerate(plain):
        following = plain[i + 1] if i + 1 < len(plain) else ""
        if word == "no" and not re.match(r"\.\s?$", after[i]):
            found[i] = 0 if following in _TAKES_BACK or following in ("doubt", "fewer", "less") else NOT
        elif word == "not" and following in _TAKES_BACK:
            found[i] = 0
        elif word in _ALONE and following in ("le", "la", "les") and (i == 0 or re.search(r"[.,;:!?]", after[i - 1])):
            found[i] = ONLY
        elif word == "ne":
            # "ne … que" is only, and "non" and "ne" before "seulement" deny nothing.
            beyond = plain[i + 1 : i + _FAR]
            if "que" in beyond and _NEGATES_WITH_NE.isdisjoint(beyond[: beyond.index("que")]) and "aucun" not in beyond:
                found[i] = ONLY
        elif word == "pas" and "ne" not in plain[max(i - _FAR, 0) : i]:
            found[i] = 0 if following in _TAKES_BACK or following == "a" else NOT
        elif (
            (word == "non" and following in _TAKES_BACK)
            or (word in _FAILING and following != "to")
            or (word in _RENOUNCING and following != "a")
            or (word in _REFUSING and following not in ("de", "d", "to"))
        ):
            found[i] = 0
    return found


def said(kinds: Sequence[int], weights: Sequence[float], light: float, clauses: Sequence[int]) -> list[Said]:
    """What is said of each word that weighs something, by the cues before it in its clause."""
    directly, loosely = [0] * len(kinds), [0] * len(kinds)
    for i, kind in enumerate(kinds):
        if not kind:
            continue
        reached, touched = 0, False
        for j in range(i + 1, len(kinds)):
            if clauses[j] != clauses[i] or reached == _REACH:
                break
            if weights[j] and not kinds[j]:
                loosely[j] |= kind
                if not reached:
                    directly[j] |= kind
                reached += weights[j] > light
                touched = True
        if not touched:
            # "It does not.", "si elle le refuse, non": what was said last is meant.
            for j in range(i - 1, max(i - _FAR, -1), -1):
                if weights[j] and not kinds[j]:
                    directly[j] |= kind
                    loosely[j] |= kind
                    break
    return [Said(a, b) for a, b in zip(directly, loosely, strict=True)]
