"""HTTP routes with which an owner of the server manages its people."""

import time
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from pincite.accounts import password_resets, quota_changes, roles, sign_in_sessions, tokens
from pincite.accounts.link_addresses import make_link_address
from pincite.accounts.link_mail import mail_link
from pincite.accounts.people_overview import PersonOverview, list_people, report_server_usage
from pincite.server.account_bodies import (
    EndedSessions,
    Person,
    SessionList,
    TokenList,
    describe_person,
    describe_session,
    describe_token,
)
from pincite.server.account_routes import IN_TEAM_MODE, TheSettings
from pincite.server.dependencies import Body, Id, TheCaller, TheConversations, TheLibrary, Words
from pincite.server.own_data_routes import run_deletion
from pincite.store import people
from pincite.store.people import Role


class ListedPerson(Person):
    """An account with its use of the server."""

    used: Annotated[float | None, Field(description="When a session or a token was last used; null if none was.")]
    sessions: Annotated[int, Field(description="Open sessions.")]
    credits_spent: Annotated[float, Field(description="Spent in this month. Those of a guest count by address.")]
    credits_allowed: Annotated[float | None, Field(description="In a month, with referrals; null is no limit.")]


class People(BaseModel):
    """The people of the server, by name."""

    people: list[ListedPerson]
    guests: Annotated[int, Field(description="Guests without an invitation; `guests=true` lists them too.")]


class PersonChange(Body):
    """The fields to change. All are changed, or none."""

    name: Annotated[Words | None, Field(max_length=200, description="Unique, whatever its case and accents.")] = None
    email: Annotated[Words | None, Field(max_length=300, description="Empty removes it.")] = None
    role: Role | None = None
    disabled: Annotated[bool | None, Field(description="True signs the person out and keeps them out.")] = None


class ResetLink(BaseModel):
    """A link with which a person sets a new password, once. It is shown once: hand it over, unless it was mailed."""

    url: str
    expires: float
    mailed: Annotated[bool, Field(description="Whether a mail server took the link for the person's address.")]


class GivenAllowance(Body):
    """The credits of a person in each month."""

    credits: Annotated[float | None, Field(ge=0, le=1e9, allow_inf_nan=False, description="Null is no limit.")]


class PersonCredits(BaseModel):
    """The credits that a person spent in each month."""

    id: Annotated[str, Field(description="Empty for all guests and removed people together.")]
    name: str
    credits: Annotated[list[float], Field(description="A number for each of `months`.")]


class ServerCredits(BaseModel):
    """The credits of the whole server in this month."""

    spent: float
    allowed: Annotated[float | None, Field(description="Null is no limit.")]


class PeopleUsage(BaseModel):
    """The spent credits by month and person."""

    months: Annotated[list[str], Field(description="Months in UTC, as 2031-05, the first one first.")]
    people: Annotated[list[PersonCredits], Field(description="Who spent anything, the most first.")]
    server: ServerCredits


def router() -> APIRouter:
    """Return the routes for people."""
    routes = APIRouter(tags=["people"], dependencies=IN_TEAM_MODE)

    @routes.get("/api/people")
    def find(
        settings: TheSettings,
        caller: TheCaller,
        library: TheLibrary,
        guests: Annotated[bool, Query(description="Also list guests who came without an invitation.")] = False,
    ) -> People:
        """List the people of the server."""
        found = list_people(library.database, settings, caller, time.time())
        passing = sum(each.person.is_passing_guest for each in found)
        shown = [each for each in found if guests or not each.person.is_passing_guest]
        return People(people=[_make_listed_person(each) for each in shown], guests=passing)

    @routes.get("/api/people/usage")
    def report_usage(
        settings: TheSettings,
        caller: TheCaller,
        library: TheLibrary,
        months: Annotated[int, Query(ge=1, le=36, description="So many months, with this one.")] = 6,
    ) -> PeopleUsage:
        """Report the credits that each person spent in the last months."""
        found = report_server_usage(library.database, settings, caller, time.time(), months)
        return PeopleUsage(
            months=found.months,
            people=[PersonCredits(id=each.id, name=each.name, credits=each.credits) for each in found.people],
            server=ServerCredits(spent=found.spent, allowed=found.allowed),
        )

    @routes.patch("/api/people/{person}")
    def change(person: Id, given: PersonChange, caller: TheCaller, library: TheLibrary) -> Person:
        """Change the name, e-mail address or role of a person, or disable the account. The last owner stays one."""
        return describe_person(
            roles.change_person(
                library.database,
                caller,
                person,
                time.time(),
                name=given.name,
                email=given.email,
                role=given.role,
                disabled=given.disabled,
            )
        )

    @routes.delete("/api/people/{person}", status_code=204)
    async def delete(person: Id, caller: TheCaller, library: TheLibrary, conversations: TheConversations) -> None:
        """Remove a person with everything that is theirs. This cannot be undone. The last owner stays."""
        await run_deletion(library, conversations, caller, person)

    @routes.post("/api/people/{person}/reset", status_code=201)
    def make_reset(person: Id, settings: TheSettings, caller: TheCaller, library: TheLibrary) -> ResetLink:
        """Make a link with which a person sets a new password. An earlier link of theirs no longer works."""
        made = password_resets.make_reset_link(library.database, settings.accounts, caller, person, time.time())
        url, expires = make_link_address(settings, "reset", made.secret), made.stored.expires
        with library.database.reading() as connection:
            email = people.get(connection, person).email
        return ResetLink(url=url, expires=expires, mailed=mail_link(settings, "reset", email, url, expires))

    @routes.put("/api/people/{person}/quota", status_code=204)
    def set_quota(person: Id, given: GivenAllowance, caller: TheCaller, library: TheLibrary) -> None:
        """Give a person an allowance of their own."""
        quota_changes.set_allowance(library.database, caller, person, given.credits, time.time())

    @routes.delete("/api/people/{person}/quota", status_code=204)
    def reset_quota(person: Id, caller: TheCaller, library: TheLibrary) -> None:
        """Give a person the allowance of their role again."""
        quota_changes.reset_allowance(library.database, caller, person, time.time())

    @routes.get("/api/people/{person}/sessions")
    def find_sessions(person: Id, settings: TheSettings, caller: TheCaller, library: TheLibrary) -> SessionList:
        """List where a person is signed in."""
        found = sign_in_sessions.list_sessions(library.database, settings.accounts, caller, person, time.time())
        return SessionList(sessions=[describe_session(each, caller.principal.session) for each in found])

    @routes.delete("/api/people/{person}/sessions")
    def end_sessions(person: Id, caller: TheCaller, library: TheLibrary) -> EndedSessions:
        """Sign a person out everywhere."""
        return EndedSessions(ended=sign_in_sessions.end_sessions(library.database, caller, person, time.time()))

    @routes.get("/api/people/{person}/tokens")
    def find_tokens(person: Id, caller: TheCaller, library: TheLibrary) -> TokenList:
        """List the tokens of a person."""
        found = tokens.list_tokens(library.database, caller, person)
        return TokenList(tokens=[describe_token(each) for each in found])

    @routes.delete("/api/people/{person}/tokens/{token}", status_code=204)
    def revoke_token(person: Id, token: Id, caller: TheCaller, library: TheLibrary) -> None:
        """Revoke a token: programs that use it are refused at once."""
        tokens.revoke_token(library.database, caller, person, token, time.time())

    return routes


def _make_listed_person(found: PersonOverview) -> ListedPerson:
    return ListedPerson(
        **describe_person(found.person).model_dump(),
        used=found.used,
        sessions=found.sessions,
        credits_spent=found.credits_spent,
        credits_allowed=found.credits_allowed,
    )
