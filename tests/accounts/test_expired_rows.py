import pytest

from pincite.accounts.audit import AT_TERMINAL
from pincite.accounts.expired_rows import remove_expired_rows
from pincite.accounts.invitations import accept_invitation, invite_person
from pincite.accounts.sharing import open_conversation_link, share_conversation
from pincite.accounts.sign_in import sign_in
from pincite.accounts.sign_in_sessions import identify_session
from pincite.errors import NotSignedIn
from pincite.settings_accounts import AccountSettings
from pincite.store import conversations, openid_requests
from pincite.store.openid_requests import OpenIdRequest
from tests.accounts.conftest import DAY, NOW, PASSWORD, Team, by


def test_only_what_has_expired_is_removed(team: Team, settings: AccountSettings) -> None:
    ada = team.add("Ada")
    with team.database.writing() as connection:
        talk = conversations.create(connection, ada.id, "A talk").id
    shared = share_conversation(team.database, by(ada), talk, NOW)
    long_ago, now = NOW, NOW + 100 * DAY
    for began in (long_ago, now):
        with pytest.raises(NotSignedIn):
            sign_in(team.database, team.hashing, f"nobody of {began}", PASSWORD, began, address=f"{began}")
        signed = sign_in(team.database, team.hashing, "Ada", PASSWORD, began, address="192.0.2.1")
        invited = invite_person(team.database, settings, AT_TERMINAL, "member", began)
        share_conversation(team.database, by(ada), talk, began, days=1)
        with team.database.writing() as connection:
            expires = began + 600
            openid_requests.create(connection, OpenIdRequest(f"{began}", "b", "n", "v", "/", expires))
    # One session, one invitation, one link, one request, and the failures of one name and one address.
    assert remove_expired_rows(team.database, settings, now) == 6
    assert remove_expired_rows(team.database, settings, now) == 0
    assert identify_session(team.database, settings, signed.secret, now).user == signed.person.id
    accept_invitation(team.database, settings, team.hashing, invited.secret, "Bob", PASSWORD, now)
    assert open_conversation_link(team.database, shared.secret, now) == shared.stored
