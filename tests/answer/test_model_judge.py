"""Sentences reach the judge in few requests, verdicts come back under their key, and no failure ends an answer."""

import asyncio
import json
from collections.abc import Sequence

from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pincite import events
from pincite.answer.model_judge import BATCH, JudgementCache, JudgeQueue, ModelJudge, SentenceJudgement, judge_all
from pincite.llm.model_roles import ChosenModel
from pincite.proof.judge import Claim, Judgement, Quotation


class Scripted:
    """A model that answers each prompt with the next reply, or fails with the next error."""

    def __init__(self, *replies: str | Exception) -> None:
        self.replies = list(replies)
        self.prompts: list[str] = []
        self.settings: list[object] = []

    @property
    def chosen(self) -> ChosenModel:
        return ChosenModel("test:judge", FunctionModel(self._answer))

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.prompts.append(str(getattr(messages[-1].parts[-1], "content", "")))
        self.settings.append(info.model_settings)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return ModelResponse(parts=[TextPart(reply)])


def verdicts(*opinions: str) -> str:
    return json.dumps({"verdicts": [{"n": n, "verdict": opinion} for n, opinion in enumerate(opinions, 1)]})


def claim(words: str) -> Claim:
    return Claim(words, (Quotation(f"Source of {words}"),))


def test_several_sentences_are_one_request_at_temperature_zero_and_counted() -> None:
    model, spent = Scripted(verdicts("supported", "partial")), list[events.Usage]()
    judge = ModelJudge(model.chosen, spend=spent.append)
    found = asyncio.run(judge.judge([claim("A"), claim("B")]))
    assert found == [Judgement("supported"), Judgement("partial")]
    assert len(model.prompts) == 1
    assert model.settings == [{"temperature": 0.0, "max_tokens": 440}]
    assert [usage.requests for usage in spent] == [1]


def test_the_same_content_is_not_asked_about_twice_and_another_judge_has_its_own_opinion() -> None:
    cache = JudgementCache()
    first, again = Scripted(verdicts("supported")), Scripted(verdicts("unsupported"))
    asyncio.run(ModelJudge(first.chosen, cache).judge([claim("A")]))
    found = asyncio.run(ModelJudge(again.chosen, cache).judge([claim("A"), claim("B")]))
    assert found == [Judgement("supported"), Judgement("unsupported")]
    assert "SENTENCE: A" not in again.prompts[0]
    other = Scripted(verdicts("contradicted"))
    chosen = ChosenModel("test:other", other.chosen.model)
    assert asyncio.run(ModelJudge(chosen, cache).judge([claim("A")])) == [Judgement("contradicted")]


def test_a_full_cache_forgets_the_oldest() -> None:
    cache = JudgementCache(most=2)
    for words in "ABC":
        cache.put("j", claim(words), Judgement("supported"))
    assert [cache.get("j", claim(words)) is not None for words in "ABC"] == [False, True, True]


def test_a_judge_that_fails_or_talks_nonsense_leaves_sentences_without_a_verdict() -> None:
    for reply in (ModelHTTPError(500, "m"), "I think they are all fine."):
        judge = ModelJudge(Scripted(reply).chosen)
        assert asyncio.run(judge.judge([claim("A"), claim("B")])) == [None, None]


class Slow:
    """A judge that supports everything when it is let go, and notes how many requests it has at a time."""

    name = "test:slow"

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.batches: list[int] = []
        self.running = self.most = 0

    async def judge(self, claims: Sequence[Claim]) -> list[Judgement | None]:
        self.batches.append(len(claims))
        self.running += 1
        self.most = max(self.most, self.running)
        await self.go.wait()
        self.running -= 1
        return [Judgement("supported") for _ in claims]


def test_full_batches_leave_at_once_and_two_at_a_time() -> None:
    async def run() -> tuple[Slow, list[SentenceJudgement]]:
        settled: list[SentenceJudgement] = []
        judge = Slow()
        judging = JudgeQueue(judge, settled.append)
        for key in range(3 * BATCH + 1):
            judging.add(key, claim(str(key)))
        await asyncio.sleep(0)
        assert judge.batches == [BATCH, BATCH]  # while the answer is still written
        judge.go.set()
        judging.flush()
        while judging.open:
            await asyncio.sleep(0)
        return judge, settled

    judge, settled = asyncio.run(run())
    assert judge.batches == [BATCH, BATCH, BATCH, 1]
    assert judge.most == 2
    assert sorted(each.key for each in settled) == list(range(3 * BATCH + 1))


def test_a_whole_set_is_judged_in_its_order_in_batches_and_two_at_a_time() -> None:
    class Hurrying(Slow):
        """Takes longest for its first request, and repeats each sentence."""

        async def judge(self, claims: Sequence[Claim]) -> list[Judgement | None]:
            self.batches.append(len(claims))
            self.running += 1
            self.most = max(self.most, self.running)
            for _ in range(9 - 2 * len(self.batches)):
                await asyncio.sleep(0)
            self.running -= 1
            return [Judgement("supported", (each.sentence,)) for each in claims]

    async def run() -> tuple[Slow, list[Judgement | None], list[tuple[int, int]]]:
        judge, told = Hurrying(), list[tuple[int, int]]()
        claims = [claim(str(number)) for number in range(3 * BATCH + 1)]
        return judge, await judge_all(judge, claims, lambda *each: told.append(each)), told

    judge, found, told = asyncio.run(run())
    assert found == [Judgement("supported", (str(number),)) for number in range(3 * BATCH + 1)]
    assert judge.batches == [BATCH, BATCH, BATCH, 1]
    assert judge.most == 2
    assert (told[0], told[-1]) == ((0, 3 * BATCH + 1), (3 * BATCH + 1, 3 * BATCH + 1))


def test_a_judge_that_raises_settles_its_sentences_without_a_verdict() -> None:
    class Broken(Slow):
        async def judge(self, claims: Sequence[Claim]) -> list[Judgement | None]:
            raise RuntimeError("broken")

    async def run() -> list[SentenceJudgement]:
        settled: list[SentenceJudgement] = []
        judging = JudgeQueue(Broken(), settled.append)
        judging.add(7, claim("A"))
        judging.flush()
        while judging.open:
            await asyncio.sleep(0)
        return settled

    assert asyncio.run(run()) == [SentenceJudgement(7, None)]


def test_a_stopped_judgement_asks_nobody() -> None:
    async def run() -> Slow:
        judge = Slow()
        judging = JudgeQueue(judge, lambda _: None)
        judging.add(1, claim("A"))
        judging.stop()
        judging.flush()
        await asyncio.sleep(0)
        return judge

    assert asyncio.run(run()).batches == []


def test_sentences_gather_while_a_request_is_under_way() -> None:
    async def run() -> Slow:
        judge = Slow()
        judging = JudgeQueue(judge, lambda _: None)
        judging.add(0, claim("first"))
        judging.flush()
        await asyncio.sleep(0)
        for key in range(1, 5):
            judging.add(key, claim(str(key)))
            await asyncio.sleep(0)
        judge.go.set()
        while judging.open:
            await asyncio.sleep(0)
        return judge

    assert asyncio.run(run()).batches == [1, 4]


def test_a_judge_that_was_late_once_is_not_waited_for_again_and_failures_are_counted() -> None:
    async def never(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        await asyncio.sleep(600)
        raise AssertionError

    spent: list[events.Usage] = []
    judge = ModelJudge(ChosenModel("test:late", FunctionModel(never)), spend=spent.append, seconds=0.01)

    async def run() -> None:
        for words in "ABC":
            assert await judge.judge([claim(words)]) == [None]

    asyncio.run(run())
    assert [usage.requests for usage in spent] == [1]
