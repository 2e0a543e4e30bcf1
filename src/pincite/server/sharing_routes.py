"""HTTP routes to share libraries with people and groups, and conversations by a link."""

import time
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from pincite.accounts import sharing
from pincite.accounts.audit import Caller
from pincite.accounts.link_addresses import make_link_address
from pincite.conversations.shared_answer import strip_answers
from pincite.conversations.transcript import read_conversation
from pincite.server.account_routes import IN_TEAM_MODE, TheSettings
from pincite.server.conversation_routes import Message
from pincite.server.dependencies import Body, Id, TheCaller, TheLibrary, Words
from pincite.server.group_routes import NamedGroup, NamedPerson
from pincite.server.request_rates import take_in_thread
from pincite.store import groups, people
from pincite.store.conversation_links import ConversationLink
from pincite.store.database import Database
from pincite.store.library_access import resolve_library
from pincite.store.library_shares import Access, LibraryShare
from pincite.types import LibraryKey


class ShareInfo(BaseModel):
    """A library is shared with one person, with one group, or with everyone."""

    id: str
    person: NamedPerson | None
    group: NamedGroup | None
    everyone: Annotated[bool, Field(description="Whether it is shared with all people of the server.")]
    access: Access
    created: float


class Shares(BaseModel):
    """With whom a library is shared, in the order in which that was done."""

    shares: list[ShareInfo]


class GivenShare(Body):
    """With whom to share a library: one of `person`, `group` and `everyone`. It replaces an earlier share with them."""

    person: Annotated[Words | None, Field(max_length=200, description="The id of a person.")] = None
    group: Annotated[Words | None, Field(max_length=200, description="The id of a group.")] = None
    everyone: Annotated[bool, Field(description="All people of the server, now and later.")] = False
    access: Annotated[
        Access,
        Field(description="A reader reads and asks, a writer also adds and removes, an owner also shares."),
    ] = "reader"


class SharedLink(BaseModel):
    """A link with which anybody may read a conversation."""

    id: str
    created: float
    expires: Annotated[float | None, Field(description="Null works until it is taken back.")]


class SharedLinks(BaseModel):
    """The links to a conversation, the latest first."""

    links: list[SharedLink]


class GivenLink(Body):
    """How long a link works."""

    days: Annotated[
        float | None, Field(gt=0, le=3650, allow_inf_nan=False, description="Null works until it is taken back.")
    ] = None


class MadeLink(BaseModel):
    """A new link. Its address is shown once, because only a hash of it is stored."""

    url: str
    link: SharedLink


class GivenSecret(Body):
    """The part of a link after `#`."""

    secret: Annotated[Words, Field(min_length=1, max_length=200)]


class SharedConversation(BaseModel):
    """A conversation that is shared by a link: questions, answers with verdicts, and quotes.

    Settings, ratings, sources that are not cited and the ids of documents are left out.
    """

    title: str
    owner_name: str
    messages: list[Message]


def router() -> APIRouter:
    """Return the routes for sharing."""
    routes = APIRouter(tags=["sharing"], dependencies=IN_TEAM_MODE)

    @routes.get("/api/libraries/{library:path}/shares")
    def find(library: Id, caller: TheCaller, store: TheLibrary) -> Shares:
        """List with whom a library is shared, for its owners."""
        key = _resolve(store.database, caller, library, "owner")
        found = sharing.list_shares(store.database, caller, key.owner, key.name)
        return Shares(shares=_make_shares(store.database, found))

    @routes.post("/api/libraries/{library:path}/shares", status_code=201)
    def share(library: Id, given: GivenShare, caller: TheCaller, store: TheLibrary) -> ShareInfo:
        """Share a library, or change what somebody may do with it. An owner of the library does it."""
        key = _resolve(store.database, caller, library, "owner")
        made = sharing.share_library(
            store.database,
            caller,
            key.owner,
            key.name,
            given.access,
            time.time(),
            person=given.person,
            group=given.group,
            everyone=given.everyone,
        )
        return _make_shares(store.database, [made])[0]

    @routes.delete("/api/libraries/{library:path}/shares/{share}", status_code=204)
    def unshare(library: Id, share: Id, caller: TheCaller, store: TheLibrary) -> None:
        """Take back a share. An owner of the library does it, or the person with whom it is shared."""
        key = _resolve(store.database, caller, library, "reader")
        sharing.unshare_library(store.database, caller, key.owner, key.name, share, time.time())

    @routes.get("/api/conversations/{conversation}/links")
    def find_links(conversation: Id, caller: TheCaller, store: TheLibrary) -> SharedLinks:
        """List the links to a conversation of yours. Their addresses are not known any more."""
        found = sharing.list_conversation_links(store.database, caller, conversation)
        return SharedLinks(links=[_make_link(each) for each in found])

    @routes.post("/api/conversations/{conversation}/links", status_code=201)
    def make_link(
        conversation: Id, given: GivenLink, settings: TheSettings, caller: TheCaller, store: TheLibrary
    ) -> MadeLink:
        """Make a link with which anybody may read a conversation of yours, also what is added to it later."""
        made = sharing.share_conversation(store.database, caller, conversation, time.time(), given.days)
        return MadeLink(url=make_link_address(settings, "conversation", made.secret), link=_make_link(made.stored))

    @routes.delete("/api/conversations/{conversation}/links/{link}", status_code=204)
    def remove_link(conversation: Id, link: Id, caller: TheCaller, store: TheLibrary) -> None:
        """Take back a link to a conversation of yours."""
        sharing.unshare_conversation(store.database, caller, link, time.time(), conversation)

    @routes.post("/api/shared-conversation")
    def read_shared(request: Request, given: GivenSecret, store: TheLibrary) -> SharedConversation:
        """Read a conversation with the secret of a link. Nobody has to be signed in. It counts as a question."""
        take_in_thread(request, "questions")
        link = sharing.open_conversation_link(store.database, given.secret, time.time())
        found = read_conversation(store.database, link.owner, link.conversation)
        with store.database.reading() as connection:
            owner_name = people.find_names(connection, {link.owner}).get(link.owner, "")
        answers = strip_answers(each.answer for each in found.said)
        return SharedConversation(
            title=found.about.title,
            owner_name=owner_name,
            messages=[
                Message(
                    id=each.message.id,
                    role=each.message.role,
                    content=each.message.content,
                    state=each.message.state,
                    asked=None,
                    answer=answer,
                    evidence=[],
                    activity="",
                    results=[],
                    rating=None,
                    versions=[],
                    after=0,
                    created=each.message.created,
                    updated=each.message.updated,
                )
                for each, answer in zip(found.said, answers, strict=True)
            ],
        )

    return routes


def _resolve(database: Database, caller: Caller, library: str, needed: Access) -> LibraryKey:
    with database.reading() as connection:
        return resolve_library(connection, caller.principal.user, library, needed)


def _make_shares(database: Database, shares: list[LibraryShare]) -> list[ShareInfo]:
    with database.reading() as connection:
        person_names = people.find_names(connection, {each.person for each in shares if each.person})
        group_names = groups.find_names(connection, {each.group for each in shares if each.group})
    return [
        ShareInfo(
            id=each.id,
            person=NamedPerson(id=each.person, name=person_names.get(each.person, "")) if each.person else None,
            group=NamedGroup(id=each.group, name=group_names.get(each.group, "")) if each.group else None,
            everyone=each.everyone,
            access=each.access,
            created=each.created,
        )
        for each in shares
    ]


def _make_link(stored: ConversationLink) -> SharedLink:
    return SharedLink(id=stored.id, created=stored.created, expires=stored.expires)
