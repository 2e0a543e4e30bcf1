"""Sign people in at an OpenID Connect issuer: authorization code with PKCE, state and nonce."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import httpx2
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from pincite.accounts.audit import Caller, record_action
from pincite.accounts.id_token import check_id_token, make_token_error
from pincite.accounts.openid_issuer import exchange_code, fetch_keys, fetch_metadata, fetch_user_info
from pincite.accounts.openid_people import IssuerPerson, find_or_make_person, read_person
from pincite.accounts.principal import Principal
from pincite.accounts.secret_values import hash_secret, make_secret
from pincite.accounts.sign_in_sessions import SignedIn, begin_session
from pincite.errors import Misuse, NotSignedIn, Taken
from pincite.settings_accounts import AccountSettings
from pincite.store import openid_requests
from pincite.store.database import Database
from pincite.store.openid_requests import OpenIdRequest

_SCOPES = "openid email profile"
_SECONDS = 600.0  # for a person to sign in at the issuer
_LONGEST_PATH = 2000


@dataclass(frozen=True, slots=True)
class OpenIdRedirect:
    """The address of the issuer, and a secret for a cookie that ties the sign-in to this browser."""

    url: str
    browser_secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class OpenIdSignIn:
    """The new session, and the path of the page that the person came from."""

    signed: SignedIn
    return_to: str


def begin_openid_sign_in(
    database: Database,
    settings: AccountSettings,
    client: httpx2.Client,
    redirect_uri: str,
    now: float,
    return_to: str = "/",
) -> OpenIdRedirect:
    """Return the address to which the browser goes; `redirect_uri` is the one to which the issuer sends it back."""
    if not settings.issuer:
        raise Misuse("No OpenID issuer is set.", "Set accounts.issuer and accounts.client_id.", "no_issuer")
    metadata = fetch_metadata(client, settings.issuer)
    state, browser, nonce, verifier = (make_secret() for _ in range(4))
    request = OpenIdRequest(
        hash_secret(state), hash_secret(browser), nonce, verifier, clean_path(return_to), now + _SECONDS
    )
    with database.writing() as connection:
        openid_requests.remove_expired(connection, now)
        openid_requests.create(connection, request)
    url = prepare_grant_uri(
        metadata.authorization_endpoint,
        settings.client_id,
        "code",
        redirect_uri,
        _SCOPES,
        state,
        nonce=nonce,
        code_challenge=create_s256_code_challenge(verifier),
        code_challenge_method="S256",
    )
    return OpenIdRedirect(url, browser)


def complete_openid_sign_in(
    database: Database,
    settings: AccountSettings,
    client: httpx2.Client,
    redirect_uri: str,
    parameters: Mapping[str, str],
    browser_secret: str,
    now: float,
    *,
    address: str = "",
    agent: str = "",
    old_secret: str = "",
) -> OpenIdSignIn:
    """Begin a session for the person whom the issuer sent back with these parameters of the address.

    Raise `NotSignedIn` if the sign-in was not begun in this browser, was completed before, or cannot be trusted.
    """
    hashes = hash_secret(parameters.get("state", "")), hash_secret(browser_secret)
    with database.writing() as connection:
        request = openid_requests.take(connection, *hashes, now)
    if request is None:
        raise NotSignedIn("This sign-in was not begun here, or took too long.", "Sign in again.", "state")
    if "error" in parameters or not parameters.get("code"):
        raise NotSignedIn("The issuer did not sign you in.", "Sign in again, or ask its administrator.", "refused")
    if parameters.get("iss", settings.issuer) != settings.issuer:
        raise make_token_error("iss")
    known = _ask_issuer(settings, client, redirect_uri, parameters["code"], request, now)
    try:
        signed = _begin(database, settings, known, now, address, agent, old_secret)
    except Taken:  # another sign-in of the same person may just have made the account
        signed = _begin(database, settings, known, now, address, agent, old_secret)
    return OpenIdSignIn(signed, request.return_to)


def clean_path(given: str) -> str:
    """Return a path of this server, or "/" for anything that could lead elsewhere."""
    leads_elsewhere = given.startswith("//") or "\\" in given or not given.isprintable()
    return given if given.startswith("/") and not leads_elsewhere and len(given) <= _LONGEST_PATH else "/"


def _ask_issuer(
    settings: AccountSettings, client: httpx2.Client, redirect_uri: str, code: str, request: OpenIdRequest, now: float
) -> IssuerPerson:
    metadata = fetch_metadata(client, settings.issuer)
    tokens = exchange_code(client, settings, metadata, code, request.verifier, redirect_uri)
    claims = check_id_token(
        tokens.id_token,
        fetch_keys(client, metadata),
        issuer=settings.issuer,
        client_id=settings.client_id,
        nonce=request.nonce,
        access_token=tokens.access_token,
        now=now,
    )
    if "email" not in claims:
        more = fetch_user_info(client, metadata, tokens)
        # The info of another subject would sign in another person.
        if more and more.get("sub") != claims["sub"]:
            raise make_token_error("userinfo")
        claims = more | claims
    return read_person(settings.issuer, claims)


def _begin(
    database: Database,
    settings: AccountSettings,
    known: IssuerPerson,
    now: float,
    address: str,
    agent: str,
    old_secret: str,
) -> SignedIn:
    with database.writing() as connection:
        nobody = Caller(Principal("", "guest", frozenset()), address)
        person = find_or_make_person(connection, settings, known, nobody, now)
        if person.disabled:
            raise NotSignedIn("This account is disabled.", "Ask an owner of the server.", "disabled")
        signed = begin_session(connection, person, now, address, agent, old_secret)
        caller = Caller(signed.principal, address)
        record_action(connection, caller, "sign_in", now, person.id, signed.principal.session, method="openid")
        return signed
