"""Explain why a WebSocket connection failed, and whether it is worth another attempt."""

from collections.abc import Mapping
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus, InvalidURI

from pincite.errors import Busy, NotSignedIn, PinciteError

_POLICY = 1008  # a close code: the server refuses this client
_TOKEN_HINT = "Give a token with --token or in PINCITE_TOKEN; `pincite accounts tokens create` makes one on the server."
_FIRST_OWN, _LAST_OWN = 4000, 4999  # close codes of the protocol, which docs/websocket.md lists


def make_error(message: Mapping[str, Any]) -> PinciteError:
    """Return the error that an `error` message describes."""
    params = message.get("params")
    error = PinciteError(
        str(message.get("message") or "The server reported an error."),
        _TOKEN_HINT if message.get("code") == NotSignedIn.code else str(message.get("hint") or ""),
        str(message.get("reason") or ""),
        params if isinstance(params, dict) else {},
    )
    error.code = str(message.get("code") or error.code)
    return error


def is_final(error: Exception) -> bool:
    """Return whether a new attempt would fail alike: the server refuses this client."""
    if isinstance(error, ConnectionClosed):
        code = error.rcvd.code if error.rcvd else 0
        return code == _POLICY or _FIRST_OWN <= code <= _LAST_OWN
    if isinstance(error, InvalidStatus):
        return error.response.status_code < 500
    return isinstance(error, PinciteError | InvalidURI)


def explain_failure(error: Exception) -> PinciteError:
    """Return the error to show for a connection that could not be made or was lost."""
    match error:
        case PinciteError():
            return error
        case InvalidStatus() if error.response.status_code in (401, 403):
            return PinciteError("The server refused the connection.", "Use the name that it was started for.")
        case InvalidStatus():
            return PinciteError(
                f"The server answered {error.response.status_code} in place of a WebSocket.",
                "Is it a Pincite server of this version? `pincite serve` starts one.",
            )
        case ConnectionClosed() if error.rcvd and error.rcvd.reason:
            return Busy(f"The server closed the connection: {error.rcvd.reason}.")
        case ConnectionClosed():
            return Busy("The connection to the server was lost.")
        case InvalidMessage():
            return Busy("The server ended the connection before it was made.")
        case TimeoutError():
            return Busy("The server does not answer.", "Check that it runs, then try again.")
        case _:
            return Busy(f"The server cannot be reached: {error}.", "Check its address, or start it.")
