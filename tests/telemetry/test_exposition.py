from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse

from pincite.telemetry.exposition import render_metrics
from pincite.telemetry.metric_types import Counter, Gauge, Histogram
from pincite.telemetry.metrics import ALL


def make_metrics() -> list[Counter | Histogram]:
    questions = Counter("pincite_asked", "Asked.", ("model",))
    questions.add('a "model"\nof two lines \\')
    doors = Gauge("pincite_open", "Open.")
    doors.set(value=3)
    waits = Histogram("pincite_wait_seconds", "Waits.", (0.5, 1), ("stage",))
    for value in (0.1, 0.7, 9):
        waits.observe(value, "write")
    return [questions, doors, waits]


def test_the_parser_of_prometheus_reads_what_was_counted() -> None:
    written, content_type = render_metrics(make_metrics())
    assert content_type.startswith("text/plain; version=")
    families = {family.name: family for family in parse(written.decode())}
    [asked] = families["pincite_asked"].samples
    assert (asked.name, asked.labels, asked.value) == (
        "pincite_asked_total",
        {"model": 'a "model"\nof two lines \\'},
        1.0,
    )
    assert [sample.value for sample in families["pincite_open"].samples] == [3.0]
    waits = {
        (sample.name.removeprefix("pincite_wait_seconds"), sample.labels.get("le", "")): sample.value
        for sample in families["pincite_wait_seconds"].samples
    }
    assert waits == {("_bucket", "0.5"): 1, ("_bucket", "1.0"): 2, ("_bucket", "+Inf"): 3, ("_count", ""): 3} | {
        ("_sum", ""): 9.8
    }
    assert families["process_resident_memory_bytes"].samples[0].value > 1e6


def test_a_reader_that_asks_for_openmetrics_gets_it() -> None:
    written, content_type = render_metrics(make_metrics(), "application/openmetrics-text; version=1.0.0")
    assert content_type.startswith("application/openmetrics-text")
    families = {family.name: family for family in parse_openmetrics(written.decode())}  # type: ignore[no-untyped-call]
    assert families["pincite_open"].samples[0].value == 3.0


def test_all_metrics_of_the_program_can_be_written_together() -> None:
    written, _ = render_metrics(ALL)
    families = {family.name: family for family in parse(written.decode())}
    assert {metric.name for metric in ALL} <= families.keys()
    assert {families[metric.name].type for metric in ALL} == {"counter", "gauge", "histogram"}
