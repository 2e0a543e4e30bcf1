"""A judge is measured as it would be asked, and its result is kept."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pincite.answer.judge_choice import open_answer_judge
from pincite.answer.model_judge import BATCH
from pincite.answer.question import AskedQuestion
from pincite.answer.services import open_services
from pincite.errors import Misuse, ModelError
from pincite.evaluate import judge_agreement as measuring
from pincite.evaluate.calibration import CalibrationSentence, read_version
from pincite.evaluate.judge_agreement import evaluate, find_judge_name, measure_judge, open_judge
from pincite.events import Usage
from pincite.library import open_library
from pincite.llm.model_roles import ChosenModel, Models
from pincite.proof.judge import Claim, Opinion, Quotation, SentenceJudge
from pincite.settings import load_settings
from pincite.store.calibrations import get_calibration
from tests.clock import PATIENCE
from tests.evaluate.judges import NAME, Say, ScriptedJudge, opening


def run(say: Say = lambda each: each.label) -> dict[str, Any]:
    return asyncio.run(evaluate(ScriptedJudge(say), lambda *_: None))


def test_a_judge_that_reads_as_readers_do_agrees_on_everything() -> None:
    figures = run()
    assert (figures["total"], figures["agreed"], figures["passed"], figures["doubted"]) == (80, 80, 0, 0)
    assert figures["wrong"] == []
    assert figures["judge"] == NAME


def test_a_judge_that_believes_everything_lets_every_false_sentence_pass() -> None:
    figures = run(lambda _: "supported")
    assert (figures["agreed"], figures["passed"], figures["doubted"]) == (40, 40, 0)
    assert figures["kinds"]["swap"] == {"total": 4, "agreed": 0, "passed": 4, "doubted": 0, "unjudged": 0}


def test_a_judge_that_believes_nothing_doubts_every_true_sentence() -> None:
    figures = run(lambda _: "unsupported")
    assert (figures["agreed"], figures["passed"], figures["doubted"]) == (40, 0, 40)


@pytest.mark.parametrize("opinion", ["partial", "contradicted", "unsupported"])
def test_any_warning_will_do_for_a_false_sentence(opinion: Opinion) -> None:
    figures = run(lambda each: each.label if each.is_true else opinion)
    assert figures["agreed"] == 80


@pytest.mark.parametrize("opinion", ["silent", "no_claim"])
def test_a_false_sentence_without_any_mark_is_let_pass(opinion: Opinion) -> None:
    figures = run(lambda each: each.label if each.is_true else opinion)
    assert figures["passed"] == 40


def test_sentences_without_a_verdict_count_as_neither_passed_nor_doubted() -> None:
    figures = run(lambda each: None if each.language == "fr" else each.label)
    assert (figures["agreed"], figures["unjudged"], figures["passed"], figures["doubted"]) == (40, 40, 0, 0)
    assert figures["languages"]["fr"]["unjudged"] == 40
    assert figures["wrong"][0]["opinion"] is None


def test_a_model_without_a_single_verdict_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(ModelError, match=NAME) as raised:
        run(lambda _: None)
    assert "pincite doctor" in raised.value.hint


def test_the_sentences_come_in_batches_as_in_an_answer_and_progress_is_told() -> None:
    judge, told = ScriptedJudge(), list[tuple[int, int]]()
    asyncio.run(evaluate(judge, lambda done, total: told.append((done, total))))
    assert max(len(batch) for batch in judge.batches) == BATCH
    assert sum(len(batch) for batch in judge.batches) == 80
    assert (told[0], told[-1]) == ((0, 80), (80, 80))


def test_the_result_is_kept_with_the_model_the_set_and_the_cost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "open_judge", opening(lambda each: "supported" if _is_name(each) else each.label))
    settings = load_settings(data=tmp_path, embedding={"provider": "none"}, models={"chat": NAME})
    library = open_library(settings)
    assert get_calibration(library.database, NAME) is None
    figures = asyncio.run(measure_judge(settings, library.database, Models(settings)))
    kept = get_calibration(library.database, NAME)
    library.close()
    assert kept
    assert (kept.agreed, kept.total, kept.passed, kept.version) == (78, 80, 2, read_version())
    assert kept.describe() == "agreed with readers on 78 of 80, let 2 false sentences pass"
    assert figures["requests"] == 14
    assert figures["input_tokens"] == 1400


def _is_name(each: CalibrationSentence) -> bool:
    return each.kind == "name"


@pytest.mark.parametrize(
    ("judge", "chat", "system", "expected"),
    [
        ("model", "", "", ""),
        ("model", "ollama:large", "", "ollama:large"),
        ("model", "ollama:large", "ollama:small", "ollama:small"),
        ("model", "extractive", "", ""),
        ("model", "extractive", "ollama:small", ""),
        ("model", "", "ollama:small", ""),
        ("model", "ollama:large", "extractive", ""),
        (" model ", "ollama:large", "", "ollama:large"),
        ("off", "ollama:large", "", ""),
        (" off ", "ollama:large", "", ""),
        ("extractive", "ollama:large", "", ""),
        ("Ollama:judge", "ollama:large", "", "ollama:judge"),
        (" ollama:judge", "extractive", "", "ollama:judge"),
    ],
)
def test_the_judge_that_is_named_is_the_one_that_judges_answers(
    tmp_path: Path, judge: str, chat: str, system: str, expected: str
) -> None:
    settings = load_settings(
        data=tmp_path,
        embedding={"provider": "none"},
        answers={"judge": judge},
        models={"chat": chat, "system": system},
    )
    assert find_judge_name(settings) == expected
    services = open_services(settings)
    asked = open_answer_judge(services.open_context(AskedQuestion(question="How high is the dam?")))
    services.close()
    assert (asked.name if asked else "") == expected


def test_a_request_to_the_judge_that_is_measured_may_take_as_long_as_in_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, given = opening(), list[float]()

    def note_seconds(models: Models, name: str, spend: Callable[[Usage], None], seconds: float) -> SentenceJudge:
        given.append(seconds)
        return opened(models, name, spend, seconds)

    monkeypatch.setattr(measuring, "open_judge", note_seconds)
    settings = load_settings(
        data=tmp_path, embedding={"provider": "none"}, models={"chat": NAME}, answers={"judge_seconds": 7.5}
    )
    library = open_library(settings)
    asyncio.run(measure_judge(settings, library.database, Models(settings)))
    library.close()
    assert given == [7.5]


def test_a_judge_that_takes_longer_than_it_may_gives_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        await asyncio.Event().wait()
        raise AssertionError

    models = Models(load_settings())
    monkeypatch.setattr(models, "choose", lambda name: ChosenModel(name, FunctionModel(never)))
    judge = open_judge(models, NAME, lambda _: None, 0.001)
    assert asyncio.run(asyncio.wait_for(judge.judge([Claim("A", (Quotation("B"),))]), PATIENCE)) == [None]


@pytest.mark.parametrize("name", ["", "extractive"])
def test_without_a_model_there_is_nothing_to_measure(name: str) -> None:
    with pytest.raises(Misuse, match="nothing to measure"):
        open_judge(Models(load_settings()), name, lambda _: None, 60)
