"""Check the names and e-mail addresses of people, and the names of groups and tokens."""

import unicodedata

from pincite.errors import Misuse
from pincite.store.people import fold_key

_LONGEST_NAME = 100
_LONGEST_EMAIL = 254  # the longest that mail servers accept


def clean_name(given: str, thing: str = "name") -> str:
    """Return a name with single spaces and in one Unicode form; raise `Misuse` if it cannot be one."""
    name = unicodedata.normalize("NFC", " ".join(given.split()))
    if not any(character.isalnum() for character in fold_key(name)):
        raise Misuse(f"The {thing} has no letter and no digit.", "Give one that people can read.", "name")
    if len(name) > _LONGEST_NAME:
        raise Misuse(f"The {thing} has more than {_LONGEST_NAME} characters.", "Give a shorter one.", "name")
    if any(unicodedata.category(character)[0] == "C" for character in name):
        raise Misuse(f"The {thing} has a character that cannot be seen.", "Type it anew.", "name")
    return name


def clean_person_name(given: str) -> str:
    """Return the name of a person.

    It has no @, so that it is never the e-mail address of another person, and no /, which ends the name of a person in
    that of a library: `~Ada/reports`.
    """
    name = clean_name(given)
    # The full-width forms of the signs fold to them.
    if "@" in fold_key(name):
        raise Misuse("A name has no @.", "Give the e-mail address apart from the name.", "name")
    if "/" in fold_key(name):
        raise Misuse("A name has no /.", "Write the name without it.", "name")
    return name


def clean_email(given: str) -> str:
    """Return an e-mail address without spaces around it, or ""; raise `Misuse` if it cannot be one."""
    email = unicodedata.normalize("NFC", given.strip())
    if not email:
        return ""
    local, _, domain = email.rpartition("@")
    unusable = any(character.isspace() or unicodedata.category(character)[0] == "C" for character in email)
    parts = domain.split(".")
    if not local or "@" in local or unusable or not all(parts) or len(email) > _LONGEST_EMAIL:
        raise Misuse("That is no e-mail address.", "Give one such as ada@example.org.", "email")
    return email


def is_same_email(one: str, other: str) -> bool:
    """Whether two addresses reach the same person: they are equal, or ASCII and differ in case alone.

    `fold_key` is for names: it finds ada@example.org for àda@example.org, which is somebody else's address.
    """
    return one == other or (one.isascii() and other.isascii() and one.lower() == other.lower())
