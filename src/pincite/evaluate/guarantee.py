"""What needs no judge: sentences changed in one fact must not be verified, those changed in form alone must be."""

from collections.abc import Iterator, Sequence
from typing import Any

from pincite.evaluate.changes import Change, changed, kept, proper
from pincite.evaluate.store import Say
from pincite.evidence.sentences import sentences
from pincite.evidence.verify import judge
from pincite.evidence.wording import Prepared, prepare
from pincite.reading.language import detect

LANGUAGES = {"en": "English", "fr": "French"}
_SHORTEST, _LONGEST = 6, 60  # words of a sentence that is taken
_TAKEN = 1500  # sentences of a language, at most
_SHOWN = 200  # pairs that went wrong, at most


def measure(texts: Sequence[str], say: Say) -> dict[str, Any]:
    """For each language how many made sentences of each kind are verified, and those that went wrong."""
    found: dict[str, Any] = {}
    for code, language in LANGUAGES.items():
        spoken = [text for text in texts if detect(text) == code]
        taken = _spread([entry for text in spoken for entry in _windows(text)])
        names = proper([sentence for sentence, *_ in taken])
        kinds: dict[str, dict[str, dict[str, int]]] = {"kept": {}, "changed": {}}
        wrong: list[dict[str, str]] = []
        for number, (sentence, before, after) in enumerate(taken, 1):
            say(f"{language}: {number}/{len(taken)} sentences")
            sources = _sources(sentence, before, after)
            for side, made in (("kept", kept(sentence, code, after)), ("changed", changed(sentence, code, names))):
                for change in made:
                    verified, reasons = _is_verified(change, sources)
                    count = kinds[side].setdefault(change.kind, {"verified": 0, "of": 0})
                    count["of"] += 1
                    count["verified"] += verified
                    if verified != (side == "kept") and len(wrong) < _SHOWN:
                        wrong.append({"kind": change.kind, "sentence": change.text, "source": sentence, "why": reasons})
        if taken:
            found[code] = {"sentences": len(taken), **{side: _summed(counts) for side, counts in kinds.items()}}
            found[code]["wrong"] = wrong
    return found


def _windows(text: str) -> Iterator[tuple[str, str, str]]:
    """Each sentence that is one, with the one before it and the one after it."""
    spans = sentences(text)
    said = [" ".join(text[start:end].split()) for start, end in spans]
    for i, sentence in enumerate(said):
        if _SHORTEST <= len(sentence.split()) <= _LONGEST and sentence[-1] in ".!?":
            before = said[i - 1] if i else ""
            after = said[i + 1] if i + 1 < len(said) and len(said[i + 1].split()) <= _LONGEST else ""
            yield sentence, before, after


def _spread(entries: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """As many as are taken, from the whole of the texts."""
    step = max(len(entries) / _TAKEN, 1.0)
    return [entries[int(i * step)] for i in range(min(len(entries), _TAKEN))]


def _sources(sentence: str, before: str, after: str) -> list[Prepared]:
    """What a pin may be: the sentence itself, or it among its neighbours."""
    window = " ".join(text for text in (before, sentence, after) if text)
    return [prepare(sentence), *([prepare(window)] if window != sentence else [])]


def _is_verified(change: Change, sources: list[Prepared]) -> tuple[bool, str]:
    """Is the change verified by any of its sources, as pinning takes the best?"""
    made = prepare(change.text)
    verdicts = [judge(made, source) for source in sources]
    best = max(verdicts, key=lambda verdict: verdict.score)
    return best.support == "verified", "; ".join(best.reasons)


def _summed(counts: dict[str, dict[str, int]]) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {kind: {**count} for kind, count in counts.items()}
    rows["all"] = {name: sum(count[name] for count in counts.values()) for name in ("verified", "of")}
    for row in rows.values():
        row["share"] = round(row["verified"] / row["of"], 4) if row["of"] else 0.0
    return rows
