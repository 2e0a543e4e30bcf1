"""Turn the edits that a model wrote into changes of files that a client can accept."""

import asyncio
import uuid
from collections.abc import Collection
from dataclasses import replace

from pincite import events
from pincite.answer.agent_run import write_single
from pincite.answer.context import Context
from pincite.answer.edit_collector import EditOutbox
from pincite.answer.named_files import is_hidden_secret, is_named
from pincite.answer.project_files import ProjectFiles
from pincite.answer.stream_items import Note, SentenceBreak
from pincite.errors import ModelError
from pincite.projects.allowed_edits import plan_allowed
from pincite.projects.change_set import ChangeSet, FileChange, Refusal
from pincite.projects.edits import RenameFile
from pincite.projects.file_list import may_read
from pincite.projects.paths import PathRefused, resolve_path
from pincite.projects.reply_reader import parse_reply

_PROPOSED = {
    "en": {"one": "A change of {} is proposed.", "many": "Changes of {} files are proposed: {}."},
    "fr": {
        "one": "Une modification de {} est proposée.",
        "many": "Des modifications de {} fichiers sont proposées : {}.",
    },
}
_REFUSED = {
    "en": "{} of the edits do not apply to the files as they are.",
    "fr": "{} des modifications ne s’appliquent pas aux fichiers tels qu’ils sont.",
}
_SECRET = "secret_file"  # the reason of a refusal
_NAMED = 5  # files in the sentence that introduces changes


async def write_with_changes(files: ProjectFiles, context: Context) -> None:
    """Write an answer about a project. Edits in the model's text become proposed changes instead of sentences."""
    outbox = EditOutbox(context.outbox, context.edits)
    try:
        await write_single(replace(context, outbox=outbox))
    except ModelError as error:
        context.edits.failure = error.failure
        outbox.finish()
        await propose_changes(files, context)
        raise
    outbox.finish()
    await propose_changes(files, context)


async def propose_changes(files: ProjectFiles, context: Context) -> None:
    """Plan the edits of a reply, and emit them as an event and as a call to the client."""
    planned, unshown = await asyncio.to_thread(_plan_edits, files, context)
    if not planned.files and not planned.refusals:
        return
    project = "" if files.is_given else files.id
    proposed = describe_changes(planned, context.asked.question_id, project, context.edits.reply, unshown)
    context.ledger.changes = proposed
    emit = context.outbox.emit
    if context.outbox.has_text:
        emit(SentenceBreak())
    else:
        emit(Note(_introduce_changes(proposed, context.asked.language)))
    emit(proposed)
    if proposed.files and context.asked.conversation:
        paths = [file.path for file in proposed.files]
        add_call(context, "apply_changes", {"changes": proposed.id, "project": proposed.project, "paths": paths})


def add_call(context: Context, tool: events.ClientTool, arguments: dict[str, object]) -> None:
    """Add a call to the client to the answer, and emit it."""
    call = events.ClientCall(id=uuid.uuid4().hex, tool=tool, arguments=arguments)
    context.ledger.calls.append(call)
    context.outbox.emit(call)


def describe_changes(
    planned: ChangeSet, id: str = "", project: str = "", reply: str = "", unshown: Collection[str] = ()
) -> events.ProposedChanges:
    """Return planned changes, and the edits that do not apply, in the form of the wire.

    `unshown` are the paths of files whose lines are not told.
    """
    return events.ProposedChanges(
        id=id,
        project=project,
        files=[describe_file(each, each.path not in unshown) for each in planned.files],
        refused=[_describe_refusal(each, each.path not in unshown) for each in planned.refusals],
        reply=reply,
    )


def describe_file(change: FileChange, has_lines: bool = True) -> events.ChangedFile:
    """Return the change of one file in the form of the wire; without `has_lines` the diff is its head alone."""
    diff = change.diff()
    return events.ChangedFile(
        path=change.path,
        action=change.action,
        renamed_from=change.renamed_from,
        diff=diff if has_lines else diff.partition("\n--- ")[0].rstrip("\n") + "\n",
        before_sha256=change.before_sha256,
    )


def list_secret_refusals(proposed: events.ProposedChanges) -> dict[int, Refusal]:
    """Return the edits of secrets that were refused when changes were proposed, by their numbers."""
    refused = [each for each in proposed.refused if each.reason == _SECRET]
    return {each.number: Refusal(each.number, each.path, each.reason, each.message, each.hint) for each in refused}


def _plan_edits(files: ProjectFiles, context: Context) -> tuple[ChangeSet, frozenset[str]]:
    """Plan the edits of a reply, and return the paths of files whose lines nobody may be told.

    Edits of secrets that the user did not name are refused: their diff would tell what is in them. Ignored files that
    the user did not name may be changed, but their lines are not told.
    """
    root, reply = files.project.root.resolve(), context.edits.reply
    refused: dict[int, Refusal] = {}
    unshown: set[str] = set()
    for edit in [] if files.is_given else parse_reply(reply).edits:
        written = [edit.path, edit.to] if isinstance(edit, RenameFile) else [edit.path]
        paths = [path.removeprefix(f"{root}/") for path in written]
        try:
            real = [resolve_path(root, path).relative_to(root).as_posix() for path in paths]
            if secret := next((path for path in paths if is_hidden_secret(context, files, path)), ""):
                refused[edit.number] = _refuse_secret(edit.number, secret)
            elif not unshown.isdisjoint(real) or not all(_may_show(files, context, path) for path in paths):
                unshown.update(written, real)
        except PathRefused:
            continue  # the plan refuses it
    return plan_allowed(root, reply, refused), frozenset(unshown)


def _may_show(files: ProjectFiles, context: Context, path: str) -> bool:
    return may_read(files.project, path, named=is_named(context, files, path))


def _refuse_secret(number: int, path: str) -> Refusal:
    message = f"{path} may hold secrets, and the user did not name it."
    return Refusal(number, path, _SECRET, message, f"Ask the user to write @{path} if the file is to be changed.")


def _describe_refusal(refusal: Refusal, has_lines: bool) -> events.RefusedEdit:
    nearest = refusal.nearest if has_lines else ()
    return events.RefusedEdit(
        number=refusal.number,
        path=refusal.path,
        reason=refusal.reason,
        message=refusal.message,
        hint=refusal.hint,
        nearest=[events.NearestLine(number=each.number, text=each.text) for each in nearest],
        is_there_already=refusal.is_there_already,
    )


def _introduce_changes(proposed: events.ProposedChanges, language: str) -> str:
    """Return the sentence of an answer that is nothing but edits."""
    told = _PROPOSED["fr" if language == "fr" else "en"]
    paths = [f"`{file.path}`" for file in proposed.files]
    if not paths:
        return _REFUSED["fr" if language == "fr" else "en"].format(len(proposed.refused))
    if len(paths) == 1:
        return told["one"].format(paths[0])
    return told["many"].format(len(paths), ", ".join([*paths[:_NAMED], *(["…"] if len(paths) > _NAMED else [])]))
