from functools import partial

import pytest

from pincite.accounts.audit import AT_TERMINAL, list_audit
from pincite.accounts.guests import begin_guest_session
from pincite.accounts.invitations import (
    accept_invitation,
    invite_person,
    list_invitations,
    read_invitation,
    revoke_invitation,
)
from pincite.accounts.referrals import ensure_code
from pincite.accounts.sign_in_sessions import SignedIn, identify_session
from pincite.errors import Denied, Misuse, NotFound, NotSignedIn, ReferralRefused, Taken
from pincite.settings_accounts import AccountSettings
from pincite.settings_quota import QuotaSettings
from pincite.store import people, referral_codes
from tests.accounts.conftest import DAY, NOW, PASSWORD, Team, at_once, by


def _accept(
    team: Team, settings: AccountSettings, secret: str, name: str = "Bob", password: str = PASSWORD
) -> SignedIn:
    return accept_invitation(team.database, settings, team.hashing, secret, name, password, NOW)


def test_an_invited_person_chooses_a_name_and_a_password_and_is_signed_in(
    team: Team, settings: AccountSettings
) -> None:
    made = invite_person(team.database, settings, by(team.add("Olga", "owner")), "guest", NOW, "bob@example.org")
    assert made.secret not in repr(made)
    assert read_invitation(team.database, made.secret, NOW).email == "bob@example.org"
    signed = _accept(team, settings, made.secret)
    assert (signed.person.name, signed.person.role, signed.person.email) == ("Bob", "guest", "bob@example.org")
    assert identify_session(team.database, settings, signed.secret, NOW).user == signed.person.id
    assert [entry.action for entry in list_audit(team.database, AT_TERMINAL)] == [
        "invitation.accept",
        "invitation.create",
    ]


def test_an_invitation_works_once_even_for_many_at_the_same_moment(team: Team, settings: AccountSettings) -> None:
    made = invite_person(team.database, settings, AT_TERMINAL, "member", NOW)
    results = at_once([partial(_accept, team, settings, made.secret, f"Bob {number}") for number in range(8)])
    assert sum(isinstance(result, SignedIn) for result in results) == 1
    assert sum(isinstance(result, NotSignedIn) for result in results) == 7
    with team.database.reading() as connection:
        assert people.count(connection) == 1


def test_a_name_that_is_taken_or_a_short_password_does_not_use_up_the_invitation(
    team: Team, settings: AccountSettings
) -> None:
    team.add("Ada")
    made = invite_person(team.database, settings, AT_TERMINAL, "member", NOW)
    with pytest.raises(Taken):
        _accept(team, settings, made.secret, "ADA")
    with pytest.raises(Misuse):
        _accept(team, settings, made.secret, "Bob", "short")
    assert _accept(team, settings, made.secret).person.name == "Bob"


def test_an_invitation_expires_and_can_be_taken_back(team: Team, settings: AccountSettings) -> None:
    late = invite_person(team.database, settings, AT_TERMINAL, "member", NOW - settings.invitation_days * DAY)
    back = invite_person(team.database, settings, AT_TERMINAL, "member", NOW)
    assert [link.id for link in list_invitations(team.database, AT_TERMINAL, NOW)] == [back.stored.id]
    revoke_invitation(team.database, AT_TERMINAL, back.stored.id[:8], NOW)
    for made in (late, back):
        with pytest.raises(NotSignedIn):
            _accept(team, settings, made.secret)
    with pytest.raises(NotFound):
        revoke_invitation(team.database, AT_TERMINAL, back.stored.id, NOW)


def test_only_owners_invite_and_see_invitations(team: Team, settings: AccountSettings) -> None:
    ada = team.add("Ada")
    with pytest.raises(Denied):
        invite_person(team.database, settings, by(ada), "member", NOW)
    with pytest.raises(Denied):
        list_invitations(team.database, by(ada), NOW)
    made = invite_person(team.database, settings, AT_TERMINAL, "member", NOW)
    with pytest.raises(Denied):
        revoke_invitation(team.database, by(ada), made.stored.id, NOW)


def test_nobody_is_invited_whose_address_is_known(team: Team, settings: AccountSettings) -> None:
    team.add("Ada", email="ada@example.org")
    with pytest.raises(Taken):
        invite_person(team.database, settings, AT_TERMINAL, "member", NOW, "ADA@example.org")


@pytest.mark.parametrize("secret", ["", "x", "\x00\ud800", "pin_x"])
def test_a_link_that_nobody_made_is_refused(team: Team, settings: AccountSettings, secret: str) -> None:
    invite_person(team.database, settings, AT_TERMINAL, "member", NOW)
    with pytest.raises(NotSignedIn):
        _accept(team, settings, secret)


def test_a_referral_code_that_is_refused_leaves_no_account_and_the_invitation(
    team: Team, settings: AccountSettings
) -> None:
    made = invite_person(team.database, settings, by(team.add("Olga", "owner")), "member", NOW)
    accept = partial(
        accept_invitation,
        team.database,
        settings,
        team.hashing,
        made.secret,
        "Bob",
        PASSWORD,
        NOW,
        quota=QuotaSettings(),
    )
    with pytest.raises(ReferralRefused):
        accept(referral="NOSUCHCODE")
    with team.database.writing() as connection:
        assert people.count(connection) == 1
        code = ensure_code(connection, people.find(connection)[0].id, NOW)
    joined = accept(referral=code).person.id
    with team.database.reading() as connection:
        assert referral_codes.has_redeemed(connection, joined)


def test_nobody_joins_with_an_address_of_their_own_choice(team: Team, settings: AccountSettings) -> None:
    olga = by(team.add("Olga", "owner"))
    for email in ("", "bob@example.org"):
        made = invite_person(team.database, settings, olga, "member", NOW, email)
        with pytest.raises(Misuse) as caught:
            accept_invitation(
                team.database, settings, team.hashing, made.secret, "Eve", PASSWORD, NOW, email="olga@example.org"
            )
        assert caught.value.reason == "email"


def test_joining_ends_the_session_that_the_browser_had(team: Team, settings: AccountSettings) -> None:
    made = invite_person(team.database, settings, by(team.add("Olga", "owner")), "member", NOW)
    guest = begin_guest_session(team.database, AccountSettings(mode="team", guests=True), NOW)
    accept_invitation(team.database, settings, team.hashing, made.secret, "Bob", PASSWORD, NOW, old_secret=guest.secret)
    with pytest.raises(NotSignedIn):
        identify_session(team.database, settings, guest.secret, NOW)
