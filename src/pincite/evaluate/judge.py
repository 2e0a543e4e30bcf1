"""How far a judge agrees with readers: it judges the calibration set as it would judge an answer."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pincite.agent.providers import EXTRACTIVE, canonical, name_judge
from pincite.errors import Misuse, ModelError
from pincite.evaluate.calibration import Labelled, load_set
from pincite.events import Usage
from pincite.proof.judge import Judge, Judgement
from pincite.settings import Settings
from pincite.store.calibrations import Measured, keep_measured
from pincite.store.database import Database

if TYPE_CHECKING:
    from pincite.agent.models import Models

Progress = Callable[[int, int], None]  # sentences judged, sentences in all

_UNMARKED = ("supported", "silent", "no_claim")  # opinions after which a reader is not warned


@dataclass(frozen=True, slots=True)
class Answered:
    """A sentence of the set, and the judgement on it, None where the judge gave none."""

    labelled: Labelled
    judgement: Judgement | None

    @property
    def is_passed(self) -> bool:
        """A false sentence of which no reader would be warned."""
        return not self.labelled.is_true and self.judgement is not None and self.judgement.opinion in _UNMARKED

    @property
    def is_doubted(self) -> bool:
        """A true sentence that was not called supported. One on silent sources may be called that too."""
        if not self.labelled.is_true or self.judgement is None:
            return False
        return self.judgement.opinion not in (_UNMARKED if self.labelled.label == "silent" else ("supported",))

    @property
    def is_agreed(self) -> bool:
        """A sentence judged as readers judge it: to be relied on, or not."""
        return self.judgement is not None and not self.is_passed and not self.is_doubted


def find_judge_name(settings: Settings) -> str:
    """The name of the model that judges by the settings; empty when none does."""
    chat = canonical(settings.models.chat) or EXTRACTIVE
    return name_judge(settings.answers.judge, chat, canonical(settings.models.system) or chat)


def open_judge(models: "Models", name: str, spend: Callable[[Usage], None], seconds: float) -> Judge:
    """The judge of this name; `Misuse` when there is none to ask.

    It tells `spend` the cost of each request, and waits so many seconds for one.
    """
    if not name or canonical(name) == EXTRACTIVE:
        raise Misuse(
            "No model judges sentences, so there is nothing to measure.",
            "Set models.chat and answers.judge, or name a model as PROVIDER:NAME.",
        )
    from pincite.agent.judging import ModelJudge

    return ModelJudge(models.choose(canonical(name)), spend=spend, seconds=seconds)


async def ask_judge(judge: Judge, labelled: Sequence[Labelled], progress: Progress) -> list[Answered]:
    """The judge's word on each sentence."""
    from pincite.agent.judging import judge_all

    judgements = await judge_all(judge, [each.claim for each in labelled], progress)
    return [Answered(each, judgement) for each, judgement in zip(labelled, judgements, strict=True)]


async def evaluate(judge: Judge, progress: Progress, used: Sequence[Usage] = ()) -> dict[str, Any]:
    """The figures of a judge on the whole set; `ModelError` when it gave no usable verdict at all.

    `used` is filled with the cost of each request while the judge works.
    """
    calibration = load_set()
    begun = time.monotonic()
    answered = await ask_judge(judge, calibration.sentences, progress)
    if all(each.judgement is None for each in answered):
        raise ModelError(
            f"The model {judge.name} gave no usable verdict on any sentence.",
            "`pincite doctor` says whether it can be reached. If it can, name another judge in answers.judge.",
        )
    return {
        "judge": judge.name,
        "set": calibration.version,
        **_count(answered),
        "requests": sum(each.requests for each in used),
        "input_tokens": sum(each.input_tokens for each in used),
        "output_tokens": sum(each.output_tokens for each in used),
        "seconds": round(time.monotonic() - begun, 1),
        "kinds": _group(answered, lambda each: each.labelled.kind),
        "languages": _group(answered, lambda each: each.labelled.language),
        "opinions": _count_opinions(answered),
        "wrong": [_describe_wrong(each) for each in answered if not each.is_agreed],
    }


async def measure(
    settings: Settings, database: Database, models: "Models", name: str = "", progress: Progress = lambda *_: None
) -> dict[str, Any]:
    """Evaluate the judge that is named, else the one that is set, and keep the result."""
    used: list[Usage] = []
    name, seconds = name or find_judge_name(settings), settings.answers.judge_seconds
    judge = await asyncio.to_thread(open_judge, models, name, used.append, seconds)
    figures = await evaluate(judge, progress, used)
    await asyncio.to_thread(keep_figures, database, figures)
    return figures


def keep_figures(database: Database, figures: dict[str, Any]) -> Measured:
    """Keep the result of an evaluation, for `pincite doctor`, the page and the answers."""
    measured = Measured(
        model=figures["judge"],
        agreed=figures["agreed"],
        total=figures["total"],
        passed=figures["passed"],
        doubted=figures["doubted"],
        unjudged=figures["unjudged"],
        version=figures["set"],
        when=time.time(),
    )
    with database.writing() as connection:
        keep_measured(connection, measured)
    return measured


def _count(answered: Sequence[Answered]) -> dict[str, int]:
    return {
        "total": len(answered),
        "agreed": sum(each.is_agreed for each in answered),
        "passed": sum(each.is_passed for each in answered),
        "doubted": sum(each.is_doubted for each in answered),
        "unjudged": sum(each.judgement is None for each in answered),
    }


def _group(answered: Sequence[Answered], key: Callable[[Answered], str]) -> dict[str, dict[str, int]]:
    """The counts for each kind or language, the kinds of true sentences first."""
    ordered = sorted(answered, key=lambda each: (not each.labelled.is_true, key(each)))
    names = dict.fromkeys(key(each) for each in ordered)
    return {name: _count([each for each in answered if key(each) == name]) for name in names}


def _count_opinions(answered: Iterable[Answered]) -> dict[str, dict[str, int]]:
    """For each label how often each opinion was given."""
    found: dict[str, Counter[str]] = {}
    for each in answered:
        opinion = each.judgement.opinion if each.judgement else "none"
        found.setdefault(each.labelled.label, Counter())[opinion] += 1
    return {label: dict(counts.most_common()) for label, counts in found.items()}


def _describe_wrong(answered: Answered) -> dict[str, Any]:
    labelled, judgement = answered.labelled, answered.judgement
    return {
        "id": labelled.id,
        "kind": labelled.kind,
        "label": labelled.label,
        "opinion": judgement.opinion if judgement else None,
        "sentence": labelled.claim.sentence,
        "cited": [quotation.words for quotation in labelled.claim.cited],
        **({key: value for key, value in asdict(judgement).items() if key != "opinion" and value} if judgement else {}),
    }
