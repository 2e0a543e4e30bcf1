"""Find out on whose behalf a request runs. Every interface of the server asks here and nowhere else."""

from collections.abc import Collection

from pincite.accounts.principal import ALL_SCOPES, ROLES, Principal, list_scopes
from pincite.accounts.sign_in_sessions import has_ended, identify_session
from pincite.accounts.tokens import has_expired, identify_token
from pincite.settings import Settings
from pincite.store import access_tokens, sessions
from pincite.store.database import Database


def identify_request(
    database: Database, settings: Settings, now: float, *, session: str = "", token: str = ""
) -> Principal:
    """Return the principal of a request with the secret of a session (its cookie) or a token.

    A token goes first: a program that sends one means it. In local mode everybody who reaches the server is the one
    owner. Raise `NotSignedIn` for a secret that is not valid, and without one.
    """
    if settings.accounts.mode == "local":
        return Principal(settings.owner, "owner", ALL_SCOPES)
    if token:
        return identify_token(database, token, now)
    return identify_session(database, settings.accounts, session, now)


def find_revoked(
    database: Database, settings: Settings, principals: Collection[Principal], now: float
) -> set[Principal]:
    """Return those of the principals whose session or token is no longer valid, or now allows less than it did.

    A lower role allows less: owner, member, guest. A connection that stays open for long asks this again and again; all
    connections of a process ask together.
    """
    by_session = {each.session for each in principals if each.session}
    by_token = {each.token for each in principals if each.token}
    with database.reading() as connection:
        live_sessions = sessions.find_live(connection, by_session) if by_session else []
        live_tokens = access_tokens.find_live(connection, by_token) if by_token else []
    allowed = {
        (session.id, ""): (role, list_scopes(role))
        for session, role in live_sessions
        if not has_ended(session, settings.accounts, now)
    } | {
        ("", token.id): (role, list_scopes(role) & frozenset(token.scopes))
        for token, role in live_tokens
        if not has_expired(token, now)
    }

    def is_revoked(principal: Principal) -> bool:
        found = allowed.get((principal.session, principal.token))
        if found is None:
            return True
        role, scopes = found
        # The allowance depends on the role too, also for a token that keeps its scopes.
        return not principal.scopes <= scopes or ROLES.index(role) > ROLES.index(principal.role)

    return {each for each in principals if (each.session or each.token) and is_revoked(each)}
