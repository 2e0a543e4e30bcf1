"""Store people: their names, roles and password hashes."""

import unicodedata
import uuid
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Select, delete, exists, func, insert, or_, select, text, update
from sqlalchemy.exc import IntegrityError

from pincite.errors import NotFound, Taken
from pincite.store import lock_keys
from pincite.store.account_schema import access_tokens, people, sessions
from pincite.text.folding import fold_text

Role = Literal["owner", "member", "guest"]


@dataclass(frozen=True, slots=True)
class StoredPerson:
    """The row of a person. `password` is a hash, or "" for a person who signs in without one."""

    id: str
    name: str
    email: str
    role: Role
    disabled: bool
    password: str = field(repr=False)
    issuer: str | None
    subject: str | None
    created: float
    updated: float

    @property
    def is_passing_guest(self) -> bool:
        """Whether nobody can sign in to this account again: a guest who came without an invitation."""
        return self.role == "guest" and not (self.password or self.email or self.subject)


COLUMNS: tuple[ColumnElement[Any], ...] = (
    people.c.id,
    people.c.name,
    people.c.email,
    people.c.role,
    people.c.disabled,
    people.c.password,
    people.c.issuer,
    people.c.subject,
    people.c.created,
    people.c.updated,
)


def fold_key(text: str) -> str:
    """Return the form of a name or an e-mail address in which two spellings of one name are equal.

    Invisible characters are left out.
    """
    return "".join(character for character in fold_text(text) if unicodedata.category(character)[0] != "C")


def create(
    connection: Connection,
    name: str,
    role: Role,
    now: float,
    *,
    email: str = "",
    password: str = "",
    issuer: str | None = None,
    subject: str | None = None,
    id: str = "",
) -> StoredPerson:
    """Create a person; raise `Taken` if the id, the name, the e-mail or the subject is in use."""
    made = StoredPerson(id or uuid.uuid4().hex, name, email, role, False, password, issuer, subject, now, now)
    _check_names(connection, name, email)
    values = {column.name: getattr(made, column.name) for column in COLUMNS}
    keys = {"name_key": fold_key(name), "email_key": fold_key(email) if email else None}
    try:
        connection.execute(insert(people).values(values | keys))
    except IntegrityError:  # another transaction has just taken it
        raise _make_taken_error("name") from None
    return made


def get(connection: Connection, id: str, lock: bool = False) -> StoredPerson:
    """Return the person with this id, locked until the transaction ends if asked; raise `NotFound` without one."""
    query = select(*COLUMNS).where(people.c.id == id)
    found = _fetch(connection, query.with_for_update() if lock else query)
    if found is None:
        raise NotFound("There is no such person.", "Check the id.", "person")
    return found


def get_by_any_name(connection: Connection, given: str) -> StoredPerson:
    """Return the person with this id, name or e-mail; raise `NotFound` without one."""
    key = fold_key(given.strip())
    named = or_(people.c.id == given, people.c.name_key == key, people.c.email_key == key)
    rows = connection.execute(select(*COLUMNS).where(named)).all()
    if not rows:
        raise NotFound(f"There is no person {given}.", "`pincite accounts people` lists them.", "person")
    # A name may look like another person's id: the id is meant.
    return StoredPerson(*next((row for row in rows if row.id == given), rows[0]))


def find_by_name(connection: Connection, given: str) -> StoredPerson | None:
    """Return the person who signs in with this name or e-mail, or None."""
    key = fold_key(given)
    return _fetch(connection, select(*COLUMNS).where(or_(people.c.name_key == key, people.c.email_key == key)))


def find_id_by_name(connection: Connection, name: str) -> str | None:
    """Return the id of the person with this name, in any spelling, or None."""
    return connection.scalar(select(people.c.id).where(people.c.name_key == fold_key(name.strip())))


def find_by_email(connection: Connection, email: str) -> StoredPerson | None:
    """Return the person whose e-mail folds to the same as this one, or None."""
    return _fetch(connection, select(*COLUMNS).where(people.c.email_key == fold_key(email)))


def find_by_subject(connection: Connection, issuer: str, subject: str) -> StoredPerson | None:
    """Return the person with this id at an OpenID issuer, or None."""
    return _fetch(connection, select(*COLUMNS).where(people.c.issuer == issuer, people.c.subject == subject))


def find(connection: Connection) -> list[StoredPerson]:
    """Return all people, by name."""
    return [StoredPerson(*row) for row in connection.execute(select(*COLUMNS).order_by(people.c.name_key))]


def find_names(connection: Connection, ids: Collection[str]) -> dict[str, str]:
    """Return the names of those of these people who still exist."""
    rows = connection.execute(select(people.c.id, people.c.name).where(people.c.id.in_(set(ids))))
    return {row.id: row.name for row in rows}


def list_lost_guests(connection: Connection, before: float) -> list[str]:
    """Return the guests without an invitation who came before a time and have neither a session nor a token."""
    is_passing = (people.c.role == "guest", people.c.password == "", people.c.email == "", people.c.subject.is_(None))
    query = select(people.c.id).where(*is_passing, people.c.created < before)
    for table in (sessions, access_tokens):
        query = query.where(~exists().where(table.c.person == people.c.id))
    return list(connection.scalars(query.order_by(people.c.created, people.c.id)))


def has_any(connection: Connection) -> bool:
    """Whether there is an account at all."""
    return connection.scalar(select(people.c.id).limit(1)) is not None


def has_owner(connection: Connection) -> bool:
    """Whether there is an owner who can sign in."""
    query = select(people.c.id).where(people.c.role == "owner", people.c.disabled.is_(False))
    return connection.scalar(query.limit(1)) is not None


def is_disabled(connection: Connection, id: str) -> bool:
    """Whether there is a person with this id who is disabled."""
    return bool(connection.scalar(select(people.c.disabled).where(people.c.id == id)))


def is_name_taken(connection: Connection, name: str) -> bool:
    """Whether a person has this name, in any spelling."""
    return connection.scalar(select(people.c.id).where(people.c.name_key == fold_key(name))) is not None


def lock_owners(connection: Connection) -> set[str]:
    """Return the ids of the owners who are not disabled, locked until the transaction ends.

    A transaction that waited for the lock sees the owners as the other one left them. It locks no row while it waits:
    a person who has just become an owner would be the first row for one transaction and the last for another.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": lock_keys.OWNERS})
    query = select(people.c.id).where(people.c.role == "owner", people.c.disabled.is_(False))
    return set(connection.scalars(query.order_by(people.c.id).with_for_update()))


def set_role(connection: Connection, id: str, role: Role, now: float) -> None:
    """Set the role of a person."""
    connection.execute(update(people).where(people.c.id == id).values(role=role, updated=now))


def set_disabled(connection: Connection, id: str, disabled: bool, now: float) -> None:
    """Disable a person, or enable them again."""
    connection.execute(update(people).where(people.c.id == id).values(disabled=disabled, updated=now))


def set_password(connection: Connection, id: str, password: str, now: float) -> None:
    """Set the password hash of a person."""
    connection.execute(update(people).where(people.c.id == id).values(password=password, updated=now))


def replace_password_hash(connection: Connection, id: str, old: str, new: str) -> None:
    """Replace a hash by another of the same password, unless the password was changed meanwhile."""
    connection.execute(update(people).where(people.c.id == id, people.c.password == old).values(password=new))


def set_subject(connection: Connection, id: str, issuer: str, subject: str, now: float) -> None:
    """Set the id of a person at an OpenID issuer; raise `Taken` if another person has it."""
    values = {"issuer": issuer, "subject": subject, "updated": now}
    try:
        connection.execute(update(people).where(people.c.id == id).values(values))
    except IntegrityError:
        raise _make_taken_error("subject") from None


def set_names(connection: Connection, id: str, name: str, email: str, now: float) -> None:
    """Set the name and the e-mail of a person; raise `Taken` if another person has one of them."""
    _check_names(connection, name, email, other_than=id)
    values = {
        "name": name,
        "name_key": fold_key(name),
        "email": email,
        "email_key": fold_key(email) if email else None,
        "updated": now,
    }
    try:
        connection.execute(update(people).where(people.c.id == id).values(values))
    except IntegrityError:
        raise _make_taken_error("name") from None


def remove(connection: Connection, id: str) -> None:
    """Remove a person with their sessions, tokens, links, memberships and shares."""
    connection.execute(delete(people).where(people.c.id == id))


def count(connection: Connection) -> int:
    """Return the number of people."""
    return connection.scalar(select(func.count()).select_from(people)) or 0


def _fetch(connection: Connection, query: "Select[*tuple[Any, ...]]") -> StoredPerson | None:
    row = connection.execute(query).one_or_none()
    return None if row is None else StoredPerson(*row)


def _check_names(connection: Connection, name: str, email: str, other_than: str = "") -> None:
    query = select(people.c.id).where(people.c.id != other_than)
    if connection.scalar(query.where(people.c.name_key == fold_key(name))) is not None:
        raise _make_taken_error("name")
    if email and connection.scalar(query.where(people.c.email_key == fold_key(email))) is not None:
        raise _make_taken_error("email")


def _make_taken_error(reason: Literal["name", "email", "subject"]) -> Taken:
    said = {
        "name": ("There is a person of that name already.", "Choose another name."),
        "email": ("There is a person with that e-mail address already.", "Give another address."),
        "subject": ("Another account is linked to that sign-in.", "Ask an owner of the server."),
    }
    return Taken(*said[reason], reason)
