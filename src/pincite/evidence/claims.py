"""Whether a sentence of an answer claims something: headings, questions and lead-ins need no source.

Such a line may still claim ("## Revenue fell 40 %"). It does when it has a figure or a word that neither the question
nor the sources have and that is no word of lead-ins.
"""

import re
import unicodedata
from collections.abc import Iterable

_HEADING = re.compile(r"\s*#{1,6}\s")
_BOLD = re.compile(r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(\*\*|__)(?:(?!\1).)+\1\s*:?\s*")
_RULE = re.compile(r"[\s|:+\-=*_#>`~.]*")
_STOPPED = re.compile(r"[.!…][*_\s\"'”»)]*$")
_WORD = re.compile(r"[^\W\d_]{4,}|\d+(?:[.,]\d+)*")
_TABLE = re.compile(r"\s*\|")
_STEM = 5

_LEADING_WORDS = """
about according account additional advantages afin ainsi alors also analysis answer answers aspects aussi autre
autres avantages avec below between brief cette comparaison comparison conclusion conditions context contexte
dans definition details deux documents donc elements elle elles entre etapes example examples exemple exemples
facts figures finally follow following follows found from general here important inconvenients information
informations introduction items kinds list liste main mais more next note notes nous other others overview part
parties parts point points possible pour principal principales principaux quel quelle quelles quels question
questions quoi raisons rappel reasons regles reponse reponses requirements resultats results resume rules
section sections side sont source sources steps suivant suivante suivantes suivants sujet summary synthese table
tableau that these this those three topics trois types under voici voila vous were what when where which with
your
"""
_LEADING = frozenset(_LEADING_WORDS.split())


def is_claim(sentence: str, known: Iterable[str] = ()) -> bool:
    """Whether a source could support something in a sentence; `known` are the words of the question and the sources."""
    text = sentence.strip()
    if not any(map(str.isalnum, text)) or _RULE.fullmatch(text):
        return False
    is_label = bool(_HEADING.match(text) or _BOLD.fullmatch(text)) and not _STOPPED.search(text)
    is_lead = text.rstrip("*_ ").endswith((":", "?")) and not _TABLE.match(text)
    if not (is_label or is_lead):
        return True
    familiar = {_stem(word) for each in known for word in _WORD.findall(each)} if known else set()
    return any(word not in _LEADING and _stem(word) not in familiar for word in map(_plain, _WORD.findall(text)))


def _plain(word: str) -> str:
    spread = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in spread if not unicodedata.combining(c))


def _stem(word: str) -> str:
    plain = _plain(word)
    return plain if plain[0].isdigit() else plain[:_STEM]
