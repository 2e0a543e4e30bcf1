"""Format log lines: as text with the turn they belong to, or as one JSON object each."""

import io
import json
import logging
import sys
import time
from collections.abc import Callable
from typing import Any

from pincite.telemetry.log_ids import read_ids

_BRIEF = 8  # characters of an id in a text line


class TextFormatter(logging.Formatter):
    """A message with the time before it and the turn, if any, after it."""

    def __init__(self, form: str = "%(asctime)s %(message)s") -> None:
        super().__init__(form, "%Y-%m-%d %H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        line = super().formatMessage(record)
        turn = read_ids().get("turn", "")
        return f"{line} [turn {turn[:_BRIEF]}]" if turn else line


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message, the ids of what it is about, and the exception if any."""

    def __init__(self, find_trace_id: Callable[[], str] = lambda: "") -> None:
        super().__init__()
        self.find_trace_id = find_trace_id

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **read_ids(),
            **getattr(record, "fields", {}),
        }
        if trace := self.find_trace_id():
            line["trace"] = trace
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class StderrHandler(logging.StreamHandler[Any]):
    """Writes to the stderr of the moment, also when a program replaces it."""

    def __init__(self, formatter: logging.Formatter, level: int = logging.NOTSET) -> None:
        super().__init__(sys.stderr)
        self.setFormatter(formatter)
        self.setLevel(level)

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


class LogLines(io.TextIOBase):
    """A stream whose lines are logged."""

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger
        self._unfinished = ""

    def write(self, text: str) -> int:
        *lines, self._unfinished = f"{self._unfinished}{text}".split("\n")
        for line in filter(str.strip, lines):
            self._logger.info("%s", line.strip())
        return len(text)
