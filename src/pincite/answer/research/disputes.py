"""Find sentences of two sources that disagree. In doubt they do not.

Code compares figures: two sentences that are the same except for one figure. A judge, where there is one, decides
whether two sentences differ in meaning.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pincite.answer.extractive.flat_text import flatten_text
from pincite.answer.extractive.question_words import collect_words, measure_overlap
from pincite.answer.research.report_wording import clean_heading
from pincite.proof.judge import Claim, Quotation, SentenceJudge
from pincite.text.quantities import Quantity, find_quantities
from pincite.text.quantity_match import is_same_quantity
from pincite.types import Evidence

_MOST = 4
_SHORTEST, _LONGEST = 20, 400  # characters of a sentence
_SHARED = 0.75  # of the longer sentence's words that the shorter one has; it may have no others
_COMMON = 2  # words that both sentences have at least
_ALIKE = 0.6  # of the words of the shorter sentence that both have, for the judge to compare them
_JUDGED = 12  # pairs that the judge compares
_PAIRS = 3000  # pairs that are compared at most: two copies of one page give very many
_NAME = re.compile(r"(?<=[\w,;:'’] )[A-ZÀ-Þ][^\W\d_]+\b|(?<=['’])[A-ZÀ-Þ][^\W\d_]+\b|\b[A-ZÀ-Þ]{3,}\b")
# A word before a number that is a reference: Table 2, page 14.
_REFERENCE = re.compile(r"(?:^|[.:;(]\s*|\bsee\s+|\bvoir\s+)[A-Za-zÀ-ÿ]+\.?\s*$", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of some evidence: its number there, and its text."""

    evidence: Evidence
    number: int
    text: str

    @property
    def mark(self) -> str:
        return f"[{self.evidence.number}.{self.number}]"


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two sentences of different documents that give different figures for the same thing."""

    one: SourceSentence
    other: SourceSentence


@dataclass(frozen=True, slots=True)
class _ComparedSentence:
    """A sentence prepared for comparisons: its words, names and figures."""

    place: SourceSentence
    words: frozenset[str]
    names: frozenset[str]
    figures: tuple[Quantity, ...]


def write_dispute(dispute: Dispute) -> str:
    """Write both sides of a dispute in their own words, under the titles of their sources."""
    places = (dispute.one, dispute.other)
    titles = " – ".join(dict.fromkeys(clean_heading(place.evidence.title) for place in places))
    quotes = "\n".join(f"- {clean_heading(place.text).lstrip('-–•> ')} {place.mark}" for place in places)
    return f"**{titles}**\n\n{quotes}\n\n"


def find_disputes(question: str, cited: Sequence[tuple[int, int | None]], listed: Sequence[Evidence]) -> list[Dispute]:
    """Find figures of other documents that disagree with the sentences a report cites; each disagreement once."""
    subject = _find_names(f"It is {question}")
    pairs = (pair for pair in _pair_sentences(cited, listed) if _may_differ(*pair))
    found: list[Dispute] = []
    for one, other in islice(pairs, _PAIRS):
        if len(found) == _MOST:
            break
        if not _is_listed(found, one, other) and has_different_figure(one, other, subject):
            found.append(Dispute(one.place, other.place))
    return found


def list_candidates(
    cited: Sequence[tuple[int, int | None]], listed: Sequence[Evidence], known: Sequence[Dispute] = ()
) -> list[Dispute]:
    """List the pairs of sentences nearest in wording that code cannot decide, for a judge."""
    pairs = islice(
        (p for p in _pair_sentences(cited, listed) if measure_overlap(p[0].words, p[1].words) >= _ALIKE), _PAIRS
    )
    ranked = sorted(pairs, key=lambda pair: -measure_overlap(pair[0].words, pair[1].words))
    found: list[Dispute] = []
    for one, other in ranked:
        if len(found) < _JUDGED and not _is_listed([*known, *found], one, other):
            found.append(Dispute(one.place, other.place))
    return found


async def judge_disputes(candidates: Sequence[Dispute], judge: SentenceJudge) -> list[Dispute]:
    """Return the candidates whose sentences contradict each other, according to the judge."""
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
) -> Iterator[tuple["_ComparedSentence", "_ComparedSentence"]]:
    """Yield each cited sentence with every sentence of another document that has other words."""
    everything = [_prepare_sentence(place) for evidence in listed for place in _list_sentences(evidence)]
    marks = set(cited)
    for one in everything:
        if (one.place.evidence.number, one.place.number) in marks or (one.place.evidence.number, None) in marks:
            for other in everything:
                is_elsewhere = one.place.evidence.span.document != other.place.evidence.span.document
                if is_elsewhere and one.place.text != other.place.text:
                    yield one, other


def has_different_figure(
    one: _ComparedSentence, other: _ComparedSentence, subject: frozenset[str] = frozenset()
) -> bool:
    """Whether two sentences are the same except for one exact figure of the same measure."""
    ours, theirs = _find_unmatched(one, other), _find_unmatched(other, one)
    if len(ours) != 1 or len(theirs) != 1 or not _is_real_difference(one, ours[0], other, theirs[0]):
        return False
    return _is_one_subject(one, other, subject)


def _find_unmatched(one: _ComparedSentence, other: _ComparedSentence) -> list[Quantity]:
    return [figure for figure in one.figures if not any(is_same_quantity(figure, each) for each in other.figures)]


def _is_real_difference(one: _ComparedSentence, own: Quantity, other: _ComparedSentence, rival: Quantity) -> bool:
    """Whether two figures really differ.

    They must be of one kind and measure, both exact, no year and no reference, and neither may be the other one
    rounded.
    """
    if (own.kind, own.measure) != (rival.kind, rival.measure) or own.kind in ("date", "quarter", "ordinal"):
        return False
    if own.rough or rival.rough or own.bound[0] or rival.bound[0]:
        return False
    texts = one.place.text, other.place.text
    if any(_YEAR.fullmatch(text[each.start : each.end]) for text, each in zip(texts, (own, rival), strict=True)):
        return False  # two years are two facts, not a dispute
    if _REFERENCE.search(texts[0][: own.start]) or not own.worth or not rival.worth:
        return False
    return abs(max(own.worth) - max(rival.worth)) > max(own.step, rival.step) / 2


def _is_one_subject(one: _ComparedSentence, other: _ComparedSentence, subject: frozenset[str]) -> bool:
    """Whether two sentences are about the same thing: by a name in both, or by the subject of both documents."""
    if one.names and other.names:
        return one.names <= other.names or other.names <= one.names
    here, there = _list_words(one.place.evidence), _list_words(other.place.evidence)
    if one.names or other.names:
        return one.names <= there if one.names else other.names <= here
    if subject:
        return subject <= here and subject <= there
    named, called = (_find_names(f"It is {each.place.evidence.title}") for each in (one, other))
    return not (named - there and called - here)


def _prepare_sentence(place: SourceSentence) -> _ComparedSentence:
    figures = tuple(find_quantities(place.text))
    bare = list(place.text)
    for figure in figures:
        bare[figure.start : figure.end] = " " * (figure.end - figure.start)
    return _ComparedSentence(place, collect_words("".join(bare)), _find_names(place.text), figures)


def _may_differ(one: _ComparedSentence, other: _ComparedSentence) -> bool:
    if not one.figures or not other.figures:
        return False
    shorter, longer = sorted((one.words - one.names, other.words - other.names), key=len)
    # If each sentence has a word of its own, they are about two things: adults and children, the main and a side span.
    return len(shorter) >= _COMMON and shorter <= longer and len(shorter) >= _SHARED * len(longer)


def _is_listed(known: Sequence[Dispute], one: _ComparedSentence, other: _ComparedSentence) -> bool:
    """Whether a sentence of this pair is already in a known dispute."""
    texts = {text for each in known for text in (each.one.text, each.other.text)}
    return one.place.text in texts or other.place.text in texts


def _list_sentences(evidence: Evidence) -> Iterator[SourceSentence]:
    for number, (start, end) in enumerate(evidence.sentences, 1):
        text = flatten_text(evidence.quote(start, end))
        if _SHORTEST <= len(text) <= _LONGEST and " | " not in text and not text.endswith("?"):
            yield SourceSentence(evidence, number, text)


def _list_words(evidence: Evidence) -> frozenset[str]:
    return collect_words("\n".join((evidence.title, *evidence.headings, evidence.text)))


def _find_names(text: str) -> frozenset[str]:
    return collect_words(" ".join(_NAME.findall(text)))
