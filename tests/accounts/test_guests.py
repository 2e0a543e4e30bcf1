from functools import partial

import pytest

from pincite.accounts.guests import begin_guest_session
from pincite.accounts.sign_in import sign_in
from pincite.accounts.sign_in_sessions import SignedIn, identify_session
from pincite.errors import NotSignedIn
from pincite.settings_accounts import AccountSettings
from tests.accounts.conftest import NOW, Team, at_once


def test_a_server_without_guests_lets_nobody_in(team: Team, settings: AccountSettings) -> None:
    with pytest.raises(NotSignedIn):
        begin_guest_session(team.database, settings, NOW)


def test_each_guest_is_somebody_else_and_may_only_read_and_ask(team: Team) -> None:
    open_house = AccountSettings(mode="team", guests=True)
    guests = at_once([partial(begin_guest_session, team.database, open_house, NOW)] * 6)
    found = [
        identify_session(team.database, open_house, guest.secret, NOW)
        for guest in guests
        if isinstance(guest, SignedIn)
    ]
    assert len({principal.user for principal in found}) == 6
    assert {(principal.role, principal.scopes) for principal in found} == {("guest", frozenset({"read", "ask"}))}


def test_nobody_signs_in_as_a_guest(team: Team) -> None:
    guest = begin_guest_session(team.database, AccountSettings(mode="team", guests=True), NOW)
    with pytest.raises(NotSignedIn):
        sign_in(team.database, team.hashing, guest.person.name, "", NOW)
