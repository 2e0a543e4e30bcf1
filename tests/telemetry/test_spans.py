import subprocess
import sys
import time

from pincite.telemetry import span
from pincite.telemetry.spans import has_traces

# Several times what it takes on a slow machine: half a microsecond was measured on a busy machine.
MOST_SECONDS = 5e-6


def test_without_traces_a_span_does_nothing_and_costs_next_to_nothing() -> None:
    assert not has_traces()
    with span("search", passages=5) as opened:
        opened.set(hits=3)
        opened.set_text(query="How deep is the lake?")
    rounds = 10_000
    begun = time.thread_time()
    for _ in range(rounds):
        with span("search", passages=5):
            pass
    assert (time.thread_time() - begun) / rounds < MOST_SECONDS


def test_without_traces_nothing_of_opentelemetry_is_imported() -> None:
    code = (
        "import sys\n"
        "from pincite.telemetry import carry_ids, metrics, span, start\n"
        "with carry_ids(turn='t'), span('x'): metrics.QUESTIONS.add('done', 'extractive')\n"
        "assert not [name for name in sys.modules if name.startswith(('opentelemetry', 'prometheus_client'))]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
