"""HTTP routes by which people sign in and out, join with an invitation, and change their password."""

import time
from typing import Annotated, cast

import anyio.to_thread
from fastapi import APIRouter, Depends, Request, Response

from pincite.accounts.audit import Caller
from pincite.accounts.guests import begin_guest_session
from pincite.accounts.invitations import accept_invitation, read_invitation
from pincite.accounts.password_resets import reset_password
from pincite.accounts.principal import SCOPES
from pincite.accounts.sign_in import change_password, sign_in
from pincite.accounts.sign_in_sessions import SignedIn, sign_out
from pincite.errors import Misuse, NotFound, NotSignedIn
from pincite.server.account_bodies import (
    AccountInfo,
    InvitationInfo,
    Join,
    LinkSecret,
    NewPassword,
    PasswordChange,
    Person,
    SignIn,
    describe_person,
)
from pincite.server.account_threads import AccountThreads
from pincite.server.callers import find_address, find_caller, read_session_cookie
from pincite.server.dependencies import TheCaller, TheLibrary
from pincite.server.request_rates import take_sign_in
from pincite.server.session_cookie import clear_session_cookie, set_session_cookie
from pincite.settings import Settings
from pincite.store import people
from pincite.store.database import Database


async def get_settings(request: Request) -> Settings:
    return cast(Settings, request.app.state.settings)


async def get_account_threads(request: Request) -> AccountThreads:
    return cast(AccountThreads, request.app.state.account_threads)


async def check_team_mode(request: Request) -> None:
    """Raise `Misuse` in local mode, where there are no accounts."""
    if request.app.state.settings.accounts.mode == "local":
        raise Misuse(
            "This server has no accounts: it runs in local mode.",
            'Make the first owner with `pincite accounts init`, set accounts.mode = "team" in the settings, and start '
            "the server again.",
            "local_mode",
        )


async def count_attempt(request: Request) -> None:
    """Count a request that makes a session or an account; raise `RateLimited` if the address made too many."""
    await take_sign_in(request, "")


TheSettings = Annotated[Settings, Depends(get_settings)]
TheAccountThreads = Annotated[AccountThreads, Depends(get_account_threads)]
IN_TEAM_MODE = [Depends(check_team_mode)]
COUNTED = [*IN_TEAM_MODE, Depends(count_attempt)]


def router() -> APIRouter:
    """Return the routes of signing in."""
    routes = APIRouter(prefix="/api/account", tags=["account"])

    @routes.get("")
    async def get(request: Request, settings: TheSettings, library: TheLibrary) -> AccountInfo:
        """Say how people sign in to this server, and who is signed in. It never answers 401."""
        try:
            caller = await find_caller(request.scope, settings)
            person = await anyio.to_thread.run_sync(_find_person, library.database, settings, caller)
        except (NotSignedIn, NotFound):
            return make_account_info(settings, None, None)
        return make_account_info(settings, caller, person)

    @routes.post("/sign-in", dependencies=IN_TEAM_MODE)
    async def enter(
        request: Request,
        response: Response,
        given: SignIn,
        settings: TheSettings,
        library: TheLibrary,
        threads: TheAccountThreads,
    ) -> AccountInfo:
        """Sign in with a name or an e-mail address and a password. The response sets the cookie of the session."""
        await take_sign_in(request, given.name)
        address, agent, old = find_address(request.scope), _read_agent(request), read_session_cookie(request.headers)
        signed = await threads.run_hashing(
            lambda hashing: sign_in(
                library.database,
                hashing,
                given.name,
                given.password,
                time.time(),
                address=address,
                agent=agent,
                old_secret=old,
            )
        )
        return _complete(request, response, settings, signed)

    @routes.post("/sign-out", status_code=204, dependencies=IN_TEAM_MODE)
    async def leave(request: Request, response: Response, settings: TheSettings, library: TheLibrary) -> None:
        """End the session of this browser."""
        if secret := read_session_cookie(request.headers):
            address = find_address(request.scope)
            await anyio.to_thread.run_sync(sign_out, library.database, secret, address, time.time())
        clear_session_cookie(response, request.scope, settings)

    @routes.post("/guest", dependencies=COUNTED)
    async def begin_as_guest(
        request: Request, response: Response, settings: TheSettings, library: TheLibrary
    ) -> AccountInfo:
        """Begin a session without an account, where the server allows guests."""
        address, agent, old = find_address(request.scope), _read_agent(request), read_session_cookie(request.headers)

        def begin() -> SignedIn:
            return begin_guest_session(library.database, settings.accounts, time.time(), address, agent, old)

        return _complete(request, response, settings, await anyio.to_thread.run_sync(begin))

    @routes.post("/invitation", dependencies=COUNTED)
    def invitation(given: LinkSecret, library: TheLibrary) -> InvitationInfo:
        """Read an invitation before accepting it."""
        found = read_invitation(library.database, given.secret, time.time())
        return InvitationInfo(email=found.email, role=found.role, expires=found.expires)

    @routes.post("/join", dependencies=COUNTED)
    async def join(
        request: Request,
        response: Response,
        given: Join,
        settings: TheSettings,
        library: TheLibrary,
        threads: TheAccountThreads,
    ) -> AccountInfo:
        """Make the account of an invitation and sign in. If anything is refused, the invitation can be used again."""
        address, agent, old = find_address(request.scope), _read_agent(request), read_session_cookie(request.headers)
        signed = await threads.run_hashing(
            lambda hashing: accept_invitation(
                library.database,
                settings.accounts,
                hashing,
                given.secret,
                given.name,
                given.password,
                time.time(),
                email=given.email,
                quota=settings.quota,
                referral=given.referral,
                address=address,
                agent=agent,
                old_secret=old,
            )
        )
        return _complete(request, response, settings, signed)

    @routes.post("/reset", status_code=204, dependencies=COUNTED)
    async def reset(
        request: Request, given: NewPassword, settings: TheSettings, library: TheLibrary, threads: TheAccountThreads
    ) -> None:
        """Set a new password with a link that an owner made. All sessions of the person end; sign in afterwards."""
        address = find_address(request.scope)
        await threads.run_hashing(
            lambda hashing: reset_password(
                library.database, settings.accounts, hashing, given.secret, given.password, time.time(), address
            )
        )

    @routes.put("/password", status_code=204, dependencies=IN_TEAM_MODE)
    async def replace_password(
        given: PasswordChange,
        caller: TheCaller,
        settings: TheSettings,
        library: TheLibrary,
        threads: TheAccountThreads,
    ) -> None:
        """Change your password. All your other sessions end."""
        await threads.run_hashing(
            lambda hashing: change_password(
                library.database, hashing, settings.accounts, caller, given.old, given.new, time.time()
            )
        )

    return routes


def make_account_info(settings: Settings, caller: Caller | None, person: Person | None) -> AccountInfo:
    """Return how people sign in, and the person who is signed in."""
    scopes = caller.principal.scopes if caller else ()
    return AccountInfo(
        mode=settings.accounts.mode,
        guests=settings.accounts.mode == "team" and settings.accounts.guests,
        issuer=settings.accounts.mode == "team" and bool(settings.accounts.issuer),
        password_length=settings.accounts.password_length,
        person=person,
        scopes=[scope for scope in SCOPES if scope in scopes],
        session=caller.principal.session if caller else "",
    )


def _complete(request: Request, response: Response, settings: Settings, signed: SignedIn) -> AccountInfo:
    set_session_cookie(response, request.scope, settings, signed.secret)
    caller = Caller(signed.principal, find_address(request.scope))
    return make_account_info(settings, caller, describe_person(signed.person))


def _find_person(database: Database, settings: Settings, caller: Caller) -> Person:
    if settings.accounts.mode == "local":
        return Person(id=settings.owner, name=settings.owner, email="", role="owner", disabled=False, created=0.0)
    with database.reading() as connection:
        return describe_person(people.get(connection, caller.principal.user))


def _read_agent(request: Request) -> str:
    return request.headers.get("user-agent", "")
