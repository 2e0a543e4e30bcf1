"""The `accounts usage`, `accounts quota` and `accounts referrals` commands."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.account_options import find_person, open_accounts, print_note, print_rows
from pincite.errors import Misuse

if TYPE_CHECKING:
    from pincite.accounts.usage_report import UsageInfo
    from pincite.settings_quota import QuotaSettings
    from pincite.store.database import Connection, Database
    from pincite.store.people import StoredPerson

OnePerson = Annotated[
    str | None, typer.Argument(metavar="[PERSON]", help="A person's name, e-mail or id; left out, everybody.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to `accounts`."""
    for command in (usage, quota, referrals):
        app.command()(command)


def usage(
    person: OnePerson = None,
    months: Annotated[int, typer.Option("--months", min=1, max=120, help="Months up to this one.")] = 1,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Show the used credits, by month or of one person.

    Of one person, those of this month are shown.

    \b
    pincite accounts usage
    pincite accounts usage --months 12 --json
    pincite accounts usage bob
    """
    with open_accounts(data, database, config) as (settings, opened):
        if person is None:
            _show_all_usage(opened, months, json)
            return
        info = _get_info(opened, settings.quota, find_person(opened, person))
    if json:
        options.print_json(info.model_dump(mode="json"))
    else:
        _print_info(info)


def quota(
    person: OnePerson = None,
    credits: Annotated[
        float | None, typer.Option("--credits", metavar="N", min=0, max=1e9, help="Set the credits of each month.")
    ] = None,
    no_limit: Annotated[bool, typer.Option("--no-limit", help="Let the person spend any number of credits.")] = False,
    default: Annotated[bool, typer.Option("--default", help="Use the allowance of the person's role again.")] = False,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Show the allowances of a month, or change that of one person.

    \b
    pincite accounts quota
    pincite accounts quota bob --credits 2000
    pincite accounts quota bob --default
    """
    changes = (credits is not None) + no_limit + default
    if changes > 1:
        raise Misuse("Only one of --credits, --no-limit and --default can be given.", "Leave the others out.")
    if changes and person is None:
        raise Misuse("It is not said whose allowance is changed.", "Name the person: pincite accounts quota bob …")
    with open_accounts(data, database, config) as (settings, opened):
        if changes and person is not None:
            _change_allowance(opened, person, credits, default)
        rows = _list_allowances(opened, settings.quota, person)
    if json:
        options.print_json(rows)
    else:
        print_rows(
            ("who", "credits of a month", "bonus", "spent", "reserved"),
            [tuple(_format_cell(row[key]) for key in ("who", "limit", "bonus", "used", "reserved")) for row in rows],
        )


def referrals(
    person: OnePerson = None,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """List the referral codes, or show that of one person.

    The code of one person has its link beside it.

    \b
    pincite accounts referrals
    pincite accounts referrals bob
    """
    from pincite.accounts.referrals import REFERRAL_LIMIT, ensure_code, find_referral_url
    from pincite.store import people, referral_codes

    with open_accounts(data, database, config) as (settings, opened):
        found = find_person(opened, person) if person is not None else None
        with opened.writing() as connection:
            if found is not None:
                ensure_code(connection, found.id, time.time())
            names = {each.id: each.name for each in people.find(connection)}
            rows: list[dict[str, object]] = [
                {
                    "person": each.person,
                    "name": names.get(each.person, ""),
                    "code": each.code,
                    "redeemed": each.redeemed,
                    "limit": REFERRAL_LIMIT,
                    "url": find_referral_url(connection, settings.quota, each.person),
                }
                for each in referral_codes.list_counts(connection, found.id if found else None)
            ]
    if json:
        options.print_json(rows)
    elif not rows:
        options.make_console().print("There are no codes. `pincite accounts referrals PERSON` makes one.")
    else:
        redeemed = [f"{row['redeemed']} of {REFERRAL_LIMIT}" for row in rows]
        cells = [[str(row[key]) for key in ("name", "code", "url")] for row in rows]
        print_rows(("who", "code", "link", "redeemed"), [(*cell, n) for cell, n in zip(cells, redeemed, strict=True)])


def _show_all_usage(opened: "Database", months: int, json: bool) -> None:
    from pincite.accounts.usage_report import list_monthly_usage
    from pincite.store import people

    with opened.reading() as connection:
        names = {person.id: person.name for person in people.find(connection)}
        found = list_monthly_usage(connection, time.time(), months)
    if json:
        options.print_json([each.model_dump(mode="json") | {"name": names.get(each.account, "")} for each in found])
    elif not found:
        options.make_console().print("Nothing was used.")
    else:
        print_rows(
            ("month", "who", "spent", "reserved"),
            [
                (
                    each.month,
                    names.get(each.account, each.account or "removed people"),
                    _format_number(each.used),
                    _format_number(each.reserved),
                )
                for each in found
            ],
        )


def _get_info(opened: "Database", quota: "QuotaSettings", person: "StoredPerson") -> "UsageInfo":
    from pincite.accounts.quota_accounts import QuotaAccount
    from pincite.accounts.usage_report import get_usage_info

    with opened.reading() as connection:
        return get_usage_info(connection, quota, QuotaAccount(person.id, person.role), time.time(), show_user=True)


def _print_info(info: "UsageInfo") -> None:
    limit = (
        "no limit"
        if info.limit is None
        else f"{_format_number(info.limit)} credits, {_format_number(info.percent)} % used"
    )
    rows = [
        ("month", info.month),
        ("spent", _format_number(info.used)),
        ("reserved", _format_number(info.reserved)),
        ("limit", limit),
        ("bonus", _format_number(info.bonus)),
        ("renewed on", info.resets),
    ]
    rows += [(each.model, f"{_format_number(each.credits)} credits, {each.requests} requests") for each in info.models]
    print_rows(("", ""), rows)
    if info.limit_reached:
        print_note("The monthly limit was reached: every question is refused.")


def _change_allowance(opened: "Database", person: str, credits: float | None, default: bool) -> None:
    from pincite.accounts.audit import AT_TERMINAL
    from pincite.accounts.quota_changes import reset_allowance, set_allowance

    found = find_person(opened, person)
    if default:
        reset_allowance(opened, AT_TERMINAL, found.id, time.time())
        print_note(f"{found.name} has the allowance of the role {found.role}.")
        return
    set_allowance(opened, AT_TERMINAL, found.id, credits, time.time())
    allowed = "any number of" if credits is None else _format_number(credits)
    print_note(f"{found.name} may spend {allowed} credits in each month.")


def _list_allowances(opened: "Database", quota: "QuotaSettings", person: str | None) -> list[dict[str, object]]:
    """Return the allowance of the server and of all people, or of one person."""
    from pincite.accounts.credit_prices import to_credits
    from pincite.accounts.quota import get_month
    from pincite.store import credits, people

    found = [find_person(opened, person)] if person is not None else None
    with opened.reading() as connection:
        # The credits of guests are counted by their network address.
        listed = found or [each for each in people.find(connection) if each.role != "guest"]
        rows = [_describe_allowance(connection, quota, each) for each in listed]
        total = credits.sum_balances(connection, get_month(time.time()))
    if person is None:
        server: dict[str, object] = {
            "who": "the whole server",
            "person": "",
            "limit": quota.server_credits,
            "bonus": 0.0,
        }
        rows.insert(0, server | {"used": to_credits(total.spent), "reserved": to_credits(total.reserved)})
    return rows


def _describe_allowance(connection: "Connection", quota: "QuotaSettings", person: "StoredPerson") -> dict[str, object]:
    from pincite.accounts.credit_prices import to_credits
    from pincite.accounts.quota import find_allowance, get_month
    from pincite.accounts.quota_accounts import QuotaAccount

    account = QuotaAccount(person.id, person.role)
    allowance = find_allowance(connection, quota, account, get_month(time.time()))
    return {
        "who": person.name,
        "person": person.id,
        "limit": None if allowance.amount is None else to_credits(allowance.amount),
        "bonus": to_credits(allowance.bonus),
        "used": to_credits(allowance.balance.spent),
        "reserved": to_credits(allowance.balance.reserved),
    }


def _format_cell(value: object) -> str:
    if value is None:
        return "no limit"
    return _format_number(value) if isinstance(value, float) else str(value)


def _format_number(number: float | None) -> str:
    return "–" if number is None else f"{number:.3f}".rstrip("0").rstrip(".")
