"""A judge that follows a script: it knows the labels of the calibration set, and errs where it is told to."""

from collections.abc import Callable, Sequence

from pincite.errors import Misuse
from pincite.evaluate.calibration import CalibrationSentence, load_set
from pincite.events import Usage
from pincite.llm.model_roles import Models
from pincite.proof.judge import Claim, Judgement, Opinion, SentenceJudge

NAME = "test:judge"
Say = Callable[[CalibrationSentence], Opinion | None]


class ScriptedJudge:
    """Says of each sentence what the script says; notes the batches it was given."""

    def __init__(self, say: Say = lambda each: each.label, spend: Callable[[Usage], None] = lambda _: None) -> None:
        self._say, self._spend = say, spend
        self.batches: list[list[Claim]] = []

    @property
    def name(self) -> str:
        return NAME

    async def judge(self, claims: Sequence[Claim]) -> list[Judgement | None]:
        self.batches.append(list(claims))
        self._spend(Usage(input_tokens=100, output_tokens=10, requests=1))
        known = {each.claim.sentence: each for each in load_set().sentences}
        said = [self._say(known[claim.sentence]) for claim in claims]
        return [Judgement(opinion) if opinion else None for opinion in said]


def opening(say: Say = lambda each: each.label) -> Callable[..., SentenceJudge]:
    """A stand-in for `open_judge` that opens a scripted judge whatever model is named."""

    def open_scripted(models: Models, name: str, spend: Callable[[Usage], None], seconds: float) -> SentenceJudge:
        if not name:
            raise Misuse("No model judges sentences, so there is nothing to measure.", "Set models.chat.")
        return ScriptedJudge(say, spend)

    return open_scripted
