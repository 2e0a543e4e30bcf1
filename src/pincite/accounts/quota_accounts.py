"""Name the account that pays for a question: a person, or the network address of a guest."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from pincite.accounts.principal import Principal
from pincite.errors import Misuse
from pincite.store import user_settings
from pincite.store.database import Connection
from pincite.store.people import Role

_KEY = "quota.guest_key"
_IPV6_NETWORK = 64  # bits; one subscriber has all addresses of such a network


@dataclass(frozen=True, slots=True)
class QuotaAccount:
    """The id under which credits are counted, and the role that decides the allowance."""

    id: str
    role: Role

    @property
    def is_guest(self) -> bool:
        return self.role == "guest"


def find_account(connection: Connection, principal: Principal, address: str, month: str) -> QuotaAccount:
    """Return the account that pays for a request: the person's, or for a guest that of the network address."""
    if principal.role == "guest":
        return make_guest_account(load_guest_key(connection), address, month)
    return make_person_account(principal)


def make_person_account(principal: Principal) -> QuotaAccount:
    """Return the account of a signed-in person."""
    if not principal.user:
        raise Misuse("A command at the terminal has no account that could pay.", "Name the person who asks.")
    return QuotaAccount(principal.user, principal.role)


def make_guest_account(key: bytes, address: str, month: str) -> QuotaAccount:
    """Return the account of a guest at a network address. It is another one in every month.

    Only a keyed hash of the address is stored: nobody can find the address without the key, and nobody can link the
    months of one guest.
    """
    digest = hmac.new(key, f"{month} {find_network(address)}".encode(), hashlib.sha256).hexdigest()
    return QuotaAccount(f"guest-{digest[:32]}", "guest")


def find_network(address: str) -> str:
    """Return the part of an address that one subscriber has: all of an IPv4 address, 64 bits of an IPv6 address."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"  # such clients count together
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        bits = int(parsed) >> (128 - _IPV6_NETWORK) << (128 - _IPV6_NETWORK)
        return f"{IPv6Address(bits)}/{_IPV6_NETWORK}"
    return str(parsed)


def load_guest_key(connection: Connection) -> bytes:
    """Return the key of the hashes of addresses. The first call makes it, in a transaction that writes."""
    known = user_settings.get_choice(connection, "", _KEY)
    if not known:
        user_settings.add_choice(connection, "", _KEY, secrets.token_hex(32))
        known = user_settings.get_choice(connection, "", _KEY)
    return bytes.fromhex(known)
