"""The ids of what a log line is about: the request, the turn, its conversation, the job and its document.

They follow the code through `await`, new tasks, and threads that are started with a copy of the context.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Literal

IdName = Literal["request", "turn", "conversation", "job", "document"]

_NONE: Mapping[str, str] = MappingProxyType({})
_ids: ContextVar[Mapping[str, str]] = ContextVar("pincite_log_ids", default=_NONE)


@contextmanager
def carry_ids(**ids: str) -> Iterator[None]:
    """Add ids to every log line of the block; the names are those of `IdName`, and an empty id is left out."""
    token = _ids.set({**_ids.get(), **{name: value for name, value in ids.items() if value}})
    try:
        yield
    finally:
        _ids.reset(token)


def read_ids() -> Mapping[str, str]:
    """Return the ids of the code that runs now."""
    return _ids.get()
