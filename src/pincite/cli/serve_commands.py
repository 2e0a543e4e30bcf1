"""The `serve` and `worker` commands, which run until they are stopped."""

import errno
import ipaddress
import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import options

_LONGEST_SECRET = 200  # bytes


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; by default only this machine can connect.")
    ] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port to listen on.")] = None,
    project: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="A folder that questions may be about and that changes may be applied to."),
    ] = None,
    until_stdin_closes: Annotated[
        bool,
        typer.Option(
            "--until-stdin-closes",
            help="Stop when stdin is closed, and answer for no other command; for a program that starts this server. "
            "In team mode the first line of stdin is a secret, with which that program identifies itself on /ws.",
        ),
    ] = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Start the web page and the API, and print their address.

    Without accounts the server listens on this machine only. To serve a network, run `pincite accounts init` and set
    accounts.mode to team.

    \b
    pincite serve
    pincite serve --host 0.0.0.0 --port 9000
    pincite serve --project ~/code/shop --project ~/code/api
    """
    import socket

    from pincite.accounts.first_owner import check_has_owner
    from pincite.errors import Misuse
    from pincite.library import open_library
    from pincite.server import create_app, run_server
    from pincite.store.server_file import remove_server_file, write_server_file

    settings = options.add_projects(options.load_settings(data, database, config), project or [])
    is_team = settings.accounts.mode == "team"
    secret = _read_secret() if until_stdin_closes and is_team else ""
    if until_stdin_closes:
        threading.Thread(target=_stop_with_stdin, name="stdin", daemon=True).start()
    host, port = host or settings.server.host, settings.server.port if port is None else port
    if not is_team and not _is_this_machine(host):
        raise Misuse(
            f"The server has no accounts, so that everybody who reaches {host} could read and change everything. It "
            "listens on this machine only.",
            "Listen on 127.0.0.1, or give people accounts: run `pincite accounts init --name NAME`, set "
            'accounts.mode = "team" (PINCITE_ACCOUNTS__MODE=team), and start the server again.',
            "local_on_network",
        )
    library = open_library(settings)  # raises a readable error if the data folder is unusable
    try:
        if is_team:
            check_has_owner(library.database)
    finally:
        library.close()
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen()  # from now on, clients wait until the server has started
        except OSError as error:
            hint = "Choose another address with --host; 127.0.0.1 accepts connections from this machine only."
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                hint = "Choose another port with --port, or stop the program that uses it."
            raise Misuse(f"The server cannot listen on {host}:{port}: {error.strerror}.", hint) from None
        port = listener.getsockname()[1]
        listening = settings.server.model_copy(update={"host": host, "port": port})  # links name both
        mine = None if until_stdin_closes else write_server_file(settings, host, port)
        try:
            app = create_app(
                settings.model_copy(update={"server": listening}),
                worker=settings.server.worker,
                warm=True,
                server_file=mine,
                secret=secret,
            )
            shown = f"[{host}]" if ":" in host else host
            sys.stdout.write(f"Pincite is at http://{shown}:{port}  (Ctrl-C stops it)\n")
            sys.stdout.flush()
            _log_sources()
            run_server(app, listener)
        finally:
            if mine:
                remove_server_file(settings, mine)


def _read_secret() -> str:
    """Return the first line of stdin, without taking more of it."""
    line = bytearray()
    with suppress(OSError):
        while len(line) < _LONGEST_SECRET and (byte := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
            line += byte
    return line.decode("ascii", "replace")


def _stop_with_stdin() -> None:
    """Stop the server when stdin is closed, as the system does when the program that started the server ends."""
    with suppress(OSError):
        while os.read(sys.stdin.fileno(), 1024):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


def _log_sources() -> None:
    """Print the log line with the sources of each question on stderr."""
    import logging

    from pincite.answer.source_log import LOGGER

    shown = logging.StreamHandler()
    shown.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    logger = logging.getLogger(LOGGER)
    logger.handlers = [shown]
    logger.setLevel(logging.INFO)


def _is_this_machine(host: str) -> bool:
    """Whether only programs of this machine reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def worker(
    once: Annotated[bool, typer.Option("--once", help="Stop when no work is left.")] = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Read and embed waiting documents until Ctrl-C.

    Several workers may run at once on this machine. `pincite serve` has a worker of its own unless `server.worker` is
    false.
    """
    from pincite.cli.ingestion_output import OutcomeReporter, run_worker
    from pincite.embedding import create_embedder
    from pincite.jobs import Worker
    from pincite.library import open_library
    from pincite.store import job_queue

    settings = options.load_settings(data, database, config)
    library = open_library(settings)
    errors = options.make_console(stderr=True)
    with library.database.reading() as connection:
        waiting = job_queue.count_pending(connection).total
    errors.print(f"{waiting:,} pieces of work are waiting." if waiting else "Nothing is waiting.")
    working = Worker(library, lambda: create_embedder(settings.embedding, settings.data))
    signal.signal(signal.SIGTERM, lambda *_: working.stop())
    try:
        run_worker(library, errors, OutcomeReporter(library, False, errors), None, once, working)
    except KeyboardInterrupt:
        errors.print("Stopped. The remaining work is back in the queue.")
        raise
    finally:
        library.close()
