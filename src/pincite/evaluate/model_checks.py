"""Try a model: whether it streams, whether it calls tools, and whether it judges sentences as readers do."""

import asyncio
import time
from typing import TYPE_CHECKING

from pincite.answer.model_judge import ModelJudge
from pincite.errors import ModelError
from pincite.evaluate.calibration import CalibrationSentence, load_set
from pincite.evaluate.judge_agreement import JudgedSentence
from pincite.llm.model_errors import explain_error
from pincite.llm.model_trial import (
    Check,
    Outcome,
    Trial,
    get_patience,
    make_failed_trial,
    make_late_trial,
    try_streaming,
    try_tools,
)
from pincite.llm.providers import EXTRACTIVE, normalise_model_name
from pincite.store import model_choices
from pincite.store.database import Database
from pincite.store.model_choices import KnownModel

if TYPE_CHECKING:
    from pincite.llm.model_roles import ChosenModel, Models

CHECKS: tuple[Check, ...] = ("streaming", "tools", "judge")
_SENTENCES = 3  # true ones, and as many false ones
_ENOUGH = 5  # of the sentences must be judged as readers do


async def try_model(models: "Models", database: Database, name: str, check: Check, now: float) -> Trial:
    """Run one check of a model with a real request, and store what was learnt about the model."""
    name = normalise_model_name(name)
    if name == EXTRACTIVE:
        return Trial(name, check, "missing", "It is no language model: it quotes the documents.")
    try:
        # In a thread: the settings are read from the database, and the provider's library may take a second to load.
        chosen = await asyncio.to_thread(models.choose, name)
    except ModelError as error:
        return make_failed_trial(name, check, error)
    match check:
        case "streaming":
            trial = await try_streaming(chosen)
        case "tools":
            trial = await try_tools(chosen)
        case "judge":
            trial = await try_judge(chosen)
    await asyncio.to_thread(_save_trial, database, trial, now)
    return trial


async def try_judge(chosen: "ChosenModel", seconds: float = get_patience("judge")) -> Trial:
    """Let a model judge a few sentences whose truth is known."""
    begun = time.monotonic()
    sentences = choose_sentences()
    judge = ModelJudge(chosen, seconds=seconds)
    found = await judge.judge([each.claim for each in sentences])
    if isinstance(judge.failure, TimeoutError):
        return make_late_trial(chosen.name, "judge", seconds)
    if judge.failure:
        return make_failed_trial(chosen.name, "judge", explain_error(judge.failure, model=chosen.name))
    took = round(time.monotonic() - begun, 2)
    judged = [JudgedSentence(each, opinion) for each, opinion in zip(sentences, found, strict=True)]
    right, total = sum(each.is_agreed for each in judged), len(judged)
    if all(each.judgement is None for each in judged):
        return Trial(chosen.name, "judge", "missing", "It gave no verdict that can be read.", "", took, 0, total)
    outcome: Outcome = "works" if right >= _ENOUGH else "partly"
    detail = f"It judged {right} of {total} sentences as readers do."
    return Trial(chosen.name, "judge", outcome, detail, "", took, right, total)


def choose_sentences() -> list[CalibrationSentence]:
    """Return a few sentences of the calibration set, half of them true, always the same."""
    english = [each for each in load_set().sentences if each.language == "en"]
    true = [each for each in english if each.label == "supported"][:_SENTENCES]
    false = [each for each in english if not each.is_true][:_SENTENCES]
    return [each for pair in zip(true, false, strict=True) for each in pair]


def _save_trial(database: Database, trial: Trial, now: float) -> None:
    with database.writing() as connection:
        known = next(
            (each for each in model_choices.list_models(connection) if each.name == trial.model),
            KnownModel(trial.model),
        )
        abilities = {"streams": known.streams, "tools": known.tools, "judges": known.judges}
        names = {"streaming": "streams", "tools": "tools", "judge": "judges"}
        if trial.ability is not None:
            abilities[names[trial.check]] = trial.ability
        model_choices.save_trial(connection, KnownModel(trial.model, known.added, now, **abilities))
