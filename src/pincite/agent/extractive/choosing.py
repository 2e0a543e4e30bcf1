"""Which sentences answer: each is scored by its words, its meaning, where it stands and what it holds."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.agent.extractive.asking import Asking, Kind
from pincite.agent.extractive.holding import holds
from pincite.agent.extractive.words import alike, bag, covered, plain, sought, weighed
from pincite.errors import EmbeddingError
from pincite.types import Evidence

if TYPE_CHECKING:
    from pincite.index.embed import Embedder

_EMBEDDED = 16  # sentences whose meaning is compared: each costs milliseconds
_SHORTEST = 25  # characters of a sentence that says something by itself
_LONGEST = 700
_LONGEST_TITLE = 110
_ENDED = re.compile(r"[.!…;:»”\")]$")
# It leans on a sentence before it that is not quoted with it.
_LEANS = re.compile(
    r"(?:il|elle|ils|elles|celui|celle|ceux|celles|cela|ceci|toutefois|cependant|mais|ainsi|donc|en effet|de plus"
    r"|par ailleurs|dans ce cas|it|they|he|she|this|these|those|that|however|but|thus|therefore|moreover|in addition"
    r"|such)\b",
    re.I,
)
_OPENING = 600  # characters at a document's beginning
# What a document is about it says at its beginning; a number or a date stands anywhere.
_OPENED: frozenset[Kind] = frozenset({"definition", "polar", "fact", "procedure", "reason", "comparison", "list"})

# A word of the question counts most in the sentence, less in what stands above it or elsewhere in its passage.
_HERE, _ABOVE, _BESIDE = 0.35, 0.2, 0.25
_STANDING, _HELD, _FIRST, _MEANING = 1.0, 0.3, 0.5, 0.6
_NEAR, _FAR = 0.93, 0.80  # cosines of a sentence that surely and that hardly is about the question
_SAME = 0.75  # of the words of two sentences that say the same


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of some evidence, what stands above it, and how well it answers.

    `lexical` is the share of the question's words that it has or stands under; `meaning` a cosine, 0 when not known.
    """

    evidence: Evidence
    number: int
    text: str
    words: frozenset[str]
    heading: str
    above: frozenset[str]
    is_title: bool
    score: float = 0.0
    lexical: float = 0.0
    meaning: float = 0.0

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands: a document, and a place in its text."""
        return self.evidence.span.document, self.evidence.sentences[self.number - 1][0]

    @property
    def raw(self) -> str:
        return self.evidence.sentence(self.number)


def candidates(evidence: Sequence[Evidence]) -> list[Candidate]:
    """Every sentence of the evidence; where two passages share one, it is taken once."""
    found, seen = [], set()
    for source in evidence:
        around = bag(" ".join((source.title, *source.headings)))
        heading, above = "", around
        for number, (start, end) in enumerate(source.sentences, 1):
            text = plain(source.quote(start, end))
            words = bag(text)
            is_title = _is_title(text, source.quote(end, end + 1))
            if (source.span.document, start) not in seen:
                seen.add((source.span.document, start))
                found.append(Candidate(source, number, text, words, heading, above, is_title))
            if is_title:
                heading, above = text, around | words
    return found


def scored(asking: Asking, standing: Mapping[Evidence, float], embedder: "Embedder | None") -> list[Candidate]:
    """The sentences of the evidence, those first that answer best; `standing` is how well each evidence was found."""
    listed = candidates(list(standing))
    weights = weighed(sought(asking), (one.words for one in listed))
    documents: dict[str, float] = {}
    for source, share in standing.items():
        documents[source.span.document] = documents.get(source.span.document, 0.0) + share
    most = max(documents.values(), default=1.0)
    rated = []
    for one in listed:
        here = covered(weights, one.words)
        above = covered(weights, one.words | one.above)
        beside = covered(weights, bag(one.evidence.text))
        document, start = one.place
        opens = max(0.0, 1 - start / _OPENING) * documents[document] / most if asking.kind in _OPENED else 0.0
        score = (
            _HERE * here
            + _ABOVE * (above - here)
            + _BESIDE * max(beside - here, 0.0)
            + _STANDING * standing[one.evidence]
            + _HELD * holds(asking, one.text)
            + _FIRST * opens
            - _unfit(one, asking)
        )
        rated.append(replace(one, score=score, lexical=above))
    return _meant(asking, _ordered(rated), embedder)


def repeats(one: Candidate, others: Sequence[Candidate]) -> bool:
    """Does a sentence say again what one of these says?"""
    return any(alike(one.words, other.words) >= _SAME for other in others)


def _meant(asking: Asking, rated: list[Candidate], embedder: "Embedder | None") -> list[Candidate]:
    """The same, the best of them in a new order by what they mean too."""
    if embedder is None or not rated:
        return rated
    first, rest = rated[:_EMBEDDED], rated[_EMBEDDED:]
    texts = [f"{one.heading}: {one.text}" if one.heading else one.text for one in first]
    try:
        cosines = (embedder.passages(texts) @ embedder.queries([asking.text])[0]).tolist()
    except EmbeddingError:
        return rated
    # What a cosine says is known of our own model; of another, only which is nearer.
    is_known = "e5" in embedder.name
    low, high = (_FAR, _NEAR) if is_known else (min(cosines), max(cosines))
    meant = [
        replace(
            one,
            meaning=cosine if is_known else 0.0,
            score=one.score + _MEANING * min(max((cosine - low) / ((high - low) or 1.0), 0.0), 1.0),
        )
        for one, cosine in zip(first, cosines, strict=True)
    ]
    return _ordered(meant) + rest


def _ordered(listed: list[Candidate]) -> list[Candidate]:
    return sorted(listed, key=lambda one: (-one.score, one.evidence.number, one.number))


def _unfit(one: Candidate, asking: Asking) -> float:
    """How little a sentence is fit to be quoted alone: a heading, a question, a scrap, a whole page."""
    if one.is_title or one.text.endswith("?"):
        return 1.0
    if len(one.text) < _SHORTEST and not (asking.kind == "polar" and holds(asking, one.text) == 1.0):
        return 0.5
    return 0.3 if len(one.text) > _LONGEST else 0.12 if _LEANS.match(one.text) else 0.0


def _is_title(text: str, after: str) -> bool:
    """Does this short line, which nothing ends, stand above what follows?"""
    if not text or len(text) > _LONGEST_TITLE or " | " in text or not text[0].isalnum():
        return False
    return text.endswith("?") or (after == "\n" and not _ENDED.search(text))
