"""Times the verdict on a sentence, and counts what a judge adds to an answer; prints both.

    python benchmarks/verdict_speed.py

First the checks by code: from the end of a sentence to its mark without a judge, in CPU time, over the sentences of the
calibration set, each against a passage of its document. Then an answer of ten such sentences by a scripted model with a
scripted judge: requests, and tokens by the estimate of four characters each."""

import asyncio
import json
import re
import statistics
import time
from pathlib import Path

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pincite.agent.judging import Judging, ModelJudge, Settled, make_prompt
from pincite.agent.models import Chosen
from pincite.evaluate.labelled import Labelled, read_labelled
from pincite.evaluate.machine import about
from pincite.evaluate.verdicts import make_cited
from pincite.proof.verdict import check_sentence

_REPEATS = 5
_SENTENCES = 10
_CHARACTERS = 4  # of a token
_PACE, _LATENCY = 0.5, 1.5  # seconds between two sentences of an answer, and for one reply of the judge
SET = Path(__file__).parents[1] / "src/pincite/evaluate/calibration"


def time_checks(labelled: list[Labelled]) -> list[float]:
    """CPU milliseconds for each check, the best of some runs."""
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


async def count_requests(labelled: list[Labelled]) -> tuple[int, int, int]:
    """Requests, and characters sent and received, for an answer of ten sentences that arrive one after another."""
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

    settled = list[Settled]()
    judging = Judging(ModelJudge(Chosen("scripted:judge", FunctionModel(judge))), settled.append)
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
    print(about())
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
