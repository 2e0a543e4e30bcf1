"""Phrases beside and below an answer in the terminal, in English and French."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.events import Usage
    from pincite.types import Support

# The English names of verdicts are those of the events.
_VERDICTS: dict[str, dict["Support", tuple[str, str]]] = {
    "en": {},
    "fr": {
        "verified": ("vérifiée", "vérifiées"),
        "partial": ("appuyée en partie", "appuyées en partie"),
        "contradicted": ("contredite", "contredites"),
        "unsupported": ("introuvable dans les sources", "introuvables dans les sources"),
        "unchecked": ("non vérifiée", "non vérifiées"),
    },
}
_PHRASES = {
    "en": {
        "nearest": "What comes nearest:",
        "passage": "{} passage quoted",
        "passage_many": "{} passages quoted",
        "no_model": "without a model",
        "verdict": "{}: ",
        "quoted": "quoted",
        "quoted_many": "quoted",
        "not_cited": "not cited, may support it",
        "as_it_was": ", as it was on {}",
        "no_source": "no source says this",
        "source_says": "the source says ",
        "invented": "{} citation of a source that does not exist: removed.",
        "invented_many": "{} citations of sources that do not exist: removed.",
        "stopped": "stopped before its end",
        "tokens": "{:,} tokens in, {:,} out",
        "seconds": "{} s",
        "looking": "Looking for the answer…",
        "understood": "understood as “{}”",
        "called": "called a tool",
        "left": "Left this machine: {}",
        "read_as": "Read “{}” as “{}”.",
        "checking": "checking {} sentence…",
        "checking_many": "checking {} sentences…",
        "pictures": "Pictures",
        "videos": "Videos",
        "pictures_and_videos": "Pictures and videos",
    },
    "fr": {
        "nearest": "Ce qui s’en approche le plus\u00a0:",
        "passage": "{} passage cité",
        "passage_many": "{} passages cités",
        "no_model": "sans modèle",
        "verdict": "{}\u00a0: ",
        "quoted": "citée mot pour mot",
        "quoted_many": "citées mot pour mot",
        "not_cited": "non citée, pourrait appuyer une phrase",
        "as_it_was": ", telle qu’elle était le {}",
        "no_source": "aucune source ne le dit",
        "source_says": "la source dit ",
        "invented": "{} citation d’une source qui n’existe pas\u00a0: retirée.",
        "invented_many": "{} citations de sources qui n’existent pas\u00a0: retirées.",
        "stopped": "arrêtée avant la fin",
        "tokens": "{:_} tokens en entrée, {:_} en sortie",
        "seconds": "{}\u00a0s",
        "looking": "Recherche de la réponse…",
        "understood": "compris comme «\u00a0{}\u00a0»",
        "called": "outil appelé",
        "left": "Données envoyées hors de cette machine\u00a0: {}",
        "read_as": "«\u00a0{}\u00a0» a été lu comme «\u00a0{}\u00a0».",
        "checking": "vérification de {} phrase…",
        "checking_many": "vérification de {} phrases…",
        "pictures": "Images",
        "videos": "Vidéos",
        "pictures_and_videos": "Images et vidéos",
    },
}


def get_phrase(language: str, name: str, *values: object) -> str:
    """Return a phrase in a language, with its values."""
    return _PHRASES[language][name].format(*values)


def describe_tokens(language: str, used: "Usage") -> str:
    """Return the tokens of an answer, with thousands grouped as the language does."""
    return get_phrase(language, "tokens", used.input_tokens, used.output_tokens).replace("_", "\u202f")


def describe_seconds(language: str, seconds: float) -> str:
    """Return a duration with the decimal sign of the language."""
    return get_phrase(language, "seconds", f"{seconds:.1f}".replace(".", "," if language == "fr" else "."))


def count_phrase(language: str, name: str, count: int) -> str:
    """Return a phrase about a number of things, in the singular or plural."""
    return get_phrase(language, name if count == 1 else f"{name}_many", count)


def name_verdict(language: str, support: "Support", count: int = 1) -> str:
    """Return the name of a verdict on a number of sentences."""
    one, many = _VERDICTS[language].get(support, (support, support))
    return one if count == 1 else many
