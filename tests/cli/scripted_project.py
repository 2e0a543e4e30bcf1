"""A server of the tests' own at `/ws`: it has one project, and its answers follow a script."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from pincite import events
from pincite.events import find_event_type

PROJECT = {"id": "0123456789ab", "name": "shop", "folder": "/nowhere/shop"}
CONVERSATION = "c1"
TOPIC = f"conversation:{CONVERSATION}"

Turn = Callable[["ScriptedProject"], None]


def answer(text: str = "Done.", model: str = "test:scripted", **given: Any) -> events.Answer:
    return events.Answer(
        answer=text,
        question="?",
        model=model,
        sentences=[],
        usage=events.Usage(input_tokens=1200, output_tokens=34),
        **{"refused": False, "citations": [], **given},
    )


def saying(*pieces: str, model: str = "test:scripted", **given: Any) -> Turn:
    """A turn that says this and ends with an answer that has these fields."""

    def turn(project: "ScriptedProject") -> None:
        project.tell(events.MessageStarted(conversationId=CONVERSATION, question="?", model=model, focus="all"))
        for piece in pieces:
            project.tell(events.Text(delta=piece))
        project.tell(answer("".join(pieces), model, **given))

    return turn


def changing(*paths: str, text: str = "I change it.", **given: Any) -> Turn:
    """A turn that proposes to change these files."""
    files = [
        events.ChangedFile(path=path, action="modify", diff=f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-old\n+new\n")
        for path in paths
    ]
    changes = events.ProposedChanges(id="p1", project=PROJECT["id"], files=files, reply="")
    call = events.ClientCall(id="apply-1", tool="apply_changes")
    return saying(text, changes=changes, **{"calls": [call], **given})


def unfinished(text: str = "One of two.", reason: str = "One case is left.", calls: Sequence[Any] = ()) -> Turn:
    """A turn that asks to be continued."""
    progress = events.Progress(state="unfinished", reason=reason, turn=1, most=5)
    return saying(text, progress=progress, calls=[*calls, events.ClientCall(id="go-on", tool="continue")])


class ScriptedProject:
    """The state of the server: what it was asked to do, and the events of its one conversation."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._turns = iter(turns)
        self.acted: list[tuple[str, dict[str, Any]]] = []
        self.refusals: dict[str, dict[str, Any]] = {}  # by action: the error that it is answered with
        self.stopped = threading.Event()
        self.url = ""
        self._events: list[dict[str, Any]] = []
        self._sockets: list[ServerConnection] = []
        self._message = ""
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []

    def done(self, action: str) -> list[dict[str, Any]]:
        """The data of each time that the client asked for this action."""
        return [data for name, data in self.acted if name == action]

    def tell(self, data: events.Data) -> None:
        """Store an event and send it to the client, if the client is there."""
        with self._lock:
            seq = len(self._events) + 1
            told = {"seq": seq, "type": find_event_type(data), "messageId": self._message}
            self._events.append({**told, "data": data.model_dump(mode="json")})
            for socket in self._sockets:
                self._send(socket, type="event", topic=TOPIC, seq=seq, event=self._events[-1])

    def drop(self) -> None:
        """Break the connection off."""
        with self._lock:
            for socket in self._sockets:
                socket.socket.close()
            self._sockets.clear()

    def handle(self, socket: ServerConnection) -> None:
        try:
            for text in socket:
                self._handle_message(socket, json.loads(text))
        except ConnectionClosed:
            pass

    def _handle_message(self, socket: ServerConnection, message: dict[str, Any]) -> None:
        match message["type"]:
            case "identify":
                self._send(socket, type="identified", version=1, session="s", owner="local", heartbeat=20)
            case "subscribe":
                self._send(socket, type="subscribed", id=message["id"], topics=message["topics"])
                with self._lock:
                    for event in self._events[message["after"][TOPIC] :]:
                        self._send(socket, type="event", topic=TOPIC, seq=event["seq"], event=event)
                    self._sockets.append(socket)
            case "action":
                self._act(socket, message["id"], message["action"], message["data"])

    def _act(self, socket: ServerConnection, id: str, action: str, data: dict[str, Any]) -> None:
        self.acted.append((action, data))
        if refused := self.refusals.get(action):
            self._send(socket, type="error", id=id, **refused)
            return
        reply: dict[str, Any] = {}
        match action:
            case "projects":
                reply = {"projects": [PROJECT]}
            case "tree":
                reply = {"text": "shop\n  orders.py", "level": "full"}
            case "apply" | "undo":
                reply = {"id": "1", "applied": True, "files": [{"path": path} for path in data.get("paths", ["a.py"])]}
            case "stop":
                self.stopped.set()
                reply = {"stopped": True}
        begins = action == "ask" or (action == "result" and data["status"] == "continue")
        if begins:
            with self._lock:
                self._message = f"m{len(self._events)}"
                reply = {"conversation": CONVERSATION, "message": self._message, "after": len(self._events)}
                if socket not in self._sockets:
                    self._sockets.append(socket)
        self._send(socket, type="result", id=id, action=action, data=reply)
        if begins:
            thread = threading.Thread(target=next(self._turns), args=(self,))
            self._threads.append(thread)
            thread.start()

    def _send(self, socket: ServerConnection, **message: Any) -> None:
        try:
            socket.send(json.dumps(message))
        except (ConnectionClosed, OSError):
            pass  # the client hears of it when it is back

    def join(self) -> None:
        for thread in self._threads:
            thread.join()


@contextmanager
def serving(*turns: Turn) -> Iterator[ScriptedProject]:
    """A scripted project, until the block ends."""
    project = ScriptedProject(turns)
    with serve(project.handle, "127.0.0.1", 0) as server:
        project.url = f"http://127.0.0.1:{server.socket.getsockname()[1]}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield project
        finally:
            project.stopped.set()
            project.join()
            server.shutdown()
            thread.join()
