"""HTTP routes with which an owner of the server invites people."""

import time
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pincite.accounts import invitations
from pincite.accounts.link_addresses import make_link_address
from pincite.accounts.link_mail import mail_link
from pincite.server.account_routes import IN_TEAM_MODE, TheSettings
from pincite.server.dependencies import Body, Id, TheCaller, TheLibrary, Words
from pincite.store import people
from pincite.store.one_time_links import OneTimeLink
from pincite.store.people import Role


class Invitation(BaseModel):
    """An invitation that nobody has accepted yet."""

    id: str
    email: Annotated[str, Field(description="Becomes the address of the account; empty without one.")]
    role: Role
    created: float
    expires: float
    by: Annotated[str, Field(description="The name of the owner who made it; empty for one made at the terminal.")]


class Invitations(BaseModel):
    """The invitations that can still be accepted, the latest first."""

    invitations: list[Invitation]


class GivenInvitation(Body):
    """Whom to invite, and as what."""

    email: Annotated[Words, Field(max_length=300, description="Becomes the address of the account.")] = ""
    role: Role = "member"


class MadeInvitation(BaseModel):
    """A new invitation and its link, which is shown once. Hand it over, unless it was sent by mail."""

    url: str
    invitation: Invitation
    mailed: Annotated[bool, Field(description="Whether a mail server took the link for the address.")]


def router() -> APIRouter:
    """Return the routes for invitations."""
    routes = APIRouter(tags=["people"], dependencies=IN_TEAM_MODE)

    @routes.get("/api/invitations")
    def find(caller: TheCaller, library: TheLibrary) -> Invitations:
        """List the invitations that nobody has accepted yet."""
        found = invitations.list_invitations(library.database, caller, time.time())
        with library.database.reading() as connection:
            names = people.find_names(connection, {each.made_by for each in found})
        return Invitations(invitations=[_make_invitation(each, names.get(each.made_by, "")) for each in found])

    @routes.post("/api/invitations", status_code=201)
    def create(given: GivenInvitation, settings: TheSettings, caller: TheCaller, library: TheLibrary) -> MadeInvitation:
        """Make a link with which one person makes an account."""
        database = library.database
        made = invitations.invite_person(database, settings.accounts, caller, given.role, time.time(), given.email)
        with database.reading() as connection:
            names = people.find_names(connection, {caller.principal.user})
        url = make_link_address(settings, "invitation", made.secret)
        return MadeInvitation(
            url=url,
            invitation=_make_invitation(made.stored, names.get(caller.principal.user, "")),
            mailed=mail_link(settings, "invitation", made.stored.email, url, made.stored.expires),
        )

    @routes.delete("/api/invitations/{invitation}", status_code=204)
    def revoke(invitation: Id, caller: TheCaller, library: TheLibrary) -> None:
        """Take back an invitation: its link no longer works."""
        invitations.revoke_invitation(library.database, caller, invitation, time.time())

    return routes


def _make_invitation(stored: OneTimeLink, by: str) -> Invitation:
    return Invitation(
        id=stored.id, email=stored.email, role=stored.role, created=stored.created, expires=stored.expires, by=by
    )
