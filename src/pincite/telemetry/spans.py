"""Spans of a trace: `with span("search", passages=5):` costs next to nothing until `start_traces` is called."""

from types import TracebackType
from typing import Protocol, Self

AttributeValue = str | int | float | bool


class TraceSpan(Protocol):
    """A piece of work with a name, a beginning and an end. Use it with `with`, also around `await`."""

    def set(self, **attributes: AttributeValue) -> None:
        """Add attributes: numbers, kinds and ids, never words of a person or a document."""

    def set_text(self, **attributes: str) -> None:
        """Add attributes that are words of a person or a document; kept only if `telemetry.trace_text` allows it."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class SpanMaker(Protocol):
    """A function that makes spans while traces are on; see `telemetry/traces.py`."""

    def __call__(self, name: str, attributes: dict[str, AttributeValue]) -> TraceSpan: ...


class _NoSpan:
    def set(self, **attributes: AttributeValue) -> None:
        pass

    def set_text(self, **attributes: str) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


_NO_SPAN = _NoSpan()
_maker: SpanMaker | None = None


def span(name: str, **attributes: AttributeValue) -> TraceSpan:
    """Return a span, a child of the span that is open here; one that does nothing while traces are off."""
    if _maker is None:
        return _NO_SPAN
    return _maker(name, attributes)


def use_span_maker(maker: SpanMaker | None, instead_of: SpanMaker | None = None) -> None:
    """Switch traces on for the whole process, or off with None; with `instead_of`, only if that one is in use."""
    global _maker
    if instead_of is None or _maker == instead_of:
        _maker = maker


def has_traces() -> bool:
    """Return whether spans are recorded."""
    return _maker is not None
