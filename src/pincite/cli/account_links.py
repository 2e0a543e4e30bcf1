"""The `accounts invite`, `accounts invitations` and `accounts reset` commands: links that work once."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.account_options import Person, find_person, format_time, open_accounts, print_note, print_rows

if TYPE_CHECKING:
    from pincite.store.one_time_links import OneTimeLink


def register(app: typer.Typer) -> None:
    """Add the commands to `accounts`."""
    for command in (invite, invitations, reset):
        app.command()(command)


def invite(
    email: Annotated[str, typer.Option("--email", help="The person's e-mail address, if it is known.")] = "",
    role: Annotated[str, typer.Option("--role", help="owner, member or guest.")] = "member",
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Make a link with which one person makes an account. Send it to them: nobody else should see it.

    \b
    pincite accounts invite --email bob@example.org
    """
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.invitations import invite_person
    from pincite.accounts.link_addresses import make_link_address
    from pincite.accounts.link_mail import mail_link
    from pincite.accounts.principal import parse_role

    with open_accounts(data, database, config) as (settings, opened):
        made = invite_person(opened, settings.accounts, AT_TERMINAL, parse_role(role), time.time(), email)
        address = make_link_address(settings, "invitation", made.secret)
        is_mailed = mail_link(settings, "invitation", made.stored.email, address, made.stored.expires)
    _print_link(made.stored, address, is_mailed, json)


def invitations(
    revoke: Annotated[str, typer.Option("--revoke", metavar="ID", help="Take back the invitation with this id.")] = "",
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List the open invitations, or take one back."""
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.invitations import list_invitations, revoke_invitation

    with open_accounts(data, database, config) as (_, opened):
        if revoke:
            revoke_invitation(opened, AT_TERMINAL, revoke, time.time())
            print_note("The invitation does not work any more.")
            return
        found = list_invitations(opened, AT_TERMINAL, time.time())
    if json:
        options.print_json([_describe_link(link) for link in found])
    elif not found:
        options.make_console().print("There are no open invitations. `pincite accounts invite` makes one.")
    else:
        rows = [(link.id[:8], link.email, link.role, format_time(link.expires)) for link in found]
        print_rows(("invitation", "e-mail", "role", "until"), rows)


def reset(
    person: Person,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Make a link with which a person sets a new password. Send it to them: nobody else should see it."""
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.link_addresses import make_link_address
    from pincite.accounts.link_mail import mail_link
    from pincite.accounts.password_resets import make_reset_link

    with open_accounts(data, database, config) as (settings, opened):
        found = find_person(opened, person)
        made = make_reset_link(opened, settings.accounts, AT_TERMINAL, found.id, time.time())
        address = make_link_address(settings, "reset", made.secret)
        is_mailed = mail_link(settings, "reset", found.email, address, made.stored.expires)
    _print_link(made.stored, address, is_mailed, json)


def _print_link(link: "OneTimeLink", address: str, is_mailed: bool, json: bool) -> None:
    if json:
        options.print_json(_describe_link(link) | {"url": address, "mailed": is_mailed})
        return
    if is_mailed:
        print_note("The mail server took this link for the person.")
    print_note(f"This link works once, until {format_time(link.expires)}. It is not shown again.")
    typer.echo(address)


def _describe_link(link: "OneTimeLink") -> dict[str, object]:
    return {"id": link.id, "email": link.email, "role": link.role, "created": link.created, "expires": link.expires}
