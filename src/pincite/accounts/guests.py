"""Let people without an account ask a few questions, where the server allows it."""

from pincite.accounts.audit import Caller, record_action
from pincite.accounts.secret_values import make_secret
from pincite.accounts.sign_in_sessions import SignedIn, begin_session
from pincite.errors import NotSignedIn
from pincite.settings_accounts import AccountSettings
from pincite.store import people
from pincite.store.database import Database


def begin_guest_session(
    database: Database, settings: AccountSettings, now: float, address: str = "", agent: str = "", old_secret: str = ""
) -> SignedIn:
    """Make a guest with an account of its own, without a name to sign in with, and begin its session.

    The guest's conversations belong to that account. `old_secret` is that of the session to replace. Raise
    `NotSignedIn` if the server allows no guests.
    """
    if not settings.guests:
        raise NotSignedIn("Nobody is signed in here.", "Sign in.", "session")
    with database.writing() as connection:
        person = people.create(connection, f"guest {make_secret()[:16]}", "guest", now)
        signed = begin_session(connection, person, now, address, agent, old_secret)
        record_action(connection, Caller(signed.principal, address), "guest.begin", now, person.id)
        return signed
