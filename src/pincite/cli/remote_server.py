"""Send a command to the server that runs on the same data, so that the command need not load the models itself."""

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

from pincite.cli import options
from pincite.errors import Busy, Misuse, PinciteError

if TYPE_CHECKING:
    from pincite.answer.question_options import QuestionOptions
    from pincite.events import Answer, Data
    from pincite.search.request import FoundPassages
    from pincite.settings import Settings
    from pincite.store.server_file import ServerFile

RETRIEVAL_STOPPED = (
    "The search was stopped. The answer uses the sources found so far. Press Ctrl-C again to stop the answer."
)
_ADVICE = "Try again, or use --no-server."
_LONGEST_ERROR = 100_000  # bytes
_CONNECT = 5.0  # seconds; the server is on this machine, which may be busy
_SILENCE = 60.0  # seconds without data; a running server sends some every fifteen


@dataclass(frozen=True, slots=True)
class RemoteAnswer:
    """An answer from a server, with the other data that the command shows."""

    answer: "Answer"
    hint: str
    days: Mapping[str, str]
    conversation: str | None


class Remote:
    """A server that has proved that it wrote the data folder's `server.json`."""

    def __init__(self, server: "ServerFile") -> None:
        self._server = server

    @property
    def address(self) -> str:
        """The server's address, as http://127.0.0.1:8000."""
        return self._server.address

    @property
    def token(self) -> str:
        """The secret that it shares with commands of the same user."""
        return self._server.token

    def ask(
        self, question: str, given: "QuestionOptions", conversation: str | None, handle_event: "Callable[[Data], None]"
    ) -> RemoteAnswer:
        """Ask a question and pass each event to `handle_event`. Ctrl-C stops the server's search, then its answer."""
        from pincite.events import EVENTS, Answer

        body = {"question": question, "conversation": conversation, "given": asdict(given)}
        answer: Answer | None = None
        with self._send_request("/api/command/ask", body) as response, self._forward_interrupts() as messages:
            for line in _read_lines(response):
                if refused := line.get("refused") or line.get("error"):
                    raise _make_error(refused)
                with _check_reply():
                    if answer and (end := line.get("end")):
                        return RemoteAnswer(answer, end["hint"], end["days"], end["conversation"])
                    messages.append(line["messageId"])
                    data = EVENTS[line["type"]].model_validate(line["data"])
                if isinstance(data, Answer):
                    answer = data
                handle_event(data)  # type: ignore[arg-type]
        raise Busy("The server stopped before the answer was complete.", _ADVICE)

    def search(self, wanted: Mapping[str, object]) -> "FoundPassages":
        """Search on the server. `wanted` has the fields of `SearchRequest`."""
        from pincite.events import Correction
        from pincite.search.request import FoundPassages
        from pincite.search.spelling import CorrectedQuestion
        from pincite.types import Hit, Span

        with self._send_request("/api/command/search", wanted) as response, _check_reply():
            reply = json.loads(response.read())
            hits = [
                Hit(**{**hit, "span": Span(**hit["span"]), "headings": tuple(hit["headings"])}) for hit in reply["hits"]
            ]
            words = tuple(Correction(**each) for each in reply["corrected"]["words"])
            return FoundPassages(hits, reply["is_empty"], CorrectedQuestion(reply["corrected"]["question"], words))

    @contextmanager
    def _send_request(self, path: str, body: Mapping[str, object], silence: float = _SILENCE) -> Iterator[Any]:
        connection = _connect(self._server, silence)
        headers = {"Authorization": f"Bearer {self._server.token}", "Content-Type": "application/json"}
        try:
            connection.request("POST", path, json.dumps(body).encode(), headers)
            response = connection.getresponse()
            if response.status != 200:
                raise _make_error(_parse_json(response.read(_LONGEST_ERROR)))
            yield response
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Busy(f"The connection to the server failed: {error}.", _ADVICE) from error
        finally:
            connection.close()

    @contextmanager
    def _forward_interrupts(self) -> Iterator[list[str]]:
        """Forward Ctrl-C to the server. Yield a list; the caller appends the ids of the answer's messages to it."""
        messages: list[str] = []
        before = signal.getsignal(signal.SIGINT)
        searches = True

        def interrupt(number: int, frame: FrameType | None) -> None:
            nonlocal searches
            if not messages:
                raise KeyboardInterrupt
            body = {"message": messages[-1], "searches": searches}
            try:
                with self._send_request("/api/command/stop", body, _CONNECT) as response, _check_reply():
                    stopped = json.loads(response.read())["stopped"]
            except PinciteError:
                raise KeyboardInterrupt from None
            if stopped == "searches":
                searches = False
                options.make_console(stderr=True).print(RETRIEVAL_STOPPED)
            else:
                signal.signal(signal.SIGINT, before)

        signal.signal(signal.SIGINT, interrupt)
        try:
            yield messages
        finally:
            signal.signal(signal.SIGINT, before)


def find_remote(settings: "Settings") -> Remote | None:
    """Return the server that can answer for this command, or None if there is none."""
    from pincite.store.server_file import find_server

    server = find_server(settings)
    return Remote(server) if server and _is_proven(server) else None


def _is_proven(server: "ServerFile") -> bool:
    """Return whether the process at the address knows the secret. The process that wrote the file may have ended."""
    import hmac

    nonce = secrets.token_urlsafe(32)
    connection = _connect(server, _CONNECT)
    try:
        connection.request("GET", f"/api/command/hello?nonce={quote(nonce)}")
        response = connection.getresponse()
        reply = json.loads(response.read(4096))
        proof = reply.get("proof") if response.status == 200 and isinstance(reply, dict) else None
        return isinstance(proof, str) and hmac.compare_digest(proof.encode(), server.prove(nonce).encode())
    except (OSError, http.client.HTTPException, ValueError):
        return False
    finally:
        connection.close()


def _connect(server: "ServerFile", timeout: float) -> http.client.HTTPConnection:
    address = urlsplit(server.address)
    return http.client.HTTPConnection(address.hostname or "", address.port, timeout=timeout)


def _read_lines(response: Any) -> Iterator[dict[str, Any]]:
    for raw in response:
        if raw.strip() and not raw.startswith(b":"):  # a comment only keeps the connection alive
            line = json.loads(raw)
            if not isinstance(line, dict):
                raise _make_reply_error()
            yield line


@contextmanager
def _check_reply() -> Iterator[None]:
    """Turn the errors of parsing an unexpected reply into a `Busy` error with a hint."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise _make_reply_error() from error


def _make_reply_error() -> PinciteError:
    return Busy("The server that runs on this data sent an invalid reply.", _ADVICE)


def _parse_json(content: bytes) -> object:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _make_error(reply: object) -> PinciteError:
    """Return the error that a reply describes.

    The command's own routes say whether the error is the caller's mistake; the command would have raised the same
    error itself. All other server errors are under `error`; for them the hint is to work without the server.
    """
    if isinstance(reply, Mapping) and isinstance(reply.get("error"), Mapping):
        reply = reply["error"]
    if not isinstance(reply, Mapping) or not isinstance(reply.get("message"), str):
        return Busy("The server that runs on this data did not answer.", _ADVICE)
    if "is_misuse" not in reply:
        return Busy(f"The server that runs on this data did not answer: {reply['message']}", _ADVICE)
    kind = Misuse if reply["is_misuse"] else PinciteError
    return kind(reply["message"], str(reply.get("hint") or ""))
