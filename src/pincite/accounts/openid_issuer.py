"""Talk to an OpenID Connect issuer: its discovery document, its keys, and the exchange of a code for tokens."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2
from authlib.oidc.discovery import get_well_known_url

from pincite.errors import IssuerError
from pincite.settings_accounts import AccountSettings

SECONDS = 15.0  # to wait for the issuer


@dataclass(frozen=True, slots=True)
class IssuerMetadata:
    """The part of a discovery document that signing in needs."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str
    auth_methods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IssuedTokens:
    """The tokens that the issuer gave for a code."""

    id_token: str = field(repr=False)
    access_token: str = field(repr=False)


def fetch_metadata(client: httpx2.Client, issuer: str) -> IssuerMetadata:
    """Return the discovery document of an issuer; raise `IssuerError` if it is not one, or is that of another."""
    found = _request_json(client, "GET", get_well_known_url(issuer, external=True))
    if found.get("issuer") != issuer:
        raise IssuerError(
            "The discovery document names another issuer.",
            f"Set accounts.issuer exactly as the issuer writes it: {str(found.get('issuer'))[:200]!r}.",
            "discovery",
        )
    methods = found.get("token_endpoint_auth_methods_supported")
    return IssuerMetadata(
        issuer,
        _check_endpoint(found, "authorization_endpoint", issuer),
        _check_endpoint(found, "token_endpoint", issuer),
        _check_endpoint(found, "jwks_uri", issuer),
        _check_endpoint(found, "userinfo_endpoint", issuer) if found.get("userinfo_endpoint") else "",
        tuple(map(str, methods)) if isinstance(methods, list) else ("client_secret_basic",),
    )


def fetch_keys(client: httpx2.Client, metadata: IssuerMetadata) -> list[dict[str, Any]]:
    """Return the public keys with which the issuer signs."""
    keys = _request_json(client, "GET", metadata.jwks_uri).get("keys")
    return [key for key in keys if isinstance(key, dict)] if isinstance(keys, list) else []


def exchange_code(
    client: httpx2.Client,
    settings: AccountSettings,
    metadata: IssuerMetadata,
    code: str,
    verifier: str,
    redirect_uri: str,
) -> IssuedTokens:
    """Exchange the code of a return from the issuer for tokens, with the verifier of PKCE."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": redirect_uri,
        "code_verifier": verifier,
        "client_id": settings.client_id,
    }
    secret, basic = settings.client_secret.get_secret_value(), None
    if secret and "client_secret_basic" in metadata.auth_methods:
        basic = httpx2.BasicAuth(_quote(settings.client_id), _quote(secret))
    elif secret:
        form["client_secret"] = secret
    answer = _request_json(client, "POST", metadata.token_endpoint, data=form, auth=basic)
    id_token = answer.get("id_token")
    if not isinstance(id_token, str):
        raise IssuerError("The issuer gave no ID token.", "Check that it supports OpenID Connect.", "token")
    return IssuedTokens(id_token, str(answer.get("access_token") or ""))


def fetch_user_info(client: httpx2.Client, metadata: IssuerMetadata, tokens: IssuedTokens) -> dict[str, Any]:
    """Return what the issuer says about the person beside the ID token; nothing if it has no place for it."""
    if not metadata.userinfo_endpoint or not tokens.access_token:
        return {}
    headers = {"Authorization": f"Bearer {tokens.access_token}"}
    return _request_json(client, "GET", metadata.userinfo_endpoint, headers=headers)


def _request_json(
    client: httpx2.Client,
    method: str,
    url: str,
    *,
    data: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    auth: httpx2.Auth | None = None,
) -> dict[str, Any]:
    """Send a request without following redirects and return the JSON object of the answer."""
    accept = {"Accept": "application/json"} | dict(headers or {})
    try:
        answer = client.request(
            method, url, data=data, headers=accept, auth=auth, timeout=SECONDS, follow_redirects=False
        )
        # An error of the issuer may repeat what was sent, so its text is not shown.
        if answer.status_code != 200:
            raise IssuerError(
                f"The issuer answered {answer.status_code}.",
                "Check accounts.issuer, accounts.client_id and accounts.client_secret.",
                "status",
                {"status": answer.status_code},
            )
        found = answer.json()
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise IssuerError(
            f"The issuer cannot be reached: {type(error).__name__}.", "Check accounts.issuer, then try again.", "down"
        ) from error
    except ValueError:
        raise IssuerError("The answer of the issuer is not JSON.", "Check accounts.issuer.", "json") from None
    if not isinstance(found, dict):
        raise IssuerError("The answer of the issuer is not an object.", "Check accounts.issuer.", "json")
    return found


def _check_endpoint(found: Mapping[str, Any], name: str, issuer: str) -> str:
    """Return an address of the discovery document. That of an issuer with TLS has TLS too."""
    url = found.get(name)
    allowed = ("https://",) if issuer.startswith("https://") else ("https://", "http://")
    if not isinstance(url, str) or not url.startswith(allowed):
        raise IssuerError(f"The discovery document has no usable {name}.", "Check accounts.issuer.", "discovery")
    return url


def _quote(value: str) -> str:
    # RFC 6749 asks to encode both parts before they are joined.
    from urllib.parse import quote_plus

    return quote_plus(value)
