"""Invite people with a link that works once."""

from dataclasses import dataclass, field

from pincite.accounts.audit import Caller, check_owner, record_action
from pincite.accounts.passwords import PasswordHashing, check_new_password
from pincite.accounts.person_names import clean_email, clean_person_name, is_same_email
from pincite.accounts.referrals import redeem_code
from pincite.accounts.secret_values import hash_secret, make_secret
from pincite.accounts.sign_in_sessions import SignedIn, begin_session
from pincite.errors import Misuse, NotSignedIn, Taken
from pincite.settings_accounts import AccountSettings
from pincite.settings_quota import QuotaSettings
from pincite.store import credits, one_time_links, people
from pincite.store.database import Database
from pincite.store.one_time_links import OneTimeLink
from pincite.store.people import Role

_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class NewLink:
    """A new link: the secret in it, which is not stored, and the stored row."""

    secret: str = field(repr=False)
    stored: OneTimeLink


def invite_person(
    database: Database, settings: AccountSettings, caller: Caller, role: Role, now: float, email: str = ""
) -> NewLink:
    """Make an invitation with a role. The e-mail, if given, becomes that of the person who accepts it."""
    email, secret = clean_email(email), make_secret()
    with database.writing() as connection:
        check_owner(connection, caller)
        if email and people.find_by_email(connection, email):
            raise Taken("There is a person with that e-mail address already.", "They can sign in.", "email")
        expires = now + settings.invitation_days * _DAY
        made = one_time_links.create(
            connection,
            "invitation",
            hash_secret(secret),
            caller.principal.user,
            now,
            expires,
            email=email,
            role=role,
        )
        record_action(connection, caller, "invitation.create", now, target=made.id, role=role)
    return NewLink(secret, made)


def read_invitation(database: Database, secret: str, now: float) -> OneTimeLink:
    """Return an invitation that can be accepted; raise `NotSignedIn` if it was used or has expired."""
    with database.reading() as connection:
        return _check_invitation(one_time_links.find_by_secret(connection, "invitation", hash_secret(secret), now))


def accept_invitation(
    database: Database,
    settings: AccountSettings,
    hashing: PasswordHashing,
    secret: str,
    name: str,
    password: str,
    now: float,
    *,
    email: str = "",
    quota: QuotaSettings | None = None,
    referral: str = "",
    address: str = "",
    agent: str = "",
    old_secret: str = "",
) -> SignedIn:
    """Make the account of an invitation and sign its person in. If that fails, the invitation stays.

    The e-mail is the one that the owner gave: an address of one's own choice could be somebody else's. A referral code
    is redeemed with the account, so that a wrong one can be corrected; `old_secret` is that of the session to replace.
    """
    name, email = clean_person_name(name), clean_email(email)
    invited = read_invitation(database, secret, now)
    if email and not is_same_email(email, invited.email):
        raise Misuse(
            "The e-mail address is not that of the invitation.", "Leave it out: an owner can set it later.", "email"
        )
    check_new_password(password, settings.password_length, name, invited.email)
    hash = hashing.hash_password(password)
    with database.writing() as connection:
        link = _check_invitation(one_time_links.take(connection, "invitation", hash_secret(secret), now))
        if quota and referral:
            credits.lock_credits(connection)  # before people, as everywhere
        person = people.create(connection, name, link.role, now, email=link.email, password=hash)
        if quota and referral:
            redeem_code(connection, quota, referral, person.id, now)
        signed = begin_session(connection, person, now, address, agent, old_secret)
        caller = Caller(signed.principal, address)
        record_action(connection, caller, "invitation.accept", now, person.id, link.id, role=link.role)
        return signed


def list_invitations(database: Database, caller: Caller, now: float) -> list[OneTimeLink]:
    """Return the invitations that can still be accepted, the latest first."""
    with database.reading() as connection:
        check_owner(connection, caller)
        return one_time_links.find(connection, "invitation", now)


def revoke_invitation(database: Database, caller: Caller, invitation: str, now: float) -> OneTimeLink:
    """Take back the invitation whose id begins like this; raise `NotFound` if there is none."""
    with database.writing() as connection:
        check_owner(connection, caller)
        removed = one_time_links.remove(connection, "invitation", invitation, now)
        record_action(connection, caller, "invitation.revoke", now, target=removed.id)
        return removed


def _check_invitation(found: OneTimeLink | None) -> OneTimeLink:
    if found is None:
        raise NotSignedIn(
            "This invitation is not valid: it was used, taken back, or has expired.",
            "Ask an owner of the server for a new one.",
            "invitation",
        )
    return found
