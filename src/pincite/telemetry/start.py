"""Start the traces and the logs of a server or a worker, as its settings ask."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pincite import __version__
from pincite.errors import Misuse
from pincite.telemetry.log_format import JsonFormatter, StderrHandler, TextFormatter

if TYPE_CHECKING:
    from pincite.settings_telemetry import TelemetrySettings

# Their lines are written as ours are.
_OTHERS = ("uvicorn", "opentelemetry", "py.warnings")
_PATH = "/v1/traces"


def check_traces(settings: "TelemetrySettings") -> None:
    """Raise `Misuse` if traces are wanted and cannot be sent."""
    if settings.traces and not (find_spec("opentelemetry.sdk") and find_spec("opentelemetry.exporter.otlp.proto.http")):
        raise Misuse(
            "telemetry.traces is set, and the package that sends traces is not installed.",
            "`pip install 'pincite[traces]'`, or leave telemetry.traces empty.",
            "no_traces_package",
        )


def make_traces_address(address: str) -> str:
    """Return the address to which spans are sent; a collector's own address may be given without the path."""
    address = address.rstrip("/")
    return address if address.endswith(_PATH) else address + _PATH


@contextmanager
def send_traces(settings: "TelemetrySettings", service: str, instance: str = "") -> Iterator[None]:
    """Send spans while the block lasts, if the settings name an address; send the last ones at its end."""
    check_traces(settings)
    if not settings.traces:
        yield
        return
    from pincite.telemetry.traces import Traces

    traces = Traces(make_traces_address(settings.traces), service, __version__, instance, settings.trace_text)
    try:
        yield
    finally:
        traces.close()


def write_logs(settings: "TelemetrySettings", sources: str = "") -> None:
    """Write the log lines of this process to stderr: warnings of all parts and, of the logger `sources`, all lines.

    As JSON, a line is written for each request too.
    """
    if settings.logs == "json":
        formatter: logging.Formatter = JsonFormatter(_choose_trace_finder(settings))
        for name in ("pincite", *_OTHERS):
            logger = logging.getLogger(name)
            logger.handlers = [StderrHandler(formatter)]
            logger.propagate = False
            logger.setLevel(logging.WARNING)
        logging.captureWarnings(True)
        for name in ("pincite.access", "pincite.worker"):
            logging.getLogger(name).setLevel(logging.INFO)
        if sources:
            logging.getLogger(sources).setLevel(logging.INFO)
        return
    logging.getLogger("opentelemetry").handlers = [StderrHandler(TextFormatter())]
    if sources:
        logger = logging.getLogger(sources)
        logger.handlers = [StderrHandler(TextFormatter())]
        logger.setLevel(logging.INFO)


def _choose_trace_finder(settings: "TelemetrySettings") -> Callable[[], str]:
    if not settings.traces:
        return lambda: ""
    from pincite.telemetry.traces import find_trace_id

    return find_trace_id
