import json
import logging
import sys
from typing import Any

import pytest

from pincite.telemetry import carry_ids
from pincite.telemetry.log_format import JsonFormatter, LogLines, StderrHandler, TextFormatter


def make_record(message: str, *values: object, **given: Any) -> logging.LogRecord:
    return logging.LogRecord("pincite.answer", logging.WARNING, "here.py", 1, message, values, None, **given)


def test_a_line_of_text_has_the_beginning_of_the_turns_id() -> None:
    formatter = TextFormatter("%(message)s")
    assert formatter.format(make_record("It %s.", "failed")) == "It failed."
    with carry_ids(turn="0123456789abcdef", conversation="c"):
        assert formatter.format(make_record("It failed.")) == "It failed. [turn 01234567]"


def test_a_line_of_json_is_one_object_with_the_ids_of_what_it_is_about() -> None:
    formatter = JsonFormatter(lambda: "abc")
    with carry_ids(request="r1"), carry_ids(turn="m1", conversation="c1", document=""):
        try:
            raise ValueError("two\nlines")
        except ValueError:
            line = formatter.format(make_record("It %s\nand é.", "failed"))
            failed = JsonFormatter().format(
                logging.LogRecord("x", logging.ERROR, "", 1, "It failed.", (), sys.exc_info())
            )
    assert "\n" not in line + failed
    said = json.loads(line)
    assert said.pop("time").endswith("Z")
    assert said == {
        "level": "warning",
        "logger": "pincite.answer",
        "message": "It failed\nand é.",
        "request": "r1",
        "turn": "m1",
        "conversation": "c1",
        "trace": "abc",
    }
    assert "ValueError: two\nlines" in json.loads(failed)["exception"]


def test_ids_end_with_their_block() -> None:
    with carry_ids(turn="m1"):
        with carry_ids(turn="m2", job="7"):
            assert json.loads(JsonFormatter().format(make_record("x")))["turn"] == "m2"
        said = json.loads(JsonFormatter().format(make_record("x")))
        assert said["turn"] == "m1"
        assert "job" not in said


def test_lines_of_a_console_become_lines_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    lines = LogLines(logging.getLogger("pincite.some"))
    with caplog.at_level(logging.INFO):
        lines.write("3 pieces ")
        lines.write("wait.\n\nNothing")
        assert caplog.messages == ["3 pieces wait."]
        lines.write(".\n")
    assert caplog.messages == ["3 pieces wait.", "Nothing."]


def test_lines_go_to_stderr_as_it_is_now(capsys: pytest.CaptureFixture[str]) -> None:
    StderrHandler(TextFormatter("%(message)s")).emit(make_record("Here."))
    assert capsys.readouterr().err == "Here.\n"
