"""Measure the cost of accounts against real `pincite serve` processes; print two tables.

    python benchmarks/accounts_cost.py [--requests 400] [--people 200] [--rounds 3] [--embedder local]

The first table has a cheap request (`GET /api/personas`) to a server without accounts, and to one with accounts by the
cookie of a session and by a token. The three are sent in turn over connections that stay open, so that a busy machine
slows all of them alike. For the second table, each person asks one question at the same moment, with a session of
their own, once on each server; on the one without accounts all questions are those of the one owner. No language model
is used. Each answer of the team reserves credits and gives them back. "broken" counts streams that do not end with an
answer from the person's own text, or whose events are not numbered without a gap.
"""

import argparse
import asyncio
import http.client
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from crowd import HERE, Server, Timed, Tree, describe_machine, environment, serving, share

_COOKIE = "pincite_session"
_TEAM = {
    "PINCITE_ACCOUNTS__MODE": "team",
    "PINCITE_QUOTA__PERSON_CREDITS": "1000",
    "PINCITE_QUOTA__QUESTIONS_PER_MINUTE": "0",  # all people of this benchmark have one network address
}


@contextmanager
def setting(variables: dict[str, str]) -> Iterator[None]:
    """Set variables of the environment, which servers that are started now inherit."""
    os.environ.update(variables)
    try:
        yield
    finally:
        for name in variables:
            del os.environ[name]


def add_people(data: Path, count: int) -> list[tuple[str, str]]:
    """Add people who have one text each, and return the secrets of a session and a token of each."""
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.sign_in_sessions import begin_session
    from pincite.accounts.tokens import create_token
    from pincite.settings import load_settings
    from pincite.store import people
    from pincite.store.database import open_database

    settings = load_settings(data=data)
    database, now, secrets, ids = open_database(settings), time.time(), [], []
    with database.writing() as connection:
        people.create(connection, "Owner", "owner", now, id=settings.owner)
    for number in range(count):
        with database.writing() as connection:
            person = people.create(connection, f"Person {number}", "member", now)
            signed = begin_session(connection, person, now, "127.0.0.1", "benchmark")
        token = create_token(database, AT_TERMINAL, person.id, "benchmark", ["read", "ask"], now, None)
        secrets.append((signed.secret, token.secret))
        ids.append(person.id)
    database.close()
    _give_documents(data, ids)
    return secrets


def write_own_texts(folder: Path, count: int) -> list[str]:
    """Write a text for each person, and return a question about each."""
    draw = random.Random(1)
    folder.mkdir()
    questions = []
    for number in range(count):
        town = "".join(draw.choice(("ba", "ren", "mo", "li", "tar", "os", "vel", "kin")) for _ in range(4)).title()
        arches, height = draw.randint(3, 40), draw.randint(20, 300)
        (folder / f"{number}.txt").write_text(
            f"The town of {town}\n\n{town} lies on the river between two hills. The bridge of {town} has {arches} "
            f"arches. Travellers paid a toll there until the railway came.\n\nThe tower of {town} is {height} metres "
            "high. It holds the archive of the council, and its bell is rung at noon.\n"
        )
        questions.append(f"How many arches does the bridge of {town} have?")
    return questions


def _give_documents(data: Path, people: Sequence[str]) -> None:
    """Give each person the text that is theirs."""
    with sqlite3.connect(data / "pincite.db") as connection:
        for number, person in enumerate(people):
            found = connection.execute("SELECT id FROM documents WHERE name = ?", (f"{number}.txt",)).fetchone()
            connection.execute("UPDATE documents SET owner = ? WHERE id = ?", (person, *found))
            connection.execute("UPDATE sources SET owner = ? WHERE document = ?", (person, *found))
    connection.close()


def time_requests(cases: dict[str, tuple[Server, dict[str, str]]], count: int) -> dict[str, list[float]]:
    """Send a cheap request in each way in turn, over one connection each. Return the seconds."""
    open_connections = {
        name: http.client.HTTPConnection(server.host, server.port) for name, (server, _) in cases.items()
    }
    timed: dict[str, list[float]] = {name: [] for name in cases}
    for number in range(count + 20):  # the first ones warm the server up
        for name, (_, headers) in cases.items():
            begun = time.perf_counter()
            open_connections[name].request("GET", "/api/personas", headers=headers)
            response = open_connections[name].getresponse()
            response.read()
            if response.status != 200:
                sys.exit(f"{name}: status {response.status}")
            if number >= 20:
                timed[name].append(time.perf_counter() - begun)
    for connection in open_connections.values():
        connection.close()
    return timed


async def ask_as(server: Server, question: str, headers: dict[str, str]) -> Timed:
    """Ask a question in a new conversation, over a new connection."""
    begun = time.perf_counter()
    first, numbers, last, is_answered = 0.0, [], "", False
    reader, writer = await asyncio.open_connection(server.host, server.port, limit=1 << 24)
    body = json.dumps({"message": question, "focusMode": "documents"}).encode()
    lines = {
        "Host": f"{server.host}:{server.port}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    try:
        writer.write(f"POST /api/chat HTTP/1.1\r\n{head}\r\n".encode() + body)
        async for line in reader:
            if line.startswith(b"event: "):
                first = first or time.perf_counter() - begun
                last = line[7:].decode().strip()
            elif line.startswith(b"id: "):
                numbers.append(int(line[4:]))
            elif line.startswith(b"data: ") and last == "message_completed":
                is_answered = not json.loads(line[6:])["data"]["refused"]
    finally:
        writer.close()
    complete = is_answered and numbers == list(range(1, len(numbers) + 1))
    return Timed(first, time.perf_counter() - begun, complete)


async def ask_all(server: Server, questions: Sequence[str], headers: Sequence[dict[str, str]]) -> list[Timed]:
    asking = (ask_as(server, question, own) for question, own in zip(questions, headers, strict=True))
    return list(await asyncio.gather(*asking))


def measure_crowd(name: str, server: Server, questions: Sequence[str], headers: Sequence[dict[str, str]]) -> None:
    asyncio.run(ask_all(server, questions[:4], headers[:4]))  # warm up the server
    cpu = server.cpu()
    timed = asyncio.run(ask_all(server, questions, headers))
    first, whole = [each.first for each in timed], [each.whole for each in timed]
    broken = sum(not each.complete for each in timed)
    times = " | ".join(f"{share(each, percent):.2f}" for each in (first, whole) for percent in (50, 95))
    print(f"| {len(questions)} at once, {name} | {times} | {server.cpu() - cpu:.1f} | {broken} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=400)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--embedder", default="none", help="none, or local for the model that comes with Pincite")
    given = parser.parse_args()
    here = Tree("here", HERE.parent)
    print(describe_machine([here]))
    with tempfile.TemporaryDirectory(prefix="pincite-accounts-") as folder:
        questions = write_own_texts(Path(folder) / "texts", given.people)
        alone, team = Path(folder) / "alone", Path(folder) / "team"
        for data in (alone, team):
            adding = [sys.executable, "-m", "pincite", "add", str(Path(folder) / "texts")]
            variables = environment(here, data, given.embedder)
            subprocess.run(adding, env=variables, cwd=here.folder, check=True, capture_output=True)
        secrets = add_people(team, given.people)
        sessions = [{"Cookie": f"{_COOKIE}={session}", "Sec-Fetch-Site": "same-origin"} for session, _ in secrets]
        local_server = serving(sys.executable, here, alone, given.embedder)
        with local_server as local, setting(_TEAM), serving(sys.executable, here, team, given.embedder) as shared:
            cases = {
                "without accounts": (local, {}),
                "session": (shared, sessions[0]),
                "token": (shared, {"Authorization": f"Bearer {secrets[0][1]}"}),
            }
            timed = time_requests(cases, given.requests)
            print(f"\n| {given.requests} requests each, milliseconds | p50 | p95 |\n|---|---|---|")
            for name, seconds in timed.items():
                print(f"| {name} | {1000 * share(seconds, 50):.2f} | {1000 * share(seconds, 95):.2f} |")
            print("\n| seconds | first p50 | p95 | whole p50 | p95 | CPU | broken |\n|---|---|---|---|---|---|---|")
            for _ in range(given.rounds):
                measure_crowd("one owner", local, questions, [{}] * given.people)
                measure_crowd("a session each", shared, questions, sessions)


if __name__ == "__main__":
    main()
