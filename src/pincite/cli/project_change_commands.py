"""The `project apply`, `project undo` and `project changes` commands."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.project_commands import Root, open_root

if TYPE_CHECKING:
    from pincite.projects.change_set import FileChange, Refusal
    from pincite.projects.project import Project

REFUSED = 1

_VERBS = {"modify": "changed", "create": "created", "delete": "deleted", "rename": "renamed"}


def register(app: typer.Typer) -> None:
    """Add the commands to the `project` group."""
    app.command()(apply)
    app.command()(undo)
    app.command()(changes)


def apply(
    root: Root = Path(),
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the changes without making them.")] = False,
    json: options.Json = False,
    data: options.Data = None,
    config: options.Config = None,
) -> None:
    """Apply the edits of a model's reply, read from stdin.

    All of them are applied, or none.

    \b
    pincite project apply --root ~/code/shop < reply.md
    """
    from pincite.projects.change_set import ChangeSet, EditRefused, Refusal
    from pincite.projects.changes import apply_changes, plan_reply

    project = open_root(root)
    folder = _find_journal_folder(project, data, config)
    # The bytes as they are: a reply may quote a file that is not UTF-8.
    reply = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    planned = plan_reply(project.root, reply)
    if not planned.files and not planned.refusals and not planned.applicable:
        hint = "Write SEARCH/REPLACE blocks with the path above each one."
        planned = ChangeSet((), (Refusal(0, "", "no_edits", "The reply has no edits.", hint),))
    number = ""
    files: tuple[FileChange, ...] = planned.files
    refusals = planned.refusals
    if not refusals and not dry_run:
        try:
            applied = apply_changes(project, planned, folder)
        except EditRefused as error:
            refusals = error.refusals
        else:
            number, files = applied.id, applied.files
    is_applied = not refusals and not dry_run
    if json:
        options.print_json(
            {
                "applied": is_applied,
                "change": number,
                "files": [_describe_file(file) for file in files],
                "refused": [_describe_refusal(refusal) for refusal in refusals],
                "applicable": list(planned.applicable),
            }
        )
    if refusals:
        _print_refusals(refusals, planned.applicable)
        raise typer.Exit(REFUSED)
    if not json:
        _print_files(files, number, dry_run)


def undo(
    change: Annotated[
        str, typer.Argument(metavar="[CHANGE]", help="The number of a change; default is the last one.")
    ] = "",
    root: Root = Path(),
    json: options.Json = False,
    data: options.Data = None,
    config: options.Config = None,
) -> None:
    """Put the files of a change back as they were, byte for byte."""
    from pincite.projects.change_set import EditRefused
    from pincite.projects.changes import undo_changes

    project = open_root(root)
    try:
        undone = undo_changes(project, _find_journal_folder(project, data, config), change)
    except EditRefused as error:
        if json:
            refused = [_describe_refusal(refusal) for refusal in error.refusals]
            options.print_json({"applied": False, "change": "", "files": [], "refused": refused})
        _print_refusals(error.refusals, ())
        raise typer.Exit(REFUSED) from None
    if json:
        files = [_describe_file(file) for file in undone.files]
        options.print_json({"applied": True, "change": undone.id, "files": files, "refused": []})
    else:
        _print_files(undone.files, "", False)
        options.make_console().print(f"`pincite project undo {undone.id}` makes the change again.")


def changes(
    root: Root = Path(),
    json: options.Json = False,
    data: options.Data = None,
    config: options.Config = None,
) -> None:
    """List the changes that were made to a project, the newest first."""
    from pincite.projects.changes import list_changes

    project = open_root(root)
    found = list_changes(project, _find_journal_folder(project, data, config))
    if json:
        options.print_json(
            [
                {
                    "change": each.id,
                    "time": each.made_at.isoformat(),
                    "files": [{"action": action, "path": path} for action, path in each.files],
                    "undoes": each.undoes,
                    "undone": each.is_undone,
                }
                for each in found
            ]
        )
        return
    console = options.make_console()
    if not found:
        console.print("No change was made yet.")
    for each in found:
        note = " (undone)" if each.is_undone else f" (undoes {each.undoes})" if each.undoes else ""
        names = ", ".join(f"{_VERBS[action]} {path}" for action, path in each.files)
        console.print(f"{each.id:>4}  {each.made_at.astimezone():%Y-%m-%d %H:%M}  {names}{note}")


def _find_journal_folder(project: "Project", data: Path | None, config: Path | None) -> Path:
    return options.load_settings(data, None, config).data / "projects" / project.id


def _describe_file(file: "FileChange") -> dict[str, Any]:
    return {
        "path": file.path,
        "action": file.action,
        "renamed_from": file.renamed_from,
        "diff": file.diff(),
        "before_sha256": file.before_sha256,
        "after_sha256": file.after_sha256,
    }


def _describe_refusal(refusal: "Refusal") -> dict[str, Any]:
    return {
        "number": refusal.number,
        "path": refusal.path,
        "reason": refusal.reason,
        "message": refusal.message,
        "hint": refusal.hint,
        "nearest": [{"line": line.number, "text": line.text} for line in refusal.nearest],
        "is_there_already": refusal.is_there_already,
    }


def _print_refusals(refusals: "tuple[Refusal, ...]", applicable: tuple[int, ...]) -> None:
    console = options.make_console(stderr=True)
    for refusal in refusals:
        place = (
            f"Block {refusal.number}" + (f" ({refusal.path})" if refusal.path else "") if refusal.number else "Error"
        )
        console.print(f"{place}: {refusal.message} [{refusal.reason}]", style="red")
        if refusal.hint:
            console.print(f"  {refusal.hint}")
        if refusal.nearest:
            console.print("  The nearest lines are:")
            for line in refusal.nearest:
                console.print(f"  {line.number:>6} | {line.text}")
    if applicable:
        console.print(f"Blocks that would apply: {', '.join(map(str, applicable))}.")
    console.print("Nothing was changed.")


def _print_files(files: "tuple[FileChange, ...]", number: str, is_dry: bool) -> None:
    console = options.make_console()
    if not files:
        console.print("Nothing has to change: the files are like this already.")
    for file in files:
        if is_dry:
            console.print(file.diff(), end="")
        else:
            source = f" from {file.renamed_from}" if file.renamed_from else ""
            console.print(f"{_VERBS[file.action]} {file.path}{source}")
    if number:
        console.print(f"Change {number}. `pincite project undo` puts the files back.")
