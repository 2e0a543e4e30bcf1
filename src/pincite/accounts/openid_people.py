"""Find or make the person whom an OpenID issuer has signed in."""

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pincite.accounts.audit import Caller, record_action
from pincite.accounts.person_names import clean_email, clean_person_name, is_same_email
from pincite.errors import Misuse, NotSignedIn, Taken
from pincite.settings_accounts import AccountSettings
from pincite.store import one_time_links, people
from pincite.store.database import Connection
from pincite.store.people import Role, StoredPerson

_MOST_NUMBERED = 50


@dataclass(frozen=True, slots=True)
class IssuerPerson:
    """A person as the issuer describes them. `email` is empty unless the issuer has verified it."""

    issuer: str
    subject: str
    email: str
    names: tuple[str, ...]


def read_person(issuer: str, claims: Mapping[str, Any]) -> IssuerPerson:
    """Return the person of the claims of an ID token or of the user info."""
    is_verified = claims.get("email_verified") in (True, "true")
    try:
        email = clean_email(str(claims.get("email") or "")) if is_verified else ""
    except Misuse:
        email = ""
    given = (claims.get("preferred_username"), claims.get("name"), email)
    names = tuple(name.partition("@")[0] for name in given if isinstance(name, str) and name)
    return IssuerPerson(issuer, str(claims["sub"]), email, names)


def find_or_make_person(
    connection: Connection, settings: AccountSettings, known: IssuerPerson, caller: Caller, now: float
) -> StoredPerson:
    """Return the person with this subject, or with this verified e-mail, or a new one if the settings allow it."""
    if found := people.find_by_subject(connection, known.issuer, known.subject):
        return found
    if known.email and (found := people.find_by_email(connection, known.email)):
        return _link_person(connection, found, known, caller, now)
    invitation = one_time_links.take_for_email(connection, known.email, now) if known.email else None
    if invitation is None:
        _check_may_join(settings, known)
    role: Role = invitation.role if invitation else "member"
    made = people.create(
        connection,
        _choose_name(connection, known),
        role,
        now,
        email=known.email,
        issuer=known.issuer,
        subject=known.subject,
    )
    record_action(connection, caller, "account.join", now, made.id, invitation.id if invitation else "", role=role)
    return made


def _link_person(
    connection: Connection, found: StoredPerson, known: IssuerPerson, caller: Caller, now: float
) -> StoredPerson:
    """Link an account to the person of the issuer with the same e-mail.

    An account that is linked to another subject stays closed: companies give an address to a new person when the one
    who had it has left. Another sign-in of the same person may have linked it since the search by subject.
    """
    if (found.issuer, found.subject) == (known.issuer, known.subject):
        return found
    if not is_same_email(found.email, known.email):
        raise Taken("There is a person with a similar e-mail address.", "Ask an owner of the server.", "email")
    if found.issuer == known.issuer:
        raise NotSignedIn(
            "The account with this e-mail address belongs to another person at the issuer.",
            "Ask an owner of the server.",
            "subject",
        )
    people.set_subject(connection, found.id, known.issuer, known.subject, now)
    record_action(connection, caller, "account.link", now, found.id)
    return people.get(connection, found.id)


def _check_may_join(settings: AccountSettings, known: IssuerPerson) -> None:
    domain = known.email.rpartition("@")[2].lower()
    has_domain = not settings.domains or domain in {allowed.lower().lstrip("@") for allowed in settings.domains}
    if not settings.join or not has_domain:
        raise NotSignedIn("There is no account for you on this server.", "Ask an owner for an invitation.", "join")


def _choose_name(connection: Connection, known: IssuerPerson) -> str:
    """Return the first usable name that nobody has, with a number if needed."""
    for name in _list_candidates(known.names):
        if not people.is_name_taken(connection, name):
            return name
    return f"person {uuid.uuid4().hex[:12]}"


def _list_candidates(names: tuple[str, ...]) -> Iterator[str]:
    usable = []
    for name in names:
        try:
            usable.append(clean_person_name(name))
        except Misuse:
            continue
    yield from usable
    for name in usable[:1]:
        yield from (f"{name} {number}" for number in range(2, _MOST_NUMBERED))
