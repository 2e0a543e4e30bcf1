"""Verdicts on sentences: by code on sentences made from texts, and against the verdicts of people."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincite.agent.judging import judge_all
from pincite.agent.models import Models
from pincite.evaluate import guarantee
from pincite.evaluate.claims import Claim, read
from pincite.evaluate.judge import open_judge
from pincite.evaluate.machine import about
from pincite.evaluate.store import Say
from pincite.proof.judge import Judge
from pincite.proof.verdict import Checked, apply_judgement, check_sentence
from pincite.settings import Settings

VERDICTS = ("verified", "partial", "unchecked", "unsupported", "contradicted", "no claim")


def evaluate(path: Path, settings: Settings, say: Say, wrong: Path | None = None, judge: str = "") -> dict[str, Any]:
    """How often code refuses a changed fact and keeps another form; with a judge also how it agrees with people."""
    material = read(path)
    judged = asyncio.run(_compare(material.judged, settings, judge, say)) if judge else {}
    made = guarantee.measure(material.texts, say)
    failed = [{"language": code, **pair} for code, figures in made.items() for pair in figures.pop("wrong")]
    if wrong:
        wrong.write_text("".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in failed), encoding="utf-8")
    counted = ", ".join(f"{len(claims):,} claims of {name}" for name, claims in material.judged.items())
    return {
        "set": path.name,
        "about": f"{path.name}: {counted or f'{len(material.texts):,} texts'}; {about()}",
        "judge": judge or None,
        "judged": judged,
        "made": made,
    }


async def _compare(judged: dict[str, list[Claim]], settings: Settings, name: str, say: Say) -> dict[str, Any]:
    models = Models(settings)
    try:
        judge = open_judge(models, name, lambda _: None, settings.answers.judge_seconds)
        return {each: await compare_verdicts(claims, judge, say) for each, claims in judged.items()}
    finally:
        await models.close()


async def compare_verdicts(claims: Sequence[Claim], judge: Judge, say: Say) -> dict[str, Any]:
    """Each verdict, by code and the judge, counted over claims that people found supported and over the others."""
    checked = []
    for number, claim in enumerate(claims, 1):
        say(f"checking facts: {number}/{len(claims)} claims")
        checked.append(_check(claim))
    left = [each for each in checked if each.verdict is None]
    judgements = await judge_all(
        judge, [each.claim for each in left], lambda done, total: say(f"judging: {done}/{total} claims")
    )
    judged = dict(zip(map(id, left), judgements, strict=True))
    counts = {verdict: {"supported": 0, "not": 0} for verdict in VERDICTS}
    for claim, each in zip(claims, checked, strict=True):
        settled = apply_judgement(each, judged.get(id(each)), judge.name)
        counts[settled.support if settled else "no claim"]["supported" if claim.supported else "not"] += 1
    verified = counts["verified"]
    supported = sum(claim.supported for claim in claims)
    return {
        "claims": len(claims),
        "supported": supported,
        "verdicts": counts,
        "verified": {
            "claims": sum(verified.values()),
            "precision": round(verified["supported"] / max(sum(verified.values()), 1), 4),
            "recall": round(verified["supported"] / max(supported, 1), 4),
        },
    }


def _check(claim: Claim) -> Checked:
    evidence = [guarantee.make_evidence(source, number) for number, source in enumerate(claim.sources, 1)]
    return check_sentence(claim.sentence, [(each, None) for each in evidence])
