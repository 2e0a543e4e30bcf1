from collections.abc import Callable
from functools import partial

import pytest

from pincite.accounts.audit import AT_TERMINAL, list_audit
from pincite.accounts.invitations import accept_invitation, invite_person
from pincite.accounts.password_resets import make_reset_link, reset_password
from pincite.accounts.roles import set_disabled
from pincite.accounts.sign_in import sign_in
from pincite.accounts.sign_in_sessions import identify_session
from pincite.errors import Denied, Misuse, NotFound, NotSignedIn, TooManyAttempts
from pincite.settings_accounts import AccountSettings
from pincite.store.people import StoredPerson
from tests.accounts.conftest import NOW, PASSWORD, Team, at_once, by

_NEW = "four other words here"


def _reset(team: Team, settings: AccountSettings, secret: str, password: str = _NEW, now: float = NOW) -> StoredPerson:
    return reset_password(team.database, settings, team.hashing, secret, password, now)


def test_a_link_of_an_owner_sets_a_new_password_and_ends_all_sessions(team: Team, settings: AccountSettings) -> None:
    olga, ada = team.add("Olga", "owner"), team.add("Ada")
    signed = sign_in(team.database, team.hashing, "Ada", PASSWORD, NOW)
    made = make_reset_link(team.database, settings, by(olga), ada.id, NOW)
    assert identify_session(team.database, settings, signed.secret, NOW).user == ada.id
    assert _reset(team, settings, made.secret).id == ada.id
    with pytest.raises(NotSignedIn):
        identify_session(team.database, settings, signed.secret, NOW)
    assert sign_in(team.database, team.hashing, "Ada", _NEW, NOW).person.id == ada.id
    with pytest.raises(NotSignedIn):
        _reset(team, settings, made.secret, "yet another password")
    actions = [entry.action for entry in list_audit(team.database, AT_TERMINAL)]
    assert actions == ["sign_in", "reset.use", "reset.create", "sign_in"]


def test_a_person_whose_name_is_locked_gets_in_again_by_a_link(team: Team, settings: AccountSettings) -> None:
    ada = team.add("Ada")
    for _ in range(5):
        with pytest.raises(NotSignedIn):
            sign_in(team.database, team.hashing, "Ada", "wrong", NOW)
    with pytest.raises(TooManyAttempts):
        sign_in(team.database, team.hashing, "Ada", PASSWORD, NOW)
    _reset(team, settings, make_reset_link(team.database, settings, AT_TERMINAL, ada.id, NOW).secret)
    assert sign_in(team.database, team.hashing, "Ada", _NEW, NOW).person.id == ada.id


def test_a_link_works_once_even_for_many_at_the_same_moment(team: Team, settings: AccountSettings) -> None:
    ada = team.add("Ada")
    made = make_reset_link(team.database, settings, AT_TERMINAL, ada.id, NOW)
    new = [f"{_NEW} {number}" for number in range(8)]
    results = at_once([partial(_reset, team, settings, made.secret, chosen) for chosen in new])
    right = [chosen for chosen, result in zip(new, results, strict=True) if isinstance(result, StoredPerson)]
    assert len(right) == 1
    assert team.hashing.verify_password(team.get(ada).password, right[0])


def test_a_newer_link_replaces_the_earlier_one(team: Team, settings: AccountSettings) -> None:
    ada = team.add("Ada")
    first, second = (make_reset_link(team.database, settings, AT_TERMINAL, ada.id, NOW) for _ in range(2))
    with pytest.raises(NotSignedIn):
        _reset(team, settings, first.secret)
    _reset(team, settings, second.secret)


def test_links_made_and_used_at_the_same_moment_end_in_one_password(team: Team, settings: AccountSettings) -> None:
    ada = team.add("Ada")
    made = make_reset_link(team.database, settings, AT_TERMINAL, ada.id, NOW)
    make = partial(make_reset_link, team.database, settings, AT_TERMINAL, ada.id, NOW)
    actions: list[Callable[[], object]] = [partial(_reset, team, settings, made.secret), make, make, make]
    results = at_once(actions)
    assert not any(isinstance(result, Exception) for result in results[1:])
    expected = _NEW if isinstance(results[0], StoredPerson) else PASSWORD
    assert team.hashing.verify_password(team.get(ada).password, expected)


def test_a_link_expires(team: Team, settings: AccountSettings) -> None:
    made = make_reset_link(team.database, settings, AT_TERMINAL, team.add("Ada").id, NOW)
    with pytest.raises(NotSignedIn):
        _reset(team, settings, made.secret, now=NOW + settings.reset_hours * 3600)


def test_a_short_password_does_not_use_up_the_link(team: Team, settings: AccountSettings) -> None:
    made = make_reset_link(team.database, settings, AT_TERMINAL, team.add("Ada").id, NOW)
    with pytest.raises(Misuse):
        _reset(team, settings, made.secret, "short")
    _reset(team, settings, made.secret)


def test_only_owners_make_links_and_only_for_people_who_may_sign_in(team: Team, settings: AccountSettings) -> None:
    olga, ada, eve = team.add("Olga", "owner"), team.add("Ada"), team.add("Eve")
    with pytest.raises(Denied):
        make_reset_link(team.database, settings, by(eve), ada.id, NOW)
    with pytest.raises(NotFound):
        make_reset_link(team.database, settings, by(olga), "nobody", NOW)
    made = make_reset_link(team.database, settings, by(olga), ada.id, NOW)
    set_disabled(team.database, by(olga), ada.id, True, NOW)
    with pytest.raises(NotSignedIn):
        _reset(team, settings, made.secret)
    with pytest.raises(Misuse):
        make_reset_link(team.database, settings, by(olga), ada.id, NOW)


def test_an_invitation_resets_no_password_and_a_reset_invites_nobody(team: Team, settings: AccountSettings) -> None:
    invitation = invite_person(team.database, settings, AT_TERMINAL, "owner", NOW)
    reset = make_reset_link(team.database, settings, AT_TERMINAL, team.add("Ada").id, NOW)
    with pytest.raises(NotSignedIn):
        _reset(team, settings, invitation.secret)
    with pytest.raises(NotSignedIn):
        accept_invitation(team.database, settings, team.hashing, reset.secret, "Eve", PASSWORD, NOW)
