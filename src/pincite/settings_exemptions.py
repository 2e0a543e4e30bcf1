"""Parse the entries of the setting `web.allow`: hosts and networks that may be reached although they are private."""

import ipaddress
import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

PORTS = frozenset({80, 443, 8080, 8443})
HOST = re.compile(r"[a-z0-9._:-]+")


@dataclass(frozen=True, slots=True)
class Exemption:
    """A host or network that may be reached although it is private: on one port, or on the usual ports."""

    where: str | IPv4Network | IPv6Network
    port: int | None

    def covers(self, where: str | IPv4Address | IPv6Address, port: int) -> bool:
        if port != self.port and (self.port or port not in PORTS):
            return False
        if isinstance(self.where, str) or isinstance(where, str):
            return self.where == where
        return where in self.where


def parse_exemption(entry: str) -> Exemption:
    """Parse a host or an address, with an optional port, or a network in CIDR; raise `ValueError` for anything else."""
    given = entry.strip().lower()
    host, colon, digits = given.rpartition(":")
    has_port = bool(colon) and digits.isdecimal() and (":" not in host or host.endswith("]"))
    where = (host if has_port else given).removeprefix("[").removesuffix("]").rstrip(".")
    port = int(digits) if has_port else None
    # A port belongs to one host: a network has the usual ones.
    if port is None or (0 < port < 65_536 and "/" not in where):
        try:
            return Exemption(ipaddress.ip_network(where, strict=False), port)
        except ValueError:
            if HOST.fullmatch(where) and ":" not in where:
                return Exemption(where, port)
    raise ValueError(f"{entry!r} is neither a host nor a network; write minio.example, 10.0.0.5:9000 or 10.0.0.0/8")
