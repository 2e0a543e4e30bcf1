"""HTTP routes for projects: their files, searches in them, and changes that are applied or undone."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request

from pincite.accounts.audit import Caller
from pincite.answer.question import GivenFile
from pincite.conversations import Conversations
from pincite.conversations.answer_start import RunningAnswer
from pincite.conversations.client_results import ReportedResult
from pincite.server import project_actions as actions
from pincite.server.chat_routes import check_project_scope
from pincite.server.dependencies import Id, Owner, TheCaller, TheConversations, Words, get_services
from pincite.server.project_bodies import (
    LONGEST_PATH,
    Applied,
    AppliedList,
    ApplyBody,
    FoundParts,
    ProjectList,
    ProjectText,
    ProjectTree,
    ResultBody,
    ResultTaken,
    UndoBody,
)
from pincite.server.request_rates import take_request


def router() -> APIRouter:
    """Return the routes for projects."""
    routes = APIRouter(tags=["projects"])

    @routes.get("/api/projects")
    def list_projects(owner: Owner, request: Request) -> ProjectList:
        """List the projects: the folders that the server was started on."""
        return actions.list_projects(get_services(request))

    @routes.get("/api/projects/{project}/tree")
    def tree(project: Id, owner: Owner, request: Request) -> ProjectTree:
        """Get the files of a project as a tree, as a model reads it."""
        return actions.read_tree(get_services(request), project)

    @routes.get("/api/projects/{project}/files")
    def read(
        project: Id,
        owner: Owner,
        request: Request,
        path: Annotated[Words, Query(min_length=1, max_length=LONGEST_PATH, description="Path in the project.")],
    ) -> ProjectText:
        """Read a file of a project."""
        return actions.read_file(get_services(request), project, path)

    @routes.get("/api/projects/{project}/search")
    def search(
        project: Id,
        owner: Owner,
        request: Request,
        q: Annotated[Words, Query(min_length=1, max_length=1000, description="Words to search for.")],
        limit: Annotated[int, Query(ge=1, le=actions.MOST_PARTS, description="Maximum number of parts.")] = 10,
    ) -> FoundParts:
        """Find the parts of a project's files that have these words."""
        return actions.search_files(get_services(request), project, q, limit)

    @routes.post("/api/projects/{project}/apply")
    def apply(project: Id, given: ApplyBody, owner: Owner, request: Request) -> Applied:
        """Apply changes to the files of a project, all or none, or say with `dry_run` what would be changed."""
        return actions.apply_to_project(get_services(request), owner, project, given)

    @routes.post("/api/projects/{project}/undo")
    def undo(project: Id, owner: Owner, request: Request, given: UndoBody | None = None) -> Applied:
        """Undo changes that were applied. It is refused if a file was changed since then."""
        return actions.undo_in_project(get_services(request), project, given.change if given else "")

    @routes.get("/api/projects/{project}/changes")
    def list_changes(project: Id, owner: Owner, request: Request) -> AppliedList:
        """List the changes that were applied to a project, the latest first."""
        return actions.list_applied(get_services(request), project)

    @routes.post("/api/conversations/{conversation}/results")
    async def report(
        conversation: Id, given: ResultBody, caller: TheCaller, conversations: TheConversations, request: Request
    ) -> ResultTaken:
        """Report what you did about a call of an answer. The model reads it with the next question.

        The status `continue` begins the next turn on the request; follow its events.
        """
        if given.status == "continue":
            await take_request(request.scope, "questions", caller.principal.user)
        taken, _ = await take_result(conversations, caller, conversation, given)
        return taken

    return routes


async def take_result(
    conversations: Conversations, caller: Caller, conversation: str, given: ResultBody
) -> tuple[ResultTaken, RunningAnswer | None]:
    """Store what a client did about a call. Return the response, and the answer that begins, if one does."""
    reported, files = parse_result(given)
    check = partial(check_project_scope, caller=caller)
    seq, running = await conversations.report(caller.principal.user, conversation, reported, files, check, caller)
    taken = ResultTaken(
        conversation=conversation,
        seq=seq,
        message=running.message if running else None,
        after=running.after if running else seq,
    )
    return taken, running


def parse_result(given: ResultBody) -> tuple[ReportedResult, tuple[GivenFile, ...]]:
    """Return the result of a request, and the files that the client holds itself."""
    reported = ReportedResult(given.call, given.status, given.message, given.files, given.screenshot)
    return reported, tuple(GivenFile(each.path, each.content) for each in given.contents)
