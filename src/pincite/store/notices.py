"""Tell other processes that something changed: a topic and a key, delivered when the transaction is committed.

On PostgreSQL a notice travels by NOTIFY. It carries no data: a process that hears it reads the tables. A notice may
be lost while a connection is down, so each listener also looks by itself now and then. On SQLite there are no notices;
there each process looks at the tables.
"""

import logging
import selectors
import socket
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from pincite.store.database import Database

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger(__name__)

Topic = Literal["conversation", "stop", "jobs", "documents", "settings", "access", "files"]

_CHANNEL = "pincite_"  # and the topic
_LONGEST_KEY = 7000  # bytes; PostgreSQL takes 8000
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0  # seconds before a new connection


def send_notice(connection: Connection, topic: Topic, key: str) -> None:
    """Tell the listeners of a topic that something with this key changes with the caller's transaction."""
    if connection.dialect.name != "postgresql":
        return
    if len(key.encode()) > _LONGEST_KEY:
        raise ValueError("The key of a notice is too long.")
    connection.execute(text("SELECT pg_notify(:channel, :key)"), {"channel": _CHANNEL + topic, "key": key})


class NoticeListener:
    """Hears the notices of all processes on a database, in a thread with a connection of its own.

    After each new connection, every callback is called with the key "": notices may have been missed, look at
    everything again. On SQLite nothing is ever heard.
    """

    def __init__(self, database: Database) -> None:
        self.delivers = not database.sqlite  # whether notices arrive at all
        self._database = database
        self._callbacks: dict[str, list[Callable[[str], None]]] = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._connected = threading.Event()
        self._thread: threading.Thread | None = None
        self._waker: socket.socket | None = None
        self._woken: socket.socket | None = None

    @property
    def is_connected(self) -> bool:
        """Whether notices arrive at this moment."""
        return self._connected.is_set()

    def wait_until_connected(self, seconds: float) -> bool:
        """Wait for the connection; return whether there is one."""
        return self._connected.wait(seconds)

    def subscribe(self, topic: Topic, callback: Callable[[str], None]) -> Callable[[], None]:
        """Call a function with the key of each notice of a topic; return a function that ends this.

        It is called in the listener's thread and must be quick.
        """
        with self._lock:
            self._callbacks.setdefault(topic, []).append(callback)
        self._wake()

        def unsubscribe() -> None:
            with self._lock, suppress(ValueError):
                self._callbacks[topic].remove(callback)

        return unsubscribe

    def start(self) -> None:
        """Begin to listen, once. It needs no connection yet: a database that is away is tried again."""
        if self.delivers and self._thread is None and not self._closing.is_set():
            self._waker, self._woken = socket.socketpair()
            self._thread = threading.Thread(target=self._run, name="notices", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the thread and its connection. No callback is called afterwards, unless one of them closes."""
        self._closing.set()
        self._wake()
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join()
            self._thread = None
        for end in (self._waker, self._woken):
            if end:
                end.close()
        self._waker = self._woken = None

    def _wake(self) -> None:
        if self._waker:
            self._waker.send(b".")

    def _run(self) -> None:
        import psycopg  # only PostgreSQL needs it

        pause = _FIRST_PAUSE
        while not self._closing.is_set():
            try:
                with closing(self._connect()) as connection:
                    pause = _FIRST_PAUSE
                    self._listen(connection)
            except (psycopg.Error, SQLAlchemyError, OSError) as error:
                if not self._closing.is_set() and pause == _FIRST_PAUSE:  # once, not with every attempt
                    said = " ".join(str(error).split())
                    log.warning("Notices of other processes do not arrive; trying again. %s", said)
            self._connected.clear()
            self._closing.wait(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _connect(self) -> "psycopg.Connection[Any]":
        import psycopg

        pooled = self._database.direct.raw_connection()
        connection = pooled.driver_connection
        assert isinstance(connection, psycopg.Connection)
        pooled.detach()  # it is never returned, and no limit of the pool counts it
        connection.autocommit = True
        return connection

    def _listen(self, connection: "psycopg.Connection[Any]") -> None:
        assert self._woken
        heard: set[str] = set()
        with selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while not self._closing.is_set():
                self._listen_to_new(connection, heard)
                self._connected.set()
                for notice in connection.notifies(timeout=0):
                    self._call(notice.channel.removeprefix(_CHANNEL), notice.payload)
                if connection.closed:
                    return
                if any(key.fileobj is self._woken for key, _ in selector.select()):
                    self._woken.recv(4096)

    def _listen_to_new(self, connection: "psycopg.Connection[Any]", heard: set[str]) -> None:
        """Listen to topics that have subscribers by now, and let these look at what they missed."""
        with self._lock:
            new = [topic for topic, callbacks in self._callbacks.items() if callbacks and topic not in heard]
        for topic in new:
            connection.execute(f'LISTEN "{_CHANNEL}{topic}"')
            heard.add(topic)
            self._call(topic, "")

    def _call(self, topic: str, key: str) -> None:
        with self._lock:
            callbacks = list(self._callbacks.get(topic, ()))
        for callback in callbacks:
            if self._closing.is_set():
                return
            try:
                callback(key)
            except Exception:  # one subscriber must not silence the others
                log.exception("A subscriber to the notices of %s failed.", topic)
