"""Edit and apply proposed changes in a folder on this machine."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.change_review import EditedFile, Review, edit_content
from pincite.errors import Misuse

if TYPE_CHECKING:
    from pincite.events import ChangedFile, ProposedChanges
    from pincite.projects.changes import ChangeSet, FileChange
    from pincite.projects.project import Project


class LocalChanges:
    """The proposed changes of one answer, planned here, so that the user can edit a file before it is written."""

    def __init__(self, project: "Project", journal: Path, changes: "ProposedChanges") -> None:
        self._project = project
        self._journal = journal
        self._changes = changes
        self._planned: ChangeSet | None = None

    def edit(self, file: "ChangedFile", before: EditedFile | None) -> EditedFile:
        """Let the user edit a proposed file. `before` is the result of an earlier edit of it."""
        from dataclasses import replace

        planned = self._find(file.path)
        content = edit_content(before.content if before else planned.after or b"", file.path)
        return EditedFile(content, replace(planned, after=content).diff())

    def apply(self, review: Review) -> Callable[[], list[str]]:
        """Apply the accepted files, all or none, with the contents that the user left in the editor.

        Return a function that undoes them and returns their paths.
        """
        from dataclasses import replace

        from pincite.projects.changes import ChangeSet, apply_changes, undo_changes

        files = [self._find(path) for path in review.accepted]
        edited = [replace(each, after=review.edited.get(each.path, each.after)) for each in files]
        selected = self._planned.select_files(review.accepted).refusals if self._planned else ()
        # The user saw the whole content of a file in the editor, so a refused block of it no longer matters.
        refusals = tuple(each for each in selected if each.path not in review.edited or each.reason == "tied_files")
        applied = apply_changes(self._project, ChangeSet(tuple(edited), refusals), self._journal)

        def undo() -> list[str]:
            return [file.path for file in undo_changes(self._project, self._journal, applied.id).files]

        return undo

    def _find(self, path: str) -> "FileChange":
        """Return the plan of a file. Raise `Misuse` if the file on disk is not the one that the model read."""
        from pincite.answer.proposed_changes import list_secret_refusals
        from pincite.projects.allowed_edits import plan_allowed

        if self._planned is None:
            self._planned = plan_allowed(self._project.root, self._changes.reply, list_secret_refusals(self._changes))
        found = next((each for each in self._planned.files if each.path == path), None)
        proposed = next(each for each in self._changes.files if each.path == path)
        if found is None or found.before_sha256 != proposed.before_sha256:
            raise Misuse(
                f"{path} was changed since the answer.", "Ask again, so that the model reads it.", "file_changed"
            )
        return found
