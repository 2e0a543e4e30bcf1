"""Word verdicts in English and French, for exports and the terminal.

The page has the same words in `ui/src/conversation/citations/verdictText.ts`; the tests of both use
`tests/conversations/verdict_cases.json`.
"""

from collections.abc import Callable, Sequence

from pincite.events import Answer, Judge, Repair, Sentence
from pincite.events.tool_markup import shorten_value
from pincite.types import Support

ORDER: tuple[Support, ...] = ("verified", "partial", "contradicted", "unsupported", "unchecked")
_QUOTED = 200  # characters of a quoted source or sentence

_WORDS = {
    "en": {
        "quote": "“{}”",
        "partial": "supported in part",
        "contradicted": "contradicted",
        "unsupported": "not found in the sources",
        "unchecked": "not checked",
        "checking": "being checked",
        "why": "{}: {}",
        "missing": "{} is not in the source",
        "missing_many": "{} are not in the source",
        "source": "the source says {}",
        "quoted": "quoted",
        "judged": "verified by {}",
        "verified": "verified",
        "computed": "calculated: {}",
        "by": "; judged by {}",
        "trust": " (agreed with readers on {} of {}, {})",
        "stopped": "stopped here",
        "corrected": "Corrected: {} became {} ({}).",
        "withdrawn": "Withdrawn: {} ({}).",
        "length": "The answer ends early: the model reached its limit of length.",
        "connection": "The answer ends early: the connection to the model was lost.",
        "repetition": "The answer ends early: the model began to repeat itself.",
        "filter": "The answer ends early: the provider of the model filtered the rest.",
    },
    "fr": {
        "quote": "«\u00a0{}\u00a0»",
        "partial": "appuyée en partie",
        "contradicted": "contredite",
        "unsupported": "introuvable dans les sources",
        "unchecked": "non vérifiée",
        "checking": "en cours de vérification",
        "why": "{}\u00a0: {}",
        "missing": "{} n’est pas dans la source",
        "missing_many": "{} ne sont pas dans la source",
        "source": "la source dit {}",
        "quoted": "citée mot pour mot",
        "judged": "vérifiée par {}",
        "verified": "vérifiée",
        "computed": "calculée\u00a0: {}",
        "by": "\u00a0; jugées par {}",
        "trust": " (d’accord avec les lecteurs sur {} phrases sur {}, {})",
        "stopped": "arrêtée ici",
        "corrected": "Corrigée\u00a0: {} est devenue {} ({}).",
        "withdrawn": "Retirée\u00a0: {} ({}).",
        "length": "La réponse s’arrête avant la fin\u00a0: le modèle a atteint sa limite de longueur.",
        "connection": "La réponse s’arrête avant la fin\u00a0: la connexion au modèle a été perdue.",
        "repetition": "La réponse s’arrête avant la fin\u00a0: le modèle commençait à se répéter.",
        "filter": "La réponse s’arrête avant la fin\u00a0: le fournisseur du modèle a filtré le reste.",
    },
}


def describe_support(
    support: Support,
    language: str,
    unsupported: Sequence[str] = (),
    source: str = "",
    reasons: Sequence[str] = (),
) -> str:
    """Word a verdict other than `verified`, with the unsupported words or what the source says."""
    words = _WORDS[language]
    why = ""
    if support == "contradicted":
        why = words["source"].format(quote_text(source, language)) if source.strip() else "; ".join(reasons)
    elif support == "partial":
        why = describe_missing_words(unsupported, language) or "; ".join(reasons)
    return words["why"].format(words[support], why) if why else words[support]


def describe_missing_words(unsupported: Sequence[str], language: str) -> str:
    """Say that these words of a sentence are not in its source; empty without words."""
    if not unsupported:
        return ""
    form = _WORDS[language]["missing_many" if len(unsupported) > 1 else "missing"]
    return form.format(", ".join(quote_text(each, language) for each in unsupported))


def describe_sentence(sentence: Sentence, language: str) -> str:
    """Return the note after a sentence; empty for a verified one and for one that claims nothing."""
    if sentence.support is None or sentence.support == "verified":
        return ""
    if sentence.checking:
        return _WORDS[language]["checking"]
    return describe_support(sentence.support, language, sentence.unsupported, sentence.source, sentence.reasons)


def describe_basis(sentence: Sentence, language: str) -> str:
    """Return what verified a sentence; empty for any other."""
    words = _WORDS[language]
    if sentence.support != "verified":
        return ""
    match sentence.basis:
        case "quote":
            return words["quoted"]
        case "computed" if sentence.computed:
            return words["computed"].format(shorten_value(sentence.computed, _QUOTED))
        case "judge" if sentence.judge:
            return words["judged"].format(sentence.judge)
    return words["verified"]


def describe_citation(sentences: Sequence[Sentence], n: int, language: str) -> str:
    """Return what a footnote says about the verified sentences that cite it, without repeats."""
    bases = [describe_basis(each, language) for each in sentences if n in each.citations]
    return ", ".join(dict.fromkeys(filter(None, bases)))


def summarize_verdicts(answer: Answer, language: str) -> str:
    """Count the sentences by verdict and name the judge; empty where nothing is claimed."""
    counts = {name: sum(each.support == name for each in answer.sentences) for name in ORDER}
    judged = sum(counts.values())
    if not judged:
        return ""
    tally = _count_quoted(judged, language) if are_quoted(answer.sentences) else _TALLY[language](counts, judged)
    return tally + describe_judge(answer.judge, language)


def are_quoted(sentences: Sequence[Sentence]) -> bool:
    """Return whether every sentence that claims something is a quotation."""
    judged = [each for each in sentences if each.support]
    return bool(judged) and all(each.support == "verified" and each.basis == "quote" for each in judged)


def describe_judge(judge: Judge | None, language: str) -> str:
    """Name the judge of an answer and its agreement with readers; empty where it judged nothing."""
    if judge is None or not judge.sentences:
        return ""
    words = _WORDS[language]
    trust = ""
    if judge.total and judge.agreed is not None and judge.passed is not None:
        trust = words["trust"].format(judge.agreed, judge.total, _PASSED[language](judge.passed))
    return words["by"].format(judge.model) + trust


def describe_end(answer: Answer, language: str) -> list[str]:
    """List why an answer was cut, and the sentences that were corrected or withdrawn."""
    cut = [_WORDS[language][answer.cut]] if answer.cut else []
    return [*cut, *(describe_repair(repair, language) for repair in answer.repairs)]


def describe_repair(repair: Repair, language: str) -> str:
    """Say that a sentence was corrected or withdrawn, and why."""
    words = _WORDS[language]
    why = describe_support(repair.support, language, source=repair.source)
    if not repair.after.strip():
        return words["withdrawn"].format(quote_text(repair.before, language), why)
    return words["corrected"].format(quote_text(repair.before, language), quote_text(repair.after, language), why)


def describe_stop(language: str) -> str:
    """Return the note at the place where an answer was stopped."""
    return _WORDS[language]["stopped"]


def quote_text(text: str, language: str) -> str:
    """Quote words in the quotation marks of a language, on one line and shortened."""
    return _WORDS[language]["quote"].format(shorten_value(text, _QUOTED))


def name_sentence(sentence: Sentence, language: str) -> str:
    """Return a sentence and its note, where the note cannot stand behind the sentence."""
    return _WORDS[language]["why"].format(quote_text(sentence.text, language), describe_sentence(sentence, language))


def _count_quoted(count: int, language: str) -> str:
    if language == "fr":
        return f"Phrases citées mot pour mot\u00a0: {count}"
    return f"{count} sentence{'s' if count > 1 else ''} quoted"


def _tally_english(counts: dict[Support, int], judged: int) -> str:
    first = f"{counts['verified']} of {judged} sentence{'s' if judged > 1 else ''} verified"
    rest = [f"{counts[name]} {_WORDS['en'][name]}" for name in ORDER[1:] if counts[name]]
    return ", ".join([first, *rest])


def _tally_french(counts: dict[Support, int], judged: int) -> str:
    names = {
        "partial": "appuyées en partie",
        "contradicted": "contredites",
        "unsupported": "introuvables dans les sources",
        "unchecked": "non vérifiées",
    }
    first = f"Phrases vérifiées\u00a0: {counts['verified']} sur {judged}"
    return ", ".join([first, *(f"{names[name]}\u00a0: {counts[name]}" for name in ORDER[1:] if counts[name])])


def _describe_passed_english(passed: int) -> str:
    return f"let {passed or 'no'} false sentence{'s' if passed > 1 else ''} pass"


def _describe_passed_french(passed: int) -> str:
    if not passed:
        return "aucune phrase fausse acceptée"
    many = "s" if passed > 1 else ""
    return f"{passed} phrase{many} fausse{many} acceptée{many}"


_TALLY: dict[str, Callable[[dict[Support, int], int], str]] = {"en": _tally_english, "fr": _tally_french}
_PASSED: dict[str, Callable[[int], str]] = {"en": _describe_passed_english, "fr": _describe_passed_french}
