"""The `accounts` command and its subcommands: people, roles, sessions and the audit log."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import (
    account_export,
    account_groups,
    account_links,
    account_removal,
    account_shares,
    account_tokens,
    options,
    quota_commands,
)
from pincite.cli.account_options import (
    PasswordStdin,
    Person,
    ask_password,
    find_person,
    format_time,
    open_accounts,
    print_note,
    print_rows,
)

if TYPE_CHECKING:
    from pincite.store.people import StoredPerson
    from pincite.store.sessions import StoredSession

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Manage the people of a server that a team shares.\n\n"
    "`pincite accounts init` makes the first owner; then set accounts.mode to team and start the server. One person "
    "on one machine needs no account.",
)


@app.command()
def init(
    name: Annotated[str, typer.Option("--name", help="Your name, with which you sign in.")],
    email: Annotated[str, typer.Option("--email", help="Your e-mail address, which also signs you in.")] = "",
    password_stdin: PasswordStdin = False,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Make the first owner. All documents and conversations that are there become theirs.

    The password is asked twice, without showing it.

    \b
    pincite accounts init --name Ada --email ada@example.org
    """
    from pincite.accounts.first_owner import check_no_owner, create_first_owner
    from pincite.accounts.passwords import PasswordHashing

    with open_accounts(data, database, config) as (settings, opened):
        check_no_owner(opened)
        password = ask_password(password_stdin)
        made = create_first_owner(opened, settings, PasswordHashing(), name, email, password, time.time())
    if json:
        options.print_json(_describe_person(made.person) | {"rows": made.rows, "other_owners": list(made.others)})
        return
    print_note(f"{made.person.name} is the owner of this server.")
    if made.rows:
        listed = ", ".join(f"{number} {table}" for table, number in sorted(made.rows.items()))
        print_note(f"What was here is theirs: {listed}.")
    if made.others:
        print_note(f"Rows of other values of the setting `owner` stay as they are: {', '.join(made.others)}.")
    if settings.accounts.mode == "local":
        print_note('Now set mode = "team" under [accounts] in pincite.toml and start the server again.')


@app.command()
def people(
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List the people with their roles."""
    from pincite.store import people as rows

    with open_accounts(data, database, config) as (_, opened), opened.reading() as connection:
        found = rows.find(connection)
    if json:
        options.print_json([_describe_person(person) for person in found])
    elif not found:
        options.make_console().print("There are no accounts. `pincite accounts init` makes the first owner.")
    else:
        states = [(person, "disabled" if person.disabled else "") for person in found]
        print_rows(
            ("name", "e-mail", "role", "since", ""),
            [(each.name, each.email, each.role, format_time(each.created), state) for each, state in states],
        )


@app.command()
def role(
    person: Person,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="owner, member or guest.")],
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Change the role of a person.

    An owner manages the server, a member has libraries and conversations, a guest may only read and ask. The last
    owner cannot become anything else.

    \b
    pincite accounts role bob owner
    """
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.principal import parse_role
    from pincite.accounts.roles import change_role

    with open_accounts(data, database, config) as (_, opened):
        wanted = parse_role(role)
        changed = change_role(opened, AT_TERMINAL, find_person(opened, person).id, wanted, time.time())
    print_note(f"{changed.name} is {changed.role} now.")


@app.command()
def disable(
    person: Person,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Sign a person out everywhere and keep them out. Their documents and conversations stay."""
    _set_disabled(person, True, data, database, config)


@app.command()
def enable(
    person: Person,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Let a disabled person sign in again."""
    _set_disabled(person, False, data, database, config)


@app.command()
def sessions(
    person: Person,
    end: Annotated[str, typer.Option("--end", metavar="ID", help="End the session with this id.")] = "",
    end_all: Annotated[bool, typer.Option("--end-all", help="End all sessions: sign the person out everywhere.")] = (
        False
    ),
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List where a person is signed in, or sign them out.

    \b
    pincite accounts sessions bob
    pincite accounts sessions bob --end-all
    """
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.sign_in_sessions import end_session, end_sessions, list_sessions

    with open_accounts(data, database, config) as (settings, opened):
        found = find_person(opened, person)
        live = list_sessions(opened, settings.accounts, AT_TERMINAL, found.id, time.time())
        if end_all:
            print_note(f"Ended {end_sessions(opened, AT_TERMINAL, found.id, time.time())} sessions.")
            return
        if end:
            matching = [session.id for session in live if session.id.startswith(end)]
            end_session(opened, AT_TERMINAL, found.id, matching[0] if len(matching) == 1 else end, time.time())
            print_note("The session has ended.")
            return
    if json:
        options.print_json([_describe_session(session) for session in live])
    elif not live:
        options.make_console().print(f"{found.name} is not signed in.")
    else:
        rows = [
            (each.id[:8], format_time(each.created), format_time(each.used), each.address, each.agent) for each in live
        ]
        print_rows(("session", "began", "last used", "address", "browser"), rows)


@app.command()
def audit(
    limit: Annotated[
        int, typer.Option("-n", min=1, max=100_000, help="Show at most this many, the latest first.")
    ] = 50,
    person: Annotated[str, typer.Option("--person", help="Only what this person did, or what was done to them.")] = "",
    json: Annotated[
        bool, typer.Option("--json", help="Print the whole log as JSON lines, the first entry first.")
    ] = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Show who did what to whose account or library, and when.

    The log can only grow: the database refuses to change it.

    \b
    pincite accounts audit
    pincite accounts audit --json > audit.jsonl
    """
    from pincite.accounts.audit import AT_TERMINAL, export_audit, list_audit
    from pincite.store import people as rows

    with open_accounts(data, database, config) as (_, opened):
        who = find_person(opened, person).id if person else None
        if json:
            for line in export_audit(opened, AT_TERMINAL, person=who):
                typer.echo(line)
            return
        found = list_audit(opened, AT_TERMINAL, limit, person=who)
        with opened.reading() as connection:
            names = {each.id: each.name for each in rows.find(connection)}
    cells = [
        (
            format_time(entry.time),
            names.get(entry.actor, entry.actor),
            entry.action,
            names.get(entry.whose, entry.whose),
            entry.target[:8],
            entry.address,
            ", ".join(f"{key}: {value}" for key, value in entry.details.items()),
        )
        for entry in found
    ]
    print_rows(("when", "who", "did", "whose", "what", "from", ""), cells)


def _set_disabled(
    person: str, disabled: bool, data: options.Data, database: options.Database, config: options.Config
) -> None:
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.roles import set_disabled

    with open_accounts(data, database, config) as (_, opened):
        found = set_disabled(opened, AT_TERMINAL, find_person(opened, person).id, disabled, time.time())
    print_note(f"{found.name} can{' no longer' if disabled else ''} sign in.")


def _describe_person(person: "StoredPerson") -> dict[str, object]:
    return {
        "id": person.id,
        "name": person.name,
        "email": person.email,
        "role": person.role,
        "disabled": person.disabled,
        "created": person.created,
    }


def _describe_session(session: "StoredSession") -> dict[str, object]:
    return {
        "id": session.id,
        "address": session.address,
        "agent": session.agent,
        "created": session.created,
        "used": session.used,
    }


account_links.register(app)
account_export.register(app)
account_shares.register(app)
account_removal.register(app)
quota_commands.register(app)
app.add_typer(account_tokens.app, name="tokens")
app.add_typer(account_groups.app, name="groups")
