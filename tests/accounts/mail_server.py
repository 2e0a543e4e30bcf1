"""A mail server that takes every message, without encryption, and keeps it."""

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread


class MailServer(socketserver.ThreadingTCPServer):
    """Speaks SMTP on a free port of this machine. `refusal` is sent instead of taking a message."""

    daemon_threads = True

    def __init__(self, refusal: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.refusal = refusal
        self.said: list[str] = []  # by clients
        self.messages: list[str] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self._reply("220 mail.example.org")
        while line := self.rfile.readline().decode().strip():
            self.server.said.append(line)
            match line.split()[0].upper():
                case "DATA":
                    self._reply("354 go on")
                    self.server.messages.append(self._read_message())
                    self._reply("250 taken")
                case "RCPT" if self.server.refusal:
                    self._reply(self.server.refusal)
                case "QUIT":
                    self._reply("221 bye")
                    return
                case _:
                    self._reply("250 fine")

    def _read_message(self) -> str:
        lines = iter(lambda: self.rfile.readline().decode().rstrip("\r\n"), ".")
        return "\n".join(lines)

    def _reply(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def open_mail_server(refusal: str = "") -> Iterator[MailServer]:
    """A mail server that runs until the block ends."""
    with MailServer(refusal) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
