"""Measure verdicts on sentences: by code on generated sentences, and against human verdicts."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincite.answer.model_judge import judge_all
from pincite.evaluate import code_guarantee
from pincite.evaluate.attribution_data import JudgedClaim, read_material
from pincite.evaluate.evaluation_library import ReportStatus
from pincite.evaluate.judge_agreement import open_judge
from pincite.evaluate.machine_info import describe_machine
from pincite.llm.model_roles import Models
from pincite.proof.judge import SentenceJudge
from pincite.proof.verdict import CheckedSentence, apply_judgement, check_sentence
from pincite.settings import Settings
from pincite.store.database import Database

VERDICTS = ("verified", "partial", "unchecked", "unsupported", "contradicted", "no claim")


def evaluate(
    path: Path,
    settings: Settings,
    say: ReportStatus,
    wrong: Path | None = None,
    judge: str = "",
    database: Database | None = None,
) -> dict[str, Any]:
    """Measure how often code refuses a changed fact and accepts another form.

    With a judge, also measure its agreement with people. With a database, the judge may be a model of the page.
    """
    material = read_material(path)
    judged = asyncio.run(_compare_with_judge(material.judged, settings, judge, say, database)) if judge else {}
    made = code_guarantee.measure_guarantee(material.texts, say)
    failed = [{"language": code, **pair} for code, figures in made.items() for pair in figures.pop("wrong")]
    if wrong:
        wrong.write_text("".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in failed), encoding="utf-8")
    counted = ", ".join(f"{len(claims):,} claims of {name}" for name, claims in material.judged.items())
    return {
        "set": path.name,
        "about": f"{path.name}: {counted or f'{len(material.texts):,} texts'}; {describe_machine()}",
        "judge": judge or None,
        "judged": judged,
        "made": made,
    }


async def _compare_with_judge(
    judged: dict[str, list[JudgedClaim]], settings: Settings, name: str, say: ReportStatus, database: Database | None
) -> dict[str, Any]:
    models = Models(settings, database=database)
    try:
        judge = open_judge(models, name, lambda _: None, settings.answers.judge_seconds)
        return {each: await compare_verdicts(claims, judge, say) for each, claims in judged.items()}
    finally:
        await models.close()


async def compare_verdicts(claims: Sequence[JudgedClaim], judge: SentenceJudge, say: ReportStatus) -> dict[str, Any]:
    """Count the verdicts of code and judge, separately for claims that people found supported and for the others."""
    checked = []
    for number, claim in enumerate(claims, 1):
        say(f"checking facts: {number}/{len(claims)} claims")
        checked.append(_check_claim(claim))
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


def _check_claim(claim: JudgedClaim) -> CheckedSentence:
    evidence = [code_guarantee.make_evidence(source, number) for number, source in enumerate(claim.sources, 1)]
    return check_sentence(claim.sentence, [(each, None) for each in evidence])
