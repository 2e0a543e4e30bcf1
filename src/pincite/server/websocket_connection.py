"""One WebSocket connection: it reads messages, runs actions, sends what is subscribed to, and watches for silence."""

import asyncio
import logging
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
import anyio.lowlevel
from anyio.abc import TaskGroup
from starlette.websockets import WebSocket, WebSocketDisconnect

from pincite.accounts.principal import Principal
from pincite.conversations import Conversations
from pincite.conversations.stored_events import make_fault
from pincite.errors import Busy, DiskFull, PinciteError, is_full_disk
from pincite.server.caller_watch import CallerWatch
from pincite.server.callers import find_caller
from pincite.server.request_rates import RequestRates
from pincite.server.websocket_actions import ActionContext, perform_action
from pincite.server.websocket_messages import (
    VERSION,
    ActionMessage,
    ClientMessage,
    ErrorMessage,
    IdentifiedMessage,
    IdentifyMessage,
    MessageError,
    NotIdentified,
    PingMessage,
    PongMessage,
    ResultMessage,
    ServerMessage,
    SubscribedMessage,
    SubscribeMessage,
    UnsubscribedMessage,
    UnsubscribeMessage,
    UnsupportedVersion,
    describe_failure,
    parse_message,
)
from pincite.server.websocket_subscriptions import Subscriptions, make_topic, parse_topic
from pincite.settings_server import WebSocketSettings

if TYPE_CHECKING:
    from pincite.answer.services import Services

log = logging.getLogger(__name__)

_ACTIONS = 16  # actions of one connection at once
_MISSED = 3  # pings without a sign of life before a client counts as gone
_GRACE = 2.0  # seconds for the last messages, and again for the end, when a connection is closed

# Close codes. After one from 4000 up, the client must change something before it connects again.
FAULT, STOPPING, SILENT, REFUSED, NOT_IDENTIFIED, TOO_MANY = 1011, 1012, 1013, 4401, 4408, 4429


@dataclass(frozen=True, slots=True)
class Ending:
    """The code and reason with which the server ends a connection."""

    code: int
    reason: str


class MessageRate:
    """Counts the messages of a client. Twice the number of a second may arrive at once."""

    def __init__(self, per_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._clock = clock
        self._left = 2.0 * per_second
        self._counted = clock()

    def take(self) -> bool:
        """Count a message. Return whether it is one of those allowed."""
        now = self._clock()
        self._left = min(2.0 * self._per_second, self._left + (now - self._counted) * self._per_second)
        self._counted = now
        self._left -= 1
        return self._left >= 0


class WebSocketConnection:
    """A connection from its acceptance to its end. All its tasks are in one group and end with it."""

    def __init__(
        self,
        socket: WebSocket,
        services: "Services",
        conversations: Conversations,
        settings: WebSocketSettings,
        watch: CallerWatch,
        rate_limits: RequestRates | None = None,
    ) -> None:
        self._socket = socket
        self._watching = watch
        self._rate_limits = rate_limits
        self._services = services
        self._conversations = conversations
        self._settings = settings
        self._session = uuid.uuid4().hex
        self._rate = MessageRate(settings.messages_per_second)
        self._sending = anyio.Lock()
        self._group: TaskGroup = anyio.create_task_group()
        self._context: ActionContext | None = None
        self._subscriptions: Subscriptions | None = None
        self._identified = anyio.Event()
        self._leaving = anyio.Event()
        self._ending: Ending | None = None
        self._acting = 0
        self._unanswered = 0  # pings since the last message of the client

    async def run(self) -> None:
        """Serve the connection until one side ends it."""
        await self._socket.accept()
        (failure,) = await asyncio.gather(self._serve(), return_exceptions=True)
        if isinstance(failure, BaseException):
            log.error("A WebSocket connection failed.", exc_info=failure)
            self._ending = Ending(FAULT, "The server met a fault of ours.")
        if self._ending:
            await self._close(self._ending)

    @property
    def is_identified(self) -> bool:
        """Whether the client has said who it is."""
        return self._identified.is_set()

    @property
    def person(self) -> str:
        """The id of the person with an account who has identified themselves; empty without one."""
        principal = self._context.caller.principal if self._context else None
        return principal.user if principal and (principal.session or principal.token) else ""

    def give_way(self) -> None:
        """End the connection, because another one needs its place."""
        if self.is_identified:
            self._end(TOO_MANY, "You have many connections, and the server is full.")
        else:
            self._end(NOT_IDENTIFIED, "The client did not identify itself, and the server is full.")

    def leave(self) -> None:
        """Let the subscriptions end with the answers that are being written."""
        if self._subscriptions:
            self._subscriptions.leave()

    def close(self) -> None:
        """Close the connection after its last events, because the server stops."""
        self._leaving.set()

    async def _serve(self) -> None:
        async with self._group:
            self._group.start_soon(self._watch)
            self._group.start_soon(self._wait_for_stop)
            await self._read()
            self._group.cancel_scope.cancel()

    async def _read(self) -> None:
        while True:
            received = await self._socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            self._unanswered = 0
            if not self._rate.take():
                self._end(TOO_MANY, f"More than {self._settings.messages_per_second} messages in a second.")
                return
            await self._handle(received.get("text"))

    async def _handle(self, text: str | None) -> None:
        id = ""
        try:
            if text is None:
                raise MessageError("The message is binary.", "Send JSON as text.", "binary")
            message = parse_message(text)
            id = getattr(message, "id", "")
            await self._dispatch(message)
        except MessageError as error:
            await self._send(describe_failure(error, id or error.id))
        except PinciteError as error:
            await self._send(describe_failure(error, id))

    async def _dispatch(self, message: ClientMessage) -> None:
        if isinstance(message, IdentifyMessage):
            await self._identify(message)
            return
        if self._context is None or self._subscriptions is None:
            raise NotIdentified("The first message must be `identify`.")
        match message:
            case SubscribeMessage():
                await self._subscribe(message, self._context, self._subscriptions)
            case UnsubscribeMessage():
                for topic in message.topics:
                    parse_topic(topic)
                    await self._subscriptions.stop(topic)
                await self._send(UnsubscribedMessage(id=message.id, topics=message.topics))
            case ActionMessage():
                if self._acting >= _ACTIONS:
                    raise Busy(f"{_ACTIONS} actions are under way here.", "Wait for a result.", "actions")
                self._acting += 1
                self._group.start_soon(self._act, message, self._context, self._subscriptions)
            case PingMessage():
                await self._send(PongMessage())

    async def _identify(self, message: IdentifyMessage) -> None:
        if self._context:
            raise MessageError("This connection has identified itself.", "Open another one.", "identified")
        if message.version != VERSION:
            raise UnsupportedVersion(
                f"The server does not speak version {message.version}.",
                f"Identify with version {VERSION}.",
                params={"supported": VERSION},
            )
        try:
            caller = await find_caller(self._socket.scope, self._services.settings, message.token)
        except PinciteError as error:
            await self._send(describe_failure(error))
            self._end(REFUSED, error.message)
            return
        log.info("WebSocket session %s: %r", self._session, message.client)
        self._context = ActionContext(self._services, self._conversations, caller, self._rate_limits)
        owner = caller.principal.user
        self._subscriptions = Subscriptions(self._conversations, owner, self._group, self._send)
        self._group.start_soon(self._end_when_revoked, caller.principal)
        self._identified.set()
        heartbeat = self._settings.heartbeat_seconds
        await self._send(IdentifiedMessage(session=self._session, owner=owner, heartbeat=heartbeat))

    async def _subscribe(self, message: SubscribeMessage, context: ActionContext, subscriptions: Subscriptions) -> None:
        context.caller.principal.check_scope("read")
        if unknown := message.after.keys() - set(message.topics):
            raise MessageError(f"`after` names {min(unknown)!r}, which is not in `topics`.", reason="fields")
        await subscriptions.check(message.topics)
        for topic in message.topics:
            await subscriptions.stop(topic)
        await self._send(SubscribedMessage(id=message.id, topics=message.topics))
        for topic in dict.fromkeys(message.topics):
            await subscriptions.start(topic, message.after.get(topic, 0))

    async def _act(self, message: ActionMessage, context: ActionContext, subscriptions: Subscriptions) -> None:
        try:
            (done,) = await asyncio.gather(
                perform_action(message.action, context, message.data), return_exceptions=True
            )
            if isinstance(done, BaseException):
                await self._send(_explain_failure(done, message.id))
                return
            await self._send(ResultMessage(id=message.id, action=message.action, data=done.data))
            if done.begun and not subscriptions.has(topic := make_topic(done.begun.conversation)):
                await subscriptions.start(topic, done.begun.after)
        finally:
            self._acting -= 1

    async def _watch(self) -> None:
        """End the connection of a client that does not identify itself, or that gives no sign of life."""
        with anyio.move_on_after(self._settings.identify_seconds):
            await self._identified.wait()
        if not self._identified.is_set():
            self._end(NOT_IDENTIFIED, "The client did not identify itself in time.")
            return
        beat = self._settings.heartbeat_seconds
        await anyio.sleep(beat)
        while self._unanswered < _MISSED:
            self._unanswered += 1
            with anyio.move_on_after(beat):  # a client that does not read lets a ping wait
                await self._send(PingMessage())
            await anyio.sleep(beat)
        self._end(SILENT, f"The client did not answer {_MISSED} pings. Connect again.")

    async def _end_when_revoked(self, principal: Principal) -> None:
        with self._watching.watch(principal) as revoked:
            await revoked.wait()
        self._end(REFUSED, "The session or token is no longer valid.")

    async def _wait_for_stop(self) -> None:
        await self._leaving.wait()
        if self._subscriptions:
            with anyio.move_on_after(_GRACE):
                await self._subscriptions.wait_until_ended()
        self._end(STOPPING, "The server stops. Connect again in a moment.")

    def _end(self, code: int, reason: str) -> None:
        """End the connection: cancel all its tasks, then close it with a code."""
        self._ending = self._ending or Ending(code, reason)
        self._group.cancel_scope.cancel()

    async def _close(self, ending: Ending) -> None:
        # A client that does not read cannot be told. The connection is then closed without a word.
        with anyio.move_on_after(_GRACE):
            try:
                await self._socket.close(ending.code, ending.reason)
            except (WebSocketDisconnect, RuntimeError):
                pass

    async def _send(self, message: ServerMessage) -> None:
        text = message.model_dump_json()
        async with self._sending:
            try:
                await self._socket.send_text(text)
                return
            except (WebSocketDisconnect, RuntimeError):
                pass  # a RuntimeError of uvicorn, too, says that the connection has been closed
        self._group.cancel_scope.cancel()
        await anyio.lowlevel.checkpoint()


def _explain_failure(error: BaseException, id: str) -> ErrorMessage:
    if isinstance(error, OSError) and is_full_disk(error):
        error = DiskFull()
    if isinstance(error, PinciteError):
        return describe_failure(error, id)
    fault = make_fault(error)
    return ErrorMessage(id=id, code=fault.code, message=fault.message, hint=fault.hint)
