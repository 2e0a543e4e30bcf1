"""A question to its parts without a model: what it compares, and what it asks one after the other."""

import re
from collections.abc import Sequence
from typing import Literal

from pincite.agent.extractive.asking import of_side, understand
from pincite.retrieval.references import refers_back, says_little
from pincite.retrieval.reformulate import add_subject, name_subject
from pincite.types import Exchange

Part = tuple[str, str]  # what it is called, and what is asked of it
Place = Literal["documents", "web", ""]

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
_IT = r"(?:it|this|that|them|these|ça|cela|ce\s+point|ce\s+sujet|lui)"
_THEME = re.compile(rf"(?<=\s){_OF}\s+(?!{_IT}\b)\S.*$", re.I)
_ABOUT_IT = re.compile(rf"\s+{_OF}\s+{_IT}\s*$|\s+(?:à\s+ce\s+sujet|là-dessus)\s*$", re.I)
# What somebody says of what was named before; and a French object before its verb: "qui l'a conçu".
_SAYS = re.compile(
    r"what\s+(?:does|do|did)\s+.+\s+(?:say|state|require|provide)|(?:que|qu['’])\s*(?:dit|disent|prévoi(?:t|ent))\s.+",
    re.I,
)
_OBJECT = re.compile(
    r"\bl['’](?:a|ont|avai\w+)\b|^qui\s+(?:le|la|les)\s|^(?:comment|où|quand)\s+(?:le|la|les)\s+\w+(?:er|ir|re)\b", re.I
)
# Who speaks says where to look, rather than what is spoken of: "what does the law say about the contract".
_SPEAKER = re.compile(
    r"what\s+(?:does|do|did)\s+(?P<en>.+?)\s+(?:say|state|require|provide)\b"
    r"|(?:que|qu['’])\s*(?:dit|disent|prévoi(?:t|ent))\s+(?P<fr>.+?)(?=\s+(?:sur|concernant|à\s+propos|au\s+sujet)\s|\W*$)",
    re.I,
)
_STOPPED = re.compile(r"(?<=[?])\s+(?=\S)")
_WORD = re.compile(r"[^\W_]")
_FEWEST = 3  # words in a part
_MOST = 3  # parts
_LONGEST = 600  # characters of a question that these patterns know

_PAPER = (
    "contract|lease|agreement|invoice|policy|policies|report|document|documents|file|files|pdf|letter|minutes|manual|"
    "handbook|notes|paper|papers|offer|quote|contrat|bail|accord|facture|rapport|dossier|dossiers|fichier|fichiers|lettre|"
    "manuel|devis|offre|règlement intérieur|procès-verbal|courrier"
)
_OWN = re.compile(
    rf"\b(?:my|our|mon|ma|mes|notre|nos)\s+\w|\b(?:the|this|these|that|le|la|les|ce|cet|cette|ces|l['’]|du|des|au)\s*"
    rf"(?:\w+\s+)?(?:{_PAPER})\b|\b(?:la|cette|une)\s+notice\b",
    re.I,
)
_OUTSIDE = re.compile(
    r"\b(?:laws?|legislation|statutes?|regulations?|online|internet|web|websites?|news|press|market|nowadays|currently|"
    r"lois?|droit|législation|code (?:civil|du travail|de commerce)|réglementation|en ligne|sites? web|actualités?|"
    r"presse|marché|actuellement|aujourd['’]hui)\b",
    re.I,
)


def parts(question: str) -> list[Part]:
    """The two or three parts of a question, each as it is asked by itself; none when it is one question."""
    if len(question) > _LONGEST:
        return []
    asking = understand(question)
    if asking.kind == "comparison" and len(asking.subjects) == 2 and all(map(_WORD.search, asking.subjects)):
        return [(side, of_side(side, asking.text)) for side in asking.subjects]
    clauses = _clauses(asking.text)
    if len(clauses) < 2:
        return []
    mark = " ?" if asking.language == "fr" else "?"
    themed = _with_theme(clauses)
    if themed:
        return [(clause, f"{asked}{mark}") for clause, asked in zip(clauses, themed, strict=True)]
    first = [Exchange(f"{clauses[0]}{mark}")]
    asked = [(clause, f"{clause}{mark}") for clause in clauses]
    return asked[:1] + [
        (clause, add_subject(alone, name_subject(alone, first)) if _is_incomplete(clause, asking.language) else alone)
        for clause, alone in asked[1:]
    ]


def place(text: str) -> Place:
    """Where a part says its answer is: in the user's own papers, or outside; nothing when it says neither."""
    text = " ".join(text[:_LONGEST].split())
    speaker = _SPEAKER.match(text)
    said = (speaker["en"] or speaker["fr"]) if speaker else text
    if _OWN.search(said):
        return "documents"
    return "web" if _OUTSIDE.search(said) else place(text[speaker.end() :]) if speaker else ""


def places(found: Sequence[Part]) -> list[Place]:
    """Where each part's answer is: one that leans on the first, and asks nobody else, is answered where that one is."""
    own = [place(heading) for heading, _ in found]
    return [mine or (own[0] if _leans(*part) else "") for mine, part in zip(own, found, strict=True)]


def _leans(heading: str, asked: str) -> bool:
    """Whether a part was given words of another; a side of a comparison stands by itself."""
    is_side = len(asked) > len(heading) and asked == of_side(heading, asked[len(of_side(heading, "")) :])
    return asked.rstrip(" ?") != heading and not is_side and not _SAYS.fullmatch(heading)


def _clauses(text: str) -> list[str]:
    """Questions that stand one after the other, or are joined by "and": each has its own question word."""
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
    """Whether a part leaves its subject to the first one: it has hardly a word of its own, or points at it."""
    spoken = "fr" if language == "fr" else "en"
    if says_little(clause, spoken) or refers_back(clause, (Exchange(clause),), spoken):
        return True
    return bool(_SAYS.fullmatch(clause) or _OBJECT.search(clause))


def _with_theme(clauses: list[str]) -> list[str]:
    """The clauses, each with what they are all about, where just one says it and the others want it; else none."""
    themes = [match for clause in clauses if (match := _THEME.search(clause))]
    if len(themes) != 1:
        return []
    theme = themes[0][0]
    others = [clause for clause in clauses if theme not in clause]
    if not all(_ABOUT_IT.search(clause) or _SAYS.fullmatch(clause) for clause in others):
        return []
    return [f"{_ABOUT_IT.sub('', clause)} {theme}" if clause in others else clause for clause in clauses]
