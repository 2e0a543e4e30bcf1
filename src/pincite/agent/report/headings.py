"""The few words of a report that are neither its sources' nor its model's, in the language of the question."""

import re
from collections.abc import Sequence
from typing import Literal

from pincite import events
from pincite.agent.refusal import SILENCE
from pincite.evidence.markers import shielded
from pincite.evidence.sentences import sentences

Language = Literal["en", "fr"]

SHORT = {"en": "In short", "fr": "En bref"}
DISPUTED = {"en": "Where sources disagree", "fr": "Où les sources divergent"}
MISSING = {"en": "Not found", "fr": "Ce qui n'a pas été trouvé"}
_SILENT = {"en": "The sources do not answer “{}”.", "fr": "Les sources ne répondent pas à la question « {} »."}
_ABSENT = {"en": "No document mentions {}.", "fr": "Aucun document ne mentionne {}."}
_OR = {"en": " or ", "fr": " ni "}
_FAILED = {
    "en": "This part could not be researched{}.",
    "fr": "Cette partie n'a pas pu être traitée{}.",
}
_MARKS = str.maketrans({"#": "", "*": "", "`": "", "[": "(", "]": ")"})
_SPACE = re.compile(r"\s+")
_LONGEST = 180  # characters of a question that is named again


def named(heading: str) -> str:
    """A heading as it stands in a report: on one line, with nothing in it that is a mark, code or a command."""
    bare = shielded(heading.translate(_MARKS))
    return _SPACE.sub(" ", bare).strip()


def silent(question: str, language: Language) -> str:
    """The sentence that says that a question was not answered."""
    asked = named(question).replace("“", "").replace("”", "").replace("«", "").replace("»", "").rstrip(" ?.!…")
    if len(asked) > _LONGEST:
        asked = asked[:_LONGEST].rpartition(" ")[0] + "…"
    said = _SILENT[language].format(f"{asked} ?" if language == "fr" else f"{asked}?")
    return f"{said} {SILENCE}"


def absent(names: Sequence[str], language: Language) -> str:
    """The sentence that says that no document has some names."""
    return f"{_ABSENT[language].format(_OR[language].join(map(named, names)))} {SILENCE}"


def name_question(section: events.Section) -> str:
    """How the question of a section is named: a side of a comparison is asked for by its name before the question."""
    is_side = section.question.casefold().startswith(f"{section.heading.casefold()} —")
    return section.heading if is_side else section.question


def failed(error: str, language: Language) -> str:
    """The sentence that says that a section could not be written, with the reason where that is short and plain."""
    found = sentences(error)
    reason = error[slice(*found[0])].rstrip(" .!") if found else ""
    told = _FAILED[language].format((" : " if language == "fr" else ": ") + reason[:1].lower() + reason[1:])
    # A figure would be a claim.
    has_figure = any(map(str.isdigit, reason))
    return f"{told if reason and not has_figure else _FAILED[language].format('')} {SILENCE}"
