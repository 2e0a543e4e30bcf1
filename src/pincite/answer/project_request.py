"""The turns of a request about a project: what each did, so that later turns can be compared with it."""

from collections.abc import Mapping
from dataclasses import dataclass

from pincite import events


@dataclass(frozen=True, slots=True)
class EarlierTurn:
    """An earlier turn on the same request: what was called, written, proposed and refused."""

    answer: str = ""
    reply: str = ""  # the diffs of the proposed changes, to compare them
    refusals: tuple[str, ...] = ()
    calls: frozenset[str] = frozenset()
    changes: tuple[str, ...] = ()  # for each changed file its path, the action and the numbers of lines


@dataclass(frozen=True, slots=True)
class ProjectRequest:
    """The request that a question continues: its words, the number of this turn from 1, and the turns before."""

    text: str
    turn: int = 1
    earlier: tuple[EarlierTurn, ...] = ()
    question: str = ""  # the id of the message that made the request


def make_turn(text: str, changes: events.ProposedChanges | None, calls: frozenset[str]) -> EarlierTurn:
    """Return a turn from its text, its proposed changes and its tool calls."""
    refused = changes.refused if changes else []
    files = changes.files if changes else []
    return EarlierTurn(
        answer=text,
        # A diff whose lines are not told is compared by the file that it changes.
        reply="\n".join(file.diff if "\n@@" in file.diff else file.diff + file.before_sha256 for file in files),
        refusals=tuple(f"{each.path} {each.reason}" for each in refused),
        calls=calls,
        changes=tuple(map(_describe_change, files)),
    )


def _describe_change(file: events.ChangedFile) -> str:
    """Return a change on one line, without any line of the file."""
    lines = file.diff.partition("\n@@")[2].splitlines()
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    renamed = f", from {file.renamed_from}" if file.renamed_from else ""
    return f"{file.path} ({file.action}{renamed}, {added} lines added, {removed} removed)"


def describe_call(name: str, attributes: Mapping[str, str]) -> str:
    """Return a tool call on one line, the same for the same call."""
    return " ".join((name, *(f"{key}={value}" for key, value in sorted(attributes.items()))))
