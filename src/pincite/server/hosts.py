"""Which names this server goes by: a page whose name was turned to this machine's address may not speak to it."""

import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from pincite.settings import ServerSettings

_ANY = ("", "0.0.0.0", "::")
_OWN = "localhost"


def is_ours(given: str, settings: ServerSettings) -> bool:
    """Whether a `Host`, with or without a port, is one that this server is to be reached under."""
    name = _name(given)
    if "*" in settings.hosts or name in {_bare(each) for each in (settings.host, *settings.hosts)}:
        return True
    if name == _OWN or name.endswith(f".{_OWN}"):
        return True
    listens_everywhere = _bare(settings.host) in _ANY
    try:
        # A number leads where it says: only names can be turned to another machine.
        return ipaddress.ip_address(name).is_loopback or listens_everywhere
    except ValueError:
        return listens_everywhere and name in _machine()


def is_own_page(origin: str, host: str, named: Collection[str]) -> bool:
    """Whether an `Origin` is this server: the address it was asked at, or a name the settings give it."""
    at = urlsplit(origin).netloc.lower()
    return bool(at) and (at == host.lower() or _name(at) in {_bare(each) for each in named})


def _name(given: str) -> str:
    """A host without its port."""
    given = given.strip()
    name = given.partition("]")[0] if given.startswith("[") else given.partition(":")[0]
    return _bare(name)


def _bare(name: str) -> str:
    return name.strip().lower().strip("[]").removesuffix(".")


def _machine() -> tuple[str, ...]:
    own = _bare(socket.gethostname())
    short = own.partition(".")[0]
    return own, short, f"{short}.local"
