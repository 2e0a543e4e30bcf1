"""Plan the edits of a reply without those that were refused before."""

from collections.abc import Mapping
from pathlib import Path

from pincite.projects.change_plan import plan_changes, plan_reply
from pincite.projects.change_set import ChangeSet, Refusal
from pincite.projects.reply_reader import parse_reply


def plan_allowed(root: Path, reply: str, refused: Mapping[int, Refusal]) -> ChangeSet:
    """Return the changes that a reply asks for. Edits with the number of a refusal are not planned: no file is read
    for them, and no later edit sees what they would do."""
    if not refused:
        return plan_reply(root, reply)
    parsed = parse_reply(reply)
    planned = plan_changes(root, [edit for edit in parsed.edits if edit.number not in refused])
    unread = [Refusal(each.number, each.path, each.reason, each.message, each.hint) for each in parsed.problems]
    refusals = sorted((*planned.refusals, *unread, *refused.values()), key=lambda refusal: refusal.number)
    return ChangeSet(planned.files, tuple(refusals), planned.applicable)
