"""Write the reasons of a verdict for a person, in English or French."""

from pincite.types import Reason, ReasonCode

_ENGLISH: dict[ReasonCode, str] = {
    "fact_differs": "the source says {found}, the sentence says {claimed}",
    "fact_missing": "{claimed} is not in the cited words",
    "not_cited": "no source is cited for it",
    "not_said": "the source says only part of it",
    "judge_differs": "the source says otherwise: “{found}”",
    "judge_part": "the source does not say “{claimed}”",
    "judge_none": "the cited words do not say it",
    "judge_failed": "the judge gave no verdict",
    "no_judge": "no judge has checked its meaning",
}
_FRENCH: dict[ReasonCode, str] = {
    "fact_differs": "la source dit {found}, la phrase dit {claimed}",
    "fact_missing": "{claimed} n’est pas dans les mots cités",
    "not_cited": "aucune source n’est citée",
    "not_said": "la source n’en dit qu’une partie",
    "judge_differs": "la source dit autre chose : « {found} »",
    "judge_part": "la source ne dit pas « {claimed} »",
    "judge_none": "les mots cités ne le disent pas",
    "judge_failed": "le juge n’a pas rendu de verdict",
    "no_judge": "aucun juge n’en a vérifié le sens",
}
_NO_QUOTE = {"en": "the source says otherwise", "fr": "la source dit autre chose"}


def describe_reason(reason: Reason, language: str) -> str:
    """Return a reason as a person reads it; any language but French gets English."""
    if reason.code == "judge_differs" and not reason.found:
        return _NO_QUOTE["fr" if language == "fr" else "en"]
    words = _FRENCH if language == "fr" else _ENGLISH
    return words[reason.code].format(claimed=reason.claimed, found=reason.found)
