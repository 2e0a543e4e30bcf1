"""Judge sentences with a language model, and send an answer's sentences to the judge in batches."""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite import events
from pincite.answer.prompts import render
from pincite.errors import LimitReached, PinciteError
from pincite.proof.judge import Claim, Judgement, SentenceJudge, read_reply, show_claims

if TYPE_CHECKING:
    from pydantic_ai.usage import UsageLimits

    from pincite.llm.model_roles import ChosenModel

log = logging.getLogger(__name__)

BATCH = 6  # sentences in one request
_AT_ONCE = 2  # requests that run at the same time
_WAIT = 0.4  # seconds a sentence waits for others to share its request
_CACHE_SIZE = 4096  # judgements
_TOKENS = 120  # tokens of the reply for each sentence


class JudgementCache:
    """Keeps judgements by the judge's name and the judged content. It drops the oldest when it is full."""

    def __init__(self, most: int = _CACHE_SIZE) -> None:
        self._most = most
        self._kept: OrderedDict[str, Judgement] = OrderedDict()

    def get(self, judge: str, claim: Claim) -> Judgement | None:
        """Return the judgement of this judge on this content; None when there is none yet."""
        key = _hash_claim(judge, claim)
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, judge: str, claim: Claim, judgement: Judgement) -> None:
        """Store a judgement."""
        self._kept[_hash_claim(judge, claim)] = judgement
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)


class ModelJudge:
    """Asks a language model, at temperature 0.

    `spend` is called with the cost of each request. `limit` returns the limits of the next one.
    """

    def __init__(
        self,
        chosen: "ChosenModel",
        cache: JudgementCache | None = None,
        spend: Callable[[events.Usage], None] = lambda _: None,
        limit: "Callable[[], UsageLimits | None]" = lambda: None,
        seconds: float = 60.0,
    ) -> None:
        self._chosen, self._cache = chosen, cache if cache is not None else JudgementCache()
        self._spend, self._limit, self._seconds = spend, limit, seconds
        self.failure: Exception | None = None  # of the last request that failed

    @property
    def name(self) -> str:
        return self._chosen.name

    async def judge(self, claims: Sequence[Claim]) -> list[Judgement | None]:
        """Return a judgement for each claim, from the cache or from one request; None where the model gave none."""
        found = [self._cache.get(self.name, claim) for claim in claims]
        asked = [claim for claim, known in zip(claims, found, strict=True) if known is None]
        if not asked:
            return found
        fresh = iter(read_reply(await self._ask(asked), asked))
        for at, known in enumerate(found):
            if known is None and (judgement := next(fresh)) is not None:
                self._cache.put(self.name, claims[at], judgement)
                found[at] = judgement
        return found

    async def _ask(self, claims: Sequence[Claim]) -> str:
        from pydantic_ai import Agent
        from pydantic_ai.exceptions import AgentRunError, UserError

        if isinstance(self.failure, TimeoutError):
            return ""  # it was too slow once, and is not asked again
        try:
            async with asyncio.timeout(self._seconds):
                ran = await Agent(self._chosen.model).run(
                    make_prompt(claims),
                    usage_limits=self._limit(),
                    model_settings={"temperature": 0.0, "max_tokens": 200 + _TOKENS * len(claims)},
                )
        except (AgentRunError, UserError, PinciteError, TimeoutError) as error:
            log.warning("The judge %s gave no verdict: %s", self.name, str(error) or type(error).__name__)
            self.failure = error
            if not isinstance(error, LimitReached):
                self._spend(events.Usage(requests=1))
            return ""
        used = ran.usage
        self._spend(
            events.Usage(input_tokens=used.input_tokens, output_tokens=used.output_tokens, requests=used.requests)
        )
        return ran.output


def make_prompt(claims: Sequence[Claim]) -> str:
    """Return the prompt for one batch of claims."""
    return render("judge", claims=show_claims(claims))


@dataclass(frozen=True, slots=True)
class SentenceJudgement:
    """The judgement on one sentence of an answer, with the key of that sentence; None when the judge gave none."""

    key: int
    judgement: Judgement | None


class JudgeQueue:
    """Sends an answer's sentences to its judge in batches while the answer is written, two requests at a time."""

    def __init__(self, judge: SentenceJudge, put: Callable[[SentenceJudgement], None]) -> None:
        self.judge = judge
        self._put = put
        self._waiting: list[tuple[int, Claim]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._timer: asyncio.TimerHandle | None = None
        self.open = 0  # sentences that wait for their judgement

    def add(self, key: int, claim: Claim) -> None:
        """Add a sentence. It is judged soon, together with the sentences that follow at once."""
        self._waiting.append((key, claim))
        self.open += 1
        if len(self._waiting) >= BATCH:
            self.flush()
        elif self._timer is None and not self._tasks:
            # While a request runs, sentences collect for the next one.
            self._timer = asyncio.get_running_loop().call_later(_WAIT, self.flush)

    def flush(self) -> None:
        """Send the waiting sentences now."""
        if self._timer:
            self._timer.cancel()
        self._timer = None
        batch, self._waiting = self._waiting, []
        if batch:
            task = asyncio.create_task(self._run(batch))
            self._tasks.add(task)
            task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if self._waiting and not task.cancelled():
            self.flush()

    async def ask(self, claims: Sequence[Claim]) -> list[Judgement | None]:
        """Return the judgements on some claims, in batches; None for each claim of a batch that fails."""
        found: list[Judgement | None] = []
        for first in range(0, len(claims), BATCH):
            batch = claims[first : first + BATCH]
            try:
                async with self._room:
                    found += await self.judge.judge(batch)
            except Exception:
                log.exception("The judge %s failed.", self.judge.name)
                found += [None] * len(batch)
        return found

    def stop(self) -> None:
        """Cancel all requests. Sentences without a verdict stay without one."""
        if self._timer:
            self._timer.cancel()
        self._waiting.clear()
        for task in self._tasks:
            task.cancel()

    async def _run(self, batch: Sequence[tuple[int, Claim]]) -> None:
        # When the judge fails, the sentences stay without a verdict and the answer goes on.
        judgements = await self.ask([claim for _, claim in batch])
        for (key, _), judgement in zip(batch, judgements, strict=True):
            self.open -= 1
            self._put(SentenceJudgement(key, judgement))


def _hash_claim(judge: str, claim: Claim) -> str:
    return hashlib.sha256(f"{judge}\0{show_claims([claim])}".encode()).hexdigest()


async def judge_all(
    judge: SentenceJudge, claims: Sequence[Claim], progress: Callable[[int, int], None] | None = None
) -> list[Judgement | None]:
    """Return a judgement for each claim, in the same batches as for an answer, two requests at a time.

    `progress` is called with the number of judged claims and the number of all claims.
    """
    room = asyncio.Semaphore(_AT_ONCE)
    report = progress or (lambda *_: None)
    done = 0

    async def ask(batch: Sequence[Claim]) -> list[Judgement | None]:
        nonlocal done
        async with room:
            judgements = await judge.judge(batch)
        done += len(batch)
        report(done, len(claims))
        return judgements

    report(0, len(claims))
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(ask(claims[first : first + BATCH])) for first in range(0, len(claims), BATCH)]
    return [judgement for task in tasks for judgement in task.result()]
