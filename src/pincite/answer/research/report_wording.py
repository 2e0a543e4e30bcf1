"""The fixed sentences and headings of a report, in the language of the question."""

import re
from collections.abc import Sequence
from typing import Literal

from pincite import events
from pincite.answer.refusal import SILENCE
from pincite.text.citation_marks import shield_source
from pincite.text.sentences import split_sentences

Language = Literal["en", "fr"]

SHORT = {"en": "In short", "fr": "En bref"}
DISPUTED = {"en": "Where sources disagree", "fr": "Où les sources divergent"}
MISSING = {"en": "Not found", "fr": "Ce qui n’a pas été trouvé"}
_SILENT = {"en": "The sources do not answer “{}”.", "fr": "Les sources ne répondent pas à la question « {} »."}
_ABSENT = {"en": "No document mentions {}.", "fr": "Aucun document ne mentionne {}."}
_OR = {"en": " or ", "fr": " ni "}
_FAILED = {
    "en": "This part could not be researched{}.",
    "fr": "Cette partie n’a pas pu être traitée{}.",
}
_MARKS = str.maketrans({"#": "", "*": "", "`": "", "[": "(", "]": ")"})
_SPACE = re.compile(r"\s+")
_LONGEST = 180  # characters of a question that is repeated


def clean_heading(heading: str) -> str:
    """Return a heading on one line, without marks, code or commands."""
    bare = shield_source(heading.translate(_MARKS))
    return _SPACE.sub(" ", bare).strip()


def write_unanswered(question: str, language: Language) -> str:
    """Return the sentence that says a question was not answered."""
    asked = clean_heading(question).replace("“", "").replace("”", "").replace("«", "").replace("»", "").rstrip(" ?.!…")
    if len(asked) > _LONGEST:
        asked = asked[:_LONGEST].rpartition(" ")[0] + "…"
    sentence = _SILENT[language].format(f"{asked} ?" if language == "fr" else f"{asked}?")
    return f"{sentence} {SILENCE}"


def write_missing_names(names: Sequence[str], language: Language) -> str:
    """Return the sentence that says no document has some names."""
    return f"{_ABSENT[language].format(_OR[language].join(map(clean_heading, names)))} {SILENCE}"


def name_question(section: events.Section) -> str:
    """Return the question of a section as it is named to people; for a side of a comparison, its heading."""
    is_side = section.question.casefold().startswith(f"{section.heading.casefold()} —")
    return section.heading if is_side else section.question


def write_failed_section(error: str, language: Language) -> str:
    """Return the sentence that says a section could not be written, with a short reason where there is one."""
    found = split_sentences(error)
    reason = error[slice(*found[0])].rstrip(" .!") if found else ""
    sentence = _FAILED[language].format((" : " if language == "fr" else ": ") + reason[:1].lower() + reason[1:])
    # A figure would count as a claim, so a reason with one is left out.
    has_figure = any(map(str.isdigit, reason))
    return f"{sentence if reason and not has_figure else _FAILED[language].format('')} {SILENCE}"
