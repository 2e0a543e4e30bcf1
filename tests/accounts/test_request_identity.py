import pytest

from pincite.accounts.audit import AT_TERMINAL
from pincite.accounts.principal import ALL_SCOPES, Principal
from pincite.accounts.request_identity import find_revoked, identify_request
from pincite.accounts.roles import change_role, set_disabled
from pincite.accounts.sign_in import sign_in
from pincite.accounts.sign_in_sessions import end_sessions
from pincite.accounts.tokens import create_token, revoke_token
from pincite.errors import NotSignedIn
from pincite.settings import load_settings
from pincite.store.people import StoredPerson
from tests.accounts.conftest import DAY, NOW, PASSWORD, Team, by


def test_in_local_mode_everybody_is_the_one_owner(team: Team) -> None:
    found = identify_request(team.database, load_settings(owner="lab"), NOW, token="pin_wrong")
    assert found == Principal("lab", "owner", ALL_SCOPES)


def test_in_team_mode_a_request_needs_a_session_or_a_token(team: Team) -> None:
    settings = load_settings(accounts={"mode": "team"})
    ada = team.add("Ada")
    signed = sign_in(team.database, team.hashing, "Ada", PASSWORD, NOW)
    token = create_token(team.database, by(ada), ada.id, "x", ["read"], NOW)
    assert identify_request(team.database, settings, NOW, session=signed.secret) == signed.principal
    assert identify_request(team.database, settings, NOW, token=token.secret).token == token.stored.id
    with pytest.raises(NotSignedIn):
        identify_request(team.database, settings, NOW)


def test_a_wrong_token_is_not_made_right_by_a_cookie(team: Team) -> None:
    settings = load_settings(accounts={"mode": "team"})
    team.add("Ada")
    signed = sign_in(team.database, team.hashing, "Ada", PASSWORD, NOW)
    with pytest.raises(NotSignedIn):
        identify_request(team.database, settings, NOW, session=signed.secret, token="pin_wrong")


def test_a_session_is_no_token_and_a_token_no_session(team: Team) -> None:
    settings = load_settings(accounts={"mode": "team"})
    ada = team.add("Ada")
    signed = sign_in(team.database, team.hashing, "Ada", PASSWORD, NOW)
    token = create_token(team.database, by(ada), ada.id, "x", ["read"], NOW)
    with pytest.raises(NotSignedIn):
        identify_request(team.database, settings, NOW, token=signed.secret)
    with pytest.raises(NotSignedIn):
        identify_request(team.database, settings, NOW, session=token.secret)


def test_connections_learn_which_sessions_and_tokens_are_no_longer_valid(team: Team) -> None:
    settings = load_settings(accounts={"mode": "team", "idle_days": 14, "absolute_days": 90})
    ada, bob, eve = team.add("Ada", "owner"), team.add("Bob"), team.add("Eve")
    signed = {
        name: sign_in(team.database, team.hashing, name, PASSWORD, NOW).principal for name in ("Ada", "Bob", "Eve")
    }

    def make_token(person: StoredPerson, *scopes: str, days: float | None = None) -> Principal:
        made = create_token(team.database, AT_TERMINAL, person.id, "x", scopes, NOW, days)
        return identify_request(team.database, settings, NOW, token=made.secret)

    reading, admin, short = make_token(ada, "read"), make_token(ada, "read", "admin"), make_token(bob, "read", days=1)
    nobody = Principal("lab", "owner", ALL_SCOPES)
    everybody = [*signed.values(), reading, admin, short, nobody]

    def find(now: float = NOW) -> set[Principal]:
        return find_revoked(team.database, settings, everybody, now)

    assert find() == set()
    assert find(NOW + DAY) == {short}
    assert find(NOW + 15 * DAY) == {short, *signed.values()}
    assert find_revoked(team.database, settings, [], NOW) == set()
    set_disabled(team.database, AT_TERMINAL, bob.id, True, NOW)
    assert find() == {short, signed["Bob"]}
    # An owner who is a member now connects again: connections that may do no more would keep an owner's allowance.
    change_role(team.database, AT_TERMINAL, eve.id, "owner", NOW)
    assert find() == {short, signed["Bob"]}
    change_role(team.database, AT_TERMINAL, ada.id, "member", NOW)
    assert find() == {short, signed["Bob"], signed["Ada"], admin, reading}
    end_sessions(team.database, AT_TERMINAL, eve.id, NOW)
    revoke_token(team.database, AT_TERMINAL, ada.id, reading.token, NOW)
    assert find() == set(everybody) - {nobody}
