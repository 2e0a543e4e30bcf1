"""Give the verdict on a sentence and its cited evidence: by code where code is exact, else by a judge's opinion."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.events.source_names import describe_page, label_page
from pincite.proof.facts import CitedSource, Facts, check_facts
from pincite.proof.judge import Claim, Judgement, Quotation
from pincite.proof.pin import Cited, Meaning, PinnedSentence, pin_sentence, strip_markup
from pincite.proof.tables import describe_row
from pincite.text.citation_marks import strip_marks
from pincite.text.quantities import Quantity, find_quantities
from pincite.types import Evidence, Pin, Reason, Verdict

_SCORES = {"verified": 0.95, "unchecked": 0.5, "partial": 0.4, "unsupported": 0.1, "contradicted": 0.0}


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """The result of the checks by code: where a sentence is pinned, its facts, and the claim for a judge.

    `verdict` is final if code alone decides, and None if only a judge can.
    """

    pinned: PinnedSentence
    facts: Facts
    claim: Claim
    verdict: Verdict | None


NOT_CITED = Verdict("unsupported", score=_SCORES["unsupported"], reasons=(Reason("not_cited"),))


def check_sentence(
    sentence: str,
    cited: Sequence[Cited],
    before: str = "",
    meaning: Meaning | None = None,
    calculations: Sequence[tuple[str, float]] = (),
) -> CheckedSentence:
    """Check a sentence by code.

    `before` is the sentence before it in the answer. `calculations` are those of the turn's calculator, each as
    text and result: a figure that is such a result rests on the figures that the calculation cites.
    """
    text = strip_markup(sentence)
    pinned = pin_sentence(sentence, cited, meaning)
    evidence = {each.number: each for each, _ in cited}
    if pinned.is_quote:
        # Another cited source may contradict the quote.
        others = [pin for pin in pinned.pins if pin.evidence not in pinned.quoted]
        facts = check_facts(text, make_sources(others, evidence)) if others else Facts()
        verdict = Verdict("verified", "quote", 1.0)
        if facts.differing:
            verdict = Verdict("contradicted", None, _SCORES["contradicted"], facts.differing)
        return CheckedSentence(pinned, facts, Claim(text), verdict)
    facts = _use_calculations(check_facts(text, make_sources(pinned.pins, evidence)), calculations)
    claim = Claim(text, make_quotations(pinned.pins, evidence), before, facts.computed)
    return CheckedSentence(pinned, facts, claim, _decide_by_code(cited, facts))


def apply_judgement(checked: CheckedSentence, judgement: Judgement | None, judge: str) -> Verdict | None:
    """Return the verdict on a sentence after a judge was asked; None if the judge says that it makes no claim.

    Facts veto: if code found a fact that differs or is missing, its verdict stays.
    """
    if checked.verdict is not None and checked.verdict.reasons != NOT_CITED.reasons:
        return checked.verdict
    computed = checked.facts.computed
    if judgement is None:
        absent = Reason("judge_failed" if judge else "no_judge")
        return checked.verdict or Verdict("unchecked", None, _SCORES["unchecked"], (absent,), computed)
    if not checked.claim.cited:
        return None if judgement.opinion in ("silent", "no_claim") else NOT_CITED
    words = tuple(Reason("judge_part", each) for each in judgement.words)
    match judgement.opinion:
        case "supported":
            return Verdict("verified", "computed" if computed else "judge", _SCORES["verified"], (), computed, judge)
        case "partial":
            return Verdict("partial", None, _SCORES["partial"], words or (Reason("not_said"),), computed, judge)
        case "contradicted":
            differs = Reason("judge_differs", found=judgement.quote)
            return Verdict("contradicted", None, _SCORES["contradicted"], (differs, *words), computed, judge)
        case _:
            none = Reason("judge_none")
            return Verdict("unsupported", None, _SCORES["unsupported"], (none, *words), computed, judge)


def _use_calculations(facts: Facts, calculations: Sequence[tuple[str, float]]) -> Facts:
    """Remove the figures that a calculation of the turn gives from the facts, and add that calculation."""
    used = {
        reason: shown
        for reason in (*facts.differing, *facts.missing)
        for shown, result in calculations
        if any(_is_result(figure, result) for figure in find_quantities(reason.claimed))
    }
    if not used:
        return facts
    differing = tuple(reason for reason in facts.differing if reason not in used)
    missing = tuple(reason for reason in facts.missing if reason not in used)
    shown = [strip_marks(each).partition(" = ")[2] for each in used.values()]
    return Facts(differing, missing, "; ".join(dict.fromkeys(filter(None, (facts.computed, *shown)))))


def _is_result(figure: Quantity, result: float) -> bool:
    """Whether a figure is a result at the figure's own precision and scale, with either sign."""
    near = figure.step / 2 * 1.0001
    scales = (1.0, 0.01) if figure.measure == "percent" else (1.0, figure.factor)
    return any(
        abs(abs(worth) - abs(result) * scale) <= max(near, 1e-9 * abs(worth))
        for worth in figure.worth
        for scale in scales
    )


def make_sources(pins: Sequence[Pin], evidence: dict[int, Evidence]) -> list[CitedSource]:
    """Return the cited words of each evidence and the text around them: facts are compared with both."""
    found = []
    for number in dict.fromkeys(pin.evidence for pin in pins):
        one = evidence[number]
        words = [one.quote(pin.span.start, pin.span.end) for pin in pins if pin.evidence == number]
        around = "\n".join((one.title, one.name, *one.headings, one.text))
        found.append(CitedSource("\n".join(words), around, one.tables))
    return found


def make_quotations(pins: Sequence[Pin], evidence: dict[int, Evidence]) -> tuple[Quotation, ...]:
    """Return the cited words as a judge reads them: table rows with their heads, and the text around."""
    found = []
    for number in dict.fromkeys(pin.evidence for pin in pins):
        one = evidence[number]
        own = [pin for pin in pins if pin.evidence == number]
        words = " […] ".join(_show_pin(pin, one) for pin in own)
        found.append(Quotation(words, _find_surroundings(own, one), _describe_location(one)))
    return tuple(found)


def _describe_location(evidence: Evidence) -> str:
    """Return the title, file name, headings and page of an evidence: they may name the subject of its words."""
    file = f" ({evidence.name})" if evidence.name and evidence.name != evidence.title else ""
    path = " › ".join((evidence.title + file, *(each for each in evidence.headings if each != evidence.title)))
    label = label_page(evidence.kind, evidence.page, evidence.label)
    return f"{path}, {describe_page(evidence.page, label)}" if evidence.page else path


def _show_pin(pin: Pin, evidence: Evidence) -> str:
    """Return the words of a pin; table rows among them are written out with their column heads."""
    start, end = pin.span.start, pin.span.end
    pieces, at = [], start
    rows = sorted(
        ((row, table) for table in evidence.tables for row in table.rows if row.start < end and row.end > start),
        key=lambda pair: pair[0].start,
    )
    for row, table in rows:
        if row.start >= at:
            pieces += [evidence.quote(at, row.start).strip(), describe_row(table, row)]
            at = row.end
    pieces.append(evidence.quote(at, end).strip() if at < end else "")
    return "\n".join(piece for piece in pieces if piece)


_AROUND = 700  # characters before and after


def _find_surroundings(pins: Sequence[Pin], evidence: Evidence) -> str:
    """Return the text before and after the pinned words, whole sentences where they fit."""
    first, last = min(pin.span.start for pin in pins), max(pin.span.end for pin in pins)
    spans = [s for s in evidence.sentences if s[1] > first - _AROUND and s[0] < last + _AROUND]
    start, end = (spans[0][0], spans[-1][1]) if spans else (first, last)
    before, after = evidence.quote(start, first).strip()[-_AROUND:], evidence.quote(last, end).strip()[:_AROUND]
    between = evidence.quote(first, last) if len(pins) > 1 else "[the cited words]"
    return " ".join(part for part in (before, between, after) if part) if before or after or len(pins) > 1 else ""


def _decide_by_code(cited: Sequence[Cited], facts: Facts) -> Verdict | None:
    if not cited:
        return NOT_CITED
    if facts.differing:
        return Verdict("contradicted", None, _SCORES["contradicted"], facts.differing, facts.computed)
    if facts.missing:
        return Verdict("unsupported", None, _SCORES["unsupported"], facts.missing, facts.computed)
    return None
