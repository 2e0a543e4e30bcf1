"""The `accounts tokens` command: list, make and revoke the tokens of programs."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.account_options import Person, find_person, format_time, open_accounts, print_note, print_rows

if TYPE_CHECKING:
    from pincite.store.access_tokens import StoredToken

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="List, make and revoke the tokens with which programs sign in.\n\n"
    "A program sends its token as `Authorization: Bearer pin_…`.",
)


@app.command("list")
def list_tokens(
    person: Person,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List the tokens of a person. Only their first characters are known."""
    from pincite.accounts import tokens
    from pincite.accounts.audit import AT_TERMINAL

    with open_accounts(data, database, config) as (_, opened):
        found = tokens.list_tokens(opened, AT_TERMINAL, find_person(opened, person).id)
    if json:
        options.print_json([_describe_token(token) for token in found])
    elif not found:
        options.make_console().print("There are no tokens. `pincite accounts tokens create` makes one.")
    else:
        rows = [
            (
                token.id[:8],
                token.name,
                f"{token.start}…",
                " ".join(token.scopes),
                format_time(token.expires),
                format_time(token.used),
            )
            for token in found
        ]
        print_rows(("token", "name", "begins", "may", "until", "last used"), rows)


@app.command()
def create(
    person: Person,
    name: Annotated[str, typer.Option("--name", help="The program that will use it.")],
    scopes: Annotated[
        list[str],
        typer.Option("--scope", help="read, ask, write or admin; may be given several times."),
    ],
    days: Annotated[float | None, typer.Option("--days", help="It expires after so many days; default is never.")] = (
        None
    ),
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Make a token. It is printed once and cannot be shown again.

    \b
    pincite accounts tokens create bob --name backup --scope read --days 90
    """
    from pincite.accounts import tokens
    from pincite.accounts.audit import AT_TERMINAL

    with open_accounts(data, database, config) as (_, opened):
        made = tokens.create_token(opened, AT_TERMINAL, find_person(opened, person).id, name, scopes, time.time(), days)
    if json:
        options.print_json(_describe_token(made.stored) | {"token": made.secret})
        return
    print_note("Keep this token like a password. It is not shown again.")
    typer.echo(made.secret)


@app.command()
def revoke(
    token: Annotated[str, typer.Argument(metavar="ID", help="The token's id, or its first characters.")],
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Revoke a token: programs that use it are refused at once."""
    from pincite.accounts import tokens
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.store import access_tokens

    with open_accounts(data, database, config) as (_, opened):
        with opened.reading() as connection:
            person = access_tokens.find_owner(connection, token)
        removed = tokens.revoke_token(opened, AT_TERMINAL, person, token, time.time())
    print_note(f"The token {removed.name} does not work any more.")


def _describe_token(token: "StoredToken") -> dict[str, object]:
    return {
        "id": token.id,
        "name": token.name,
        "start": token.start,
        "scopes": list(token.scopes),
        "created": token.created,
        "expires": token.expires,
        "used": token.used,
    }
