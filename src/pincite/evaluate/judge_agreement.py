"""Measure how well a judge agrees with human readers on the calibration set."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pincite.errors import Misuse, ModelError
from pincite.evaluate.calibration import CalibrationSentence, load_set
from pincite.events import Usage
from pincite.llm.providers import EXTRACTIVE, name_judge, normalise_model_name
from pincite.proof.judge import Judgement, SentenceJudge
from pincite.settings import Settings
from pincite.store.calibrations import CalibrationResult, save_calibration
from pincite.store.database import Database

if TYPE_CHECKING:
    from pincite.llm.model_roles import Models

Progress = Callable[[int, int], None]  # sentences judged, sentences in total

_UNMARKED = ("supported", "silent", "no_claim")  # opinions after which a reader gets no warning


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence of the set and its judgement; None if the judge gave none."""

    labelled: CalibrationSentence
    judgement: Judgement | None

    @property
    def is_passed(self) -> bool:
        """Whether a false sentence was accepted without a warning."""
        return not self.labelled.is_true and self.judgement is not None and self.judgement.opinion in _UNMARKED

    @property
    def is_doubted(self) -> bool:
        """Whether a true sentence was not called supported. One about silent sources may also be called that."""
        if not self.labelled.is_true or self.judgement is None:
            return False
        return self.judgement.opinion not in (_UNMARKED if self.labelled.label == "silent" else ("supported",))

    @property
    def is_agreed(self) -> bool:
        """Whether the sentence was judged as readers judge it: reliable or not."""
        return self.judgement is not None and not self.is_passed and not self.is_doubted


def find_judge_name(settings: Settings) -> str:
    """Return the name of the model that judges by the settings, or ""."""
    chat = normalise_model_name(settings.models.chat) or EXTRACTIVE
    return name_judge(settings.answers.judge, chat, normalise_model_name(settings.models.system) or chat)


def open_judge(models: "Models", name: str, spend: Callable[[Usage], None], seconds: float) -> SentenceJudge:
    """Open the judge of this name; raise `Misuse` if there is none.

    It passes the cost of each request to `spend`, and waits at most `seconds` for one.
    """
    if not name or normalise_model_name(name) == EXTRACTIVE:
        raise Misuse(
            "No model judges sentences, so there is nothing to measure.",
            "Choose a model in the settings of the page, or name one as PROVIDER:NAME.",
        )
    from pincite.answer.model_judge import ModelJudge

    return ModelJudge(models.choose(normalise_model_name(name)), spend=spend, seconds=seconds)


async def ask_judge(
    judge: SentenceJudge, labelled: Sequence[CalibrationSentence], progress: Progress
) -> list[JudgedSentence]:
    """Return the judge's verdict on each sentence."""
    from pincite.answer.model_judge import judge_all

    judgements = await judge_all(judge, [each.claim for each in labelled], progress)
    return [JudgedSentence(each, judgement) for each, judgement in zip(labelled, judgements, strict=True)]


async def evaluate(judge: SentenceJudge, progress: Progress, used: Sequence[Usage] = ()) -> dict[str, Any]:
    """Return the figures of a judge on the whole set; raise `ModelError` if it gave no usable verdict at all.

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
        **_count_judged(answered),
        "requests": sum(each.requests for each in used),
        "input_tokens": sum(each.input_tokens for each in used),
        "output_tokens": sum(each.output_tokens for each in used),
        "seconds": round(time.monotonic() - begun, 1),
        "kinds": _group_counts(answered, lambda each: each.labelled.kind),
        "languages": _group_counts(answered, lambda each: each.labelled.language),
        "opinions": _count_opinions(answered),
        "wrong": [_describe_wrong(each) for each in answered if not each.is_agreed],
    }


async def measure_judge(
    settings: Settings, database: Database, models: "Models", name: str = "", progress: Progress = lambda *_: None
) -> dict[str, Any]:
    """Evaluate the named judge, or the one of the settings, and store the result."""
    used: list[Usage] = []
    seconds = settings.answers.judge_seconds
    name = name or find_judge_name(await asyncio.to_thread(lambda: models.settings))
    judge = await asyncio.to_thread(open_judge, models, name, used.append, seconds)
    figures = await evaluate(judge, progress, used)
    await asyncio.to_thread(store_figures, database, figures)
    return figures


def store_figures(database: Database, figures: dict[str, Any]) -> CalibrationResult:
    """Store the result of an evaluation, for `pincite doctor`, the page and the answers."""
    measured = CalibrationResult(
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
        save_calibration(connection, measured)
    return measured


def _count_judged(answered: Sequence[JudgedSentence]) -> dict[str, int]:
    return {
        "total": len(answered),
        "agreed": sum(each.is_agreed for each in answered),
        "passed": sum(each.is_passed for each in answered),
        "doubted": sum(each.is_doubted for each in answered),
        "unjudged": sum(each.judgement is None for each in answered),
    }


def _group_counts(
    answered: Sequence[JudgedSentence], key: Callable[[JudgedSentence], str]
) -> dict[str, dict[str, int]]:
    """Return the counts for each kind or language, the kinds of true sentences first."""
    ordered = sorted(answered, key=lambda each: (not each.labelled.is_true, key(each)))
    names = dict.fromkeys(key(each) for each in ordered)
    return {name: _count_judged([each for each in answered if key(each) == name]) for name in names}


def _count_opinions(answered: Iterable[JudgedSentence]) -> dict[str, dict[str, int]]:
    """Count the opinions for each label."""
    found: dict[str, Counter[str]] = {}
    for each in answered:
        opinion = each.judgement.opinion if each.judgement else "none"
        found.setdefault(each.labelled.label, Counter())[opinion] += 1
    return {label: dict(counts.most_common()) for label, counts in found.items()}


def _describe_wrong(answered: JudgedSentence) -> dict[str, Any]:
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
