"""A thousand hostile files and web pages against a running server: `make test-hostile` runs this and prints a table.

Each is ready or failed with a typed reason, within the limits of CPU time and memory; the server answers meanwhile.
"""

import os
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests import program, sites
from tests.hostile import KINDS, Kind, make
from tests.hostile.watch import Watch
from tests.test_hostile import assert_can_be_understood

SEED = int(os.environ.get("HOSTILE_SEED", "15"))
ONLY = os.environ.get("HOSTILE_ONLY", "")  # kinds with one of these in their name, while something is mended
SMALL = 6  # files of a kind that are sent together, of sizes up to that of the quick test
CPU_SECONDS = 60.0
MEGABYTES = 1000.0
HEALTH_SECONDS = 0.25
QUESTION_SECONDS = 3.0
PATIENCE = 900.0  # seconds of the clock for what is sent together
SOUND = (
    "The keeper of the lighthouse wrote down a neap tide in March. The store room was painted in April, and the oil "
    "for the lamp came by boat in May. Nobody visited the island in June.\n"
)
CODES = {"unreadable", "encrypted", "locked", "unsupported", "too_large", "empty", "timeout", "memory"}


@dataclass
class Row:
    """The results of the files of one kind."""

    kind: str
    files: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    cpu: float = 0.0
    slowest: float = 0.0
    memory: float = 0.0
    largest: int = 0
    told: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass
class Attack:
    """Sends files and addresses to a server and waits for what becomes of them."""

    address: str
    site: sites.Site
    folder: Path
    # A connection each: one that is kept may be closed by the server in the moment in which it is used again.
    client: httpx2.Client = field(default_factory=lambda: httpx2.Client(timeout=120, headers={"Connection": "close"}))

    def send(self, kind: Kind, size: int, seed: int, *, as_page: bool) -> str:
        """The id of a document made of a new file, or of a page that is fetched."""
        data = make(kind.name, size, seed)
        name = f"{kind.name}-{size}-{seed}.{kind.ending}"
        if as_page:
            self.site.pages[f"/{name}"] = lambda request: respond(request, data)
            answer = self.client.post(f"{self.address}/api/documents", json={"url": self.site.url(f"/{name}")})
        else:
            answer = self.client.post(f"{self.address}/api/documents", files={"file": (name, data)})
        if answer.status_code in (200, 202):
            return str(answer.json()["id"])
        error = answer.json()["error"]
        assert answer.status_code < 500 or error["code"] in ("web", "unavailable"), answer.text
        assert error["message"], answer.text
        assert error["hint"], answer.text
        return ""

    def wait(self, document: str, watch: Watch) -> dict[str, Any]:
        """The document once it is ready or failed."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found: dict[str, Any] = self.client.get(f"{self.address}/api/documents/{document}").json()
            if found["status"] in ("ready", "failed"):
                return found
            assert watch.process.poll() is None, "the server is gone"
            time.sleep(0.2)
        raise AssertionError(f"{document} is neither ready nor failed: {found}")


def respond(request: BaseHTTPRequestHandler, data: bytes) -> None:
    request.send_response(200)
    request.send_header("Content-Type", "text/html; charset=utf-8")
    request.send_header("Content-Length", str(len(data)))
    request.end_headers()
    request.wfile.write(data)


def test_a_thousand_hostile_files_cost_at_most_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_VERSION")  # so that the server is not forked: its memory is measured
    chance = random.Random(SEED)
    rows: list[Row] = []
    with sites.serving() as site:
        site.pages["/control"] = lambda request: respond(request, b"here")
        settings = {
            "EMBEDDING__PROVIDER": "none",
            "READING__OCR": "",
            "READING__MEMORY_MB": str(int(MEGABYTES)),
            "WEB__ALLOW": site.host,
            "WEB__PAUSE_SECONDS": "0",
            "WEB__RENDER": "false",
        }
        with (tmp_path / "server.log").open("w") as log:
            server = program.start_server(tmp_path / "data", log, 0, **settings)
        assert server.stdout
        address = server.stdout.readline().split()[3]
        attack = Attack(address, site, tmp_path)
        try:
            with Watch(server, address, site.url("/control")) as watch:
                known = attack.client.post(f"{address}/api/documents", files={"file": ("tides.txt", SOUND.encode())})
                attack.wait(known.json()["id"], watch)
                watch.forget()  # the server has come up
                for kind in (kind for kind in KINDS.values() if any(part in kind.name for part in ONLY.split(","))):
                    rows.append(run_kind(kind, chance, attack, watch))
                    print(line(rows[-1]), flush=True)
        finally:
            server.terminate()
            server.communicate(timeout=30)
    print(summary(rows, watch))
    if not ONLY:
        assert len(rows) >= 60
        assert sum(row.files for row in rows) >= 1000
        assert len(watch.question) > 10
    assert not watch.failures, watch.failures[:5]
    assert not [fault for row in rows for fault in row.faults]
    # On a busy machine a server that does nothing waits as well.
    assert max(watch.health) <= HEALTH_SECONDS + max(watch.control_waits)
    assert max(watch.question) <= QUESTION_SECONDS + max(watch.control_waits)


def run_kind(kind: Kind, chance: random.Random, attack: Attack, watch: Watch) -> Row:
    """Send small files of a kind together, then a large one alone."""
    row = Row(kind.name)
    small = [(chance.randint(1, kind.quick), place, kind.ending == "html" and place > 2) for place in range(SMALL)]
    for batch in (small, [(kind.large, SMALL, kind.ending == "html")]):
        watch.begin()
        sent = [(attack.send(kind, size, seed, as_page=as_page), size) for size, seed, as_page in batch]
        for document, size in sent:
            row.files += 1
            row.largest = max(row.largest, size)
            if not document:
                row.statuses["refused"] += 1
                continue
            found = attack.wait(document, watch)
            row.statuses[found["status"]] += 1
            row.told += bool(found["problems"])
            if found["status"] == "failed":
                judge_reason(found, kind, size, row)
        spent = watch.cpu()
        row.cpu += spent
        row.slowest, row.memory = max(row.slowest, spent), max(row.memory, watch.memory)
    if row.slowest > CPU_SECONDS:
        row.faults.append(f"{kind.name}: {row.slowest:.0f} CPU seconds")
    if row.memory > MEGABYTES:
        row.faults.append(f"{kind.name}: {row.memory:.0f} MB")
    return row


def judge_reason(found: dict[str, Any], kind: Kind, size: int, row: Row) -> None:
    if found["error_code"] not in CODES:
        row.faults.append(f"{kind.name} of {size}: {found['error_code']}, {found['error']}")
        return
    try:
        assert_can_be_understood(found["error"], f"{kind.name} of {size}")
    except AssertionError as error:
        row.faults.append(str(error))


def line(row: Row) -> str:
    states = " ".join(f"{count} {status}" for status, count in sorted(row.statuses.items()))
    told = f"{row.told} told" if row.told else ""
    return (
        f"{row.kind:26} {row.files:3} files  {row.cpu:7.2f} s  slowest {row.slowest:6.2f} s  {row.memory:6.0f} MB  "
        f"{states:18} {told} {'; '.join(row.faults)}"
    )


def describe(waits: list[float]) -> str:
    ordered = sorted(waits)
    shown = [ordered[int(share * (len(ordered) - 1))] * 1000 for share in (0.5, 0.95, 0.99, 1)]
    return "{} times, p50 {:.0f} ms, p95 {:.0f}, p99 {:.0f}, most {:.0f}".format(len(waits), *shown)


def summary(rows: list[Row], watch: Watch) -> str:
    statuses = sum((row.statuses for row in rows), Counter[str]())
    slowest, largest = max(rows, key=lambda row: row.slowest), max(rows, key=lambda row: row.memory)
    return (
        f"\n{len(rows)} kinds, {sum(row.files for row in rows)} files and pages (seed {SEED}): {dict(statuses)}\n"
        f"slowest {slowest.kind} {slowest.slowest:.1f} CPU s; most memory {largest.kind} {largest.memory:.0f} MB; "
        f"all {sum(row.cpu for row in rows):.0f} CPU s\n"
        f"/health {describe(watch.health)}; a question {describe(watch.question)}; "
        f"a server that does nothing {describe(watch.control_waits)}"
    )
