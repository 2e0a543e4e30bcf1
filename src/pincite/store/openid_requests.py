"""Store sign-ins at an OpenID issuer between the redirect to the issuer and the return from it."""

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, insert, select

from pincite.store.account_schema import openid_requests


@dataclass(frozen=True, slots=True)
class OpenIdRequest:
    """A sign-in that has begun: hashes of its state and of the browser's cookie, and the values to check later."""

    state: str
    browser: str
    nonce: str
    verifier: str
    return_to: str
    expires: float


def create(connection: Connection, request: OpenIdRequest) -> None:
    """Store a sign-in that has begun."""
    connection.execute(insert(openid_requests).values(asdict(request)))


def take(connection: Connection, state: str, browser: str, now: float) -> OpenIdRequest | None:
    """Return the sign-in of this state and browser and remove it. It can be taken once."""
    ours = (openid_requests.c.state == state, openid_requests.c.browser == browser, openid_requests.c.expires > now)
    row = connection.execute(select(openid_requests).where(*ours)).one_or_none()
    if row is None:
        return None
    done = connection.execute(delete(openid_requests).where(openid_requests.c.state == state))
    return OpenIdRequest(*row) if done.rowcount else None


def remove_expired(connection: Connection, now: float) -> int:
    """Remove the sign-ins that were not completed in time, and return how many there were."""
    return connection.execute(delete(openid_requests).where(openid_requests.c.expires <= now)).rowcount
