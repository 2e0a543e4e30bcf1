"""The `move` command: a whole store from one database to another, while it is used."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options

if TYPE_CHECKING:
    from pincite.moves.file_move import FileReport
    from pincite.moves.move_progress import Progress
    from pincite.moves.store_comparison import Comparison
    from pincite.moves.store_move import MoveReport
    from pincite.settings import Settings
    from pincite.settings_postgres import PostgresSettings
    from pincite.store.database import Database

_DIFFERENT = 1


def move(
    to: Annotated[
        str, typer.Option("--to", metavar="URL", help="The new database: postgresql://… or sqlite:////folder/name.db.")
    ] = "",
    files: Annotated[
        str,
        typer.Option(
            "--files", metavar="URL", help="Copy the documents' files too: to s3://bucket/prefix, or `folder`."
        ),
    ] = "",
    files_endpoint: Annotated[
        str, typer.Option("--files-endpoint", metavar="URL", help="Address of the storage of --files, if not Amazon's.")
    ] = "",
    check: Annotated[
        bool, typer.Option("--check", help="Only compare this store with the one at --to, and change nothing.")
    ] = False,
    undo: Annotated[
        bool,
        typer.Option("--undo", help="Give up an unfinished move, or make a store usable again that was moved away."),
    ] = False,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Move the whole store to another database.

    Servers and workers go on meanwhile.

    All rows are copied with their ids, words and vectors, and compared. At the end the old database refuses changes and
    names the new one: set `database` to it and start the servers again. Run the same command again after an
    interruption: it goes on where it stopped.

    \b
    pincite move --to postgresql://pincite@db.example.org/pincite
    pincite move --to sqlite:////srv/pincite/pincite.db
    pincite move --to postgresql://pincite@db.example.org/pincite --check
    pincite move --undo
    """
    from pincite.errors import Misuse
    from pincite.store.database import find_sqlite_file, open_database
    from pincite.store.move_target import open_compared, open_target

    settings = options.load_settings(data, database, config)
    if undo == bool(to):
        raise Misuse("Give either --to with the address of the new database, or --undo.", "See `pincite move --help`.")
    file = find_sqlite_file(settings)
    if file is not None and not file.exists():
        raise Misuse(f"There is no store in {file}.", "Check `data` and `database`.")
    source = open_database(settings, may_be_moved=True)
    try:
        if undo:
            _undo(source, json)
            return
        target = (open_compared if check else open_target)(to, _choose_connections(settings, source))
        try:
            if check:
                _check(source, target, json)
            else:
                _move(settings, source, target, files, files_endpoint, json)
        finally:
            target.close()
    finally:
        source.close()


def _choose_connections(settings: "Settings", source: "Database") -> "PostgresSettings":
    """Return the settings for the new database, without other addresses of the old one."""
    from pydantic import SecretStr

    chosen = settings.postgres
    return chosen if source.sqlite else chosen.model_copy(update={"direct": SecretStr(""), "replica": SecretStr("")})


def _move(settings: "Settings", source: "Database", target: "Database", files: str, endpoint: str, json: bool) -> None:
    from pincite.moves.file_move import move_files, name_files
    from pincite.moves.move_plan import plan_move
    from pincite.moves.store_move import StoreMove
    from pincite.store.move_records import show_address

    notes = options.make_console(stderr=True)
    there = name_files(settings, files, endpoint) if files else None
    plan = plan_move(source)
    notes.print(
        f"{plan.rows:,} rows in {plan.tables} tables, {plan.passages:,} passages with words, "
        f"{plan.vectors:,} vectors, {plan.bytes / 1e6:,.1f} MB: at most about {_say_time(plan.seconds)}."
    )
    if there is None:
        notes.print("The documents' files stay where they are; --files copies them too.")
    copied: FileReport | None = None
    report: MoveReport | None = None
    try:
        with _show_progress() as progress:
            if there:
                copied = move_files(settings, there, source, progress)
            report = StoreMove(source, target, progress).run()
            if there:
                copied = _add_reports(copied, move_files(settings, there, target, progress))
    except KeyboardInterrupt:
        if report:
            notes.print("The store was moved, but not all of its files. Run the same command again to copy the rest.")
        else:
            notes.print(
                "Nothing was switched. Run the same command again to go on, or `pincite move --undo` to give up."
            )
        raise
    _print_report(report, copied, show_address(target))
    if json:
        options.print_json({"to": show_address(target), **_describe(report), "files": _describe_files(copied)})


def _print_report(report: "MoveReport", copied: "FileReport | None", address: str) -> None:
    notes = options.make_console(stderr=True)
    notes.print(
        f"Moved {sum(report.rows.values()):,} rows to {address} in {_say_time(report.seconds)}, and compared them. "
        f"{report.changes:,} changed meanwhile. Writers waited {report.held_seconds:.1f} s."
    )
    for name, count in report.replaced.items():
        notes.print(f"Warning: {count} values of {name} contain U+0000, which PostgreSQL cannot hold: now U+FFFD.")
    if copied:
        notes.print(f"Copied {copied.copied:,} files, {copied.bytes / 1e6:,.1f} MB. Set `files.url` too.")
        for kind, hashes in (("missing", copied.missing), ("damaged", copied.damaged)):
            if hashes:
                notes.print(f"Warning: {len(hashes)} files of documents are {kind}: {', '.join(hashes)}")
    notes.print(f"Now set `database` to {address} (with its password) and start servers and workers again.")
    notes.print("The old database refuses changes from now on. Keep it until you have seen that all is well.")


def _check(source: "Database", target: "Database", json: bool) -> None:
    from pincite.moves.store_comparison import check_stores

    with _show_progress() as progress:
        found = check_stores(source, target, progress)
    notes = options.make_console(stderr=True)
    for name, (first, second) in sorted(found.counts.items()):
        if first != second or found.differing[name]:
            notes.print(
                f"{name}: {first:,} rows here, {second:,} there, {found.differing[name]:,} missing or different"
            )
    for name in sorted(found.differing.keys() - found.counts.keys()):
        notes.print(f"{name}: {found.differing[name]:,} different")
    rows = sum(first for first, _ in found.counts.values())
    notes.print(f"All {rows:,} rows, words and vectors are equal." if found.is_equal else "The stores are not equal.")
    if json:
        options.print_json(_describe_comparison(found))
    if not found.is_equal:
        raise typer.Exit(_DIFFERENT)


def _undo(source: "Database", json: bool) -> None:
    from pincite.moves.store_move import undo_move

    record = undo_move(source)
    notes = options.make_console(stderr=True)
    if record.state == "moved":
        notes.print(f"This store can be used again. What was written to {record.other} since the move is not in it.")
    else:
        notes.print(f"The move to {record.other} was given up. That database is not usable: remove it.")
    if json:
        options.print_json({"to": record.other, "state": record.state})


@contextmanager
def _show_progress() -> "Iterator[Progress]":
    """Show one bar for each step on stderr, on a terminal only: how many, how fast, how long still."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = options.make_console(stderr=True)
    rate = TextColumn("{task.fields[rate]}")
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), MofNCompleteColumn(), rate)
    with Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True, disable=not console.is_terminal
    ) as bars:
        tasks = {}

        def show(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=total, rate="")
            speed = bars._tasks[tasks[step]].speed
            bars.update(tasks[step], completed=min(done, total), total=total, rate=f"{speed:,.0f}/s" if speed else "")

        yield show


def _add_reports(first: "FileReport | None", second: "FileReport") -> "FileReport":
    """Return both as one; what is missing or damaged is what the second, which saw all documents, says."""
    if first:
        second.copied += first.copied
        second.bytes += first.bytes
    return second


def _say_time(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 5_400 else f"{seconds / 3_600:.1f} hours"


def _describe(report: "MoveReport") -> dict[str, Any]:
    return {
        "rows": report.rows,
        "changes": report.changes,
        "replaced": report.replaced,
        "held_seconds": round(report.held_seconds, 3),
        "seconds": round(report.seconds, 3),
        "resumed": report.resumed,
    }


def _describe_files(copied: "FileReport | None") -> dict[str, Any] | None:
    if copied is None:
        return None
    return {"copied": copied.copied, "bytes": copied.bytes, "missing": copied.missing, "damaged": copied.damaged}


def _describe_comparison(found: "Comparison") -> dict[str, Any]:
    return {"equal": found.is_equal, "rows": found.counts, "differing": dict(found.differing)}
