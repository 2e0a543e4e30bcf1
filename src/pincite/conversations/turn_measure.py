"""Count a turn and its events, and time it: metrics, the span of the turn, and the ids of its log lines."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pincite import events
from pincite.answer.context import Context
from pincite.llm.providers import EXTRACTIVE
from pincite.store.messages import MessageOutcome
from pincite.telemetry import carry_ids, span
from pincite.telemetry.metrics import ANSWER_SECONDS, ERRORS, FIRST_EVENT_SECONDS, QUESTIONS, SENTENCES


class TurnMeasure:
    """Measures one turn, from the question to the end of its answer."""

    def __init__(self, message: str, context: Context) -> None:
        self._message = message
        self._asked = context.asked
        self._model_kind = "language_model" if context.has_language_model else EXTRACTIVE
        self._model = context.models.chat.name
        self._has_begun = False

    @contextmanager
    def follow(self) -> Iterator[None]:
        """Make everything in the block part of the turn."""
        asked = self._asked
        ids = {"turn": self._message, "conversation": asked.conversation}
        with carry_ids(**ids), span("turn", **ids, model=self._model, focus=asked.focus) as opened:
            opened.set_text(question=asked.question)
            yield

    def note(self, stored: Sequence[events.Data], outcome: MessageOutcome | None) -> None:
        """Count events that were stored, and with the last of them the end of the turn."""
        if not self._has_begun and stored:
            self._has_begun = True
            FIRST_EVENT_SECONDS.observe(self._measure())
        for data in stored:
            if isinstance(data, events.Fault):
                ERRORS.add(data.code)
        answer = stored[-1] if stored else None
        if outcome and isinstance(answer, events.Answer):
            self.end("refused" if outcome.state == "done" and answer.refused else outcome.state)
            for sentence in answer.sentences:
                SENTENCES.add(sentence.support or "no_claim")

    def end(self, outcome: str) -> None:
        """Count the end of the turn: done, refused, stopped or failed."""
        QUESTIONS.add(outcome, self._model_kind)
        ANSWER_SECONDS.observe(self._measure(), self._model_kind)

    def _measure(self) -> float:
        return time.perf_counter() - self._asked.begun
