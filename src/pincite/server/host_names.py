"""Check the host names of this server, so that DNS rebinding cannot let another site's page talk to it."""

import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from pincite.settings_server import ServerSettings

_ANY = ("", "0.0.0.0", "::")
_OWN = "localhost"


def is_own_host(given: str, settings: ServerSettings) -> bool:
    """Return whether a `Host` header, with or without a port, names this server."""
    name = _strip_port(given)
    if "*" in settings.hosts or name in {_normalise_name(each) for each in (settings.host, *settings.hosts)}:
        return True
    if name == _OWN or name.endswith(f".{_OWN}"):
        return True
    listens_everywhere = _normalise_name(settings.host) in _ANY
    try:
        # An IP address cannot be rebound; only names can.
        return ipaddress.ip_address(name).is_loopback or listens_everywhere
    except ValueError:
        return listens_everywhere and name in _list_machine_names()


def is_loopback_host(given: str) -> bool:
    """Return whether a `Host` header, with or without a port, is a name of the machine itself for itself."""
    name = _strip_port(given)
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == _OWN


def is_own_page(origin: str, host: str, named: Collection[str], url: str = "") -> bool:
    """Return whether an `Origin` is this server.

    It is the host of the request, the address `url` of the settings, or a name of the settings with the usual port:
    another port of the same machine may be another program.
    """
    try:
        at, own = urlsplit(origin.lower()), urlsplit(url.lower())
        is_usual_port = at.port in (None, 80, 443)
    except ValueError:  # no address, such as http://[
        return False
    if not at.netloc:
        return False
    if at.netloc == host.lower() or (at.scheme, at.netloc) == (own.scheme, own.netloc):
        return True
    return is_usual_port and _strip_port(at.netloc) in {_normalise_name(each) for each in named}


def _strip_port(given: str) -> str:
    """Return a host without its port."""
    given = given.strip()
    name = given.partition("]")[0] if given.startswith("[") else given.partition(":")[0]
    return _normalise_name(name)


def _normalise_name(name: str) -> str:
    return name.strip().lower().strip("[]").removesuffix(".")


def _list_machine_names() -> tuple[str, ...]:
    own = _normalise_name(socket.gethostname())
    short = own.partition(".")[0]
    return own, short, f"{short}.local"
