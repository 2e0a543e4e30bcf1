"""Where two sources say different things of the same matter: in doubt they do not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from pincite.agent.extractive.words import alike, bag, plain
from pincite.evidence.comparison import Comparison
from pincite.evidence.contradictions import contradictions
from pincite.evidence.operators import NOT
from pincite.evidence.wording import LIGHT, Prepared, Word
from pincite.evidence.wording import prepare as prepared
from pincite.types import Evidence

_MOST = 4
_SHORTEST, _LONGEST = 20, 400  # characters of a sentence
_ALIKE = 0.5  # of the words of the shorter one, before it is looked at closely
_BESIDES = 0.2  # of a sentence's weight that the other may lack, what they differ in aside
_COMMON = 2  # words with a meaning of their own that both have
_PARTS = 3  # clauses of a sentence that are looked at
_PAIRS = 3000  # of sentences that are looked at closely, about a millisecond each: copies of one page are alike in all
_JOINT = re.compile(
    r";\s|,\s(?:of which|which|who|where|and|but|dont|qui|où|et|mais)\s"
    r"|\s(?:and|et)\s(?=(?:the|its?|they|this|le|la|les|l['’]|ils?|elles?|son|sa|ses)\b)",
    re.I,
)
# Who says it is no part of what is said: "…, says the observatory", "according to the union, …".
_TOLD_BY = re.compile(
    r"^(?:according\s+to|selon|d['’]après)\s[^,;\d]{1,60},\s+"
    r"|,?\s+(?:according\s+to|selon|d['’]après)\s[^,;\d]{1,60}$"
    r"|,\s+(?:says?|said|reports?|reported|dit|disent|affirment?|estiment?|indiquent?)\s[^,;\d]{1,60}$"
    r"|,\s+[^,;\d]{1,60}\s(?:says?|said|reports?|reported|dit|affirme|estime|indique)\W*$",
    re.I,
)
# What happens once has one date; what is so in one year may be otherwise in the next.
_ONCE = re.compile(
    r"\b(?:built|constructed|erected|completed|founded|established|created|invented|discovered|born|died|opened|"
    r"signed|adopted|ratified|published|released|launched|inaugurated|abolished|"
    r"construite?s?|bâtie?s?|achevée?s?|fondée?s?|créée?s?|inventée?s?|découverte?s?|née?s?|morte?s?|décédée?s?|"
    r"ouverte?s?|signée?s?|adoptée?s?|ratifiée?s?|publiée?s?|lancée?s?|inaugurée?s?|abolie?s?|"
    r"entrée?s? en vigueur)\b",
    re.I,
)
# A number that only tells where to look.
_REFERENCE = re.compile(
    r"\b(?:tables?|tableaux?|pages?|p|pp|sections?|chapters?|chapitres?|articles?|art|figures?|fig|paragraphs?|"
    r"paragraphes?|clauses?|parts?|parties?|annex(?:es?)?|appendix|notes?|volumes?|vol|no|n°|nos|numéros?|numbers?|steps?|"
    r"étapes?|rooms?|lots?|tomes?|versions?)\.?\s*$",
    re.I,
)
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence of some evidence, by its number there, and what it says."""

    evidence: Evidence
    number: int
    text: str

    @property
    def mark(self) -> str:
        return f"[{self.evidence.number}.{self.number}]"


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two sentences of different documents that cannot both be so."""

    one: Place
    other: Place


@dataclass(frozen=True, slots=True)
class _Looked:
    """A sentence that is made ready once for all it is compared with."""

    place: Place
    bags: tuple[frozenset[str], ...]  # of the whole, and of each clause


# A sentence is held against many others, and a title above each of its sentences.
prepare = lru_cache(maxsize=4096)(prepared)


def disputes(question: str, cited: Sequence[tuple[int, int | None]], listed: Sequence[Evidence]) -> list[Dispute]:
    """What other documents than the cited ones say against the sentences a report rests on; each matter once."""
    everything = [
        _Looked(place, tuple(map(bag, _clauses(place.text)))) for evidence in listed for place in _places(evidence)
    ]
    marks = set(cited)
    rests = [
        each
        for each in everything
        if (each.place.evidence.number, each.place.number) in marks or (each.place.evidence.number, None) in marks
    ]
    subject = _names(prepare(question))
    found: list[Dispute] = []
    pairs = ((one, other) for one in rests for other in everything if _may_differ(one, other))
    for one, other in islice(pairs, _PAIRS):
        if len(found) == _MOST:
            break
        if not any(_repeats(each, one, other) for each in found) and differ(one.place, other.place, subject):
            found.append(Dispute(one.place, other.place))
    prepare.cache_clear()  # nothing of a question outlives it
    return found


def differ(one: Place, other: Place, subject: frozenset[str] = frozenset()) -> bool:
    """Whether two sentences of two documents, or clauses of them, are about the same, and cannot both be so."""
    return any(
        _differ(replace(one, text=ours), replace(other, text=theirs), subject)
        for ours in _clauses(one.text)
        for theirs in _clauses(other.text)
    )


def _clauses(sentence: str) -> list[str]:
    """A sentence, and each of its clauses that says something by itself."""
    parts = [part for part in _JOINT.split(_TOLD_BY.sub("", sentence)) if len(part) >= _SHORTEST]
    return [sentence, *parts[:_PARTS]] if len(parts) > 1 or (parts and parts[0] != sentence) else [sentence]


def _differ(one: Place, other: Place, subject: frozenset[str]) -> bool:
    ours, theirs = prepare(one.text), prepare(other.text)
    here = Comparison(ours, theirs, prepare(_above(other.evidence)))
    there = Comparison(theirs, ours, prepare(_above(one.evidence)))
    against, back = _against(here), _against(there)
    if not against or not back:
        return False
    lacking = _lacking(here, against), _lacking(there, back)
    # Who has a word of one's own each speaks of two things: the main span and the side span, adults and children.
    if None in lacking or all(lacking) or not _is_one_subject(one, other, ours, theirs, subject):
        return False
    figures = [word for i in sorted(against) if (word := ours.words[i]).quantity]
    if not figures:
        # Who denies a rise and who denies a fall may both be right.
        is_settled = not (_denies(ours) and _denies(theirs)) and not any(theirs.words[j].quantity for j in back)
        return is_settled and min(len(against), len(back)) == 1
    # What differs in a figure and in a word besides is two things as well: in summer until ten, in winter until six.
    if len({word.text for word in figures}) > 1 or len(figures) < len(against):
        return False
    figure = figures[0]
    if _REFERENCE.search(one.text.partition(figure.text)[0]):
        return False
    if _YEAR.search(figure.text) or (figure.quantity and figure.quantity.kind == "date"):
        # A date of what happens once; beside another figure it may only say when that one was so.
        numbers = sum(word.quantity is not None for word in ours.words)
        return numbers == 1 and bool(_ONCE.search(one.text) and _ONCE.search(other.text))
    return True


def _denies(text: Prepared) -> bool:
    return any(word.cue & NOT for word in text.words)


def _against(compared: Comparison) -> frozenset[int]:
    """The words of a sentence that the other contradicts; the one figure that it has and the other has not."""
    found = {i for i, _, _ in contradictions(compared)}
    figures = [i for i, word in enumerate(compared.sentence.words) if word.quantity and not compared.candidates[i]]
    met = {j for each in compared.candidates for j in each}
    rivals = [word for j, word in enumerate(compared.source.words) if word.quantity and j not in met]
    if len(figures) == len(rivals) == 1 and _exclude(compared.sentence.words[figures[0]], rivals[0]):
        found.add(figures[0])
    return frozenset(found)


def _exclude(word: Word, other: Word) -> bool:
    """Are two figures of one kind and measure, exact both, and not one the other rounded?"""
    own, rival = word.quantity, other.quantity
    if own is None or rival is None or (own.kind, own.measure) != (rival.kind, rival.measure):
        return False
    if own.rough or rival.rough or own.bound[0] or rival.bound[0]:
        return False
    is_year = _YEAR.fullmatch(word.text) and _YEAR.fullmatch(other.text)
    step = 0.0 if is_year else max(own.step, rival.step) / 2
    return not own.worth or not rival.worth or abs(max(own.worth) - max(rival.worth)) > step


def _lacking(compared: Comparison, against: frozenset[int]) -> float | None:
    """What a sentence says besides that the other lacks; None where that is a name or a number, or too much."""
    total = lacking = 0.0
    common = 0
    for i, word in enumerate(compared.sentence.words):
        if i in against or not word.weight:
            continue
        total += word.weight
        if compared.candidates[i] or i in compared.loosely:
            common += word.weight > LIGHT and not word.quantity
            continue
        if word.name or word.quantity:
            return None
        lacking += word.weight
    return lacking if common >= _COMMON and lacking <= _BESIDES * total else None


def _is_one_subject(one: Place, other: Place, ours: Prepared, theirs: Prepared, subject: frozenset[str]) -> bool:
    """Are two sentences about the same thing: by a name that both have, or that both their documents are about?"""
    mine, yours = _names(ours), _names(theirs)
    if mine and yours:
        return bool(mine & yours)
    here, there = _context(one.evidence), _context(other.evidence)
    if mine or yours:
        # "The bridge" of a document on the Garrow Bridge is that one.
        return mine <= _titled(other.evidence) if mine else yours <= _titled(one.evidence)
    if subject:
        return subject <= here and subject <= there
    named, called = _names(prepare(_above(one.evidence))), _names(prepare(_above(other.evidence)))
    return not (named - there and called - here)


def _names(text: Prepared) -> frozenset[str]:
    return frozenset(word.plain for word in text.words if _is_name(word))


def _is_name(word: Word) -> bool:
    return word.name and word.quantity is None and not any(map(str.isdigit, word.plain))


def _context(evidence: Evidence) -> frozenset[str]:
    return frozenset(word.plain for word in prepare(f"{_above(evidence)}\n{evidence.text}").words)


def _titled(evidence: Evidence) -> frozenset[str]:
    return frozenset(word.plain for word in prepare(_above(evidence)).words)


def _above(evidence: Evidence) -> str:
    # Words before it, so that the first one of a title counts as a name too.
    return ". ".join(f"It is {heading}" for heading in dict.fromkeys((evidence.title, *evidence.headings)) if heading)


def _may_differ(one: _Looked, other: _Looked) -> bool:
    if one.place.evidence.span.document == other.place.evidence.span.document or one.place.text == other.place.text:
        return False
    return any(alike(ours, theirs) >= _ALIKE for ours in one.bags for theirs in other.bags)


def _repeats(known: Dispute, one: _Looked, other: _Looked) -> bool:
    """Was this matter told already, the other way round or in the words of a third?"""
    texts = {known.one.text, known.other.text}
    return one.place.text in texts or other.place.text in texts


def _places(evidence: Evidence) -> Iterator[Place]:
    for number, (start, end) in enumerate(evidence.sentences, 1):
        text = plain(evidence.quote(start, end))
        if _SHORTEST <= len(text) <= _LONGEST and " | " not in text and not text.endswith("?"):
            yield Place(evidence, number, text)
