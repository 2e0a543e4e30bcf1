"""Where two sources say different things of the same matter. In doubt they do not.

Code compares figures: two sentences that are the same but for one figure. Whether two sentences differ in meaning, the
judge says, where there is one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pincite.agent.extractive.words import alike, bag, plain
from pincite.agent.report.headings import named
from pincite.evidence.quantities import Quantity, quantities, same
from pincite.proof.judge import Claim, Judge, Quotation
from pincite.types import Evidence

_MOST = 4
_SHORTEST, _LONGEST = 20, 400  # characters of a sentence
_SHARED = 0.75  # of the words of the longer sentence that the shorter has, and all of its own are in the longer
_COMMON = 2  # words that both have
_ALIKE = 0.6  # of the words of the shorter sentence, to ask the judge about the two
_JUDGED = 12  # pairs that the judge is asked about
_PAIRS = 3000  # of sentences that are compared: copies of one page are alike in all
_NAME = re.compile(r"(?<=[\w,;:'’] )[A-ZÀ-Þ][^\W\d_]+\b|(?<=['’])[A-ZÀ-Þ][^\W\d_]+\b|\b[A-ZÀ-Þ]{3,}\b")
# A number right behind a word that counts places: Table 2, page 14.
_REFERENCE = re.compile(r"(?:^|[.:;(]\s*|\bsee\s+|\bvoir\s+)[A-Za-zÀ-ÿ]+\.?\s*$", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence of some evidence, by its number there, and its words."""

    evidence: Evidence
    number: int
    text: str

    @property
    def mark(self) -> str:
        return f"[{self.evidence.number}.{self.number}]"


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two sentences of different documents that give different figures for the same matter."""

    one: Place
    other: Place


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence made ready once for all it is compared with: its words and names, and its figures."""

    place: Place
    words: frozenset[str]
    names: frozenset[str]
    figures: tuple[Quantity, ...]


def tell_dispute(dispute: Dispute) -> str:
    """Both sides of a dispute in their own words, under the titles of their sources."""
    places = (dispute.one, dispute.other)
    titles = " – ".join(dict.fromkeys(named(place.evidence.title) for place in places))
    quotes = "\n".join(f"- {named(place.text).lstrip('-–•> ')} {place.mark}" for place in places)
    return f"**{titles}**\n\n{quotes}\n\n"


def find_disputes(question: str, cited: Sequence[tuple[int, int | None]], listed: Sequence[Evidence]) -> list[Dispute]:
    """The figures that other documents give against the sentences a report rests on; each matter once."""
    subject = _find_names(f"It is {question}")
    pairs = (pair for pair in _pair_sentences(cited, listed) if _may_differ(*pair))
    found: list[Dispute] = []
    for one, other in islice(pairs, _PAIRS):
        if len(found) == _MOST:
            break
        if not _is_told(found, one, other) and differ(one, other, subject):
            found.append(Dispute(one.place, other.place))
    return found


def list_candidates(
    cited: Sequence[tuple[int, int | None]], listed: Sequence[Evidence], known: Sequence[Dispute] = ()
) -> list[Dispute]:
    """The pairs of sentences nearest in wording that code cannot decide: a judge may find them to be disputes."""
    pairs = islice((p for p in _pair_sentences(cited, listed) if alike(p[0].words, p[1].words) >= _ALIKE), _PAIRS)
    ranked = sorted(pairs, key=lambda pair: -alike(pair[0].words, pair[1].words))
    found: list[Dispute] = []
    for one, other in ranked:
        if len(found) < _JUDGED and not _is_told([*known, *found], one, other):
            found.append(Dispute(one.place, other.place))
    return found


async def judge_disputes(candidates: Sequence[Dispute], judge: Judge) -> list[Dispute]:
    """The candidates of which the judge says that one sentence contradicts the other."""
    claims = [
        Claim(each.one.text, (Quotation(each.other.text, where=each.other.evidence.title),)) for each in candidates
    ]
    judgements = await judge.judge(claims) if claims else []
    return [
        each
        for each, judgement in zip(candidates, judgements, strict=True)
        if judgement and judgement.opinion == "contradicted"
    ][:_MOST]


def _pair_sentences(
    cited: Sequence[tuple[int, int | None]], listed: Sequence[Evidence]
) -> Iterator[tuple["_Sentence", "_Sentence"]]:
    """The sentences a report rests on, each with every sentence of another document that has other words."""
    everything = [_prepare(place) for evidence in listed for place in _list_places(evidence)]
    marks = set(cited)
    for one in everything:
        if (one.place.evidence.number, one.place.number) in marks or (one.place.evidence.number, None) in marks:
            for other in everything:
                is_elsewhere = one.place.evidence.span.document != other.place.evidence.span.document
                if is_elsewhere and one.place.text != other.place.text:
                    yield one, other


def differ(one: _Sentence, other: _Sentence, subject: frozenset[str] = frozenset()) -> bool:
    """Whether two sentences say the same but for one figure, of the same measure and exact in both."""
    ours, theirs = _find_unmatched(one, other), _find_unmatched(other, one)
    if len(ours) != 1 or len(theirs) != 1 or not _exclude(one, ours[0], other, theirs[0]):
        return False
    return _is_one_subject(one, other, subject)


def _find_unmatched(one: _Sentence, other: _Sentence) -> list[Quantity]:
    return [figure for figure in one.figures if not any(same(figure, each) for each in other.figures)]


def _exclude(one: _Sentence, own: Quantity, other: _Sentence, rival: Quantity) -> bool:
    """Are two figures of one kind and measure, exact both, no year, no reference, and not one the other rounded?"""
    if (own.kind, own.measure) != (rival.kind, rival.measure) or own.kind in ("date", "quarter", "ordinal"):
        return False
    if own.rough or rival.rough or own.bound[0] or rival.bound[0]:
        return False
    texts = one.place.text, other.place.text
    if any(_YEAR.fullmatch(text[each.start : each.end]) for text, each in zip(texts, (own, rival), strict=True)):
        return False  # a thing may be so in one year and otherwise in the next
    if _REFERENCE.search(texts[0][: own.start]) or not own.worth or not rival.worth:
        return False
    return abs(max(own.worth) - max(rival.worth)) > max(own.step, rival.step) / 2


def _is_one_subject(one: _Sentence, other: _Sentence, subject: frozenset[str]) -> bool:
    """Are two sentences about the same thing: by a name that both have, or that both their documents are about?"""
    if one.names and other.names:
        return one.names <= other.names or other.names <= one.names
    here, there = _list_words(one.place.evidence), _list_words(other.place.evidence)
    if one.names or other.names:
        return one.names <= there if one.names else other.names <= here
    if subject:
        return subject <= here and subject <= there
    named, called = (_find_names(f"It is {each.place.evidence.title}") for each in (one, other))
    return not (named - there and called - here)


def _prepare(place: Place) -> _Sentence:
    figures = tuple(quantities(place.text))
    bare = list(place.text)
    for figure in figures:
        bare[figure.start : figure.end] = " " * (figure.end - figure.start)
    return _Sentence(place, bag("".join(bare)), _find_names(place.text), figures)


def _may_differ(one: _Sentence, other: _Sentence) -> bool:
    if not one.figures or not other.figures:
        return False
    shorter, longer = sorted((one.words - one.names, other.words - other.names), key=len)
    # A sentence with a word of its own each speaks of two things: adults and children, the main span and a side span.
    return len(shorter) >= _COMMON and shorter <= longer and len(shorter) >= _SHARED * len(longer)


def _is_told(known: Sequence[Dispute], one: _Sentence, other: _Sentence) -> bool:
    """Was this matter told already, the other way round or in the words of a third?"""
    texts = {text for each in known for text in (each.one.text, each.other.text)}
    return one.place.text in texts or other.place.text in texts


def _list_places(evidence: Evidence) -> Iterator[Place]:
    for number, (start, end) in enumerate(evidence.sentences, 1):
        text = plain(evidence.quote(start, end))
        if _SHORTEST <= len(text) <= _LONGEST and " | " not in text and not text.endswith("?"):
            yield Place(evidence, number, text)


def _list_words(evidence: Evidence) -> frozenset[str]:
    return bag("\n".join((evidence.title, *evidence.headings, evidence.text)))


def _find_names(text: str) -> frozenset[str]:
    return bag(" ".join(_NAME.findall(text)))
