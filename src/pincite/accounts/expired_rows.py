"""Remove what has expired: sessions, links, sign-ins that were not completed, and failures that no longer count."""

from pincite.accounts.sign_in_limits import remove_old_attempts
from pincite.accounts.sign_in_sessions import remove_ended_sessions
from pincite.settings_accounts import AccountSettings
from pincite.store import conversation_links, one_time_links, openid_requests
from pincite.store.database import Database


def remove_expired_rows(database: Database, settings: AccountSettings, now: float) -> int:
    """Remove expired rows and return how many there were. A server does it when it starts and once a day."""
    removed = remove_ended_sessions(database, settings, now)
    with database.writing() as connection:
        removed += one_time_links.remove_expired(connection, now)
        removed += conversation_links.remove_expired(connection, now)
        removed += openid_requests.remove_expired(connection, now)
        return removed + remove_old_attempts(connection, now)
