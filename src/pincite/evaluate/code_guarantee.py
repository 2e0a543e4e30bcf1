"""Measure the guarantee of code alone: it refuses a sentence with one fact changed, and never one in another form.

No judge is used. Sentences with a changed meaning show how much is left to a judge.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pincite.evaluate.changed_sentences import ChangedSentence, change_facts, change_form, change_meaning, find_names
from pincite.evaluate.evaluation_library import ReportStatus
from pincite.proof.verdict import check_sentence
from pincite.text.language import detect_document_language
from pincite.text.sentences import split_sentences
from pincite.types import Evidence, Span, Support

LANGUAGES = {"en": "English", "fr": "French"}
_SHORTEST, _LONGEST = 6, 60  # words in a sentence that is used
_TAKEN = 1500  # the most sentences of a language
_SHOWN = 50  # the most wrong sentences of one kind that are reported
_REFUSED: tuple[Support, ...] = ("contradicted", "unsupported")


class Window(NamedTuple):
    """A sentence of a text with the sentences before and after it; "" if there is none."""

    sentence: str
    before: str
    after: str


def measure_guarantee(texts: Sequence[str], say: ReportStatus) -> dict[str, Any]:
    """Return, for each language, the verdicts of code on generated sentences of each kind, and the wrong ones."""
    found: dict[str, Any] = {}
    for code, language in LANGUAGES.items():
        spoken = [text for text in texts if detect_document_language(text) == code]
        taken = _pick_evenly([window for text in spoken for window in _list_windows(text)])
        names = find_names([window.sentence for window in taken])
        sides: dict[str, dict[str, dict[str, int]]] = {"form": {}, "fact": {}, "meaning": {}}
        wrong: list[dict[str, str]] = []
        for number, window in enumerate(taken, 1):
            say(f"{language}: {number}/{len(taken)} sentences")
            for side, change in _make_changes(window, code, names):
                support, reasons = _check_change(change, window)
                counts = sides[side].setdefault(change.kind, {"verified": 0, "unchecked": 0, "refused": 0, "of": 0})
                counts["refused" if support in _REFUSED else support] += 1
                counts["of"] += 1
                if not _is_right(side, support) and sum(pair["kind"] == change.kind for pair in wrong) < _SHOWN:
                    pair = {"change": side, "kind": change.kind, "sentence": change.text, "source": window.sentence}
                    wrong.append({**pair, "support": support, "why": reasons})
        if taken:
            found[code] = {
                "sentences": len(taken),
                **{side: _sum_counts(side, counts) for side, counts in sides.items()},
            }
            found[code]["wrong"] = wrong
    return found


def make_evidence(text: str, number: int = 1) -> Evidence:
    """Make evidence of a text."""
    return Evidence(
        number=number,
        span=Span(f"text-{number}", 0, len(text)),
        title="",
        kind="text",
        text=text,
        sentences=tuple(split_sentences(text)),
    )


def _make_changes(window: Window, code: str, names: Sequence[str]) -> Iterator[tuple[str, ChangedSentence]]:
    near = f"{window.before} {window.after}"
    yield from (("form", change) for change in change_form(window.sentence, code, window.after))
    yield from (("fact", change) for change in change_facts(window.sentence, code, names, near))
    yield from (("meaning", change) for change in change_meaning(window.sentence, code))


def _check_change(change: ChangedSentence, window: Window) -> tuple[Support, str]:
    """Return the verdict of code on a generated sentence that cites its original sentence, and the reasons."""
    first, text = 0, ""
    for piece in window.before, window.sentence, window.after:
        if piece is window.sentence:
            first = len(text)
        text += f"{piece}\n" if piece else ""
    evidence = make_evidence(text.rstrip())
    last = len(evidence.text) if change.kind == "sentences reordered" else first + len(window.sentence)
    cited = [n for n, (start, end) in enumerate(evidence.sentences, 1) if start < last and end > first]
    verdict = check_sentence(change.text, [(evidence, n) for n in cited]).verdict
    if verdict is None:
        return "unchecked", ""
    return verdict.support, "; ".join(f"{each.code}: {each.claimed} / {each.found}" for each in verdict.reasons)


def _is_right(side: str, support: Support) -> bool:
    """Return whether the verdict is right. Code cannot judge a meaning, so it must not call it verified."""
    match side:
        case "form":
            return support not in _REFUSED
        case "fact":
            return support in _REFUSED
        case _:
            return support != "verified"


def _list_windows(text: str) -> Iterator[Window]:
    """Yield each long enough sentence of a text that ends like one, with its neighbours."""
    spans = split_sentences(text)
    sentences = [" ".join(text[start:end].split()) for start, end in spans]
    for i, sentence in enumerate(sentences):
        if _SHORTEST <= len(sentence.split()) <= _LONGEST and sentence[-1] in ".!?":
            before = sentences[i - 1] if i else ""
            after = sentences[i + 1] if i + 1 < len(sentences) and len(sentences[i + 1].split()) <= _LONGEST else ""
            yield Window(sentence, before, after)


def _pick_evenly(windows: list[Window]) -> list[Window]:
    """Return at most `_TAKEN` windows, evenly from all texts."""
    step = max(len(windows) / _TAKEN, 1.0)
    return [windows[int(i * step)] for i in range(min(len(windows), _TAKEN))]


def _sum_counts(side: str, counts: dict[str, dict[str, int]]) -> dict[str, dict[str, float]]:
    """Return the counts of each kind and of all, with the share of right verdicts."""
    rows: dict[str, dict[str, float]] = {kind: {**count} for kind, count in counts.items()}
    names = ("verified", "unchecked", "refused", "of")
    rows["all"] = {name: sum(count[name] for count in counts.values()) for name in names}
    for row in rows.values():
        right = {"form": row["of"] - row["refused"], "fact": row["refused"], "meaning": row["of"] - row["verified"]}
        row["share"] = round(right[side] / row["of"], 4) if row["of"] else 0.0
    return rows
