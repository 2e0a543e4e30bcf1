"""Measure the time of the verdict on a sentence, and the requests that a judge adds to an answer; print both.

    python benchmarks/verdict_speed.py

The first part measures the checks by code: the CPU time from the end of a sentence to its verdict without a judge, for
the sentences of the calibration set, each against a passage of its document. The second part counts the requests and
tokens (four characters each) of a scripted judge, for an answer of ten such sentences by a scripted model."""

import asyncio
import json
import re
import statistics
import time
from pathlib import Path

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pincite.answer.model_judge import JudgeQueue, ModelJudge, SentenceJudgement, make_prompt
from pincite.evaluate.labelled_sentences import LabelledSentence, read_labelled
from pincite.evaluate.labelled_verdicts import make_cited
from pincite.evaluate.machine_info import describe_machine
from pincite.llm.model_roles import ChosenModel
from pincite.proof.verdict import check_sentence

_REPEATS = 5
_SENTENCES = 10
_CHARACTERS = 4  # of a token
_PACE, _LATENCY = 0.5, 1.5  # seconds between two sentences of an answer, and for one reply of the judge
SET = Path(__file__).parents[1] / "src/pincite/evaluate/calibration"


def time_checks(labelled: list[LabelledSentence]) -> list[float]:
    """Return the CPU milliseconds of each check, the best of several runs."""
    found = []
    for each in labelled:
        cited = make_cited(each)
        times = []
        for _ in range(_REPEATS):
            begun = time.process_time()
            check_sentence(each.claim, cited)
            times.append((time.process_time() - begun) * 1000)
        found.append(min(times))
    return found


async def count_requests(labelled: list[LabelledSentence]) -> tuple[int, int, int]:
    """Return the requests and the characters sent and received, for an answer of ten sentences in sequence."""
    prompts, replies = list[str](), list[str]()

    async def judge(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        await asyncio.sleep(_LATENCY)
        prompts.append(str(getattr(messages[-1].parts[-1], "content", "")))
        count = len(re.findall("<claim n=", prompts[-1]))
        told = [
            {"n": n, "doubt": "the weakest point of it in some words", "verdict": "supported"}
            for n in range(1, count + 1)
        ]
        replies.append(json.dumps({"verdicts": told}))
        return ModelResponse(parts=[TextPart(replies[-1])])

    settled = list[SentenceJudgement]()
    judging = JudgeQueue(ModelJudge(ChosenModel("scripted:judge", FunctionModel(judge))), settled.append)
    for key, each in enumerate(labelled[:_SENTENCES]):
        judging.add(key, check_sentence(each.claim, make_cited(each)).claim)
        await asyncio.sleep(_PACE)
    judging.flush()
    while judging.open:
        await asyncio.sleep(0.01)
    return len(prompts), sum(map(len, prompts)), sum(map(len, replies))


def main() -> None:
    labelled = read_labelled(SET)
    open_ = [each for each in labelled if check_sentence(each.claim, make_cited(each)).verdict is None]
    times = sorted(time_checks(labelled))
    print(describe_machine())
    print(f"{len(times)} sentences, from their end to their mark without a judge, CPU ms:")
    last = times[int(0.95 * len(times))]
    print(f"  p50 {statistics.median(times):.1f}   p95 {last:.1f}   longest {times[-1]:.1f}")
    requests, sent, received = asyncio.run(count_requests(open_))
    empty = len(make_prompt([])) // _CHARACTERS
    print(
        f"A judge of an answer of {_SENTENCES} sentences: {requests} requests, about {sent // _CHARACTERS:,} tokens in"
    )
    print(f"  ({empty:,} of them the rules, once a request) and {received // _CHARACTERS:,} out")


if __name__ == "__main__":
    main()
