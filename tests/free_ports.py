"""Find ports for servers of the tests."""

import contextlib
import secrets
import socket


def find_free_port() -> int:
    """A port for a server that starts in a moment.

    It is below those that the system gives to any connection: one of these would often be taken meanwhile.
    """
    while True:
        port = 10_000 + secrets.randbelow(20_000)  # `random` begins alike in all processes of the tests
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
