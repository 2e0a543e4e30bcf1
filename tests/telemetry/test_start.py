import importlib.util
import json
import logging
from collections.abc import Iterator
from importlib.machinery import ModuleSpec

import pytest

from pincite.errors import Misuse
from pincite.settings import load_settings
from pincite.settings_telemetry import TelemetrySettings
from pincite.telemetry import span, start
from pincite.telemetry.spans import has_traces
from pincite.telemetry.start import check_traces, send_traces, write_logs
from tests.otlp_receiver import receive_traces

LOGGERS = ("pincite", "uvicorn", "opentelemetry", "py.warnings", "pincite.access", "pincite.worker", "pincite.sources")


@pytest.fixture
def _loggers_as_they_were() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in LOGGERS]
    kept = [(each.handlers, each.propagate, each.level) for each in loggers]
    yield
    logging.captureWarnings(False)
    for each, (handlers, propagates, level) in zip(loggers, kept, strict=True):
        each.handlers, each.propagate = handlers, propagates
        each.setLevel(level)


def test_traces_are_sent_while_the_block_lasts_if_an_address_is_set() -> None:
    with send_traces(TelemetrySettings(), "pincite"):
        assert not has_traces()
    with receive_traces() as received:
        with send_traces(TelemetrySettings(traces=received.url), "pincite"), span("turn"):
            assert has_traces()
        assert not has_traces()
        assert [each.name for each in received.spans] == ["turn"]


def test_an_address_without_the_package_is_refused_with_the_command_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def find_nothing(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name.startswith("opentelemetry") else importlib.util.find_spec(name, package)

    monkeypatch.setattr(start, "find_spec", find_nothing)
    check_traces(TelemetrySettings())
    with pytest.raises(Misuse) as caught:
        check_traces(TelemetrySettings(traces="http://localhost:4318"))
    assert "pip install 'pincite[traces]'" in caught.value.hint


def test_the_name_of_opentelemetry_sets_the_address_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318")
    assert load_settings().telemetry.traces == "http://collector:4318"
    monkeypatch.setenv("PINCITE_TELEMETRY__TRACES", "http://other:4318")
    assert load_settings().telemetry.traces == "http://other:4318"


def test_the_name_of_opentelemetry_stops_no_server_that_lacks_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.settings_aliases.find_spec", lambda name: None)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318")
    assert load_settings().telemetry.traces == ""


@pytest.mark.parametrize("given", [{"metrics": "token"}, {"metrics_token": "short"}, {"traces": "localhost:4318"}])
def test_settings_that_cannot_work_are_refused(given: dict[str, str]) -> None:
    with pytest.raises(Misuse):
        load_settings(telemetry=given)


@pytest.mark.usefixtures("_loggers_as_they_were")
def test_json_lines_are_written_for_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    write_logs(TelemetrySettings(logs="json"), "pincite.sources")
    logging.getLogger("pincite.answer").info("not written")
    logging.getLogger("pincite.answer").warning("written")
    logging.getLogger("pincite.sources").info("sources")
    logging.getLogger("pincite.access").info("GET / 200", extra={"fields": {"status": 200}})
    logging.getLogger("uvicorn.error").error("a fault")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["message"] for line in lines] == ["written", "sources", "GET / 200", "a fault"]
    assert lines[2]["status"] == 200


@pytest.mark.usefixtures("_loggers_as_they_were")
def test_text_lines_are_those_of_the_sources(capsys: pytest.CaptureFixture[str]) -> None:
    write_logs(TelemetrySettings(), "pincite.sources")
    logging.getLogger("pincite.access").info("GET / 200")
    logging.getLogger("pincite.sources").info("sources")
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith(" sources")
