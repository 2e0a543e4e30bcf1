"""Make the first owner of a server, to whom belongs everything that was there before."""

from dataclasses import dataclass

from pincite.accounts.audit import AT_TERMINAL, record_action
from pincite.accounts.passwords import PasswordHashing, check_new_password
from pincite.accounts.person_names import clean_email, clean_person_name
from pincite.errors import Misuse
from pincite.settings import Settings
from pincite.store import people
from pincite.store.database import Database
from pincite.store.owned_rows import count_owned_rows, find_owners
from pincite.store.people import StoredPerson


@dataclass(frozen=True, slots=True)
class FirstOwner:
    """The first owner, the number of their rows in each table, and owners of other rows without an account."""

    person: StoredPerson
    rows: dict[str, int]
    others: tuple[str, ...]


def check_no_owner(database: Database) -> None:
    """Raise `Misuse` if the server has accounts already."""
    with database.reading() as connection:
        if people.has_any(connection):
            raise _make_exists_error()


def check_has_owner(database: Database) -> None:
    """Raise `Misuse` if a server in team mode has no owner: nobody could sign in."""
    with database.reading() as connection:
        if not people.has_owner(connection):
            raise Misuse(
                "The server is in team mode and has no owner yet.",
                "Make the first owner: pincite accounts init --name NAME",
                "no_owner",
            )


def create_first_owner(
    database: Database, settings: Settings, hashing: PasswordHashing, name: str, email: str, password: str, now: float
) -> FirstOwner:
    """Make the first owner in one transaction; raise `Misuse` if there are accounts already.

    The account gets the id of the owner without accounts (`settings.owner`): every row, file and vector that
    belonged to it belongs to the account, and none has to be changed.
    """
    name, email = clean_person_name(name), clean_email(email)
    check_new_password(password, settings.accounts.password_length, name, email)
    check_no_owner(database)
    hash = hashing.hash_password(password)
    with database.writing() as connection:
        if people.has_any(connection):
            raise _make_exists_error()
        # Of two commands at once, the second finds the id taken.
        person = people.create(connection, name, "owner", now, email=email, password=hash, id=settings.owner)
        record_action(connection, AT_TERMINAL, "account.init", now, person.id)
        others = sorted(find_owners(connection) - {person.id})
        return FirstOwner(person, count_owned_rows(connection, person.id), tuple(others))


def _make_exists_error() -> Misuse:
    return Misuse(
        "There are accounts already.",
        "`pincite accounts people` lists them; `pincite accounts invite` invites more.",
        "accounts_exist",
    )
