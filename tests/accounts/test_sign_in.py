from functools import partial

import argon2
import pytest

from pincite.accounts.audit import AT_TERMINAL, Caller, list_audit
from pincite.accounts.passwords import PasswordHashing
from pincite.accounts.roles import set_disabled
from pincite.accounts.sign_in import change_password, sign_in
from pincite.accounts.sign_in_sessions import SignedIn, identify_session
from pincite.errors import Misuse, NotSignedIn, TooManyAttempts
from pincite.settings_accounts import AccountSettings
from tests.accounts.conftest import NOW, PASSWORD, Team, at_once, by

_NEW = "four other words here"


def _sign_in(team: Team, name: str = "Ada", password: str = PASSWORD, **given: str) -> SignedIn:
    return sign_in(team.database, team.hashing, name, password, NOW, **given)


def _actions(team: Team) -> list[str]:
    return [entry.action for entry in list_audit(team.database, AT_TERMINAL)]


@pytest.mark.parametrize("name", ["Ada", "ada", "  ADA ", "ada@example.org", "Ada@Example.Org"])
def test_a_person_signs_in_by_name_or_address_in_any_case(team: Team, settings: AccountSettings, name: str) -> None:
    ada = team.add("Ada", email="ada@example.org")
    signed = _sign_in(team, name)
    assert signed.person.id == ada.id
    assert identify_session(team.database, settings, signed.secret, NOW) == signed.principal
    assert signed.secret not in repr(signed)


@pytest.mark.parametrize(
    ("name", "password"),
    [("Ada", "wrong"), ("Ada", ""), ("nobody", PASSWORD), ("", PASSWORD), ("a\x00\ud800", "\ud800"), ("x" * 9999, "x")],
)
def test_a_wrong_name_and_a_wrong_password_are_refused_in_the_same_words(team: Team, name: str, password: str) -> None:
    team.add("Ada")
    with pytest.raises(NotSignedIn) as caught:
        _sign_in(team, name, password)
    assert (caught.value.message, caught.value.reason) == ("The name or the password is wrong.", "password")
    assert _actions(team) == ["sign_in.fail"]


def test_a_person_without_a_password_cannot_sign_in_with_any(team: Team) -> None:
    team.add("Ada", password="")
    for password in ("", "nobody has this password"):
        with pytest.raises(NotSignedIn):
            _sign_in(team, "Ada", password)


def test_a_disabled_person_is_told_so_only_with_the_right_password(team: Team) -> None:
    owner, ada = team.add("Olga", "owner"), team.add("Ada")
    set_disabled(team.database, by(owner), ada.id, True, NOW)
    with pytest.raises(NotSignedIn) as caught:
        _sign_in(team)
    assert caught.value.reason == "disabled"
    with pytest.raises(NotSignedIn) as caught:
        _sign_in(team, password="wrong")
    assert caught.value.reason == "password"


def test_a_name_is_locked_for_a_while_even_for_the_right_password(team: Team) -> None:
    team.add("Ada")
    for _ in range(5):
        with pytest.raises(NotSignedIn):
            _sign_in(team, password="wrong")
    with pytest.raises(TooManyAttempts) as caught:
        _sign_in(team)
    later = NOW + caught.value.seconds
    assert sign_in(team.database, team.hashing, "Ada", PASSWORD, later).person.name == "Ada"


def test_guesses_at_the_same_moment_get_no_more_than_the_free_attempts(team: Team) -> None:
    team.add("Ada")
    results = at_once([lambda: _sign_in(team, password="wrong")] * 16)
    assert sum(isinstance(result, NotSignedIn) for result in results) == 5
    assert sum(isinstance(result, TooManyAttempts) for result in results) == 11


def test_signing_in_again_ends_the_session_that_the_browser_had(team: Team, settings: AccountSettings) -> None:
    team.add("Ada")
    first = _sign_in(team)
    second = _sign_in(team, old_secret=first.secret)
    assert first.secret != second.secret
    with pytest.raises(NotSignedIn):
        identify_session(team.database, settings, first.secret, NOW)
    assert identify_session(team.database, settings, second.secret, NOW).user == second.person.id


def test_a_hash_of_old_parameters_is_replaced_when_its_person_signs_in(team: Team) -> None:
    ada = team.add("Ada")
    stronger = PasswordHashing(argon2.PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    sign_in(team.database, stronger, "Ada", PASSWORD, NOW)
    renewed = team.get(ada).password
    assert not stronger.needs_rehash(renewed)
    assert stronger.verify_password(renewed, PASSWORD)
    sign_in(team.database, stronger, "Ada", PASSWORD, NOW)
    assert team.get(ada).password == renewed


def test_a_password_is_changed_by_its_person_and_ends_the_other_sessions(team: Team, settings: AccountSettings) -> None:
    team.add("Ada")
    other, mine = _sign_in(team), _sign_in(team)
    caller = Caller(mine.principal, "192.0.2.1")
    with pytest.raises(NotSignedIn):
        change_password(team.database, team.hashing, settings, caller, "wrong", _NEW, NOW)
    with pytest.raises(Misuse):
        change_password(team.database, team.hashing, settings, caller, PASSWORD, "short", NOW)
    change_password(team.database, team.hashing, settings, caller, PASSWORD, _NEW, NOW)
    assert identify_session(team.database, settings, mine.secret, NOW).user == mine.person.id
    with pytest.raises(NotSignedIn):
        identify_session(team.database, settings, other.secret, NOW)
    with pytest.raises(NotSignedIn):
        _sign_in(team)
    assert _sign_in(team, password=_NEW).person.id == mine.person.id


def test_of_two_changes_of_one_password_at_once_one_counts(team: Team, settings: AccountSettings) -> None:
    ada = team.add("Ada")
    new = [f"{_NEW} number {number}" for number in range(4)]
    change = partial(change_password, team.database, team.hashing, settings, by(ada), PASSWORD)
    results = at_once([partial(change, chosen, NOW) for chosen in new])
    assert results.count(None) == 1
    winner = new[results.index(None)]
    assert team.hashing.verify_password(team.get(ada).password, winner)


def test_every_sign_in_is_recorded_with_its_address_and_no_password(team: Team) -> None:
    ada = team.add("Ada")
    _sign_in(team, address="198.51.100.7", agent="Browser\x00\x1b[31m 1.0")
    entry = list_audit(team.database, AT_TERMINAL)[0]
    assert (entry.action, entry.actor, entry.address) == ("sign_in", ada.id, "198.51.100.7")
    assert PASSWORD not in repr(entry)
