"""Make the secrets of sessions, tokens and links, and the hashes that are stored of them."""

import hashlib
import secrets

_BYTES = 32
_LONGEST = 200  # of what somebody sends as a secret


def make_secret() -> str:
    """Return a new secret of 32 random bytes, which may stand in an address."""
    return secrets.token_urlsafe(_BYTES)


def hash_secret(secret: str) -> str:
    """Return the SHA-256 of a secret in hexadecimal digits.

    A secret has 256 random bits, so that no slow hash is needed to make guessing useless.
    """
    return hashlib.sha256(secret[:_LONGEST].encode("utf-8", "surrogatepass")).hexdigest()
