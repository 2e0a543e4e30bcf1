"""Measure many people at one server and at three, on PostgreSQL, with locust; print a table.

    make load [LOAD="--people 50,200 --servers 1,3 --seconds 30 --sqlite"]

Each person has an account, a session, a text of their own and questions about it, and does one thing after another
without a pause: six of twelve times they ask (read to the last event), three times they search, three times they open a
source. No language model is used, and documents are found by words unless `--embedder local` is given. Everything runs
on this machine: locust, the servers and PostgreSQL share its cores, so three servers are quicker than one only where
there are cores for them. An answer counts as an error if its events have a gap, or if it is a refusal. PostgreSQL
writes to the disk as it does by default (`fsync` on). `--sqlite` measures one server on SQLite too. `--latency` instead
measures how long an event needs from its commit on one server to a client of it, and to a client of another.
"""

import argparse
import asyncio
import csv
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tests.cluster import Node, start_cluster  # noqa: E402 - the benchmarks are run as files
from tests.postgres_server import start_postgres  # noqa: E402

_COOKIE = "pincite_session"
_TEAM = {
    "ACCOUNTS__MODE": "team",
    "QUOTA__PERSON_CREDITS": "1000000",
    # All people of this benchmark have one network address. Not 0: counting is a part of what is measured.
    "QUOTA__QUESTIONS_PER_MINUTE": "100000",
    "SERVER__WORKER": "false",
}
_LOCUST = HERE.parent / ".venv" / "load" / "bin" / "locust"
_SHOWN = ("first event", "answer", "search", "source", "source text")


Rows = dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class Person:
    """What a person of the benchmark has: the cookie of a session, a document, and questions about it."""

    cookie: str
    document: str
    questions: list[str]


def add_people(data: Path, database: str, people_count: int, embedder: str) -> list[Person]:
    """Add people with a session and a text each, and read the texts."""
    from pincite.accounts.sign_in_sessions import begin_session
    from pincite.embedding import create_embedder
    from pincite.jobs import Worker
    from pincite.library import open_library
    from pincite.settings import load_settings
    from pincite.store import people

    settings = load_settings(data=data, database=database, embedding={"provider": embedder})
    library, now, draw, made = open_library(settings), time.time(), random.Random(1), []
    with library.database.writing() as connection:
        people.create(connection, "Owner", "owner", now, id=settings.owner)
    for number in range(people_count):
        with library.database.writing() as connection:
            person = people.create(connection, f"Person {number}", "member", now)
            signed = begin_session(connection, person, now, "127.0.0.1", "benchmark")
        town = "".join(draw.choice(("ba", "ren", "mo", "li", "tar", "os", "vel", "kin")) for _ in range(4)).title()
        path = data / f"{number}.txt"
        path.write_text(
            f"The town of {town}\n\n{town} lies on the river between two hills. The bridge of {town} has "
            f"{draw.randint(3, 40)} arches. Travellers paid a toll there until the railway came.\n\n"
            f"The tower of {town} is {draw.randint(20, 300)} metres high. It holds the archive of the council, and its "
            "bell is rung at noon.\n"
        )
        document = library.add(person.id, path).document
        questions = [f"How many arches does the bridge of {town} have?", f"How high is the tower of {town}?"]
        made.append(Person(f"{_COOKIE}={signed.secret}", document, questions))
    Worker(library, lambda: create_embedder(settings.embedding, settings.data)).run()
    library.close()
    return made


@contextmanager
def serving(
    folder: Path, database: str, count: int, people_count: int, embedder: str
) -> Iterator[tuple[list[Node], list[Person]]]:
    """Servers on a fresh database with these people in it."""
    with start_cluster(folder, database, **{**_TEAM, "EMBEDDING__PROVIDER": embedder}) as cluster:
        cluster.data.mkdir(parents=True, exist_ok=True)
        people = add_people(cluster.data, database, people_count, embedder)
        nodes = [cluster.start_server() for _ in range(count)]
        for node in nodes:
            node.wait_until_ready()
        yield nodes, people


def run_locust(folder: Path, nodes: Sequence[Node], people: Sequence[Person], seconds: int) -> Rows:
    """Let everybody ask for some seconds; return locust's rows by name."""
    given = [{"server": nodes[at % len(nodes)].address, **asdict(each)} for at, each in enumerate(people)]
    listed, out = folder / "people.json", folder / f"rows-{len(nodes)}-{len(people)}"
    listed.write_text(json.dumps(given))
    command = [_LOCUST, "-f", HERE / "locustfile.py", "--headless", "-u", str(len(people)), "-r", str(len(people))]
    command += ["-t", f"{seconds}s", "-s", "60", "--csv", str(out), "--only-summary", "--reset-stats"]
    subprocess.run(
        [str(each) for each in command],
        env={**os.environ, "LOAD_PEOPLE": str(listed)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with Path(f"{out}_stats.csv").open() as rows:
        return {row["Name"]: row for row in csv.DictReader(rows)}


def measure_cpu(nodes: Sequence[Node]) -> float:
    """Processor seconds of all servers so far."""
    total = 0.0
    for node in nodes:
        assert node.process
        fields = Path(f"/proc/{node.process.pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def measure(name: str, folder: Path, database: str, count: int, people_count: int, given: argparse.Namespace) -> None:
    with serving(folder, database, count, people_count, given.embedder) as (nodes, people):
        run_locust(folder, nodes, people[: 4 * count], 3)  # warm up
        cpu = measure_cpu(nodes)
        rows = run_locust(folder, nodes, people, given.seconds)
        used = measure_cpu(nodes) - cpu
    cells = []
    for shown in _SHOWN:
        row = rows.get(shown)
        cells.append(f"{float(row['50%']) / 1000:.2f} / {float(row['95%']) / 1000:.2f}" if row else "–")
    total = rows["Aggregated"]
    answers = int(rows["answer"]["Request Count"]) if "answer" in rows else 0
    rate = answers / given.seconds
    numbers = f"{rate:.1f} | {used:.0f} | {total['Failure Count']}"
    print(f"| {people_count} | {name} | {' | '.join(cells)} | {numbers} |", flush=True)


async def measure_latency(nodes: Sequence[Node], person: Person, database: str, rounds: int) -> dict[str, list[float]]:
    """Seconds from the commit of an event to its arrival at a client of the same server, and of the other one.

    An event's row has the time at which its transaction wrote it, just before the commit. There is one clock here.
    """
    from sqlalchemy import create_engine, text

    arrived: dict[str, dict[tuple[str, int], float]] = {"same server": {}, "other server": {}}

    async def follow(name: str, method: str, node: Node, path: str, body: bytes, begun: "asyncio.Future[str]") -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(node.address).port, limit=1 << 24)
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {person.cookie}\r\n"
        head += "Sec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n"
        head += f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        async for line in reader:
            if line.startswith(b"data: "):
                now, event = time.time(), json.loads(line[6:])
                if not begun.done():
                    begun.set_result(event["data"]["conversationId"])
                arrived[name][begun.result(), event["seq"]] = now
        writer.close()

    for number in range(rounds):
        begun: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        asked = person.questions[number % len(person.questions)]
        body = json.dumps({"message": asked, "focusMode": "documents"}).encode()
        asking = asyncio.create_task(follow("same server", "POST", nodes[0], "/api/chat", body, begun))
        conversation = await begun
        path = f"/api/conversations/{conversation}/events?after=0"
        await asyncio.gather(asking, follow("other server", "GET", nodes[1], path, b"", begun))
    engine = create_engine(database)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT conversation, seq, created FROM events")).all()
    engine.dispose()
    stored = {(row.conversation, row.seq): row.created for row in rows}
    # The first event was there before the other client asked for it.
    return {
        name: [at - stored[key] for key, at in seen.items() if key in stored and key[1] > 1]
        for name, seen in arrived.items()
    }


def share(values: Sequence[float], percent: float) -> float:
    ordered = sorted(values)
    return ordered[min(round(percent / 100 * (len(ordered) - 1)), len(ordered) - 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", default="50,200")
    parser.add_argument("--servers", default="1,3")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--embedder", default="none", help="none, or local for the model that comes with Pincite")
    parser.add_argument("--sqlite", action="store_true", help="measure one server on SQLite too")
    parser.add_argument("--latency", action="store_true", help="measure events from server to server instead")
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}")
    with tempfile.TemporaryDirectory(prefix="pincite-load-") as name:
        folder = Path(name)
        server = start_postgres(fsync="on", max_connections=300)
        try:
            if given.latency:
                with serving(folder / "latency", server.url, 2, 4, given.embedder) as (nodes, people):
                    found = asyncio.run(measure_latency(nodes, people[0], server.url, 50))
                print("\n| milliseconds from commit to client | p50 | p95 | events |\n|---|---|---|---|")
                for who, seconds in found.items():
                    times = f"{1e3 * share(seconds, 50):.1f} | {1e3 * share(seconds, 95):.1f}"
                    print(f"| {who} | {times} | {len(seconds)} |")
                return
            print("\nseconds, p50 / p95\n")
            print(f"| people | servers | {' | '.join(_SHOWN)} | answers/s | CPU s | errors |")
            print(f"|{'---|' * (len(_SHOWN) + 5)}")
            from sqlalchemy import create_engine, text

            for people_count in map(int, given.people.split(",")):
                if given.sqlite:
                    measure("1, SQLite", folder / f"lite-{people_count}", "", 1, people_count, given)
                for count in map(int, given.servers.split(",")):
                    made = f"load_{people_count}_{count}"
                    admin = create_engine(server.url, isolation_level="AUTOCOMMIT")
                    with admin.connect() as connection:
                        connection.execute(text(f"CREATE DATABASE {made}"))
                    admin.dispose()
                    at = folder / made
                    measure(f"{count}, PostgreSQL", at, server.address(made), count, people_count, given)
        finally:
            server.remove()


if __name__ == "__main__":
    main()
