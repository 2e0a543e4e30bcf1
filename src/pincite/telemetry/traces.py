"""Send spans to a collector by OTLP over HTTP, with OpenTelemetry's SDK. It is imported only if traces are on."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Self

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import NonRecordingSpan, SpanContext, Status, StatusCode, TraceFlags, set_span_in_context
from opentelemetry.trace import Span as OpenSpan

from pincite.errors import PinciteError
from pincite.telemetry.spans import AttributeValue, use_span_maker
from pincite.telemetry.trace_parent import TraceParent

_LONGEST_TEXT = 1000  # characters of an attribute
_SECONDS = 5.0  # for one export: at the end of a process, a collector that is away must not delay it for long

# Not OpenTelemetry's own context: a span of a stream may end in another task than it began in.
_current: ContextVar[OpenSpan | None] = ContextVar("pincite_span", default=None)


class Traces:
    """The spans of this process on their way to a collector."""

    def __init__(self, address: str, service: str, version: str, instance: str, has_text: bool) -> None:
        resource = Resource.create(
            {"service.name": service, "service.version": version, "service.instance.id": instance}
        )
        self._has_text = has_text
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        exporter = OTLPSpanExporter(address, timeout=_SECONDS)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("pincite", version)
        use_span_maker(self._make_span)

    def close(self) -> None:
        """Send what is left and stop; spans cost nothing again."""
        use_span_maker(None, self._make_span)
        self._provider.shutdown()

    def flush(self) -> None:
        """Send what is left now."""
        self._provider.force_flush()

    def _make_span(self, name: str, attributes: dict[str, AttributeValue]) -> "TracedSpan":
        parent = _current.get()
        above = set_span_in_context(parent) if parent else None
        return TracedSpan(self._tracer.start_span(name, above, attributes=_prefix(attributes)), self._has_text)


class TracedSpan:
    """A span that is sent. It begins when it is made."""

    def __init__(self, opened: OpenSpan, has_text: bool) -> None:
        self._span = opened
        self._has_text = has_text
        self._token: Token[OpenSpan | None] | None = None

    def set(self, **attributes: AttributeValue) -> None:
        self._span.set_attributes(_prefix(attributes))

    def set_text(self, **attributes: str) -> None:
        if self._has_text:
            self.set(**{name: value[:_LONGEST_TEXT] for name, value in attributes.items()})

    def __enter__(self) -> Self:
        self._token = _current.set(self._span)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, asyncio.CancelledError | GeneratorExit):
            self.set(stopped=True)
        elif error is not None:
            # The message of an error may quote a question or a name; its code does not.
            code = error.code if isinstance(error, PinciteError) else type(error).__name__
            self._span.set_status(Status(StatusCode.ERROR, code))
        self._span.end()
        if self._token:
            with suppress(ValueError):  # it ends in another task
                _current.reset(self._token)


def find_trace_id() -> str:
    """Return the id of the trace that the code which runs now is part of, or ""."""
    open_span = _current.get()
    return f"{open_span.get_span_context().trace_id:032x}" if open_span else ""


@contextmanager
def continue_trace(parent: TraceParent) -> Iterator[None]:
    """Make the spans of the block children of a span of another program."""
    context = SpanContext(parent.trace, parent.span, is_remote=True, trace_flags=TraceFlags(parent.flags))
    token = _current.set(NonRecordingSpan(context))
    try:
        yield
    finally:
        _current.reset(token)


def _prefix(attributes: dict[str, AttributeValue]) -> dict[str, AttributeValue]:
    return {f"pincite.{name}": value for name, value in attributes.items()}
