"""Measure many simultaneous clients of `/ws` of a real `pincite serve`; print a table.

    python benchmarks/websocket_crowd.py [--at-once 10,50,100] [--rounds 3] [--cut] [--embedder local]

The library contains short texts about invented towns; no language model is used. Each client opens a connection,
identifies itself and asks its own question in a new conversation. It measures the time to `identified`, to the first
event and to `done` from the moment it connects. It checks that the events are numbered without a gap, belong to its own
question and end with `message_completed`; "broken" counts the clients for which this is not so. With `--cut`, each
client loses its connection after its first event, connects again and subscribes with `after`. "CPU" is the processor
time of the server; "before" and "after" are its resident memory.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crowd import HERE, Before, Server, Tree, describe_machine, environment, serving, share, write_texts
from websockets.asyncio.client import ClientConnection, connect


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds to `identified`, to the first event and to `done`, and whether every event arrived once and in order."""

    open: float
    first: float
    whole: float
    complete: bool


def open_connection(server: Server) -> connect:
    return connect(
        f"ws://{server.host}:{server.port}/ws", proxy=None, ping_interval=None, max_size=None, open_timeout=120
    )


async def identify(socket: ClientConnection) -> None:
    await socket.send('{"type": "identify", "version": 1, "client": "benchmark"}')
    if json.loads(await socket.recv())["type"] != "identified":
        sys.exit("the server did not accept the client")


async def ask(server: Server, question: str, cut: bool) -> Timed:
    """Ask a question in a new conversation, over a new connection."""
    begun = time.perf_counter()
    events: list[dict[str, Any]] = []
    topic = ""
    async with open_connection(server) as socket:
        await identify(socket)
        opened = time.perf_counter() - begun
        asking = {"type": "action", "id": "1", "action": "ask", "data": {"message": question}}
        await socket.send(json.dumps(asking))
        topic = f"conversation:{json.loads(await socket.recv())['data']['conversation']}"
        first = 0.0
        async for received in socket:
            message = json.loads(received)
            if message["type"] == "done":
                break
            if message["type"] != "event":
                continue
            first = first or time.perf_counter() - begun
            events.append(message["event"])
            if cut:
                socket.transport.abort()
                break
    if cut:
        events += await resume(server, topic, len(events))
    whole = time.perf_counter() - begun
    numbered = [event["seq"] for event in events] == list(range(1, len(events) + 1))
    ended = events[-1]["type"] == "message_completed" and events[0]["data"]["question"] == question
    return Timed(opened, first, whole, numbered and ended)


async def resume(server: Server, topic: str, after: int) -> list[dict[str, Any]]:
    """Connect again and return the events after a number."""
    events = []
    async with open_connection(server) as socket:
        await identify(socket)
        await socket.send(json.dumps({"type": "subscribe", "id": "1", "topics": [topic], "after": {topic: after}}))
        async for received in socket:
            message = json.loads(received)
            if message["type"] == "done":
                break
            if message["type"] == "event":
                events.append(message["event"])
    return events


async def ask_all(server: Server, questions: Sequence[str], cut: bool = False) -> list[Timed]:
    return list(await asyncio.gather(*(ask(server, question, cut) for question in questions)))


def measure(server: Server, questions: Sequence[str], cut: bool) -> str:
    before = Before(server.memory(), server.cpu())
    timed = asyncio.run(ask_all(server, questions, cut))
    broken = sum(not each.complete for each in timed)
    first, whole = [each.first for each in timed], [each.whole for each in timed]
    return (
        f"| {len(questions)} | {share([each.open for each in timed], 95):.2f} | {share(first, 50):.2f} "
        f"| {share(first, 95):.2f} | {share(whole, 50):.2f} | {share(whole, 95):.2f} "
        f"| {server.cpu() - before.cpu:.1f} | {before.memory:.0f} | {server.memory():.0f} | {broken} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at-once", default="10,50,100")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cut", action="store_true", help="each client loses its connection once")
    parser.add_argument("--embedder", default="none", help="none, or local for the model that comes with Pincite")
    given = parser.parse_args()
    tree = Tree("here", HERE.parent)
    print(describe_machine([tree]))
    print("seconds; memory of the server in MB; broken: clients with a lost, doubled or foreign event\n")
    print("| at once | open p95 | first p50 | p95 | whole p50 | p95 | CPU | before | after | broken |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory(prefix="pincite-websocket-") as folder:
        texts, data = Path(folder) / "texts", Path(folder) / "data"
        questions = write_texts(texts)
        adding = [sys.executable, "-m", "pincite", "add", str(texts)]
        variables = environment(tree, data, given.embedder)
        subprocess.run(adding, env=variables, cwd=tree.folder, check=True, capture_output=True)
        for _ in range(given.rounds):
            for size in (int(size) for size in given.at_once.split(",") if size):
                with serving(sys.executable, tree, data, given.embedder) as server:
                    asyncio.run(ask_all(server, questions[-6:]))  # warm up the server
                    print(measure(server, (questions * 10)[:size], given.cut), flush=True)


if __name__ == "__main__":
    main()
