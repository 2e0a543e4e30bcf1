"""Set and clear the cookies of a browser: that of its session, and that of a sign-in at an OpenID issuer."""

from starlette.responses import Response
from starlette.types import Scope

from pincite.server.callers import SESSION_COOKIE
from pincite.settings import Settings

OPENID_COOKIE = "pincite_openid"
OPENID_RETURN = "/api/accounts/openid/return"
_DAY = 86_400
_OPENID_SECONDS = 600


def set_session_cookie(response: Response, scope: Scope, settings: Settings, secret: str) -> None:
    """Give the browser the secret of its session. Scripts cannot read it, and other sites do not send it."""
    response.set_cookie(
        SESSION_COOKIE,
        secret,
        max_age=round(settings.accounts.absolute_days * _DAY),
        path="/",
        secure=_has_tls(scope, settings),
        httponly=True,
        samesite="lax",
    )


def clear_session_cookie(response: Response, scope: Scope, settings: Settings) -> None:
    """Take the session from the browser."""
    secure = _has_tls(scope, settings)
    response.delete_cookie(SESSION_COOKIE, path="/", secure=secure, httponly=True, samesite="lax")


def set_openid_cookie(response: Response, scope: Scope, settings: Settings, secret: str) -> None:
    """Give the browser the secret that ties a sign-in at the issuer to it. It is sent to the return address only."""
    response.set_cookie(
        OPENID_COOKIE,
        secret,
        max_age=_OPENID_SECONDS,
        path=OPENID_RETURN,
        secure=_has_tls(scope, settings),
        httponly=True,
        samesite="lax",  # the issuer's page sends the browser back, and `strict` would leave the cookie out
    )


def clear_openid_cookie(response: Response, scope: Scope, settings: Settings) -> None:
    """Take the secret of a sign-in at the issuer from the browser."""
    secure = _has_tls(scope, settings)
    response.delete_cookie(OPENID_COOKIE, path=OPENID_RETURN, secure=secure, httponly=True, samesite="lax")


def _has_tls(scope: Scope, settings: Settings) -> bool:
    """Return whether the browser speaks TLS with this server or with its proxy, as the proxy or the settings say."""
    return scope["scheme"] in ("https", "wss") or settings.accounts.url.startswith("https://")
