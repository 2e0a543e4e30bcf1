"""The `accounts shares` command: list with whom libraries are shared, or take a share back."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.account_options import find_person, format_time, open_accounts, print_note, print_rows

if TYPE_CHECKING:
    from pincite.store.database import Database
    from pincite.store.library_shares import LibraryShare


def register(app: typer.Typer) -> None:
    """Add the command to the others."""
    app.command()(shares)


def shares(
    person: Annotated[
        str, typer.Argument(metavar="[PERSON]", help="Only libraries of this person: a name, e-mail or id.")
    ] = "",
    revoke: Annotated[str, typer.Option("--revoke", metavar="ID", help="Take back the share with this id.")] = "",
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List with whom libraries are shared, or take a share back. People share their own on the page.

    \b
    pincite accounts shares ada
    pincite accounts shares --revoke 1f0c2b7a
    """
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.sharing import unshare_library
    from pincite.errors import NotFound
    from pincite.store import library_shares

    with open_accounts(data, database, config) as (_, opened):
        owner = find_person(opened, person).id if person else None
        with opened.reading() as connection:
            found = library_shares.find(connection, owner)
        if revoke:
            matching = [share for share in found if share.id.startswith(revoke)]
            if len(matching) != 1:
                raise NotFound("There is no such share.", "`pincite accounts shares` lists them.", "share")
            share = matching[0]
            unshare_library(opened, AT_TERMINAL, share.owner, share.library, share.id, time.time())
            print_note(f"The library {share.library} is no longer shared with them.")
            return
        described = _describe_shares(opened, found)
    if json:
        options.print_json(described)
    elif not described:
        options.make_console().print("No library is shared.")
    else:
        rows = [
            (str(each["id"])[:8], each["library"], each["with"], share.access, format_time(share.created))
            for each, share in zip(described, found, strict=True)
        ]
        print_rows(("share", "library", "with", "as", "since"), rows)


def _describe_shares(database: "Database", shares: "list[LibraryShare]") -> list[dict[str, str]]:
    from pincite.store import groups, people

    with database.reading() as connection:
        ids = {each for share in shares for each in (share.owner, share.person) if each}
        names = people.find_names(connection, ids)
        group_names = groups.find_names(connection, {share.group for share in shares if share.group})
    return [
        {
            "id": share.id,
            "library": f"~{names.get(share.owner, share.owner)}/{share.library}",
            "with": "everyone"
            if share.everyone
            else names.get(share.person, share.person)
            if share.person
            else f"{group_names.get(share.group or '', '')} (group)",
            "access": share.access,
        }
        for share in shares
    ]
