"""Kill each process of a cluster in turn under load, stop its database, and count what is lost or doubled.

    python benchmarks/cluster.py [--servers 3] [--workers 4] [--people 8] [--away 20] [--calm 4]

Servers and workers are real processes on one PostgreSQL, which the tests' own package brings. Documents are added and
questions asked all the time; half of the answers come from a small endpoint that takes four seconds for each, so that
streams are open at every moment. Clients take a lost stream to another server with the number of their last event. At
the end, the rows are compared with what clients saw: `tests/cluster_load.py` says how.
"""

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.cluster import start_cluster
from tests.cluster_load import Outcome, Run, list_settings, run_under_failures, serve_models
from tests.postgres_server import start_postgres


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--people", type=int, default=8)
    parser.add_argument("--away", type=float, default=20, help="seconds for which the database is stopped")
    parser.add_argument("--calm", type=float, default=4, help="seconds between two failures")
    given = parser.parse_args()
    run = Run(given.servers, given.workers, given.people, 2, given.calm, given.away, pause=1.0)
    postgres = start_postgres(max_connections=300)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="cluster-") as folder,
            serve_models(words=80, seconds=4) as models,
            start_cluster(Path(folder), postgres.url, **list_settings(models)) as cluster,
        ):
            outcome = run_under_failures(cluster, postgres, postgres.url, run)
    finally:
        postgres.remove()
    show(outcome, run)
    sys.exit(bool(outcome.stored.differences))


def show(outcome: Outcome, run: Run) -> None:
    stored, load = outcome.stored, outcome.load
    moved = sum(question.connections > 1 for question in load.questions)
    seconds = sorted(question.seconds for question in load.questions)
    rows = {
        "servers, workers, people": f"{run.servers}, {run.workers}, {run.people}",
        "seconds of load": f"{outcome.seconds:.0f}",
        "failures": "; ".join(outcome.failures),
        "documents ready, passages, vectors": f"{stored.documents}, {stored.passages}, {stored.vectors}",
        "answers": ", ".join(f"{count} {state}" for state, count in stored.answers.most_common()),
        "errors in answers": ", ".join(f"{count} {code}" for code, count in stored.faults.most_common()) or "none",
        "streams taken to another server": str(moved),
        "median and longest seconds of an answer": f"{statistics.median(seconds):.1f}, {seconds[-1]:.1f}",
        "refusals that clients saw and repeated": ", ".join(f"{n} {what}" for what, n in load.refused.most_common()),
        "lost, doubled or different": "; ".join(stored.differences) or "nothing",
    }
    for name, value in rows.items():
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
