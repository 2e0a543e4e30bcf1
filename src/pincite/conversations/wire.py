"""What a turn says, as it is stored and sent: numbered, whole, and free of what neither can hold."""

import logging
import uuid
from collections.abc import Sequence
from typing import Any

from pincite import events
from pincite.errors import PinciteError
from pincite.events import Answer, Event, Fault, Text
from pincite.reading.finish import clean
from pincite.store.messages import Outcome, State

log = logging.getLogger(__name__)


def event(seq: int, message: str, data: events.Data) -> Event:
    """A payload under its number."""
    return Event(seq=seq, type=events.type_of(data), messageId=message, data=_clean(data.model_dump()))


def outcome(state: State, answer: Answer) -> Outcome:
    """How a message ended, as its row tells it."""
    told = _clean(answer.model_dump())
    usage = answer.usage
    return Outcome(state, told["answer"], told, answer.model, usage.input_tokens, usage.output_tokens, usage.requests)


def fault(error: BaseException) -> Fault:
    """What went wrong, for the person who asked; a fault of ours is logged under a number they can name."""
    if isinstance(error, PinciteError):
        return Fault(code=error.code, message=error.message, hint=error.hint)
    number = uuid.uuid4().hex[:8]
    log.error("fault %s while answering", number, exc_info=error)
    return Fault(
        code="fault",
        message="The server met a fault of ours.",
        hint=f"Please report it with the server's log; it stands there under {number}.",
    )


def merged(said: Sequence[events.Data]) -> list[events.Data]:
    """The same words in fewer pieces: text that follows text is one delta, and the answer is the last word."""
    found: list[events.Data] = []
    for data in said:
        last = found[-1] if found else None
        if isinstance(data, Text) and isinstance(last, Text):
            found[-1] = Text(delta=last.delta + data.delta)
            continue
        found.append(data)
        if isinstance(data, Answer):
            break
    return found


def _clean(value: Any) -> Any:
    match value:
        case str():
            return clean(value)
        case dict():
            return {key: _clean(each) for key, each in value.items()}
        case list() | tuple():
            return [_clean(each) for each in value]
        case _:
            return value
