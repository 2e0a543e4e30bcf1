"""The `serve` and `worker` commands, which run until they are stopped."""

import errno
import ipaddress
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options

if TYPE_CHECKING:
    from pincite.jobs import Worker

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
    from pincite.answer.source_log import LOGGER as SOURCES
    from pincite.cli.patient_opening import open_library_patiently
    from pincite.errors import Misuse
    from pincite.server import create_app, run_server
    from pincite.store.server_file import remove_server_file, write_server_file
    from pincite.telemetry.start import check_traces, write_logs

    settings = options.add_projects(options.load_settings(data, database, config), project or [])
    check_traces(settings.telemetry)
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
    library = open_library_patiently(settings, options.make_console(stderr=True))
    try:
        if is_team:
            check_has_owner(library.database)
    finally:
        library.close()
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Before it listens, so that connections made while the server starts have it too.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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
            write_logs(settings.telemetry, SOURCES)
            run_server(app, listener, lambda: _print_address(f"http://{shown}:{port}"))
        finally:
            if mine:
                remove_server_file(settings, mine)


def _print_address(address: str) -> None:
    """Print where the server listens. Programs that start it read the line."""
    sys.stdout.write(f"Pincite is at {address}  (Ctrl-C stops it)\n")
    sys.stdout.flush()


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


def _is_this_machine(host: str) -> bool:
    """Whether only programs of this machine reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def worker(
    concurrency: Annotated[
        int,
        typer.Option(
            "--concurrency",
            min=0,
            max=64,
            metavar="N",
            help="Documents to read at once, each in a process of its own; 0 is one per core, at most 2.",
        ),
    ] = 0,
    once: Annotated[bool, typer.Option("--once", help="Stop when no work is left.")] = False,
    metrics_port: Annotated[
        int | None,
        typer.Option("--metrics-port", min=0, max=65535, help="Serve the metrics of this worker on this port."),
    ] = None,
    metrics_host: Annotated[
        str, typer.Option("--metrics-host", help="Address for them; others than this machine's own need a token.")
    ] = "127.0.0.1",
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Read and embed waiting documents until it is stopped.

    Several workers may run at once, on this machine or on others that use the same database and files. `pincite serve`
    has a worker of its own unless `server.worker` is false.
    SIGTERM lets the running documents end for `jobs.drain_seconds`; a second one, or Ctrl-C, stops at once. Unfinished
    work returns to the queue.

    \b
    pincite worker
    pincite worker --concurrency 8
    pincite worker --metrics-port 9100
    """
    from pincite.cli.ingestion_output import OutcomeReporter, run_worker
    from pincite.cli.patient_opening import open_library_patiently
    from pincite.embedding import create_embedder
    from pincite.jobs import Worker
    from pincite.library.process_numbers import ProcessNumbers
    from pincite.store import job_queue
    from pincite.store.process_names import get_process_name
    from pincite.telemetry.start import check_traces, send_traces, write_logs

    settings = options.load_settings(data, database, config)
    check_traces(settings.telemetry)
    write_logs(settings.telemetry)
    errors = options.make_log_console() if settings.telemetry.logs == "json" else options.make_console(stderr=True)
    library = open_library_patiently(settings, errors)
    with library.database.reading() as connection:
        waiting = job_queue.count_pending(connection).total
    working = Worker(library, lambda: create_embedder(settings.embedding, settings.data), concurrency)
    errors.print(f"{waiting:,} pieces of work are waiting." if waiting else "Nothing is waiting.")
    errors.print(f"Up to {working.readers} documents are read at once.")
    try:
        with (
            _draining_on_signals(working, settings.jobs.drain_seconds, is_quiet=settings.telemetry.logs == "json"),
            ExitStack() as telemetry,
        ):
            telemetry.enter_context(send_traces(settings.telemetry, "pincite-worker", get_process_name()))
            if metrics_port is not None:
                from pincite.cli.worker_metrics import serve_metrics

                numbers, is_own = ProcessNumbers(library), _is_this_machine(metrics_host)
                serving = serve_metrics(numbers, metrics_host, metrics_port, settings.telemetry, is_own)
                port = telemetry.enter_context(serving)
                errors.print(f"Metrics are at http://{metrics_host}:{port}/metrics")
            run_worker(library, errors, OutcomeReporter(library, False, errors), None, once, working)
    except KeyboardInterrupt:
        errors.print("Stopped. The remaining work is back in the queue.")
        raise
    finally:
        library.close()
    if working.is_leaving and not once:
        errors.print("Stopped. What was not finished is back in the queue.")


@contextmanager
def _draining_on_signals(working: "Worker", seconds: float, is_quiet: bool) -> Iterator[None]:
    """Let SIGTERM end the work in order, and a second signal at once. The first Ctrl-C stops at once as everywhere."""

    def handle(number: int, _frame: object) -> None:
        if working.is_leaving:
            working.stop()
        elif number == signal.SIGTERM:
            working.drain(seconds)
            if is_quiet:
                return
            # Not by a stream: the signal may have come in the middle of a line.
            said = (
                f"\nStopping: {working.running} running jobs get {seconds:g} s to end; a second signal stops at once.\n"
            )
            os.write(2, said.encode())
        else:
            raise KeyboardInterrupt

    former = {number: signal.signal(number, handle) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
