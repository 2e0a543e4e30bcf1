"""Read the header `traceparent`, with which a proxy or a client says which trace a request belongs to.

Anybody may send it. It is two random numbers of a fixed form and a flag: a sender who forges it can put the spans of
their own question into a trace that they name, or keep them out of it, and nothing else. `tracestate` and `baggage` are
free text, and are not read.
"""

import re
from dataclasses import dataclass

HEADER = "traceparent"
_FORM = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?")
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class TraceParent:
    """A span of another program: its trace, its own id, and flags, of which the first says that it is recorded."""

    trace: int
    span: int
    flags: int


def read_trace_parent(header: str) -> TraceParent | None:
    """Return what the header says, or None if it is not of the form."""
    found = _FORM.fullmatch(header.strip()) if len(header) <= _LONGEST else None
    if found is None:
        return None
    trace, span, flags = (int(part, 16) for part in found.groups())
    return TraceParent(trace, span, flags & 1) if trace and span else None
