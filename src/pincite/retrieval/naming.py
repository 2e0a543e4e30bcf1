"""How a question names things and points at them: what it introduces, and which of its words stand for something."""

import re
from collections.abc import Sequence

from pincite.retrieval.topics import Topic, topics

_PRONOUN = {
    "en": re.compile(
        r"\b(?:it|its|they|them|their|theirs|this|that|these|those|he|she|his|hers?|him|ones?|there|here|such)\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:ils?|elles?|eux|lui|celui|celle|ceux|celles|ça|ca|cela|ceci|cet|cette|ces|son|sa|ses|leurs?)\b",
        re.IGNORECASE,
    ),
}
# "Is there …" and "il faut" point nowhere; nor does "that" where it joins, nor "one of".
_POINTLESS = {
    "en": re.compile(
        r"\b(?:is|are|was|were|be|been)\s+there\b|\bone of\b|\bit (?:mean|take|cost) (?:to|for|if|when)\b"
        r"|\b(?:is|was) it (?:possible|true|legal|ok|okay|safe|necessary|better|worth|important) (?:to|that|for)\b"
        r"|\bthere(?:['’]s|\s+(?:is|are|was|were|be|been|have|has))\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\bil y a\b|\by a-t-il\b|\bil faut\b|\bfaut-il\b|\bs['’]il\b"
        r"|\b(?:est-il|il est) (?:possible|obligatoire|nécessaire|interdit|vrai|permis)\b",
        re.IGNORECASE,
    ),
}
_JOINING_EN = re.compile(
    r"that\s+(?:is|are|was|were|can|could|have|has|will|would|you|i|we|they|\w+ed|led|make|made|do|don)\b",
    re.IGNORECASE,
)
_REPORTS_EN = re.compile(
    r"\b(?:says?|said|thinks?|means?|knows?|shows?|believes?|states?|requires?|claims?|suggests?|ensures?|proves?|true"
    r"|likely|possible|sure) that$",
    re.IGNORECASE,
)
_SENTENCE_ENDS = re.compile(r"[.?!]\s")
_CLAUSE_EN = re.compile(r"\b(?:and|but|or|if|because|when|while|so|which|who)\b|[.?!;]", re.IGNORECASE)
_POLITE = r"(?:(?:ok|okay|so|and|but|thanks|great|interesting|wow|oh|no|yes|in general|i see|cool)[,.!]?\s+)*"
_INTRODUCES = {
    "en": re.compile(
        rf"\W*{_POLITE}(?:(?:can|could) you )?(?:please )?(?:tell me(?: more)? about|describe|explain|define"
        r"|(?:what|who)(?:['’]s| is| are| was| were)|what about|how about|what happened (?:in|to|at)"
        r"|how (?:does|do|did|can you \w+|is|are|was)|what does|i (?:would like|want) to (?:know|learn) about)\s+"
        r"(?:(?:a|an|the|some|any|for|in|this|that)\s+)*",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\W*(?:(?:ok|et|mais|alors|merci|bonjour)[,.!]?\s+)*"
        r"(?:qu['’]est[- ]ce (?:que|qu['’])|c['’]est quoi|qui (?:est|était|sont)|quel(?:le)?s? (?:est|sont|était)"
        r"|parle(?:z)?[- ]moi (?:de|du|des|d['’])|expli\w+(?:[- ]moi)?|décri\w+|défini\w+"
        r"|comment (?:fonctionne(?:nt)?|marche)|à quoi sert)\s*"
        r"(?:(?:le|la|les|un|une|des|du|de la)\s+|l['’]|d['’])*",
        re.IGNORECASE,
    ),
}
_OF = {
    "en": re.compile(r"(?:[\w-]+\s+){0,4}?(?:of|for|about|behind|in)\s+(?:(?:a|an|the|some)\s+)*", re.IGNORECASE),
    "fr": re.compile(
        r"(?:[\w-]+\s+){0,4}?(?:de|du|des|d['’]|pour|sur)\s*(?:(?:la|le|les|un|une)\s+|l['’])*", re.IGNORECASE
    ),
}


def introduced(question: str, language: str) -> list[tuple[Topic, bool]]:
    """The things a question names, and whether it is there to introduce them: what is X, tell me about X."""
    opening = _INTRODUCES[language].match(question)
    return [
        (
            topic,
            opening is not None
            and (
                opening.end() == topic.start
                or (place == 0 and _OF[language].fullmatch(question, opening.end(), topic.start) is not None)
            ),
        )
        for place, topic in enumerate(topics(question, language))
    ]


def pronoun(question: str, language: str) -> re.Match[str] | None:
    """The first word that stands for something, of the last sentence that has one."""
    plain = _POINTLESS[language].sub(lambda found: "_" * len(found[0]), question)
    found: re.Match[str] | None = None
    for match in _PRONOUN[language].finditer(plain):
        before = plain[: match.start()].rstrip()
        starts = not before or before[-1] in ".!?"
        joins = _JOINING_EN.match(plain, match.start()) or _REPORTS_EN.search(plain[: match.end()])
        if (starts or not joins) and (found is None or _SENTENCE_ENDS.search(plain, found.end(), match.start())):
            found = match
    return found


def stands_alone(question: str, found: re.Match[str], named: Sequence[tuple[Topic, bool]], language: str) -> bool:
    """Does the question name before it what its pronoun stands for: what is X, and why is it …? X peut-il …?"""
    before = [(topic, introduced) for topic, introduced in named if topic.end <= found.start()]
    if language == "fr":
        return bool(before)
    return any(
        (topic.named or introduced) and _CLAUSE_EN.search(question, topic.end, found.start())
        for topic, introduced in before
    )
