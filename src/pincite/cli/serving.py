"""Commands that stay: serve and worker."""

import errno
import signal
import sys
from typing import Annotated

import typer

from pincite.cli import door


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on; the default is this machine alone.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port to listen on.")] = None,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Start the server and print its address."""
    import socket

    from pincite.errors import Misuse
    from pincite.library import open_library
    from pincite.server import create_app, run
    from pincite.store.server_file import remove_server_file, write_server_file

    settings = door.settings(data, database, config)
    open_library(settings).close()  # what is wrong with the data folder is said here, in words
    host, port = host or settings.server.host, settings.server.port if port is None else port
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen()  # from here on who comes waits, until the house is open
        except OSError as error:
            hint = "Choose another with --host; 127.0.0.1 is this machine alone."
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                hint = "Choose another with --port, or stop the program that has it."
            raise Misuse(f"The server cannot listen on {host}:{port}: {error.strerror}.", hint) from None
        listening = settings.server.model_copy(update={"host": host})
        port = listener.getsockname()[1]
        mine = write_server_file(settings, host, port)
        try:
            app = create_app(
                settings.model_copy(update={"server": listening}),
                worker=settings.server.worker,
                warm=True,
                server_file=mine,
            )
            shown = f"[{host}]" if ":" in host else host
            sys.stdout.write(f"Pincite is at http://{shown}:{port}  (Ctrl-C stops it)\n")
            sys.stdout.flush()
            _show_sources()
            run(app, listener)
        finally:
            if mine:
                remove_server_file(settings, mine)


def _show_sources() -> None:
    """Write the line that lists each question's sources to stderr."""
    import logging

    from pincite.agent.source_log import LOGGER

    shown = logging.StreamHandler()
    shown.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    logger = logging.getLogger(LOGGER)
    logger.handlers = [shown]
    logger.setLevel(logging.INFO)


def worker(
    once: Annotated[bool, typer.Option("--once", help="Stop when nothing is left to do.")] = False,
    data: door.Data = None,
    database: door.Database = None,
    config: door.Config = None,
) -> None:
    """Read and embed what waits, until Ctrl-C.

    Several may run at once on this machine.
    """
    from pincite.cli.outcomes import Outcomes, work
    from pincite.index.embed import embedder
    from pincite.jobs import Worker
    from pincite.library import open_library
    from pincite.store import jobs

    settings = door.settings(data, database, config)
    house = open_library(settings)
    errors = door.console(stderr=True)
    with house.database.reading() as connection:
        waiting = jobs.pending(connection).total
    errors.print(f"{waiting:,} pieces of work are waiting." if waiting else "Nothing is waiting.")
    working = Worker(house, lambda: embedder(settings.embedding, settings.data))
    signal.signal(signal.SIGTERM, lambda *_: working.stop())
    try:
        work(house, errors, Outcomes(house, False, errors), None, once, working)
    except KeyboardInterrupt:
        errors.print("Stopped. What is left is given back.")
        raise
    finally:
        house.close()
