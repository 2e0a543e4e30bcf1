"""The `backup` and `restore` commands: a whole server in one file."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options

if TYPE_CHECKING:
    from pincite.backups.backup_archive import BackupManifest, Progress

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file of the backup.")]


def backup(
    file: BackupFile,
    check: Annotated[bool, typer.Option("--check", help="Check the file of a backup instead of making one.")] = False,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Back up the whole server into one file, while it runs.

    The file contains the database with its index, all documents and all pictures, and with them the password hashes
    of all accounts. Only you can read it. The settings file and the downloaded models are not in it, nor is the file
    model-keys.key, without which the stored keys of providers cannot be decrypted.

    \b
    pincite backup pincite-monday.zip
    pincite backup --check pincite-monday.zip
    """
    from pincite.backups.backup_archive import check_archive
    from pincite.backups.backup_creation import create_backup
    from pincite.llm.key_encryption import KEY_FILE
    from pincite.store import model_choices
    from pincite.store.database import open_database

    settings = options.load_settings(data, database, config)
    notes = options.make_console(stderr=True)
    if check:
        with _show_progress() as progress:
            manifest = check_archive(file, progress)
        notes.print(f"{file} is complete. {_describe_manifest(manifest)}")
    else:
        opened = open_database(settings)
        try:
            with _show_progress() as progress:
                made = create_backup(settings, opened, file, time.time(), progress)
            with opened.reading() as connection:
                keys = sum(bool(each.encrypted) for each in model_choices.list_providers(connection))
        finally:
            opened.close()
        manifest = made.manifest
        notes.print(f"{file} has {made.size / 1e6:,.1f} MB. {_describe_manifest(manifest)}")
        notes.print("It contains all documents and all password hashes: keep it where nobody else can read it.")
        if keys:
            notes.print(
                f"The keys of {keys} providers of models are in it, encrypted. The file {KEY_FILE}, which decrypts "
                "them, is not: keep a copy of it elsewhere, or paste the keys again after a restore."
            )
        for kind, hashes in (("missing", made.missing), ("damaged", made.damaged)):
            if hashes:
                notes.print(f"Warning: {len(hashes)} files of documents are {kind} on this server: {', '.join(hashes)}")
    if json:
        options.print_json({"file": str(file), **manifest.model_dump(exclude={"members"}), **_count_members(manifest)})


def restore(
    file: BackupFile,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the data that is there. It is lost when the restore succeeds.")
    ] = False,
    json: options.Json = False,
    data: options.Data = None,
    database: options.Database = None,
    config: options.Config = None,
) -> None:
    """Restore a whole server from the file of a backup.

    Every hash is checked before anything changes. The server must be stopped.

    \b
    pincite restore pincite-monday.zip
    pincite restore pincite-monday.zip --replace
    """
    from pincite.backups.backup_restore import restore_backup

    settings = options.load_settings(data, database, config)
    with _show_progress() as progress:
        restored = restore_backup(settings, file, replace, progress)
    notes = options.make_console(stderr=True)
    notes.print(f"Restored into {settings.data}. {_describe_manifest(restored.manifest)}")
    if restored.needs_reindex:
        notes.print("Run `pincite reindex`: the backup of a PostgreSQL server has no index.")
    notes.print("People who were deleted after the backup was made are back: delete them again.")
    notes.print("Everybody signs in again. Passwords, roles and tokens are those of the backup.")
    if json:
        options.print_json(
            {**restored.manifest.model_dump(exclude={"members"}), "needs_reindex": restored.needs_reindex}
        )


@contextmanager
def _show_progress() -> "Iterator[Progress]":
    """Show one bar for each step on stderr, on a terminal only."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    console = options.make_console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        tasks = {}

        def show(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=total)
            bars.update(tasks[step], completed=min(done, total), total=total)

        yield show


def _describe_manifest(manifest: "BackupManifest") -> str:
    made = datetime.fromtimestamp(manifest.created).strftime("%Y-%m-%d %H:%M")
    counts = _count_members(manifest)
    return (
        f"Made {made} by Pincite {manifest.version}: {manifest.rows.get('documents', 0)} documents, "
        f"{manifest.rows.get('conversations', 0)} conversations, {manifest.rows.get('people', 0)} people, "
        f"{counts['files']} files."
    )


def _count_members(manifest: "BackupManifest") -> dict[str, int]:
    return {
        "files": sum(member.name.startswith("files/") for member in manifest.members),
        "pictures": sum(member.name.startswith("pictures/") for member in manifest.members),
        "bytes": sum(member.size for member in manifest.members),
    }
