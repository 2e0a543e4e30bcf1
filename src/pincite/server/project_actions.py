"""The actions on projects that HTTP routes and the WebSocket share."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import anyio.to_thread
from pydantic import BaseModel, Field, ValidationError

from pincite.answer.proposed_changes import describe_changes, describe_file, list_secret_refusals
from pincite.errors import Misuse, NotFound
from pincite.events import Answer, ProposedChanges
from pincite.projects.allowed_edits import plan_allowed
from pincite.projects.change_plan import locate_file
from pincite.projects.change_set import ChangeSet, EditRefused, Refusal, compute_sha256
from pincite.projects.changes import AppliedChanges, apply_changes, list_changes, undo_changes
from pincite.projects.file_list import read_project_file
from pincite.projects.paths import open_file
from pincite.projects.project import Project, Projects, get_data_folder
from pincite.projects.tree import draw_tree
from pincite.server.dependencies import Body, Words
from pincite.server.project_bodies import (
    LONGEST_PATH,
    Applied,
    AppliedEarlier,
    AppliedList,
    ApplyBody,
    FoundPart,
    FoundParts,
    ProjectList,
    ProjectSummary,
    ProjectText,
    ProjectTree,
    UndoBody,
)
from pincite.store import messages
from pincite.types import count_line_ends, drop_line_end

if TYPE_CHECKING:
    from pincite.answer.services import Services

MOST_PARTS = 50  # in one response


class _Named(Body):
    project: Annotated[Words, Field(min_length=1, max_length=300)]


class _ReadBody(_Named):
    path: Annotated[Words, Field(min_length=1, max_length=LONGEST_PATH)]


class _SearchBody(_Named):
    q: Annotated[Words, Field(min_length=1, max_length=1000)]
    limit: Annotated[int, Field(ge=1, le=MOST_PARTS)] = 10


class _ApplyBody(ApplyBody, _Named):
    pass


class _UndoBody(UndoBody, _Named):
    pass


def list_projects(services: "Services") -> ProjectList:
    """Return the projects of this server."""
    found = Projects(services.settings).list()
    return ProjectList(projects=[ProjectSummary(id=each.id, name=each.name, folder=str(each.root)) for each in found])


def read_tree(services: "Services", project: str) -> ProjectTree:
    """Return the tree of a project, as a model reads it."""
    chosen = _find_project(services, project)
    index = services.project_indexes.open(chosen)
    files = index.refresh()
    tree = draw_tree(files, index.count_tokens(), services.settings.projects.tree_tokens)
    return ProjectTree(
        project=chosen.id, text=tree.text, level=tree.level, files=tree.files, shown=tree.shown, tokens=tree.tokens
    )


def read_file(services: "Services", project: str, path: str) -> ProjectText:
    """Return the text of a file that the user named."""
    chosen = _find_project(services, project)
    file = read_project_file(chosen, path, named=True, most_bytes=services.settings.projects.file_bytes)
    return ProjectText(
        project=chosen.id,
        path=file.path,
        text=file.text,
        sha256=file.sha256,
        encoding=file.encoding,
        newline=file.newline,
        bom=file.bom,
        lines=count_line_ends(drop_line_end(file.text)) + 1 if file.text else 0,
    )


def search_files(services: "Services", project: str, query: str, limit: int) -> FoundParts:
    """Return the parts of a project's files that have the words of a query."""
    chosen = _find_project(services, project)
    index = services.project_indexes.open(chosen)
    index.refresh()
    most = services.settings.projects.file_bytes
    parts = []
    for part in index.search(query, limit):
        try:
            text = read_project_file(chosen, part.path, most_bytes=most).text
        except Misuse:
            continue  # it was removed since
        parts.append(
            FoundPart(
                path=part.path,
                name=part.name,
                first_line=part.first_line,
                last_line=part.last_line,
                text=text[part.start : part.end],
                score=round(part.score, 6),
            )
        )
    return FoundParts(project=chosen.id, parts=parts)


def apply_to_project(services: "Services", owner: str, project: str, given: ApplyBody) -> Applied:
    """Apply changes, all or none, or with `dry_run` only plan them.

    Raise `EditRefused` with the reason `file_changed` if a file is not what it was when the changes were proposed.
    """
    chosen = _find_project(services, project)
    reply, expected = given.reply, dict(given.before_sha256 or {})
    refused: dict[int, Refusal] = {}
    if bool(given.changes) == bool(reply):
        raise Misuse("It is not said which changes to apply.", "Send `changes` or `reply`.", "no_changes")
    if given.changes:
        proposed = _find_proposed(services, owner, given.changes)
        if proposed.project != chosen.id:
            raise NotFound(f"These changes are not of the project {chosen.name}.", "Check the id.", "change")
        reply, refused = proposed.reply, list_secret_refusals(proposed)
        expected |= {each.renamed_from or each.path: each.before_sha256 for each in proposed.files}
    planned = plan_allowed(chosen.root, reply, refused)
    if given.paths is not None:
        planned = planned.select_files({locate_file(chosen.root.resolve(), path) for path in given.paths})
    if not planned.files and not planned.refusals:
        raise Misuse("There is no edit to apply.", "Check the reply and the accepted paths.", "no_changes")
    _check_unchanged(chosen, planned, expected)
    if given.dry_run:
        described = describe_changes(planned)
        return Applied(project=chosen.id, id="", applied=False, files=described.files, refused=described.refused)
    return _describe_applied(chosen, apply_changes(chosen, planned, get_data_folder(services.settings, chosen)))


def undo_in_project(services: "Services", project: str, change: str) -> Applied:
    """Undo applied changes: those with this id, or the last ones."""
    chosen = _find_project(services, project)
    return _describe_applied(chosen, undo_changes(chosen, get_data_folder(services.settings, chosen), change))


def list_applied(services: "Services", project: str) -> AppliedList:
    """Return the changes that were applied to a project, the latest first."""
    chosen = _find_project(services, project)
    found = list_changes(chosen, get_data_folder(services.settings, chosen))
    return AppliedList(
        project=chosen.id,
        changes=[
            AppliedEarlier(
                id=each.id,
                created=each.made_at.timestamp(),
                paths=[path for _, path in each.files],
                undone=each.is_undone,
                undoes=each.undoes,
            )
            for each in found
        ],
    )


async def run_project_action(name: str, services: "Services", owner: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Run an action and return its response body. Raise `Misuse` with the reason `unknown_action` for another name.

    `data` has the fields of the action's route, and `project`, an id or a name.
    """
    action = _ACTIONS.get(name)
    if action is None:
        raise Misuse(f"There is no action {name}.", "Use one of " + ", ".join(PROJECT_ACTIONS) + ".", "unknown_action")
    form, work = action
    try:
        body = form.model_validate(dict(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "data"
        raise Misuse(f"{where}: {first['msg']}.", "Correct the data of the action.", "invalid") from None
    made = await anyio.to_thread.run_sync(work, services, owner, body)
    return made.model_dump(mode="json")


Work = Callable[["Services", str, Any], BaseModel]
_ACTIONS: dict[str, tuple[type[BaseModel], Work]] = {
    "projects": (Body, lambda services, owner, body: list_projects(services)),
    "tree": (_Named, lambda services, owner, body: read_tree(services, body.project)),
    "read_file": (_ReadBody, lambda services, owner, body: read_file(services, body.project, body.path)),
    "search": (_SearchBody, lambda services, owner, body: search_files(services, body.project, body.q, body.limit)),
    "apply": (_ApplyBody, lambda services, owner, body: apply_to_project(services, owner, body.project, body)),
    "undo": (_UndoBody, lambda services, owner, body: undo_in_project(services, body.project, body.change)),
    "changes": (_Named, lambda services, owner, body: list_applied(services, body.project)),
}
PROJECT_ACTIONS = tuple(_ACTIONS)


def _find_project(services: "Services", project: str) -> Project:
    return Projects(services.settings).find(project)


def _find_proposed(services: "Services", owner: str, id: str) -> ProposedChanges:
    """Return the changes that an answer proposed. Their id is that of the question."""
    with services.library.database.reading() as connection:
        question = messages.get(connection, owner, id)
        found = messages.find_all(connection, question.conversation)
    answer = next((each for each in found if each.position == question.position + 1), None)
    changes = Answer.model_validate(answer.answer).changes if answer and answer.answer else None
    if changes is None or changes.id != id:
        raise NotFound(f"There are no changes {id}.", "Use the id of changes that an answer proposed.", "change")
    return changes


def _check_unchanged(project: Project, planned: ChangeSet, expected: Mapping[str, str]) -> None:
    """Raise `EditRefused` if a file of the edits has another hash than the client knows.

    An edit that does not apply may be wrong because somebody changed the file, so its file is compared too.
    """
    now = {refused.path: _hash_file(project, refused.path) for refused in planned.refusals if refused.path in expected}
    now |= {change.renamed_from or change.path: change.before_sha256 for change in planned.files}
    changed = [path for path, hash in now.items() if expected.get(path, hash) != hash]
    if changed:
        hint = "Look at the file, then ask for the change again."
        raise EditRefused(
            tuple(
                Refusal(0, path, "file_changed", f"{path} was changed since the edits were proposed.", hint)
                for path in changed
            )
        )


def _hash_file(project: Project, path: str) -> str:
    """Return the hash of a file's bytes, or "" where there is no such file."""
    try:
        with open_file(project.root, path) as file:
            return compute_sha256(file.read())
    except Misuse:
        return ""


def _describe_applied(project: Project, done: AppliedChanges) -> Applied:
    return Applied(project=project.id, id=done.id, applied=True, files=[describe_file(each) for each in done.files])
