"""No secret is written down: a server in team mode runs with all its logging on, and everything it wrote is searched.

Its log is written as text and as JSON; its metrics and its traces, with the words of questions, are searched too.
The only places are the file of the server's own secret (`server.json`, for its user alone), the settings that a person
wrote, and the one response that shows a new secret. Keys of providers that are given on the page are in the database,
encrypted.
"""

import io
import json
import secrets
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.sync.client import connect

from pincite.store.database import Database
from tests import program, wires
from tests.accounts import issuer as issuers
from tests.accounts.issuer import Issuer, make_key, run_issuer
from tests.browser.running import until
from tests.clock import PATIENCE
from tests.free_ports import find_free_port
from tests.moves.stores import read_tables
from tests.otlp_receiver import OtlpReceiver, receive_traces
from tests.program import environment
from tests.s3_server import RunningS3
from tests.server.team import OWN_PAGE
from tests.warm_process import start_program, start_script

SERVER = """
import logging, socket, sys
logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
from pincite.telemetry.log_format import JsonFormatter
from pincite.telemetry.log_format import StderrHandler
logging.getLogger().addHandler(StderrHandler(JsonFormatter()))
for name in ("sqlalchemy", "httpx", "httpx2", "httpcore", "authlib", "asyncio", "pincite", "websockets", "psycopg"):
    logging.getLogger(name).setLevel(logging.DEBUG)
from pincite.server import create_app, run_server
from pincite.settings import load_settings

app = create_app(load_settings(), worker=True)

@app.post("/api/broken")
async def broken(body: dict[str, str]) -> None:
    raise RuntimeError("The server is broken on purpose.")

with socket.socket() as listener:
    listener.bind(("127.0.0.1", int(sys.argv[1])))
    listener.listen()
    print("ready", flush=True)
    try:
        run_server(app, listener)
    except KeyboardInterrupt:
        pass
"""


def make(name: str) -> str:
    """A secret that stands nowhere by chance."""
    return f"{name}-{secrets.token_hex(12)}"


@dataclass
class Run:
    """A running server and its client: the secrets so far, and the responses that may not have any."""

    process: "subprocess.Popen[bytes]"
    url: str
    data: Path
    issuer: Issuer
    traces: OtlpReceiver
    secrets: dict[str, str] = field(default_factory=dict)
    told: list[tuple[str, bytes]] = field(default_factory=list)

    def send(self, method: str, path: str, body: Any = None, shows: str = "", **given: Any) -> httpx2.Response:
        """A response, which may show one secret: then it is kept as such."""
        headers = {**OWN_PAGE, **given.pop("headers", {})}
        if not isinstance(body, str | None):
            body, headers["Content-Type"] = json.dumps(body), "application/json"
        with httpx2.Client(timeout=PATIENCE) as client:
            answer = client.request(method, self.url + path, content=body, headers=headers, **given)
        if not shows:
            self.told.append((f"{method} {path}", repr(answer.headers).encode() + answer.content))
        if answer.headers.get("content-type") == "application/zip":
            with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
                self.told += [(name, archive.read(name)) for name in archive.namelist()]
        return answer

    def keep(self, name: str, secret: str) -> str:
        """A secret, which may be found nowhere from now on."""
        self.secrets[name] = secret
        return secret

    def sign_in(self, name: str, password: str) -> dict[str, str]:
        """The cookie of a new session."""
        answer = self.send("POST", "/api/account/sign-in", {"name": name, "password": password}, shows="cookie")
        assert answer.status_code == 200, answer.text
        assert password not in answer.text
        secret = self.keep(f"the session of {name}", answer.cookies["pincite_session"])
        assert secret not in answer.text
        return {"Cookie": f"pincite_session={secret}"}


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    port = find_free_port()
    kept = {"provider's key": make("key"), "embedder's key": make("embedder"), "owner's password": make("ada pass")}
    kept["token for the metrics"] = make("metrics")
    with run_issuer(make_key(), time.time()) as issuer, receive_traces() as traces:
        kept["secret at the issuer"] = issuers.SECRET
        chosen = {
            "ACCOUNTS__MODE": "team",
            "ACCOUNTS__URL": f"http://127.0.0.1:{port}",
            "ACCOUNTS__ISSUER": issuer.url,
            "ACCOUNTS__JOIN": "true",
            "ACCOUNTS__CLIENT_ID": issuers.CLIENT,
            "ACCOUNTS__CLIENT_SECRET": issuers.SECRET,
            "EMBEDDING__PROVIDER": "none",
            "EMBEDDING__KEY": kept["embedder's key"],
            "PROVIDERS__GATEWAY__URL": "http://127.0.0.1:9/v1",
            "PROVIDERS__GATEWAY__KEY": kept["provider's key"],
            "PROVIDERS__GATEWAY__KIND": "openai",
            "MODELS__RETRIES": "0",
            "TELEMETRY__METRICS": "token",
            "TELEMETRY__METRICS_TOKEN": kept["token for the metrics"],
            "TELEMETRY__TRACES": traces.url,
            "TELEMETRY__TRACE_TEXT": "true",
        }
        where = environment(tmp_path / "data", **chosen)
        init = ("accounts", "init", "--name", "Ada", "--password-stdin")
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        making = start_program(*init, env=where, **pipes)
        out, said = making.communicate(kept["owner's password"].encode(), PATIENCE)
        assert making.returncode == 0, said
        process = start_script(SERVER, str(port), env=where, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            assert process.stdout
            assert process.stdout.readline() == b"ready\n"
            begun = Run(process, f"http://127.0.0.1:{port}", tmp_path / "data", issuer, traces, kept)
            begun.told.append(("pincite accounts init", out + said))
            yield begun
        finally:
            process.kill()
            process.communicate()


def use_everything(run: Run) -> None:
    """Sign in and fail to, make a token, an invitation, a reset and a link, use them all, and meet a fault."""
    ada = run.sign_in("Ada", run.secrets["owner's password"])
    for name in ("Ada", "Nobody"):
        wrong = run.keep(f"a wrong password of {name}", make("wrong"))
        assert run.send("POST", "/api/account/sign-in", {"name": name, "password": wrong}).status_code == 401
    typed = run.keep("a password that was typed as a name", make("typed"))
    run.send("POST", "/api/account/sign-in", {"name": typed, "password": "x"})
    for body in ({"name": "Ada", "password": [typed]}, {"name": "Ada", "pass": typed}, f'{{"password": "{typed}'):
        run.send("POST", "/api/account/sign-in", body, headers={"Content-Type": "application/json"})

    made = run.send("POST", "/api/invitations", {"role": "member"}, headers=ada, shows="link").json()
    invitation = run.keep("an invitation", made["url"].partition("#")[2])
    run.send("POST", "/api/account/invitation", {"secret": invitation})
    password = run.keep("Bob's password", make("bob pass"))
    joined = run.send(
        "POST", "/api/account/join", {"secret": invitation, "name": "Bob", "password": password}, shows="cookie"
    )
    assert joined.status_code == 200, joined.text
    run.keep("Bob's first session", joined.cookies["pincite_session"])
    run.send("POST", "/api/account/join", {"secret": invitation, "name": "Eve", "password": password})
    made = run.send("POST", f"/api/people/{joined.json()['person']['id']}/reset", headers=ada, shows="link").json()
    reset = run.keep("a reset", made["url"].partition("#")[2])
    newer = run.keep("Bob's new password", make("newer pass"))
    assert run.send("POST", "/api/account/reset", {"secret": reset, "password": newer}).status_code == 204
    bob = run.sign_in("Bob", newer)
    newest = run.keep("Bob's newest password", make("newest pass"))
    changed = run.send("PUT", "/api/account/password", {"old": newer, "new": newest}, headers=bob)
    assert changed.status_code == 204, changed.text

    wanted = {"name": "program", "scopes": ["read", "ask", "write"], "days": 1}
    made = run.send("POST", "/api/account/tokens", wanted, headers=bob, shows="token").json()
    token = run.keep("Bob's token", made["secret"])
    bearer = {"Authorization": f"Bearer {token}"}
    assert run.send("GET", "/api/documents", headers=bearer).status_code == 200
    unknown = run.keep("a wrong token", f"pin_{secrets.token_urlsafe(24)}")
    assert run.send("GET", "/api/documents", headers={"Authorization": f"Bearer {unknown}"}).status_code == 401
    # In an empty library nothing is searched, and the trace would have no search.
    file = {"file": ("lake.md", b"The lake is 40 metres deep.\n")}
    made = run.send("POST", "/api/documents", headers=bearer, files=file).json()
    until(lambda: run.send("GET", f"/api/documents/{made['id']}", headers=bearer).json()["status"] == "ready")
    asked = run.send("POST", "/api/chat", {"message": "How deep is the lake?"}, headers=bearer)
    conversation = asked.headers["x-conversation-id"]
    run.send("POST", "/api/chat", {"message": "And now?", "chatModel": "gateway:some"}, headers=bearer)
    run.send("POST", "/api/models/test", {"model": "gateway:some"}, headers=ada)
    run.send("GET", "/api/models", headers=ada)
    use_models(run, ada)
    made = run.send("POST", f"/api/conversations/{conversation}/links", {"days": 1}, headers=bob, shows="link").json()
    link = run.keep("a shared conversation", made["url"].partition("#")[2])
    assert run.send("POST", "/api/shared-conversation", {"secret": link}).status_code == 200

    for given in (token, unknown):
        with connect(run.url.replace("http", "ws") + "/ws", proxy=None) as socket:
            socket.send(json.dumps({"type": "identify", "version": 1, "token": given, "client": "tests"}))
            run.told.append(("/ws", str(socket.recv(PATIENCE)).encode()))

    use_issuer(run)
    broken = run.keep("a secret in a request that failed", make("broken"))
    assert run.send("POST", "/api/broken", {"password": broken}, headers=ada).status_code == 500
    for path in (
        "/api/settings",
        "/api/account",
        "/api/account/sessions",
        "/api/people",
        "/api/audit",
        "/api/audit/export",
    ):
        assert run.send("GET", path, headers=ada).status_code == 200
    for path in ("/api/account/tokens", "/api/account/export", "/api/none", f"/api/conversations/{conversation}/links"):
        run.send("GET", path, headers=bob)
    for headers in (ada, {"Authorization": f"Bearer {run.secrets['token for the metrics']}"}):
        told = run.send("GET", "/metrics", headers=headers)
        assert told.status_code == 200
        assert "pincite_questions_total" in told.text
    assert run.send("GET", "/ready", headers=ada).status_code == 200
    run.send("POST", "/api/account/sign-out", headers=bob, shows="cookie")


def use_models(run: Run, ada: dict[str, str]) -> None:
    """Store keys of providers on the page, right and wrong ones, and use and try a model with one."""
    stored = run.keep("a stored key", make("stored"))
    with wires.serving(wires.reply(200, {"object": "list", "data": [{"id": "m"}]})) as wire:
        saved = run.send("PUT", "/api/models/providers/own", {"url": wire.url, "key": stored}, headers=ada)
        assert (saved.status_code, saved.json()) == (200, {"models": ["own:m"]})
        assert stored in wire.asked[0].headers["authorization"]
        refusal = wires.reply(401, {"error": {"message": f"bad key {stored}"}})
        wire.answers[:] = [refusal]
        run.send("POST", "/api/models/try", {"model": "own:m", "check": "streaming"}, headers=ada)
        run.send("PUT", "/api/models/roles", {"chat": "own:m"}, headers=ada)
        run.send("POST", "/api/chat", {"message": "And now?"}, headers=ada)
        for path in ("setup", "choices", "local", "providers/own/models"):
            run.send("GET", f"/api/models/{path}", headers=ada)
        wrong = run.keep("a key that the provider refuses", make("refused"))
        wire.answers[:] = [wires.reply(401, {"error": {"message": f"bad key {wrong}"}})]
        refused = run.send("PUT", "/api/models/providers/other", {"url": wire.url, "key": wrong}, headers=ada)
        assert refused.status_code == 400, refused.text
    typed = run.keep("a key in a request that is not valid", make("typed"))
    for body in ({"key": [typed]}, {"secret": typed}, {"key": f"{typed} é"}, f'{{"key": "{typed}'):
        run.send("PUT", "/api/models/providers/own", body, headers={**ada, "Content-Type": "application/json"})
    run.send("PUT", "/api/models/roles", {"chat": ""}, headers=ada)


def use_issuer(run: Run) -> None:
    """Sign in at the issuer, and come back with a code that it does not know."""
    run.issuer.person = {"sub": "77", "email": "cy@example.org", "email_verified": True, "name": "Cy"}
    begun = run.send("GET", "/api/account/openid", shows="cookie")
    assert begun.status_code == 303, begun.text
    back = run.issuer.approve(begun.headers["location"])
    run.keep("the code of the issuer", make("code"))
    cookie = {"Cookie": f"pincite_openid={run.keep('the cookie of the return', begun.cookies['pincite_openid'])}"}
    done = run.send("GET", "/api/accounts/openid/return", params=back, headers=cookie, shows="cookie")
    assert done.status_code == 303, done.text
    run.keep("the session of Cy", done.cookies["pincite_session"])
    wrong = {**back, "code": run.secrets["the code of the issuer"]}
    run.send("GET", "/api/accounts/openid/return", params=wrong, headers=cookie)


def list_written(run: Run, out: bytes, said: bytes) -> Iterator[tuple[str, bytes]]:
    """All that was written: the output of the process, its files, and the responses."""
    yield "stdout", out
    yield "stderr", said
    yield from run.told
    yield "the traces", b"".join(run.traces.bodies)
    for path in run.data.rglob("*"):
        if path.is_file() and path.name != "server.json":
            yield path.name, path.read_bytes()


def test_no_secret_is_in_the_logs_the_files_or_a_response(run: Run) -> None:
    said: list[bytes] = []
    assert run.process.stderr
    reading = threading.Thread(target=lambda: said.append(run.process.stderr.read() if run.process.stderr else b""))
    reading.start()
    use_everything(run)
    run.process.send_signal(signal.SIGINT)
    assert run.process.stdout
    out = run.process.stdout.read()
    run.process.wait(PATIENCE)
    reading.join(PATIENCE)
    written = list(list_written(run, out, b"".join(said)))
    # The run left its traces: the logging was on, and the database is among the files.
    assert b"DEBUG" in b"".join(said)
    assert b'"level": "debug"' in b"".join(said)
    assert {"turn", "search", "cite"} <= {span.name for span in run.traces.spans}
    assert b"How deep is the lake?" in b"".join(run.traces.bodies)
    assert b"broken on purpose" in b"".join(said)
    assert {"pincite.db"} <= {name for name, _ in written}
    assert len(run.secrets) > 20
    assert list_found(run.secrets, written) == []


def list_found(kept: dict[str, str], written: Iterable[tuple[str, bytes]]) -> list[str]:
    """Where a secret was found, if anywhere."""
    return [
        f"{name} is in {place}"
        for place, content in written
        for name, secret in kept.items()
        if secret.encode() in content
    ]


@dataclass
class Shared:
    """Settings of a server whose database and files are on other machines, and the secrets in them."""

    secrets: dict[str, str]
    settings: dict[str, str]


@pytest.fixture
def shared(postgres: Database, bucket: dict[str, Any], s3_server: RunningS3) -> Shared:
    kept = {name: make(name) for name in ("database", "direct", "replica", "query", "files-key", "files-secret")}
    place = postgres.engine.url
    address = f"postgresql://postgres:{{}}@/{place.database}?host={place.query['host']}"
    return Shared(
        kept,
        {
            "DATABASE": address.format(kept["database"]) + f"&sslpassword={kept['query']}",
            "POSTGRES__DIRECT": address.format(kept["direct"]),
            "POSTGRES__REPLICA": address.format(kept["replica"]),
            "FILES__URL": bucket["url"],
            "FILES__ENDPOINT": s3_server.url,
            "FILES__REGION": "us-east-1",
            "FILES__KEY": kept["files-key"],
            "FILES__SECRET": kept["files-secret"],
            "FILES__RETRY_SECONDS": "1",
            "EMBEDDING__PROVIDER": "none",
        },
    )


@pytest.mark.slow
def test_no_secret_of_the_database_or_of_the_files_is_in_the_logs_the_files_or_a_response(
    shared: Shared, postgres: Database, tmp_path: Path
) -> None:
    data, kept = tmp_path / "data", shared.secrets
    written: list[tuple[str, bytes]] = []
    with receive_traces() as traces:
        traced = {**shared.settings, "TELEMETRY__TRACES": traces.url}
        port = find_free_port()
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(port)],
            env=environment(data, **traced),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        said: list[bytes] = []
        assert process.stderr
        reading = threading.Thread(target=lambda: said.append(process.stderr.read() if process.stderr else b""))
        try:
            assert process.stdout
            reading.start()
            assert process.stdout.readline() == b"ready\n", said
            written += use_storage(f"http://127.0.0.1:{port}")
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)
            reading.join(PATIENCE)
            process.communicate()
        written += [("the traces", b"".join(traces.bodies)), ("the log", b"".join(said))]
    written += use_commands(shared, data, tmp_path)
    written += [(name, repr(rows).encode()) for name, rows in read_tables(postgres).items()]
    written += [(path.name, path.read_bytes()) for path in data.rglob("*") if path.is_file()]
    assert b"DEBUG:sqlalchemy" in b"".join(said)
    assert traces.spans
    assert list_found(kept, written) == []


def use_storage(url: str) -> Iterator[tuple[str, bytes]]:
    """Add a document, ask about it, look at everything that is shown, and meet a fault."""

    def send(method: str, path: str, **given: Any) -> tuple[str, bytes]:
        with httpx2.Client(timeout=PATIENCE, headers=OWN_PAGE) as client:
            answer = client.request(method, url + path, **given)
        return f"{method} {path}", repr(answer.headers).encode() + answer.content

    added = send("POST", "/api/documents", files={"file": ("lake.md", b"The lake is 40 metres deep.\n")})
    yield added
    until(lambda: b'"ready"' in send("GET", "/api/documents")[1])
    yield send("POST", "/api/chat", json={"message": "How deep is the lake?"})
    for path in ("/api/settings", "/metrics", "/ready", "/health", "/api/documents", "/openapi.json"):
        yield send("GET", path)
    yield send("POST", "/api/broken", json={"password": "x"})


def use_commands(shared: Shared, data: Path, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Run commands that look at the database and the files: where all is well, and where each of them fails."""
    right, other = shared.settings, make("other")
    shared.secrets["other"] = other
    wrong = [
        {"DATABASE": f"postgresql://ada:{other}@127.0.0.1:9/none"},
        {"DATABASE": f"postgresql://ada:half@{other}@127.0.0.1:9/none"},
        {"DATABASE": f"postgresql://ada@127.0.0.1:9/none?password={other}"},
        {"DATABASE": f"mysql://ada:{other}@127.0.0.1/none"},
        {"POSTGRES__REPLICA": f"postgresql://ada:{other}@127.0.0.1:9/none"},
        {"POSTGRES__DIRECT": f"mysql://ada:{other}@127.0.0.1/none"},
        {"FILES__ENDPOINT": "http://127.0.0.1:9"},
        {"FILES__ENDPOINT": f"http://ada:9/{other}@127.0.0.1:9"},
        {"FILES__SECRET": other, "FILES__URL": "s3://none-of-ours"},
    ]
    runs: list[tuple[list[str], dict[str, str]]] = [(["doctor"], given) for given in wrong]
    runs += [(["doctor", "--json"], {}), (["documents"], wrong[0])]
    runs += [(["move", "--to", f"postgresql://ada:{other}@127.0.0.1:9/none"], {})]
    runs += [(["backup", str(folder / "backup.zip")], {})]
    for arguments, given in runs:
        done = program.run(*arguments, data=data, **{**right, **given})
        assert done.stdout or done.stderr, arguments
        yield f"{arguments} {list(given)}", (done.stdout + done.stderr).encode()
    with zipfile.ZipFile(folder / "backup.zip") as archive:
        yield from ((name, archive.read(name)) for name in archive.namelist())
