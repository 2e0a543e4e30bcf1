"""Split a question into parts by rules: the sides of a comparison, and questions joined by "and"."""

import re
from collections.abc import Sequence
from typing import Literal

from pincite.answer.extractive.question_kind import parse_question, write_side_question
from pincite.search.question_subject import add_subject, name_subject
from pincite.search.references import has_few_words, needs_history
from pincite.types import Exchange

QuestionPart = tuple[str, str]  # the heading of the part, and its question
PartSource = Literal["documents", "web", ""]

_ASKS = (
    r"(?:(?:in|on|to|at|for|by|from|since|à|de|en|dans|pour|par|sur|depuis)\s+)?"
    r"(?:what|which|who|whom|whose|when|where|why|how|quel(?:le)?s?|qui|que|qu['’]|quand|où|pourquoi|comment|combien)"
)
_JOINED = re.compile(
    rf"^(?P<a>{_ASKS}\b.+?)(?:\s*,\s+(?:(?:and|but|et|mais)\s+)?|\s+(?:and|but|et|mais)\s+)(?:also\s+|aussi\s+)?"
    rf"(?P<b>{_ASKS}\b.+)$",
    re.I,
)
_OF = r"(?:about|on|regarding|concerning|sur|concernant|au\s+sujet\s+d(?:e|u|es)|à\s+propos\s+d(?:e|u|es))"
# "about A, B and C", and "of A and of B": what a report looks up one by one.
_LISTED = re.compile(
    rf"^(?P<before>.+\s{_OF})\s+(?P<items>[^,?]+(?:,\s+[^,?]+)+?),?\s+(?:and|or|et|ou)\s+(?P<last>[^,?]+?)[\s?.!]*$",
    re.I,
)
_REPEATED = re.compile(
    r"^(?P<before>.+)\s(?P<one>(?P<word>of|for|about|on|in|by)\s[^,?]+?),?\s+and\s+(?P<other>(?P=word)\s[^,?]+?)[\s?.!]*$"
    r"|^(?P<avant>.+)\s(?P<un>(?:d(?:e|u|es)\s|d['’])[^,?]+?),?\s+et\s+(?P<autre>(?:d(?:e|u|es)\s|d['’])[^,?]+?)[\s?.!]*$",
    re.I,
)
_LINK = re.compile(r"^(?:(?:of|for|about|on|in|by|des|du|de)\s+|d['’])?(?:l['’]|(?:la|les?|the)\s+)?", re.I)
_ITEM = 6  # words of an item
_IT = r"(?:it|this|that|them|these|ça|cela|ce\s+point|ce\s+sujet|lui)"
_THEME = re.compile(rf"(?<=\s){_OF}\s+(?!{_IT}\b)\S.*$", re.I)
_ABOUT_IT = re.compile(rf"\s+{_OF}\s+{_IT}\s*$|\s+(?:à\s+ce\s+sujet|là-dessus)\s*$", re.I)
# A source's statement about a subject that was named before; and a French object before its verb: "qui l'a conçu".
_SAYS = re.compile(
    r"what\s+(?:does|do|did)\s+.+\s+(?:say|state|require|provide)|(?:que|qu['’])\s*(?:dit|disent|prévoi(?:t|ent))\s.+",
    re.I,
)
_OBJECT = re.compile(
    r"\bl['’](?:a|ont|avai\w+)\b|^qui\s+(?:le|la|les)\s|^(?:comment|où|quand)\s+(?:le|la|les)\s+\w+(?:er|ir|re)\b", re.I
)
# The source of a statement decides where to search, not its subject: "what does the law say about the contract".
_SPEAKER = re.compile(
    r"what\s+(?:does|do|did)\s+(?P<en>.+?)\s+(?:say|state|require|provide)\b"
    r"|(?:que|qu['’])\s*(?:dit|disent|prévoi(?:t|ent))\s+(?P<fr>.+?)(?=\s+(?:sur|concernant|à\s+propos|au\s+sujet)\s|\W*$)",
    re.I,
)
_STOPPED = re.compile(r"(?<=[?])\s+(?=\S)")
_WORD = re.compile(r"[^\W_]")
_FEWEST = 3  # words in a part
_MOST = 3  # parts
_LONGEST = 600  # characters of a question that the rules handle

_DOCUMENT_WORDS = (
    "contract|lease|agreement|invoice|policy|policies|report|document|documents|file|files|pdf|letter|minutes|manual|"
    "handbook|notes|paper|papers|offer|quote|contrat|bail|accord|facture|rapport|dossier|dossiers|fichier|fichiers|lettre|"
    "manuel|devis|offre|règlement intérieur|procès-verbal|courrier"
)
_OWN = re.compile(
    rf"\b(?:my|our|mon|ma|mes|notre|nos)\s+\w|\b(?:the|this|these|that|le|la|les|ce|cet|cette|ces|l['’]|du|des|au)\s*"
    rf"(?:\w+\s+)?(?:{_DOCUMENT_WORDS})\b|\b(?:la|cette|une)\s+notice\b",
    re.I,
)
_OUTSIDE = re.compile(
    r"\b(?:laws?|legislation|statutes?|regulations?|online|internet|web|websites?|news|press|market|nowadays|currently|"
    r"lois?|droit|législation|code (?:civil|du travail|de commerce)|réglementation|en ligne|sites? web|actualités?|"
    r"presse|marché|actuellement|aujourd['’]hui)\b",
    re.I,
)


def split_question(question: str) -> list[QuestionPart]:
    """Return the two or three parts of a question, each as a question of its own; none when it is one question."""
    if len(question) > _LONGEST:
        return []
    asking = parse_question(question)
    if asking.kind == "comparison" and len(asking.subjects) == 2 and all(map(_WORD.search, asking.subjects)):
        return [(side, write_side_question(side, asking.text)) for side in asking.subjects]
    clauses = _split_clauses(asking.text)
    if len(clauses) < 2:
        return []
    mark = " ?" if asking.language == "fr" else "?"
    themed = _add_theme(clauses)
    if themed:
        return [(clause, f"{asked}{mark}") for clause, asked in zip(clauses, themed, strict=True)]
    first = [Exchange(f"{clauses[0]}{mark}")]
    asked = [(clause, f"{clause}{mark}") for clause in clauses]
    return asked[:1] + [
        (clause, add_subject(alone, name_subject(alone, first)) if _is_incomplete(clause, asking.language) else alone)
        for clause, alone in asked[1:]
    ]


def split_aspects(question: str) -> list[QuestionPart]:
    """Return a question once for each item of the list that it ends with: "about A, B and C", "of A and of B"."""
    if len(question) > _LONGEST or parse_question(question).kind != "question":
        return []
    text = " ".join(question.split())
    if listed := _LISTED.match(text):
        before = listed["before"]
        items = [*re.split(r",\s+", listed["items"]), listed["last"]]
    elif repeated := _REPEATED.match(text):
        before = repeated["before"] or repeated["avant"]
        items = [repeated["one"] or repeated["un"], repeated["other"] or repeated["autre"]]
    else:
        return []
    if any(len(item.split()) > _ITEM for item in items):
        return []
    mark = " ?" if parse_question(text).language == "fr" else "?"
    return [(_LINK.sub("", item), f"{before} {item}{mark}") for item in items]


def choose_source(text: str) -> PartSource:
    """Choose the source that a part names: the user's documents or the web; empty when it names neither."""
    text = " ".join(text[:_LONGEST].split())
    speaker = _SPEAKER.match(text)
    source = (speaker["en"] or speaker["fr"]) if speaker else text
    if _OWN.search(source):
        return "documents"
    return "web" if _OUTSIDE.search(source) else choose_source(text[speaker.end() :]) if speaker else ""


def choose_sources(found: Sequence[QuestionPart]) -> list[PartSource]:
    """Choose the source for each part. A part that refers back to the first one uses the same source."""
    own = [choose_source(heading) for heading, _ in found]
    return [source or (own[0] if _is_dependent(*part) else "") for source, part in zip(own, found, strict=True)]


def _is_dependent(heading: str, asked: str) -> bool:
    """Whether a part got words of another part. A side of a comparison does not depend on the other."""
    is_side = len(asked) > len(heading) and asked == write_side_question(
        heading, asked[len(write_side_question(heading, "")) :]
    )
    return asked.rstrip(" ?") != heading and not is_side and not _SAYS.fullmatch(heading)


def _split_clauses(text: str) -> list[str]:
    """Split questions that follow one another or are joined by "and". Each must have its own question word."""
    sentences = [part for part in _STOPPED.split(text) if part.rstrip().endswith("?")]
    found: list[str] = []
    for sentence in sentences or [text]:
        rest = sentence
        while len(found) < _MOST - 1 and (match := _JOINED.match(rest)):
            found.append(match["a"])
            rest = match["b"]
        found.append(rest)
    bare = [clause.strip(" ,;?.!") for clause in found][:_MOST]
    if len(bare) < 2 or any(len(clause.split()) < _FEWEST for clause in bare):
        return []
    return [clause[:1].upper() + clause[1:] for clause in bare]


def _is_incomplete(clause: str, language: str) -> bool:
    """Whether a part takes its subject from the first one: it has few words of its own, or refers back."""
    known_language = "fr" if language == "fr" else "en"
    if has_few_words(clause, known_language) or needs_history(clause, (Exchange(clause),), known_language):
        return True
    return bool(_SAYS.fullmatch(clause) or _OBJECT.search(clause))


def _add_theme(clauses: list[str]) -> list[str]:
    """Add the common theme to each clause, where one clause names it and the others need it; else return none."""
    themes = [match for clause in clauses if (match := _THEME.search(clause))]
    if len(themes) != 1:
        return []
    theme = themes[0][0]
    others = [clause for clause in clauses if theme not in clause]
    if not all(_ABOUT_IT.search(clause) or _SAYS.fullmatch(clause) for clause in others):
        return []
    return [f"{_ABOUT_IT.sub('', clause)} {theme}" if clause in others else clause for clause in clauses]
