"""Share libraries with people, groups or everyone, and conversations by a link."""

from dataclasses import dataclass, field

from pincite.accounts.audit import Caller, record_action
from pincite.accounts.principal import TERMINAL
from pincite.accounts.secret_values import hash_secret, make_secret
from pincite.errors import Misuse, NotFound
from pincite.store import conversation_links, conversations, document_sources, groups, library_shares, people
from pincite.store.conversation_links import ConversationLink
from pincite.store.database import Database
from pincite.store.library_access import check_library_access as check_library_access
from pincite.store.library_access import make_missing_library
from pincite.store.library_shares import Access, LibraryShare

_DAY = 86_400.0
ACCESSES = library_shares.RANKS


@dataclass(frozen=True, slots=True)
class NewConversationLink:
    """A new link: the secret in it, which is not stored, and the stored row."""

    secret: str = field(repr=False)
    stored: ConversationLink


def share_library(
    database: Database,
    caller: Caller,
    owner: str,
    library: str,
    access: Access,
    now: float,
    *,
    person: str | None = None,
    group: str | None = None,
    everyone: bool = False,
) -> LibraryShare:
    """Share a library with a person, a group or everyone, or change what they may do.

    An owner of the library does it. Everyone includes guests, who are readers whatever the access is.
    """
    if (person is not None) + (group is not None) + everyone != 1:
        raise Misuse("A library is shared with a person, a group or everyone.", "Give one of them.", "receiver")
    caller.principal.check_scope("write")
    with database.writing() as connection:
        check_library_access(connection, caller.principal.user, owner, library, "owner")
        if library not in document_sources.list_libraries(connection, owner):
            raise make_missing_library(library)
        if person is not None:
            people.get(connection, person)
        if group is not None:
            groups.get(connection, group)
        if person == owner:
            raise Misuse("The library belongs to that person.", "Share it with somebody else.", "receiver")
        made = library_shares.put(
            connection, owner, library, access, now, person=person, group=group, everyone=everyone
        )
        receiver = _find_receiver(made)
        record_action(connection, caller, "library.share", now, owner, made.id, receiver=receiver, access=access)
        return made


def unshare_library(database: Database, caller: Caller, owner: str, library: str, share: str, now: float) -> None:
    """Take back a share. An owner of the library does it, or the person with whom it is shared.

    At the terminal of the server, anybody may.
    """
    caller.principal.check_scope("write")
    person = owner if caller.principal == TERMINAL else caller.principal.user
    with database.writing() as connection:
        check_library_access(connection, person, owner, library, "reader")
        found = library_shares.find(connection, owner, library)
        if not any(each.id == share and each.person == person for each in found):
            check_library_access(connection, person, owner, library, "owner")
        removed = library_shares.remove(connection, owner, library, share)
        receiver = _find_receiver(removed)
        record_action(connection, caller, "library.unshare", now, owner, removed.id, receiver=receiver)


def list_shares(database: Database, caller: Caller, owner: str, library: str) -> list[LibraryShare]:
    """Return with whom a library is shared, for its owners."""
    with database.reading() as connection:
        check_library_access(connection, caller.principal.user, owner, library, "owner")
        return library_shares.find(connection, owner, library)


def share_conversation(
    database: Database, caller: Caller, conversation: str, now: float, days: float | None = None
) -> NewConversationLink:
    """Make a link to one's own conversation; without `days` it works until it is taken back."""
    caller.principal.check_scope("write")
    if days is not None and days <= 0:
        raise Misuse("A link works for more than 0 days.", "Give more days, or none for a link without end.", "days")
    secret, owner = make_secret(), caller.principal.user
    with database.writing() as connection:
        conversations.get(connection, owner, conversation)
        expires = None if days is None else now + days * _DAY
        made = conversation_links.create(connection, owner, conversation, hash_secret(secret), now, expires)
        record_action(connection, caller, "conversation.share", now, owner, conversation)
    return NewConversationLink(secret, made)


def open_conversation_link(database: Database, secret: str, now: float) -> ConversationLink:
    """Return the conversation and its owner for a link's secret; raise `NotFound` if the link does not work.

    The links of a disabled account do not work: its person cannot take them back.
    """
    with database.reading() as connection:
        found = conversation_links.find_by_secret(connection, hash_secret(secret), now)
        is_disabled = found is not None and people.is_disabled(connection, found.owner)
    if found is None or is_disabled:
        raise NotFound("There is nothing behind this link.", "It may have been taken back, or have expired.", "link")
    return found


def list_conversation_links(database: Database, caller: Caller, conversation: str) -> list[ConversationLink]:
    """Return the links to one's own conversation, the latest first."""
    with database.reading() as connection:
        conversations.get(connection, caller.principal.user, conversation)
        return conversation_links.find(connection, caller.principal.user, conversation)


def unshare_conversation(
    database: Database, caller: Caller, link: str, now: float, conversation: str | None = None
) -> None:
    """Take back a link to one's own conversation; raise `NotFound` if there is none with this id."""
    caller.principal.check_scope("write")
    with database.writing() as connection:
        removed = conversation_links.remove(connection, caller.principal.user, link, conversation)
        record_action(connection, caller, "conversation.unshare", now, removed.owner, removed.conversation)


def _find_receiver(share: LibraryShare) -> str:
    return "everyone" if share.everyone else share.person or share.group or ""
