import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.accounts.audit import AT_TERMINAL, Caller, list_audit
from pincite.accounts.principal import Principal
from pincite.accounts.roles import change_role, set_disabled
from pincite.accounts.sign_in_sessions import (
    SignedIn,
    begin_session,
    end_session,
    end_sessions,
    has_ended,
    identify_session,
    list_sessions,
    remove_ended_sessions,
    sign_out,
)
from pincite.errors import Denied, NotFound, NotSignedIn
from pincite.settings_accounts import AccountSettings
from pincite.store import sessions
from pincite.store.people import StoredPerson
from pincite.store.sessions import StoredSession
from tests.accounts.conftest import DAY, MINUTE, NOW, Team, by


def _begin(team: Team, person: StoredPerson, now: float = NOW) -> SignedIn:
    with team.database.writing() as connection:
        return begin_session(connection, person, now, "192.0.2.1", "Browser \x00\ud800\x1b")


def _is_live(team: Team, settings: AccountSettings, signed: SignedIn, now: float = NOW) -> bool:
    try:
        identify_session(team.database, settings, signed.secret, now)
    except NotSignedIn:
        return False
    return True


def test_the_database_holds_no_secret_of_a_session(team: Team) -> None:
    signed = _begin(team, team.add("Ada"))
    with team.database.reading() as connection:
        row = connection.exec_driver_sql("SELECT * FROM sessions").one()
    assert signed.secret not in str(row)
    assert len(row.secret) == 64


@pytest.mark.parametrize("secret", ["", "x", "a\x00b", "\ud800", "x" * 10_000])
def test_a_cookie_that_is_no_session_is_refused(team: Team, settings: AccountSettings, secret: str) -> None:
    _begin(team, team.add("Ada"))
    with pytest.raises(NotSignedIn):
        identify_session(team.database, settings, secret, NOW)


def test_a_session_that_nobody_uses_ends(team: Team, settings: AccountSettings) -> None:
    signed = _begin(team, team.add("Ada"))
    idle = settings.idle_days * DAY
    assert _is_live(team, settings, signed, NOW + idle - 1)
    # That was a use: the time begins anew.
    assert _is_live(team, settings, signed, NOW + 2 * idle - 2)
    assert not _is_live(team, settings, signed, NOW + 3 * idle)


def test_a_session_that_is_used_every_day_ends_too(team: Team, settings: AccountSettings) -> None:
    signed = _begin(team, team.add("Ada"))
    days = [day for day in range(200) if _is_live(team, settings, signed, NOW + day * DAY)]
    assert days == list(range(int(settings.absolute_days)))


@given(st.floats(0, 1e9), st.floats(0, 1e9), st.floats(0, 1e9), st.floats(0.01, 1000), st.floats(0.01, 1000))
def test_a_session_never_lives_longer_than_its_limits(
    created: float, after: float, later: float, idle: float, absolute: float
) -> None:
    settings = AccountSettings(idle_days=idle, absolute_days=absolute)
    session = StoredSession("s", "p", "", "", created, created + after)
    if not has_ended(session, settings, created + later):
        assert later < absolute * DAY + 1
        assert later - after < idle * DAY + 1


def test_the_last_use_is_written_at_most_once_a_minute(team: Team, settings: AccountSettings) -> None:
    ada = team.add("Ada")
    signed = _begin(team, ada)
    uses = []
    for seconds in (1.0, 59.0, 60.0, 61.0, 119.0, 121.0):
        identify_session(team.database, settings, signed.secret, NOW + seconds)
        uses.append(list_sessions(team.database, settings, by(ada), ada.id, NOW)[0].used - NOW)
    assert uses == [0, 0, MINUTE, MINUTE, MINUTE, 121]


def test_a_new_role_counts_from_the_next_request_on(team: Team, settings: AccountSettings) -> None:
    owner, ada = team.add("Olga", "owner"), team.add("Ada")
    signed = _begin(team, ada)
    change_role(team.database, by(owner), ada.id, "guest", NOW)
    now = identify_session(team.database, settings, signed.secret, NOW)
    assert now.role == "guest"
    assert now.scopes == {"read", "ask"}


def test_a_disabled_person_is_out_at_once_and_stays_out(team: Team, settings: AccountSettings) -> None:
    owner, ada = team.add("Olga", "owner"), team.add("Ada")
    signed = _begin(team, ada)
    set_disabled(team.database, by(owner), ada.id, True, NOW)
    assert not _is_live(team, settings, signed)
    set_disabled(team.database, by(owner), ada.id, False, NOW)
    assert not _is_live(team, settings, signed)


def test_one_session_is_ended_and_the_others_go_on(team: Team, settings: AccountSettings) -> None:
    ada = team.add("Ada")
    first, second = _begin(team, ada), _begin(team, ada)
    end_session(team.database, by(ada), ada.id, first.principal.session, NOW)
    assert [_is_live(team, settings, each) for each in (first, second)] == [False, True]
    with pytest.raises(NotFound):
        end_session(team.database, by(ada), ada.id, first.principal.session, NOW)


def test_all_sessions_but_this_one_are_ended(team: Team, settings: AccountSettings) -> None:
    ada, bob = team.add("Ada"), team.add("Bob")
    mine, others, of_bob = _begin(team, ada), [_begin(team, ada) for _ in range(3)], _begin(team, bob)
    assert end_sessions(team.database, by(ada), ada.id, NOW, keep=mine.principal.session) == 3
    assert [_is_live(team, settings, each) for each in (mine, *others, of_bob)] == [True, False, False, False, True]


def test_nobody_ends_or_sees_the_sessions_of_somebody_else(team: Team, settings: AccountSettings) -> None:
    ada, eve = team.add("Ada"), team.add("Eve")
    signed = _begin(team, ada)
    with pytest.raises(Denied):
        end_session(team.database, by(eve), ada.id, signed.principal.session, NOW)
    with pytest.raises(NotFound):
        end_session(team.database, by(eve), eve.id, signed.principal.session, NOW)
    with pytest.raises(Denied):
        end_sessions(team.database, by(eve), ada.id, NOW)
    with pytest.raises(Denied):
        list_sessions(team.database, settings, by(eve), ada.id, NOW)
    assert _is_live(team, settings, signed)


def test_an_owner_signs_people_out(team: Team, settings: AccountSettings) -> None:
    owner, ada = team.add("Olga", "owner"), team.add("Ada")
    signed = _begin(team, ada)
    assert end_sessions(team.database, by(owner), ada.id, NOW) == 1
    assert not _is_live(team, settings, signed)
    entry = list_audit(team.database, AT_TERMINAL)[0]
    assert (entry.actor, entry.action, entry.whose) == (owner.id, "session.end_all", ada.id)


def test_a_token_without_admin_ends_no_session_of_its_person(team: Team) -> None:
    ada = team.add("Ada")
    signed = _begin(team, ada)
    program = Caller(Principal(ada.id, "member", frozenset({"read", "write"}), token="t"))
    with pytest.raises(Denied):
        end_session(team.database, program, ada.id, signed.principal.session, NOW)


def test_signing_out_ends_the_session_and_is_no_error_twice(team: Team, settings: AccountSettings) -> None:
    signed = _begin(team, team.add("Ada"))
    for _ in range(2):
        sign_out(team.database, signed.secret, "192.0.2.1", NOW)
    assert not _is_live(team, settings, signed)
    assert [entry.action for entry in list_audit(team.database, AT_TERMINAL)] == ["sign_out"]


def test_ended_sessions_are_removed_and_live_ones_stay(team: Team, settings: AccountSettings) -> None:
    ada = team.add("Ada")
    old, new = _begin(team, ada), _begin(team, ada, NOW + settings.idle_days * DAY)
    now = NOW + settings.idle_days * DAY + 1
    assert remove_ended_sessions(team.database, settings, now) == 1
    with team.database.reading() as connection:
        assert [each.id for each in sessions.find(connection, ada.id)] == [new.principal.session]
    assert old.principal.session != new.principal.session
