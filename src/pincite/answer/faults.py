"""Turn errors into `error` events, so that an answer ends properly when a stage fails."""

import logging
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pincite import events
from pincite.errors import PinciteError

log = logging.getLogger(__name__)


@contextmanager
def report_faults(emit: Callable[[events.Fault], None]) -> Iterator[None]:
    """Emit an event for an error in the block, and go on. A bug is logged with the id that the event has."""
    try:
        yield
    except PinciteError as error:
        emit(events.describe_error(error))
    except Exception:  # the last barrier: a bug must not lose the text written so far
        id = uuid.uuid4().hex[:8]
        log.exception("An answer failed (%s).", id)
        emit(events.Fault(code="fault", message=f"A fault of ours ended this answer ({id}).", hint="Please report it."))
