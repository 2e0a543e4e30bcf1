"""Decide who may watch a server: read its metrics, and the details of its state."""

import hmac
import ipaddress

from starlette.datastructures import Headers
from starlette.types import Scope

from pincite.errors import PinciteError
from pincite.server.callers import find_address, find_caller, read_bearer
from pincite.server.host_names import is_loopback_host
from pincite.settings import Settings

# A request with a header that begins so was passed on by a proxy, for somebody else.
_FORWARDED = ("forwarded", "x-forwarded-", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip", "via")


async def may_read_metrics(scope: Scope, settings: Settings) -> bool:
    """Return whether a request may read `/metrics`, as `telemetry.metrics` asks."""
    chosen = settings.telemetry
    if chosen.metrics == "off":
        return False
    given, token = read_bearer(Headers(scope=scope)), chosen.metrics_token.get_secret_value()
    if given and token and hmac.compare_digest(given.encode(), token.encode()):
        return True
    if chosen.metrics == "local" and is_local(scope):
        return True
    return await is_administrator(scope, settings)


async def may_read_details(scope: Scope, settings: Settings) -> bool:
    """Return whether a request may see addresses and messages of errors: from this machine, or an administrator."""
    return is_local(scope) or await is_administrator(scope, settings)


def is_local(scope: Scope) -> bool:
    """Return whether a program of this machine made a request itself, and no proxy passed it on."""
    headers = Headers(scope=scope)
    if any(name.startswith(_FORWARDED) for name in headers) or not is_loopback_host(headers.get("host", "")):
        return False
    try:
        return ipaddress.ip_address(find_address(scope)).is_loopback
    except ValueError:
        return False


async def is_administrator(scope: Scope, settings: Settings) -> bool:
    """Return whether a request has the session or the token of an administrator; False if it has neither."""
    try:
        caller = await find_caller(scope, settings)
        caller.principal.check_scope("admin")
    except PinciteError:
        return False
    return True
