"""A sentence of an answer to the smallest stretches of the evidence that support it, and the verdict on it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.evidence.squeeze import squeeze
from pincite.evidence.verify import Meaning, judge
from pincite.evidence.wording import Prepared, prepare
from pincite.types import Evidence, Pin, Span, Support, Verdict

RANK: dict[Support, int] = {"verified": 2, "partial": 1, "unsupported": 0}

_LONGEST = 3  # sentences of a stretch
_COMPARED = 40  # sentences of one evidence, by their meaning, where no word is shared
_TRIED = 6  # stretches of one evidence, those with most words in common
_ELSEWHERE = 4  # evidences that were not cited but may support a sentence
_SHARE = (
    0.5  # of a sentence's words that such an evidence must have, and a stretch that is shown though it is no support
)
_SAME = 0.6  # of a sentence's words that one of the source has when both speak of the same
_SMALLER, _SMALLEST = 0.03, 0.35  # score that one sentence more must be worth
_NAMED = 1_000.0  # the sentence that was named is looked at first, whatever it says
_VERBATIM = 15  # letters
_CELLS = re.compile(r"\S[ ]*[\t|][ ]*\S")
_FIGURE = re.compile(r"[-+−–<>≤≥±]?\s?[$€£]?\s?\d+(?:[.,:/\s\u00a0\u202f]?\d+)*\s?[%‰]?")
_WORD = re.compile(r"\w{2,}")


@dataclass(frozen=True, slots=True)
class Pinned:
    """What a sentence rests on, and how well."""

    pins: tuple[Pin, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class _Claim:
    """A sentence made ready once for all the stretches it is held against."""

    text: str
    prepared: Prepared
    words: frozenset[str]
    meaning: Meaning | None

    def nearest(self, texts: Sequence[str]) -> int:
        """Which of some texts means most the same; the first where that cannot be told."""
        if self.meaning is None:
            return 0
        vectors = self.meaning([self.text, *texts])
        return int((vectors[1:] @ vectors[0]).argmax()) if len(vectors) else 0

    def judged(self, support: str, context: Prepared) -> Verdict:
        return judge(self.prepared, prepare(support), context)

    def felt(self, support: str, context: Prepared) -> Verdict:
        """The same, with what the two mean: it costs as much as all the rest, and settles only doubts."""
        return judge(self.prepared, prepare(support), context, self.meaning)


NOTHING = Pinned((), Verdict("unsupported", 0.0, ("no source was found for it",)))


def pin(
    sentence: str,
    cited: Sequence[tuple[Evidence, int | None]],
    others: Sequence[Evidence] = (),
    meaning: Meaning | None = None,
) -> Pinned:
    """What supports a sentence in the evidence it cites; where that does not, in `others` if they clearly do."""
    claim = _Claim(sentence, prepare(sentence), _words(sentence), meaning)
    found = _one_for_each(claim, cited)
    best = max((each.verdict for each in found), key=_order, default=NOTHING.verdict)
    if best.support != "verified" and len(found) > 1:
        together = _together(claim, found, cited)
        if _order(together) > _order(best):
            return Pinned(tuple(found), together)
    if best.support != "verified":
        for evidence in _likely(claim, [other for other in others if all(other is not e for e, _ in cited)]):
            there = _best(claim, evidence, None)
            if there and there.verdict.support == "verified":
                kept = [each for each in found if each.verdict.support != "unsupported"]
                return Pinned((there, *kept), there.verdict)
    if RANK[best.support]:
        return Pinned(tuple(each for each in found if RANK[each.verdict.support]), best)
    by_number = {evidence.number: evidence for evidence, _ in cited}
    near = [each for each in found if _share(claim, by_number[each.evidence], each.span) >= _SHARE]
    return Pinned(tuple(near), best)


def _one_for_each(claim: _Claim, cited: Sequence[tuple[Evidence, int | None]]) -> list[Pin]:
    """The best stretch of each evidence that is cited, or of each sentence of it that is named."""
    found: dict[Span, Pin] = {}
    for evidence, number in cited:
        there = _best(claim, evidence, number)
        if there and (there.span not in found or _order(there.verdict) > _order(found[there.span].verdict)):
            found[there.span] = there
    return list(found.values())


def _best(claim: _Claim, evidence: Evidence, number: int | None) -> Pin | None:
    """The smallest stretch of one evidence that supports a sentence best; near the sentence named, if one is."""
    context: Prepared | None = None
    verbatim = _verbatim(claim.text, evidence)
    if verbatim:
        start, end, touched = verbatim
        whole = evidence.quote(*touched)
        is_whole = len(squeeze(evidence.quote(start, end)).codes) == len(squeeze(whole).codes)
        if is_whole and _figures(claim.text) == _figures(whole):
            return _pin(evidence, (start, end), Verdict("verified", 1.0))
        context = prepare(_context(evidence))
        verdict = claim.judged(whole, context)
        if verdict.support == "verified":
            return _pin(evidence, (start, end), verdict)
    best: tuple[float, Pin] | None = None
    first: Pin | None = None
    is_denied = False
    named = evidence.sentences[number - 1][0] if number and number <= len(evidence.sentences) else -1
    for start, end, count in _stretches(claim, evidence, number):
        context = context or prepare(_context(evidence))
        verdict = claim.judged(evidence.quote(start, end), context)
        here = _pin(evidence, (start, end), verdict)
        # Where nothing supports it, the stretch that speaks of the same shows why.
        first = here if first is None or (start, count) == (named, 1) else first
        # Of stretches that leave no doubt the smallest is taken, of others the one that supports most.
        weight = _SMALLEST if verdict.support == "verified" else _SMALLER
        order = RANK[verdict.support] + verdict.score - weight * (count - 1)
        is_denied |= count == 1 and not RANK[verdict.support] and _share(claim, evidence, here.span) >= _SAME
        # Beside the sentence that was named, or one that says otherwise of the same, only what leaves no doubt counts.
        is_free = (named < 0 and not is_denied) or (start, count) == (named, 1)
        if RANK[verdict.support] > (0 if is_free else 1) and (best is None or order > best[0]):
            best = order, here
    if best and is_denied and best[1].verdict.support != "verified":
        best = None
    found = best[1] if best else first
    if found is None or found.verdict.support == "verified" or claim.meaning is None:
        return found
    assert context
    quote = evidence.quote(found.span.start, found.span.end)
    return Pin(found.evidence, found.span, claim.felt(quote, context))


def _verbatim(sentence: str, evidence: Evidence) -> tuple[int, int, tuple[int, int]] | None:
    """Where an evidence has the very words of a sentence, and the sentences it stands in; letters alone count."""
    wanted = squeeze(sentence).text
    if len(wanted) < _VERBATIM:
        return None
    letters = squeeze(evidence.text)
    at = letters.text.find(wanted)
    if at < 0:
        return None
    first = evidence.span.start
    start, end = first + int(letters.places[at]), first + int(letters.places[at + len(wanted) - 1]) + 1
    if row := _rows(evidence, start, end):
        return *row, row
    touched = [span for span in evidence.sentences if span[0] < end and span[1] > start]
    if not touched:
        return start, end, (start, end)
    # What ends the sentence belongs to it, though it is no letter.
    last = touched[-1][1]
    if not squeeze(evidence.quote(end, last)).text:
        end = last
    return start, end, (touched[0][0], last)


def _rows(evidence: Evidence, start: int, end: int) -> tuple[int, int] | None:
    """The whole rows of a table that a stretch is made of; None when it is not made of any."""
    first = evidence.span.start
    before = evidence.text.rfind("\n", 0, start - first) + 1
    after = evidence.text.find("\n", end - first)
    line = evidence.text[before : after if after >= 0 else len(evidence.text)]
    is_table = all(_CELLS.search(row) for row in line.split("\n"))
    if not is_table or len(squeeze(line).codes) != len(squeeze(evidence.quote(start, end)).codes):
        return None
    return first + before, first + before + len(line)


def _figures(text: str) -> list[str]:
    """The figures of a text with their signs and points, which are no letters, in order."""
    return ["".join(figure.split()) for figure in _FIGURE.findall(text.replace("\u00ad\n", ""))]


def _stretches(claim: _Claim, evidence: Evidence, number: int | None) -> list[tuple[int, int, int]]:
    """Where to look in one evidence: up to three sentences in a row, those with most words in common, small first."""
    spans = evidence.sentences or ((evidence.span.start, evidence.span.end),)
    held = [_words(evidence.quote(*span)) & claim.words for span in spans]
    found = []
    for first in range(len(spans)):
        for count in range(1, _LONGEST + 1):
            last = first + count - 1
            if last >= len(spans):
                break
            shared = len(frozenset().union(*held[first : last + 1]))
            is_near = number is not None and first <= number - 1 <= last
            is_named = is_near and count == 1
            if shared or is_near:
                # A sentence more is looked at for what it adds, not for being there.
                bonus = _NAMED if is_named else 2.0 if is_near else 0.0
                found.append((shared + bonus - 0.5 * count, first, last, count))
    if not found and spans:
        # Nothing in common, as between two languages: the sentence that means most the same.
        nearest = claim.nearest([evidence.quote(*span) for span in spans[:_COMPARED]])
        return [(*spans[nearest], 1)]
    found.sort(key=lambda each: (-each[0], each[3], each[1]))
    return [(spans[first][0], spans[last][1], count) for _, first, last, count in found[:_TRIED]]


def _together(claim: _Claim, found: Sequence[Pin], cited: Sequence[tuple[Evidence, int | None]]) -> Verdict:
    """The verdict on a sentence that takes from several sources, from all of them at once."""
    by_number = {evidence.number: evidence for evidence, _ in cited}
    quotes = [by_number[each.evidence].quote(each.span.start, each.span.end) for each in found]
    context = "\n".join(dict.fromkeys(_context(evidence) for evidence in by_number.values()))
    return claim.judged("\n".join(quotes), prepare(context))


def _likely(claim: _Claim, others: Sequence[Evidence]) -> list[Evidence]:
    """Those of the evidence that have many of a sentence's words, most first."""
    if not claim.words:
        return []
    shares = [(len(claim.words & _words(other.text)) / len(claim.words), other) for other in others]
    shares.sort(key=lambda each: (-each[0], each[1].number))
    return [other for share, other in shares if share >= _SHARE][:_ELSEWHERE]


def _share(claim: _Claim, evidence: Evidence, span: Span) -> float:
    """How many of a sentence's words a stretch has."""
    return len(claim.words & _words(evidence.quote(span.start, span.end))) / max(len(claim.words), 1)


def _pin(evidence: Evidence, stretch: tuple[int, int], verdict: Verdict) -> Pin:
    return Pin(evidence.number, Span(evidence.span.document, *stretch), verdict)


def _context(evidence: Evidence) -> str:
    return "\n".join((evidence.title, *evidence.headings, evidence.text))


def _words(text: str) -> frozenset[str]:
    return frozenset(_folded(text))


def _folded(text: str) -> Iterator[str]:
    for word in _WORD.findall(text.casefold()):
        # Endings differ between a sentence and its source; their beginnings seldom do.
        yield word if word.isdigit() else word[:6]


def _order(verdict: Verdict) -> float:
    return RANK[verdict.support] + verdict.score
