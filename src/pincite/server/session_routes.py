"""HTTP routes for one's own sessions and tokens."""

import time

from fastapi import APIRouter

from pincite.accounts.sign_in_sessions import end_session, end_sessions, list_sessions
from pincite.accounts.tokens import create_token, list_tokens, revoke_token
from pincite.server.account_bodies import (
    EndedSessions,
    MadeToken,
    SessionList,
    TokenList,
    TokenRequest,
    describe_session,
    describe_token,
)
from pincite.server.account_routes import IN_TEAM_MODE, TheSettings
from pincite.server.dependencies import Id, Owner, TheCaller, TheLibrary


def router() -> APIRouter:
    """Return the routes for sessions and tokens."""
    routes = APIRouter(prefix="/api/account", tags=["account"], dependencies=IN_TEAM_MODE)

    @routes.get("/sessions")
    def find_sessions(caller: TheCaller, owner: Owner, settings: TheSettings, library: TheLibrary) -> SessionList:
        """List where you are signed in, last used first."""
        found = list_sessions(library.database, settings.accounts, caller, owner, time.time())
        return SessionList(sessions=[describe_session(each, caller.principal.session) for each in found])

    @routes.delete("/sessions")
    def end_others(caller: TheCaller, owner: Owner, library: TheLibrary) -> EndedSessions:
        """Sign out everywhere but here."""
        keep = caller.principal.session
        return EndedSessions(ended=end_sessions(library.database, caller, owner, time.time(), keep))

    @routes.delete("/sessions/{session}", status_code=204)
    def end_one(session: Id, caller: TheCaller, owner: Owner, library: TheLibrary) -> None:
        """End one of your sessions. Its browser is signed out, also where an answer is being shown."""
        end_session(library.database, caller, owner, session, time.time())

    @routes.get("/tokens")
    def find_tokens(caller: TheCaller, owner: Owner, library: TheLibrary) -> TokenList:
        """List your tokens, the latest first. Their secrets are not stored."""
        return TokenList(tokens=[describe_token(each) for each in list_tokens(library.database, caller, owner)])

    @routes.post("/tokens")
    def make_token(given: TokenRequest, caller: TheCaller, owner: Owner, library: TheLibrary) -> MadeToken:
        """Make a token for a program. The response holds its secret, which cannot be read again."""
        made = create_token(library.database, caller, owner, given.name, given.scopes, time.time(), given.days)
        return MadeToken(secret=made.secret, token=describe_token(made.stored))

    @routes.delete("/tokens/{token}", status_code=204)
    def revoke(token: Id, caller: TheCaller, owner: Owner, library: TheLibrary) -> None:
        """Revoke one of your tokens, by its id."""
        revoke_token(library.database, caller, owner, token, time.time())

    return routes
