import json
import subprocess
import sys

from pincite.telemetry import span
from pincite.telemetry.spans import has_traces
from tests.clock import cost

ROUNDS = 10_000


def test_without_traces_a_span_does_nothing_and_costs_next_to_nothing() -> None:
    assert not has_traces()
    with span("search", passages=5) as opened:
        opened.set(hits=3)
        opened.set_text(query="How deep is the lake?")

    def open_spans() -> None:
        for _ in range(ROUNDS):
            with span("search", passages=5):
                pass

    def copy_fields() -> None:
        for _ in range(ROUNDS):
            json.loads(json.dumps({"name": "search", "passages": 5}))

    assert cost(open_spans, tries=3) < cost(copy_fields, tries=3)


def test_without_traces_nothing_of_opentelemetry_is_imported() -> None:
    code = (
        "import sys\n"
        "from pincite.telemetry import carry_ids, metrics, span, start\n"
        "with carry_ids(turn='t'), span('x'): metrics.QUESTIONS.add('done', 'extractive')\n"
        "assert not [name for name in sys.modules if name.startswith(('opentelemetry', 'prometheus_client'))]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
