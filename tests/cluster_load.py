"""Load on several servers: documents are added, questions asked and streams followed, while processes are killed.

The client behaves as a browser does: it takes a lost connection to another server, with the number of the last event
that it has. Afterwards `count_stored` compares what clients saw with the rows of the database.
"""

import asyncio
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
from sqlalchemy import select, text

from pincite.index.postgres_index import PostgresIndex
from pincite.index.terms import list_question_terms
from pincite.store import stored_passages
from pincite.store.database import Database
from pincite.store.schema import documents, events, jobs, messages, usage
from tests.cluster import Cluster, Node
from tests.postgres_server import RunningPostgres

_DIMENSION = 16
_LONGEST = 300.0  # seconds until a question or an upload counts as lost
_PAUSE = 0.3  # seconds before a client tries again


@dataclass
class Question:
    """One question, as its client saw it."""

    words: str
    conversation: str = ""
    message: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    server: str = ""  # the address of the one whose stream is read now
    connections: int = 0
    seconds: float = 0.0
    is_complete: bool = False

    @property
    def last(self) -> int:
        return max((event["seq"] for event in self.events), default=0)


@dataclass
class Load:
    """Clients that add documents and ask questions until they are told to stop."""

    servers: Sequence[Node]
    slow_model: str
    documents: dict[str, str] = field(default_factory=dict)  # the id of each document, by a word that only it has
    questions: list[Question] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    unsure: int = 0  # questions whose reply was lost before it told their conversation
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    def stop(self) -> None:
        self._over.set()

    async def run(self, people: int, uploaders: int, pause: float) -> None:
        """Let people ask, one question after the other, and documents be added, until `stop`."""
        timeout = httpx.Timeout(60, connect=5)
        async with httpx.AsyncClient(timeout=timeout) as client, asyncio.TaskGroup() as group:
            for number in range(uploaders):
                group.create_task(self._add_documents(client, number, pause))
            for number in range(people):
                group.create_task(self._ask_questions(client, number, pause))

    async def _add_documents(self, client: httpx.AsyncClient, number: int, pause: float) -> None:
        count = 0
        while not self._over.is_set():
            word = make_word(number, count)
            self.documents[word] = await self._add(client, word, write_text(word, count))
            count += 1
            await self._pause(pause)

    async def _add(self, client: httpx.AsyncClient, word: str, words: str) -> str:
        ends = time.monotonic() + _LONGEST
        while True:
            assert time.monotonic() < ends, f"The document {word} could not be added."
            try:
                sent = await client.post(
                    f"{self._choose().address}/api/documents", files={"file": ("survey.txt", words.encode())}
                )
            except httpx.TransportError as error:
                self.refused[type(error).__name__] += 1
            else:
                if sent.status_code == 202:
                    return str(sent.json()["id"])
                self._note_refusal(sent.status_code, sent.text)
            await asyncio.sleep(_PAUSE)

    async def _ask_questions(self, client: httpx.AsyncClient, number: int, pause: float) -> None:
        count = 0
        while not self._over.is_set():
            await self._ask(client, number, count)
            count += 1
            await self._pause(pause)

    async def _ask(self, client: httpx.AsyncClient, number: int, count: int) -> None:
        word = random.choice([*self.documents]) if self.documents else "the lake"
        question = Question(f"How deep is the water of {word}? ({number}.{count})")
        model = self.slow_model if number % 2 else "extractive"
        began = time.monotonic()
        ends = began + _LONGEST
        while not question.is_complete:
            assert time.monotonic() < ends, f"The stream of {question.conversation} did not end: {question}"
            try:
                question.server = self._choose().address
                if question.conversation:
                    headers = {"Last-Event-ID": str(question.last)}
                    url = f"{question.server}/api/conversations/{question.conversation}/events"
                    request = client.stream("GET", url, headers=headers)
                else:
                    body = {"message": question.words, "chatModel": model, "focusMode": "documents"}
                    request = client.stream("POST", f"{question.server}/api/chat", json=body)
                await self._follow(request, question)
            except httpx.ConnectError as error:
                self.refused[type(error).__name__] += 1
            except httpx.TransportError as error:
                self.refused[type(error).__name__] += 1
                if not question.conversation:
                    self.unsure += 1  # it may be stored: the client asks again, as a person would
            if not question.is_complete:
                await asyncio.sleep(_PAUSE)
        question.seconds = time.monotonic() - began

    async def _follow(self, request: Any, question: Question) -> None:
        async with request as sent:
            if sent.status_code == 204:
                question.is_complete = True
                return
            if sent.status_code != 200:
                await sent.aread()
                self._note_refusal(sent.status_code, sent.text)
                return
            if not question.conversation:
                question.conversation = sent.headers["X-Conversation-Id"]
                question.message = sent.headers["X-Message-Id"]
                self.questions.append(question)
            question.connections += 1
            async for line in sent.aiter_lines():
                if not line.startswith("data: "):
                    continue
                event = json.loads(line.removeprefix("data: "))
                if not event["seq"]:
                    self.refused[f"event {event['data'].get('code', event['type'])}"] += 1
                    continue
                question.events.append(event)
                question.is_complete |= event["type"] == "message_completed"

    def is_streaming(self, server: Node) -> bool:
        """Whether a client has a part of an answer from this server, and waits for more."""
        return any(not each.is_complete and each.last > 2 and each.server == server.address for each in self.questions)

    def _note_refusal(self, status: int, body: str) -> None:
        try:
            code = json.loads(body)["error"]["code"]
        except (ValueError, KeyError, TypeError):
            code = body[:40]
        self.refused[f"{status} {code}"] += 1

    def _choose(self) -> Node:
        return random.choice(self.servers)

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._over.wait(), random.uniform(0.5, 1.5) * seconds)
        except TimeoutError:
            pass


@dataclass(frozen=True)
class Stored:
    """The rows of the database after a run, and every difference from the events that clients got."""

    documents: int
    passages: int
    vectors: int
    answers: Counter[str]
    faults: Counter[str]
    differences: list[str]


def count_stored(database: Database, load: Load) -> Stored:
    """Compare the rows with what the clients saw."""
    differences: list[str] = []
    index = PostgresIndex()
    with database.reading() as connection:
        found = {row.id: row for row in connection.execute(select(documents))}
        wanted = set(load.documents.values())
        differences += [f"document {id} is lost" for id in wanted - found.keys()]
        differences += [f"document {id} was not added by anybody" for id in found.keys() - wanted]
        differences += [f"document {row.name} is {row.status}" for row in found.values() if row.status != "ready"]
        if len(wanted) != len(load.documents):
            differences.append("two documents have one id")
        rows = connection.execute(
            text(
                "SELECT d.name, d.passages, (SELECT count(*) FROM generations g WHERE g.document = d.id), "
                "(SELECT count(*) FROM passages p WHERE p.generation = d.generation), "
                "(SELECT count(*) FROM passage_vectors v WHERE v.generation = d.generation) FROM documents d"
            )
        ).all()
        for name, said, generations, passages, vectors in rows:
            if (generations, passages, vectors) != (1, said, said):
                differences.append(
                    f"{name}: {generations} generations, {passages} passages and {vectors} vectors instead of {said}"
                )
        for word, id in load.documents.items():
            hits = index.lexical(connection, list_question_terms(word, ("en",)), None, 10)
            places = [row.document for row in stored_passages.get(connection, [hit[0] for hit in hits])]
            if set(places) != {id} or len(places) != len(hits):
                differences.append(f"{word} of document {id} is in passages of {places}")
        if connection.execute(select(jobs)).all():
            differences.append("there are jobs left")
        answers, faults = _compare_answers(connection, load, differences)
        passages = sum(row[3] for row in rows)
        vectors = connection.scalar(text("SELECT count(*) FROM passage_vectors")) or 0
    return Stored(len(found), passages, vectors, answers, faults, differences)


def _compare_answers(connection: Any, load: Load, differences: list[str]) -> tuple[Counter[str], Counter[str]]:
    answers: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    asked = {question.conversation: question for question in load.questions}
    by_conversation: dict[str, list[Any]] = {}
    for row in connection.execute(select(events).order_by(events.c.conversation, events.c.seq)):
        by_conversation.setdefault(row.conversation, []).append(row)
    own: dict[str, list[Any]] = {}
    for row in connection.execute(select(messages).order_by(messages.c.position)):
        own.setdefault(row.conversation, []).append(row)
    for conversation, question in asked.items():
        rows = by_conversation.get(conversation, [])
        if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
            differences.append(f"{question.words}: the numbers are {[row.seq for row in rows]}")
        if [(row.seq, row.type, row.data) for row in rows] != [
            (event["seq"], event["type"], event["data"]) for event in question.events
        ]:
            seen = [event["seq"] for event in question.events]
            differences.append(f"{question.words}: stored {len(rows)} events, and its client saw {seen}")
        if [row.type for row in rows].count("message_completed") != 1:
            differences.append(f"{question.words}: its answer does not end once")
        pair = own.get(conversation, [])
        if [row.role for row in pair] != ["user", "assistant"] or pair[1].state not in ("done", "failed"):
            differences.append(f"{question.words}: messages {[(row.role, row.state) for row in pair]}")
        else:
            answers[pair[1].state] += 1
        faults.update(row.data["code"] for row in rows if row.type == "error")
    others = own.keys() - asked.keys()
    if len(others) > load.unsure:
        differences.append(f"{len(others)} conversations that no client knows, {load.unsure} replies were lost")
    charged = Counter(connection.scalars(select(usage.c.message).where(usage.c.message.is_not(None))))
    differences += [f"message {message} was charged {times} times" for message, times in charged.items() if times > 1]
    running = connection.scalar(select(messages.c.id).where(messages.c.state == "running"))
    if running:
        differences.append(f"message {running} is still being written")
    return answers, faults


def write_text(word: str, number: int) -> str:
    """Return a text of a few passages, only the first of which has the word."""
    parts = [
        f"Chapter {part} of the survey number {number} describes the shore, the reeds and the boats. " * 4
        + f"It was written on day {part + number} of the year by observers in {number % 7} villages."
        for part in range(12)
    ]
    first = f"The water of {word} is {number + 12} metres deep, as was measured in 1987."
    return "\n\n".join(["Survey of the shore", first, *parts])


def make_word(number: int, count: int) -> str:
    """Return a word of letters alone that no other document has."""
    return "kettle" + "".join("bcdfghjkmp"[int(digit)] for digit in f"{number:02}{count:04}")


@contextmanager
def serve_models(words: int, seconds: float) -> Iterator[str]:
    """The address of an endpoint that embeds texts, and that writes an answer of so many words in so many seconds."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                if self.path.endswith("/embeddings"):
                    self._embed(body["input"])
                else:
                    self._write()
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client was killed

        def _embed(self, texts: list[str]) -> None:
            data = [{"index": at, "embedding": make_vector(each)} for at, each in enumerate(texts)]
            said = json.dumps({"data": data, "model": "small"}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def _write(self) -> None:
            self.close_connection = True
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            for number in range(words):
                self._say({"content": f"word{number} "})
                time.sleep(seconds / words)
            self._say({}, "stop")
            self.wfile.write(b"data: [DONE]\n\n")

        def _say(self, delta: dict[str, str], reason: str | None = None) -> None:
            choice = {"index": 0, "delta": delta, "finish_reason": reason}
            chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "slow", "choices": [choice]}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.flush()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def make_vector(words: str) -> list[float]:
    """Return a vector that is the same for the same text, and different for most others."""
    source = random.Random(words)
    return [source.uniform(-1, 1) for _ in range(_DIMENSION)]


def list_settings(models: str) -> dict[str, str]:
    """Return the settings of servers and workers that use the endpoint of `serve_models`."""
    return {
        "EMBEDDING__PROVIDER": "openai",
        "EMBEDDING__URL": models,
        "EMBEDDING__MODEL": "small",
        "PROVIDERS__VLLM__URL": models,
        "MODELS__WITHOUT_TOOLS": "*slow*",
        "ANSWERS__JUDGE": "off",
        "QUOTA__QUESTIONS_PER_MINUTE": "0",
        "QUOTA__UPLOADS_PER_MINUTE": "0",
    }


@dataclass(frozen=True)
class Run:
    """How large a run is."""

    servers: int
    workers: int
    people: int
    uploaders: int
    calm_seconds: float  # between two failures
    away_seconds: float  # how long the database is stopped
    pause: float  # between two questions of a person


@dataclass(frozen=True)
class Outcome:
    load: Load
    stored: Stored
    seconds: float
    failures: list[str]


def run_under_failures(cluster: Cluster, postgres: RunningPostgres, database: str, run: Run) -> Outcome:
    """Start the cluster, load it, kill each process in turn, stop the database, and count what is stored."""
    servers = [cluster.start_server(f"server-{number}") for number in range(run.servers)]
    workers = [cluster.start_worker(f"worker-{number}") for number in range(run.workers)]
    for server in servers:
        server.wait_until_ready()
    failures: list[str] = []
    began = time.monotonic()

    def fail_in_turn(load: Load) -> None:
        victims = [node for pair in zip_longest_nodes(servers, workers) for node in pair]
        for number, node in enumerate(victims):
            time.sleep(run.calm_seconds)
            ends = time.monotonic() + _LONGEST
            while node.address and not load.is_streaming(node) and time.monotonic() < ends:
                time.sleep(0.02)
            failures.append(f"{time.monotonic() - began:.0f} s: {node.name} killed")
            node.kill()
            time.sleep(run.calm_seconds / 2)
            node.start()
            if node.address:
                node.wait_until_ready()  # one server is always there
            if number == len(victims) // 2:
                time.sleep(run.calm_seconds)
                failures.append(f"{time.monotonic() - began:.0f} s: the database stopped for {run.away_seconds:g} s")
                postgres.stop()
                time.sleep(run.away_seconds)
                postgres.start()
        time.sleep(run.calm_seconds)

    async def work() -> Load:
        load = Load(servers, "vllm:slow")
        running = asyncio.create_task(load.run(run.people, run.uploaders, run.pause))
        try:
            await asyncio.to_thread(fail_in_turn, load)
        finally:
            load.stop()
        await running
        return load

    load = asyncio.run(work())
    opened = Database(database)
    try:
        _wait_until_idle(opened)
        for node in (*servers, *workers):
            assert node.is_running, f"{node.name} ended by itself: {node.read_log()[-2000:]}"
        stored = count_stored(opened, load)
    finally:
        opened.close()
    return Outcome(load, stored, time.monotonic() - began, failures)


def zip_longest_nodes(first: Sequence[Node], second: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    for number in range(max(len(first), len(second))):
        yield tuple(each[number] for each in (first, second) if number < len(each))


def _wait_until_idle(database: Database) -> None:
    """Wait until no job is left, no answer is being written, and content of killed workers is swept."""
    ends = time.monotonic() + _LONGEST
    query = text(
        "SELECT (SELECT count(*) FROM jobs) + (SELECT count(*) FROM messages WHERE state = 'running') + "
        "(SELECT count(*) FROM generations g WHERE NOT EXISTS (SELECT 1 FROM documents d WHERE d.generation = g.id))"
    )
    while True:
        with database.reading() as connection:
            if not connection.scalar(query):
                return
        if time.monotonic() > ends:
            return  # the comparison says what is left
        time.sleep(0.5)
