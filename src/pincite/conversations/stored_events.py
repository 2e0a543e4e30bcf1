"""Make stored events of the payloads of an answer: number them, merge text, and clean characters."""

import logging
import uuid
from collections.abc import Sequence
from typing import Any

from pincite import events
from pincite.errors import PinciteError
from pincite.events import Answer, Event, Fault, Text
from pincite.store.messages import MessageOutcome, State
from pincite.text.storable import clean_text

log = logging.getLogger(__name__)


def make_event(seq: int, message: str, data: events.Data) -> Event:
    """Return a payload as a numbered event."""
    return Event(seq=seq, type=events.find_event_type(data), messageId=message, data=_clean_value(data.model_dump()))


def insert_before_last(sent: Sequence[Event], added: Sequence[events.Data]) -> list[Event]:
    """Return events with others before the last one, and numbers in order."""
    if not added:
        return list(sent)
    *first, last = sent
    middle = [make_event(last.seq + at, last.messageId, data) for at, data in enumerate(added)]
    return [*first, *middle, last.model_copy(update={"seq": last.seq + len(added)})]


def make_outcome(state: State, answer: Answer) -> MessageOutcome:
    """Return how a message ended, as its row stores it."""
    told = _clean_value(answer.model_dump())
    usage = answer.usage
    return MessageOutcome(
        state, told["answer"], told, answer.model, usage.input_tokens, usage.output_tokens, usage.requests
    )


def make_fault(error: BaseException) -> Fault:
    """Return the event that reports an error; a bug is logged under a number that the hint names."""
    if isinstance(error, PinciteError):
        return events.describe_error(error)
    number = uuid.uuid4().hex[:8]
    log.error("fault %s while answering", number, exc_info=error)
    return Fault(
        code="fault",
        message="The server met a fault of ours.",
        hint=f"Please report it with the server's log; it stands there under {number}.",
    )


def merge_events(said: Sequence[events.Data]) -> list[events.Data]:
    """Merge successive pieces of text into one, and drop the events after the answer."""
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


def _clean_value(value: Any) -> Any:
    match value:
        case str():
            return clean_text(value)
        case dict():
            return {key: _clean_value(each) for key, each in value.items()}
        case list() | tuple():
            return [_clean_value(each) for each in value]
        case _:
            return value
