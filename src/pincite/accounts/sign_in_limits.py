"""Slow down failed sign-ins of one name and of one address, and lock them for a while.

An attempt is counted before its password is checked, so that many attempts at once do not get past the limit. A
success takes the count back.
"""

import hashlib
import ipaddress
import math

from pincite.errors import TooManyAttempts
from pincite.store import sign_in_attempts
from pincite.store.database import Connection
from pincite.store.people import fold_key
from pincite.store.sign_in_attempts import FailedAttempts

LOCK = 900.0  # seconds of the longest wait
_FORGET = 86_400.0  # seconds without a failure after which earlier ones no longer count
_FREE_OF_NAME = 5
_FREE_OF_ADDRESS = 30  # the people of one office may share an address
_DOUBLED_AT_MOST = 20


def admit_attempt(connection: Connection, name: str, address: str, now: float) -> None:
    """Count an attempt to sign in; raise `TooManyAttempts` if the name or the address has to wait."""
    limits = {make_name_key(name): _FREE_OF_NAME, make_address_key(address): _FREE_OF_ADDRESS}
    # Always in the same order, so that two transactions do not wait for each other.
    found = {key: _age(sign_in_attempts.lock(connection, key), now) for key in sorted(limits)}
    waits = [attempts.last + compute_delay(attempts.failures, limits[key]) - now for key, attempts in found.items()]
    if max(waits) > 0:
        raise TooManyAttempts(math.ceil(max(waits)))
    for key, attempts in found.items():
        sign_in_attempts.put(connection, key, FailedAttempts(attempts.failures + 1, now))


def clear_attempts(connection: Connection, name: str, address: str) -> None:
    """Forget the failures of a name after a success, and take back the attempt of the address.

    Other failures of the address stay: a person with one account must not guess at others without limit.
    """
    sign_in_attempts.take_back(connection, make_address_key(address))
    sign_in_attempts.forget(connection, make_name_key(name))


def remove_old_attempts(connection: Connection, now: float) -> int:
    """Remove failures that no longer count, and return of how many names and addresses."""
    return sign_in_attempts.forget_before(connection, now - _FORGET)


def compute_delay(failures: int, free: int) -> float:
    """Return the seconds between a failure and the next attempt: none for the first ones, then twice as many each."""
    return 0.0 if failures < free else min(LOCK, 2.0 ** min(failures - free, _DOUBLED_AT_MOST))


def make_name_key(name: str) -> str:
    """Return the key of a name. It is hashed, because people type passwords into the wrong field."""
    return "name:" + hashlib.sha256(fold_key(name.strip()).encode("utf-8", "surrogatepass")).hexdigest()


def make_address_key(address: str) -> str:
    """Return the key of an address: of IPv6 the first 64 bits, because one machine has all the others."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return f"address:{hashlib.sha256(address.encode('utf-8', 'surrogatepass')).hexdigest()}"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return f"address:{parsed.ipv4_mapped}"
        return f"address:{ipaddress.ip_network((parsed, 64), strict=False)}"
    return f"address:{parsed}"


def _age(attempts: FailedAttempts, now: float) -> FailedAttempts:
    if now - attempts.last > _FORGET:
        return FailedAttempts(0, 0.0)
    # A clock that was set back must not lock anybody for longer than the lock.
    return FailedAttempts(attempts.failures, min(attempts.last, now))
