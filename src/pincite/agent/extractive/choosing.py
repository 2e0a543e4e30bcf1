"""Which sentences answer: each is scored by its words, its meaning, where it stands and what it holds."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.agent.extractive.asking import Asking, Kind
from pincite.agent.extractive.holding import looks
from pincite.agent.extractive.words import Sought, alike, bag, covered, plain, sought, weighed
from pincite.errors import EmbeddingError
from pincite.types import Evidence

if TYPE_CHECKING:
    from pincite.index.embed import Embedder

_EMBEDDED, _LENGTH = 6, 200  # sentences whose meaning is compared, and characters of each: they cost milliseconds
_SHORTEST = 25  # characters of a sentence that says something by itself
_LONGEST = 700
_LONGEST_TITLE = 110
_ENDED = re.compile(r"[.!…;:»”\")]$")
_MARKED = re.compile(r"#{1,6}\s")  # a heading in Markdown
_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.M)
# It leans on a sentence before it that is not quoted with it.
_LONGEST_LABEL = 40  # characters before a colon that only name what follows
_LEANS = re.compile(
    r"(?:il|elle|ils|elles|celui|celle|ceux|celles|cela|ceci|toutefois|cependant|mais|ainsi|donc|en effet|de plus"
    r"|par ailleurs|dans ce cas|it|they|he|she|this|these|those|that|however|but|thus|therefore|moreover|in addition"
    r"|such)\b",
    re.I,
)
_OPENING = 600  # characters at a document's beginning
# What a document is about it says at its beginning; a number or a date stands anywhere.
_OPENED: frozenset[Kind] = frozenset({"definition", "polar", "fact", "procedure", "reason", "comparison", "list"})

# What makes the score: the question's words in the sentence, above it, and in its passage; how well the passage and its
# document were found; the look of an answer, and a plain one ("No, …", "X is …"); what opens a document, more when all
# of it is about the question; and what the sentence means.
_HERE, _ABOVE, _BESIDE, _STANDING, _DOCUMENT = 0.8, 0.75, 0.6, 0.7, 0.5
_HELD, _OPENS, _ABOUT, _MEANING = 0.25, 0.25, 1.0, 0.4
_PLAIN: dict[Kind, float] = {"polar": 0.65, "definition": 0.25}
_SURELY = 0.8
_OTHER = 0.7  # a document that does not have the best passage
_MANY = 3  # more passages of one document that make it sure to be about the question
_NEAR, _FAR = 0.93, 0.80  # cosines of a sentence that surely and that hardly is about the question
_SAME = 0.75  # of the words of two sentences that say the same


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of some evidence, its words, those above it and those of its whole passage, and how well it answers.

    `lexical` is the share of the question's words that it has; `meaning` a cosine, 0 when not known.
    """

    evidence: Evidence
    number: int
    start: int
    end: int
    text: str
    words: frozenset[str]
    heading: str
    above: frozenset[str]
    passage: frozenset[str]
    is_title: bool
    score: float = 0.0
    lexical: float = 0.0
    meaning: float = 0.0

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands: a document, and a place in its text."""
        return self.evidence.span.document, self.start

    @property
    def raw(self) -> str:
        return self.evidence.quote(self.start, self.end)


def candidates(evidence: Sequence[Evidence]) -> list[Candidate]:
    """Every sentence of the evidence; where two passages share one, it is taken once."""
    found, seen = [], set()
    for source in evidence:
        own = list(_sentences(source))
        passage = frozenset[str]().union(*(one.words for one in own))
        for one in own:
            if one.place not in seen:
                seen.add(one.place)
                found.append(replace(one, passage=passage))
    return found


def _sentences(source: Evidence) -> Iterator[Candidate]:
    """The sentences of one evidence, and the rows of its tables, each with what stands above it."""
    around = bag(" ".join((source.title, *source.headings)))
    heading, above = "", around
    for number, sentence in enumerate(source.sentences, 1):
        rows = _rows(source, *sentence)
        top = plain(source.quote(*rows[0])) if len(rows) > 1 else ""
        over = above | bag(top) if top else above
        for start, end in rows:
            text = plain(source.quote(start, end))
            words = bag(text)
            is_title = (bool(top) and start == rows[0][0]) or _is_title(text, source.quote(end, end + 1))
            yield Candidate(source, number, start, end, text, words, top or heading, over, frozenset(), is_title)
        if not top and is_title:
            heading, above = text, around | words


def scored(asking: Asking, standing: Mapping[Evidence, float], embedder: "Embedder | None") -> list[Candidate]:
    """The sentences of the evidence, those first that answer best; `standing` is how well each evidence was found."""
    listed = candidates(list(standing))
    weights = weighed(sought(asking), (one.words for one in listed))
    documents = _documents(weights, standing, {one.evidence: one.passage for one in listed})
    look = looks(asking)
    rated = []
    for one in listed:
        here, above = covered(weights, one.words), covered(weights, one.words, one.above)
        beside = covered(weights, one.passage, one.above)
        share, about = documents[one.evidence.span.document]
        opens = max(0.0, 1 - one.start / _OPENING) * share if asking.kind in _OPENED else 0.0
        # A yes or no about something else is none.
        held = look(one.text) if here or asking.kind != "polar" else 0.0
        score = (
            _HERE * here
            + _ABOVE * (above - here)
            + _BESIDE * beside
            + _STANDING * standing[one.evidence]
            + _DOCUMENT * share
            + _HELD * held
            + _PLAIN.get(asking.kind, 0.0) * (held >= _SURELY) * share
            + opens * (_OPENS + _ABOUT * about)
            - _unfit(one, asking.kind == "polar" and held == 1.0)
        )
        rated.append(replace(one, score=score, lexical=here))
    return _meant(asking, _ordered(rated), embedder)


def _documents(
    weights: Mapping[Sought, float], standing: Mapping[Evidence, float], bags: Mapping[Evidence, frozenset[str]]
) -> dict[str, tuple[float, float]]:
    """For each document how well it was found beside the best, and how far all that was found of it is to the point."""
    passages: dict[str, list[Evidence]] = {}
    for source in standing:
        passages.setdefault(source.span.document, []).append(source)
    found = {document: sum(standing[source] for source in own) for document, own in passages.items()}
    most = max(found.values(), default=1.0)
    first = max(standing, key=lambda source: standing[source]).span.document if standing else ""
    return {
        document: (
            1.0 if document == first else _OTHER * found[document] / most,
            sum(covered(weights, bags.get(source, frozenset())) for source in own)
            / len(own)
            * min(1.0, (len(own) - 1) / _MANY),
        )
        for document, own in passages.items()
    }


def repeats(one: Candidate, others: Sequence[Candidate]) -> bool:
    """Does a sentence say again what one of these says?"""
    return any(alike(one.words, other.words) >= _SAME for other in others)


def _meant(asking: Asking, rated: list[Candidate], embedder: "Embedder | None") -> list[Candidate]:
    """The same, the best of them in a new order by what they mean too."""
    if embedder is None or not rated:
        return rated
    first, rest = rated[:_EMBEDDED], rated[_EMBEDDED:]
    texts = [(f"{one.heading}: {one.text}" if one.heading else one.text)[:_LENGTH] for one in first]
    try:
        cosines: list[float] = (embedder.passages(texts) @ embedder.queries([asking.text])[0]).tolist()
    except EmbeddingError:
        return rated
    # What a cosine says is known of our own model; of another, only which is nearer.
    is_known = "e5" in embedder.name
    low, high = (_FAR, _NEAR) if is_known else (min(cosines), max(cosines))
    near = [min(max((cosine - low) / ((high - low) or 1.0), 0.0), 1.0) for cosine in cosines]
    # Above and below their mean, so that those whose meaning is not known stay where they are.
    mean = sum(near) / len(near)
    meant = [
        replace(one, meaning=cosine if is_known else 0.0, score=one.score + _MEANING * (share - mean))
        for one, cosine, share in zip(first, cosines, near, strict=True)
    ]
    return _ordered([*meant, *rest])


def _ordered(listed: list[Candidate]) -> list[Candidate]:
    return sorted(listed, key=lambda one: (-one.score, one.evidence.number, one.number))


def _unfit(one: Candidate, is_plain: bool) -> float:
    """How little a sentence is fit to be quoted alone: a heading, a question, a scrap, a whole page."""
    if one.is_title or one.text.endswith("?") or (one.text.endswith(":") and len(one.text) < _LONGEST_LABEL):
        return 0.8
    if len(one.text) < _SHORTEST and not is_plain:
        return 0.4
    return 0.25 if len(one.text) > _LONGEST else 0.1 if _LEANS.match(one.text) else 0.0


def _rows(source: Evidence, start: int, end: int) -> list[tuple[int, int]]:
    """The rows of a table in Markdown, which is one sentence to whoever looks for stops; else the sentence itself."""
    found = [row.span() for row in _ROW.finditer(source.quote(start, end)) if any(map(str.isalnum, row[0]))]
    return [(start + a, start + b) for a, b in found] if len(found) > 1 else [(start, end)]


def _is_title(text: str, after: str) -> bool:
    """Does this short line, which nothing ends, stand above what follows?"""
    if _MARKED.match(text):
        return True
    if not text or len(text) > _LONGEST_TITLE or " | " in text or not text[0].isalnum():
        return False
    return text.endswith("?") or (after == "\n" and not _ENDED.search(text))
