"""The `accounts groups` command: list, make and change groups of people."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.account_options import Person, find_person, open_accounts, print_note, print_rows

if TYPE_CHECKING:
    from pincite.store.groups import StoredGroup

Group = Annotated[str, typer.Argument(metavar="GROUP", help="A group's name or id.")]

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="List, make and change groups of people.\n\nA library that is shared with a group is shared with each of its "
    "members, now and later.",
)


@app.command("list")
def list_groups(
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List the groups and their members."""
    from pincite.store import groups

    with open_accounts(data, database, config) as (_, opened), opened.reading() as connection:
        found = [(group, groups.list_members(connection, group.id)) for group in groups.find(connection)]
    if json:
        options.print_json(
            [
                {"id": group.id, "name": group.name, "members": [{"id": one.id, "name": one.name} for one in members]}
                for group, members in found
            ]
        )
    elif not found:
        options.make_console().print("There are no groups. `pincite accounts groups create` makes one.")
    else:
        rows = [(group.id[:8], group.name, ", ".join(one.name for one in members)) for group, members in found]
        print_rows(("group", "name", "members"), rows)


@app.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The group's name.")],
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Make a group.

    \b
    pincite accounts groups create "Legal team"
    """
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.people_groups import create_group

    with open_accounts(data, database, config) as (_, opened):
        print_note(f"Made the group {create_group(opened, AT_TERMINAL, name, time.time()).name}.")


@app.command()
def add(
    group: Group,
    person: Person,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Put a person into a group.

    \b
    pincite accounts groups add "Legal team" bob
    """
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.people_groups import add_to_group

    with open_accounts(data, database, config) as (_, opened):
        _print_size(add_to_group(opened, AT_TERMINAL, group, find_person(opened, person).id, time.time()))


@app.command()
def leave(
    group: Group,
    person: Person,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Take a person out of a group."""
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.people_groups import remove_from_group

    with open_accounts(data, database, config) as (_, opened):
        _print_size(remove_from_group(opened, AT_TERMINAL, group, find_person(opened, person).id, time.time()))


@app.command()
def remove(
    group: Group,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Remove a group. Its members lose what was shared with it."""
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.people_groups import remove_group

    with open_accounts(data, database, config) as (_, opened):
        print_note(f"Removed the group {remove_group(opened, AT_TERMINAL, group, time.time()).name}.")


def _print_size(group: "StoredGroup") -> None:
    print_note(f"{group.name} has {group.members} member{'' if group.members == 1 else 's'}.")
