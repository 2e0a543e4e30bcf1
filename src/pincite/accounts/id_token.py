"""Check an ID token: its signature with the issuer's keys, and its claims."""

from collections.abc import Iterable, Mapping
from typing import Any

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from pincite.errors import NotSignedIn

# Signatures by a private key of the issuer alone: with a shared secret, a client could sign too.
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_KEY_TYPES = ("RSA", "EC", "OKP")
_LEEWAY = 120  # seconds by which the clocks of two servers may differ
_LONGEST_SUBJECT = 255


def check_id_token(
    token: str,
    keys: Iterable[Mapping[str, Any]],
    *,
    issuer: str,
    client_id: str,
    nonce: str,
    access_token: str,
    now: float,
) -> dict[str, Any]:
    """Return the claims of an ID token; raise `NotSignedIn` if it is not for this sign-in, or not from the issuer."""
    usable = [dict(key) for key in keys if key.get("kty") in _KEY_TYPES and key.get("use", "sig") == "sig"]
    try:
        decoded = jwt.decode(token, KeySet.import_key_set({"keys": usable}), algorithms=list(_ALGORITHMS))
        options = {
            "iss": {"essential": True, "value": issuer},
            "aud": {"essential": True, "value": client_id},
            "nonce": {"essential": True, "value": nonce},
        }
        params = {"nonce": nonce, "client_id": client_id, "access_token": access_token}
        claims = CodeIDToken(decoded.claims, decoded.header, options, params)
        claims.validate(now=int(now), leeway=_LEEWAY)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise make_token_error(type(error).__name__) from error
    subject = claims["sub"]
    if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_SUBJECT or not subject.isprintable():
        raise make_token_error("subject")
    return dict(claims)


def make_token_error(detail: str) -> NotSignedIn:
    """Return the error for a token that cannot be trusted."""
    return NotSignedIn(f"The answer of the issuer cannot be trusted ({detail}).", "Sign in again.", "id_token")
