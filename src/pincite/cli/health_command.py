"""The `health` command: ask a running server whether it works, as a container's health check does."""

import sys
from typing import Annotated

import typer

from pincite.cli import options

_LARGEST = 10_000  # bytes of a reply that are shown


def health(
    url: Annotated[
        str | None, typer.Option("--url", help="Address of the server; default is the one of the settings.")
    ] = None,
    alive: Annotated[
        bool, typer.Option("--alive", help="Ask only whether the process responds, not whether its database does.")
    ] = False,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="Longest time to wait for the reply.")] = 5,
    config: options.Config = None,
) -> None:
    """Ask a running server whether it is ready to answer.

    The exit status is 0 if it is, and 1 if not.

    \b
    pincite health
    pincite health --alive --url http://127.0.0.1:9000
    """
    address = (url or _find_address(config)).rstrip("/") + ("/health" if alive else "/ready")
    try:
        reply = _open_directly(address, seconds)
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{address}: {_explain(error)}\n")
        raise typer.Exit(1) from None
    sys.stdout.write(reply.strip() + "\n")


def _find_address(config: "options.Config") -> str:
    """Return the address at which the server of the settings is reached from this machine."""
    server = options.load_settings(None, None, config).server
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(server.host, server.host)
    return f"http://[{host}]:{server.port}" if ":" in host else f"http://{host}:{server.port}"


def _open_directly(address: str, seconds: float) -> str:
    """Return the body of a reply with status 200. The proxies of the environment are for other servers."""
    import urllib.request  # not at the top: every command would wait for it

    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(address, timeout=seconds) as reply:
        body: bytes = reply.read(_LARGEST)
    return body.decode("utf-8", "replace")


def _explain(error: OSError | ValueError) -> str:
    import urllib.error

    if isinstance(error, urllib.error.HTTPError):
        body = error.read(_LARGEST).decode("utf-8", "replace").strip()
        return f"status {error.code}" + (f": {body}" if body else "")
    if isinstance(error, urllib.error.URLError):
        return str(error.reason)
    return str(error)
