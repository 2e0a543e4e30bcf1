from functools import partial

import pytest

from pincite.accounts.audit import AT_TERMINAL, Caller, list_audit
from pincite.accounts.principal import Principal
from pincite.accounts.roles import change_role, set_disabled
from pincite.accounts.tokens import NewToken, create_token, identify_token, list_tokens, revoke_token
from pincite.errors import Denied, Misuse, NotFound, NotSignedIn
from pincite.store.people import StoredPerson
from tests.accounts.conftest import DAY, NOW, Team, at_once, by


def _create(team: Team, person: StoredPerson, *scopes: str, days: float | None = None) -> NewToken:
    return create_token(team.database, by(person), person.id, "backup", scopes or ("read",), NOW, days)


def _is_valid(team: Team, made: NewToken, now: float = NOW) -> bool:
    try:
        identify_token(team.database, made.secret, now)
    except NotSignedIn:
        return False
    return True


def test_a_token_is_shown_once_and_stored_as_a_hash(team: Team) -> None:
    made = _create(team, team.add("Ada"), "read", "ask")
    assert made.secret.startswith("pin_")
    assert made.secret not in repr(made)
    with team.database.reading() as connection:
        row = connection.exec_driver_sql("SELECT * FROM access_tokens").one()
    assert made.secret[12:] not in str(row)
    assert made.secret.startswith(made.stored.start)


def test_a_program_has_the_scopes_of_its_token_and_no_more(team: Team) -> None:
    ada = team.add("Ada")
    made = _create(team, ada, "ask", "read")
    assert identify_token(team.database, made.secret, NOW) == Principal(
        ada.id, "member", frozenset({"read", "ask"}), token=made.stored.id
    )


def test_a_token_loses_what_its_person_may_no_longer_do(team: Team) -> None:
    olga, ada = team.add("Olga", "owner"), team.add("Ada", "owner")
    made = _create(team, ada, "read", "write", "admin")
    change_role(team.database, by(olga), ada.id, "guest", NOW)
    assert identify_token(team.database, made.secret, NOW).scopes == {"read"}
    set_disabled(team.database, by(olga), ada.id, True, NOW)
    assert not _is_valid(team, made)


def test_a_token_ends_when_it_expires(team: Team) -> None:
    made = _create(team, team.add("Ada"), days=2)
    assert _is_valid(team, made, NOW + 2 * DAY - 1)
    with pytest.raises(NotSignedIn) as caught:
        identify_token(team.database, made.secret, NOW + 2 * DAY)
    assert caught.value.reason == "token_ended"


@pytest.mark.parametrize("days", [0, -1, 4000, float("nan")])
def test_days_that_make_no_sense_are_refused(team: Team, days: float) -> None:
    with pytest.raises(Misuse):
        _create(team, team.add("Ada"), days=days)


@pytest.mark.parametrize("sent", ["", "pin_", "pin_x", "Bearer pin_x", "pin_\x00\ud800", "pin_" + "x" * 10_000])
def test_a_text_that_is_no_token_is_refused(team: Team, sent: str) -> None:
    _create(team, team.add("Ada"))
    with pytest.raises(NotSignedIn):
        identify_token(team.database, sent, NOW)


def test_a_secret_of_a_session_is_no_token(team: Team) -> None:
    made = _create(team, team.add("Ada"))
    with pytest.raises(NotSignedIn):
        identify_token(team.database, made.secret.removeprefix("pin_"), NOW)


def test_the_last_use_is_written_at_most_once_a_minute(team: Team) -> None:
    ada = team.add("Ada")
    made = _create(team, ada)
    uses = [list_tokens(team.database, by(ada), ada.id)[0].used]
    for seconds in (5.0, 64.0, 65.0, 100.0):
        identify_token(team.database, made.secret, NOW + seconds)
        used = list_tokens(team.database, by(ada), ada.id)[0].used
        uses.append(None if used is None else used - NOW)
    assert uses == [None, 5, 5, 65, 65]


def test_many_uses_at_once_are_all_let_in(team: Team) -> None:
    ada = team.add("Ada")
    made = _create(team, ada)
    results = at_once([partial(identify_token, team.database, made.secret, NOW + second) for second in range(12)])
    assert all(isinstance(result, Principal) for result in results)


def test_a_member_gives_no_admin_and_a_guest_no_write(team: Team) -> None:
    with pytest.raises(Denied):
        _create(team, team.add("Ada", "member"), "admin")
    with pytest.raises(Denied):
        _create(team, team.add("Gil", "guest"), "write")


def test_a_token_makes_no_token_without_admin_and_never_a_wider_one(team: Team) -> None:
    ada = team.add("Ada", "owner")
    reader = Caller(Principal(ada.id, "owner", frozenset({"read"}), token="t"))
    manager = Caller(Principal(ada.id, "owner", frozenset({"read", "admin"}), token="t"))
    with pytest.raises(Denied):
        create_token(team.database, reader, ada.id, "x", ["read"], NOW)
    with pytest.raises(Denied):
        create_token(team.database, manager, ada.id, "x", ["write"], NOW)
    assert create_token(team.database, manager, ada.id, "x", ["read"], NOW).stored.scopes == ("read",)


def test_nobody_makes_sees_or_revokes_a_token_of_somebody_else(team: Team) -> None:
    ada, eve = team.add("Ada"), team.add("Eve")
    made = _create(team, ada)
    with pytest.raises(Denied):
        create_token(team.database, by(eve), ada.id, "x", ["read"], NOW)
    with pytest.raises(Denied):
        list_tokens(team.database, by(eve), ada.id)
    with pytest.raises(Denied):
        revoke_token(team.database, by(eve), ada.id, made.stored.id, NOW)
    with pytest.raises(NotFound):
        revoke_token(team.database, by(eve), eve.id, made.stored.id, NOW)
    assert _is_valid(team, made)


def test_an_owner_revokes_tokens_of_others_and_makes_none_for_them(team: Team) -> None:
    olga, ada = team.add("Olga", "owner"), team.add("Ada")
    with pytest.raises(Denied):
        create_token(team.database, by(olga), ada.id, "x", ["read"], NOW)
    made = _create(team, ada)
    revoke_token(team.database, by(olga), ada.id, made.stored.id[:8], NOW)
    assert not _is_valid(team, made)


def test_at_the_terminal_a_token_is_made_for_anybody_within_their_role(team: Team) -> None:
    ada = team.add("Ada")
    create_token(team.database, AT_TERMINAL, ada.id, "x", ["write"], NOW)
    with pytest.raises(Denied):
        create_token(team.database, AT_TERMINAL, ada.id, "x", ["admin"], NOW)
    with pytest.raises(NotFound):
        create_token(team.database, AT_TERMINAL, "nobody", "x", ["read"], NOW)
    assert [entry.action for entry in list_audit(team.database, AT_TERMINAL)] == ["token.create"]
