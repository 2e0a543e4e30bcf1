"""Ask the server that runs on the same data, so that a command need not load the library and the models itself."""

import http.client
import json
import secrets
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from pincite.cli import door
from pincite.errors import Busy, Misuse, PinciteError

if TYPE_CHECKING:
    from pincite.agent.given import Given
    from pincite.events import Answer, Data
    from pincite.retrieval.request import Found
    from pincite.settings import Settings
    from pincite.store.server_file import ServerFile

RETRIEVAL_STOPPED = (
    "Searching was stopped: the answer is written from what was found. Ctrl-C again stops the answer too."
)
_ADVICE = "Ask again, or with --no-server."
_LONGEST_ERROR = 100_000  # bytes
_CONNECT = 5.0  # seconds: it is this machine, which may be busy
_SILENCE = 60.0  # seconds without a word; a server that lives says one every fifteen


@dataclass(frozen=True, slots=True)
class Told:
    """An answer that a server gave, with what a command shows besides."""

    answer: "Answer"
    hint: str
    days: Mapping[str, str]
    conversation: str | None


class Remote:
    """A server that has proved to be the one that the data folder names."""

    def __init__(self, server: "ServerFile") -> None:
        self._server = server

    def ask(self, question: str, given: "Given", conversation: str | None, hear: "Callable[[Data], None]") -> Told:
        """Ask a question; every event goes to `hear`. Ctrl-C ends the search on the server, then the answer."""
        from pincite.events import EVENTS, Answer

        body = {"question": question, "conversation": conversation, "given": asdict(given)}
        answer: Answer | None = None
        with self._sent("/api/command/ask", body) as response, self._interruptible() as messages:
            for line in _lines(response):
                if refused := line.get("refused") or line.get("error"):
                    raise _error(refused)
                with _understood():
                    if answer and (end := line.get("end")):
                        return Told(answer, end["hint"], end["days"], end["conversation"])
                    messages.append(line["messageId"])
                    data = EVENTS[line["type"]].model_validate(line["data"])
                if isinstance(data, Answer):
                    answer = data
                hear(data)  # type: ignore[arg-type]
        raise Busy("The server stopped before it had answered.", _ADVICE)

    def search(self, wanted: Mapping[str, object]) -> "Found":
        """Search; the fields are those of the command."""
        from pincite.events import Correction
        from pincite.retrieval.request import Found
        from pincite.retrieval.spelling import Corrected
        from pincite.types import Hit, Span

        with self._sent("/api/command/search", wanted) as response, _understood():
            told = json.loads(response.read())
            hits = [
                Hit(**{**hit, "span": Span(**hit["span"]), "headings": tuple(hit["headings"])}) for hit in told["hits"]
            ]
            words = tuple(Correction(**each) for each in told["corrected"]["words"])
            return Found(hits, told["is_empty"], Corrected(told["corrected"]["question"], words))

    @contextmanager
    def _sent(self, path: str, body: Mapping[str, object], silence: float = _SILENCE) -> Iterator[Any]:
        connection = _connect(self._server, silence)
        headers = {"Authorization": f"Bearer {self._server.token}", "Content-Type": "application/json"}
        try:
            connection.request("POST", path, json.dumps(body).encode(), headers)
            response = connection.getresponse()
            if response.status != 200:
                raise _error(_parse(response.read(_LONGEST_ERROR)))
            yield response
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Busy(f"The server went away: {error}.", _ADVICE) from error
        finally:
            connection.close()

    @contextmanager
    def _interruptible(self) -> Iterator[list[str]]:
        """Let Ctrl-C reach the server; yields the list that the ids of messages are put into."""
        messages: list[str] = []
        before = signal.getsignal(signal.SIGINT)
        searches = True

        def interrupt(number: int, frame: FrameType | None) -> None:
            nonlocal searches
            if not messages:
                raise KeyboardInterrupt
            body = {"message": messages[-1], "searches": searches}
            try:
                with self._sent("/api/command/stop", body, _CONNECT) as response, _understood():
                    stopped = json.loads(response.read())["stopped"]
            except PinciteError:
                raise KeyboardInterrupt from None
            if stopped == "searches":
                searches = False
                door.console(stderr=True).print(RETRIEVAL_STOPPED)
            else:
                signal.signal(signal.SIGINT, before)

        signal.signal(signal.SIGINT, interrupt)
        try:
            yield messages
        finally:
            signal.signal(signal.SIGINT, before)


def find_remote(settings: "Settings") -> Remote | None:
    """The server that answers for this command; None, without a word, where there is none that may."""
    from pincite.store.server_file import find_server

    server = find_server(settings)
    return Remote(server) if server and _proves(server) else None


def _proves(server: "ServerFile") -> bool:
    """Whether the process at the address knows the secret: the one that wrote the file may be gone."""
    import hmac

    nonce = secrets.token_urlsafe(32)
    connection = _connect(server, _CONNECT)
    try:
        connection.request("GET", f"/api/command/hello?nonce={quote(nonce)}")
        response = connection.getresponse()
        told = json.loads(response.read(4096))
        proof = told.get("proof") if response.status == 200 and isinstance(told, dict) else None
        return isinstance(proof, str) and hmac.compare_digest(proof.encode(), server.prove(nonce).encode())
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        connection.close()


def _connect(server: "ServerFile", timeout: float) -> http.client.HTTPConnection:
    address = urlsplit(server.address)
    return http.client.HTTPConnection(address.hostname or "", address.port, timeout=timeout)


def _lines(response: Any) -> Iterator[dict[str, Any]]:
    for raw in response:
        if raw.strip() and not raw.startswith(b":"):  # a comment says that the server is alive
            line = json.loads(raw)
            if not isinstance(line, dict):
                raise _unclear()
            yield line


@contextmanager
def _understood() -> Iterator[None]:
    """Make a reply of another form than the expected one an error that says what to do."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _unclear() from error


def _unclear() -> PinciteError:
    return Busy("The server that runs on this data gave a reply of another form.", _ADVICE)


def _parse(content: bytes) -> object:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _error(told: object) -> PinciteError:
    """The error that the command would have raised itself, or that of a server that does not take the request.

    A refusal of the command's own routes says whether it is the caller's mistake; every other error of a server stands
    under `error`, and the command can do the work without that server.
    """
    if isinstance(told, Mapping) and isinstance(told.get("error"), Mapping):
        told = told["error"]
    if not isinstance(told, Mapping) or not isinstance(told.get("message"), str):
        return Busy("The server that runs on this data did not answer.", _ADVICE)
    if "is_misuse" not in told:
        return Busy(f"The server that runs on this data did not answer: {told['message']}", _ADVICE)
    kind = Misuse if told["is_misuse"] else PinciteError
    return kind(told["message"], str(told.get("hint") or ""))
