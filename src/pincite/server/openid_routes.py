"""HTTP routes that send a browser to an OpenID Connect issuer, and sign its person in when the issuer sends it back."""

import time
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse

from pincite.accounts.link_addresses import make_redirect_uri
from pincite.errors import IssuerError, PinciteError
from pincite.server.account_routes import COUNTED, TheAccountThreads, TheSettings
from pincite.server.callers import find_address, read_session_cookie
from pincite.server.dependencies import TheLibrary, Words
from pincite.server.session_cookie import (
    OPENID_COOKIE,
    OPENID_RETURN,
    clear_openid_cookie,
    set_openid_cookie,
    set_session_cookie,
)

if TYPE_CHECKING:
    from pincite.accounts.openid import OpenIdRedirect, OpenIdSignIn

_SEE_OTHER = 303
_FAILED = "or to `/sign-in?error=REASON` if it failed."


def router() -> APIRouter:
    """Return the routes of signing in with OpenID Connect."""
    routes = APIRouter(tags=["account"], dependencies=COUNTED)

    @routes.get(
        "/api/account/openid",
        response_class=RedirectResponse,
        status_code=_SEE_OTHER,
        responses={_SEE_OTHER: {"description": f"To the issuer, {_FAILED}"}},
    )
    async def begin(
        request: Request,
        settings: TheSettings,
        library: TheLibrary,
        threads: TheAccountThreads,
        next: Annotated[Words, Query(max_length=2000, description="The path of the page to return to.")] = "/",
    ) -> RedirectResponse:
        """Send the browser to the issuer to sign in."""

        def ask() -> "OpenIdRedirect":
            import httpx2  # these take long to load, and most servers have no issuer

            from pincite.accounts.openid import begin_openid_sign_in

            with httpx2.Client() as client:
                uri = make_redirect_uri(settings)
                return begin_openid_sign_in(library.database, settings.accounts, client, uri, time.time(), next)

        try:
            begun = await threads.run_issuer_request(ask)
        except IssuerError as error:
            return _make_failure(error)
        response = RedirectResponse(begun.url, _SEE_OTHER)
        set_openid_cookie(response, request.scope, settings, begun.browser_secret)
        return response

    @routes.get(
        OPENID_RETURN,
        response_class=RedirectResponse,
        status_code=_SEE_OTHER,
        responses={_SEE_OTHER: {"description": f"To the page that the person came from, {_FAILED}"}},
    )
    async def complete(
        request: Request, settings: TheSettings, library: TheLibrary, threads: TheAccountThreads
    ) -> RedirectResponse:
        """Sign in the person whom the issuer has sent back. Its parameters are those of OpenID Connect."""
        parameters, secret = dict(request.query_params), request.cookies.get(OPENID_COOKIE, "")

        def ask() -> "OpenIdSignIn":
            import httpx2

            from pincite.accounts.openid import complete_openid_sign_in

            with httpx2.Client() as client:
                return complete_openid_sign_in(
                    library.database,
                    settings.accounts,
                    client,
                    make_redirect_uri(settings),
                    parameters,
                    secret,
                    time.time(),
                    address=find_address(request.scope),
                    agent=request.headers.get("user-agent", ""),
                    old_secret=read_session_cookie(request.headers),
                )

        try:
            done = await threads.run_issuer_request(ask)
        except PinciteError as error:
            response = _make_failure(error)
        else:
            response = RedirectResponse(done.return_to, _SEE_OTHER)
            set_session_cookie(response, request.scope, settings, done.signed.secret)
        clear_openid_cookie(response, request.scope, settings)
        return response

    return routes


def _make_failure(error: PinciteError) -> RedirectResponse:
    """Return the way to the sign-in page, which says why it failed. A browser shows no JSON."""
    reason = error.code if isinstance(error, IssuerError) else error.reason or error.code
    return RedirectResponse(f"/sign-in?error={quote(reason)}", _SEE_OTHER)
