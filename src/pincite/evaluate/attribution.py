"""The verdict against people's: on claims experts judged, on pairs that contradict each other, and on made ones."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.evaluate import guarantee
from pincite.evaluate.claims import Claim, read
from pincite.evaluate.machine import about
from pincite.evaluate.store import Say
from pincite.evidence.sentences import sentences
from pincite.evidence.verify import Meaning, judge
from pincite.evidence.wording import prepare
from pincite.index.embed import embedder
from pincite.settings import Settings
from pincite.types import Verdict

_TOGETHER = 256
_WORD = re.compile(r"\w+")


def evaluate(path: Path, settings: Settings, say: Say, wrong: Path | None = None) -> dict[str, Any]:
    """AUC of our score, of shared words and of likeness; how right `verified` is; and what made pairs show."""
    material = read(path)
    model = embedder(settings.embedding, settings.data) if material.judged else None
    sets = {}
    for name, claims in material.judged.items():
        meaning = _remembered(claims, model.queries, say) if model else None
        sets[name] = _judged(claims, meaning, say)
    made = guarantee.measure(material.texts, say)
    failed = [{"language": code, **pair} for code, figures in made.items() for pair in figures.pop("wrong")]
    if wrong:
        wrong.write_text("".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in failed), encoding="utf-8")
    counted = ", ".join(f"{len(claims):,} claims of {name}" for name, claims in material.judged.items())
    return {
        "set": path.name,
        "about": f"{path.name}: {counted or f'{len(material.texts):,} texts'}; {about()}",
        "model": model.name if model else None,
        "judged": sets,
        "made": made,
    }


def auc(supported: Sequence[float], others: Sequence[float]) -> float:
    """How often a supported claim scores above one that is not, a tie counting half."""
    if not supported or not others:
        return float("nan")
    ranked = np.sort(np.asarray(others, float))
    below = np.searchsorted(ranked, supported, "left")
    not_above = np.searchsorted(ranked, supported, "right")
    return float((below + not_above).sum() / 2 / (len(supported) * len(others)))


def _judged(claims: list[Claim], meaning: Meaning | None, say: Say) -> dict[str, Any]:
    """The figures of one set; ours with the embedder and without it."""
    ours, plain, shared, alike = [], [], [], []
    for number, claim in enumerate(claims, 1):
        say(f"verifying: {number}/{len(claims)} claims")
        plain.append(_best(claim, None))
        shared.append(max(_shared(claim.sentence, source) for source in claim.sources))
        if meaning:
            ours.append(_best(claim, meaning))
            alike.append(_alike(claim, meaning))
    ours = ours or plain
    scores = {
        "ours": [verdict.score for verdict in ours],
        "ours, words alone": [verdict.score for verdict in plain],
        "shared words": shared,
        **({"cosine of the best sentence": alike} if meaning else {}),
    }
    right = [claim.supported for claim in claims]
    verified = [verdict.support == "verified" for verdict in ours]
    both = sum(a and b for a, b in zip(right, verified, strict=True))
    return {
        "claims": len(claims),
        "supported": sum(right),
        "auc": {name: round(_auc(right, values), 4) for name, values in scores.items()},
        "verified": {
            "claims": sum(verified),
            "precision": round(both / max(sum(verified), 1), 4),
            "recall": round(both / max(sum(right), 1), 4),
        },
        "verdicts": {
            support: {
                "supported": sum(v.support == support and r for v, r in zip(ours, right, strict=True)),
                "not": sum(v.support == support and not r for v, r in zip(ours, right, strict=True)),
            }
            for support in ("verified", "partial", "unsupported")
        },
    }


def _auc(right: list[bool], values: list[float]) -> float:
    pairs = list(zip(right, values, strict=True))
    return auc([value for is_right, value in pairs if is_right], [value for is_right, value in pairs if not is_right])


def _best(claim: Claim, meaning: Meaning | None) -> Verdict:
    """The verdict of the source that supports a claim most."""
    sentence = prepare(claim.sentence)
    verdicts = (judge(sentence, prepare(source), None, meaning) for source in claim.sources)
    return max(verdicts, key=lambda verdict: verdict.score)


def _shared(sentence: str, source: str) -> float:
    """The share of a sentence's words that its source has: what a verifier must beat."""
    words, there = _WORD.findall(sentence.casefold()), set(_WORD.findall(source.casefold()))
    return sum(word in there for word in words) / max(len(words), 1)


def _alike(claim: Claim, meaning: Meaning) -> float:
    vectors = meaning([claim.sentence, *_pieces(claim)])
    return float((vectors[1:] @ vectors[0]).max()) if len(vectors) > 1 else 0.0


def _pieces(claim: Claim) -> list[str]:
    return [source[start:end] for source in claim.sources for start, end in sentences(source)]


def _remembered(claims: list[Claim], embed: Callable[[Sequence[str]], NDArray[np.float32]], say: Say) -> Meaning:
    """An embedder that has seen all texts of a set, in large batches, once each."""
    texts: dict[str, int] = {}
    for claim in claims:
        for text in (claim.sentence, *claim.sources, *_pieces(claim)):
            texts.setdefault(text, len(texts))
    # Batches of like length are quicker.
    order = sorted(texts, key=len)
    rows: list[NDArray[np.float32]] = []
    for first in range(0, len(order), _TOGETHER):
        say(f"embedding: {first}/{len(order)} texts")
        rows.append(embed(order[first : first + _TOGETHER]))
    matrix = np.concatenate(rows)
    places = {text: place for place, text in enumerate(order)}
    return lambda wanted: matrix[[places[text] for text in wanted]]
