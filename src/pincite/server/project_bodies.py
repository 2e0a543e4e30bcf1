"""The bodies of requests and responses about projects: folders on the server's disk that it was started on."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from pincite.events import ChangedFile, RefusedEdit
from pincite.server.dependencies import Body, Words
from pincite.server.question_bodies import MOST_FILES, GivenFileBody

LONGEST_PATH = 1000  # characters

ProjectPath = Annotated[Words, Field(min_length=1, max_length=LONGEST_PATH)]


class ProjectSummary(BaseModel):
    """A project: a folder that the server was started on."""

    id: str
    name: Annotated[str, Field(description="The name of the folder.")]
    folder: Annotated[str, Field(description="Where it is on the server's disk.")]


class ProjectList(BaseModel):
    """The projects of this server."""

    projects: list[ProjectSummary]


class ProjectTree(BaseModel):
    """The files of a project as a tree, cut to a size that a model can read."""

    project: str
    text: Annotated[str, Field(description="The tree; its first line says what was left out.")]
    level: Annotated[
        Literal["full", "no_counts", "important", "shallow"], Field(description="What was left out to shorten it.")
    ]
    files: Annotated[int, Field(description="Number of files in the project.")]
    shown: Annotated[int, Field(description="Number of files in the tree.")]
    tokens: Annotated[int, Field(description="Approximate number of tokens of the tree.")]


class ProjectText(BaseModel):
    """The text of a file of a project."""

    project: str
    path: str
    text: str
    sha256: Annotated[str, Field(description="The hash of the file's bytes.")]
    encoding: str
    newline: Annotated[str, Field(description=r"How its lines end: `\n`, `\r\n`, `\r` or `mixed`.")]
    bom: bool
    lines: int


class FoundPart(BaseModel):
    """A part of a file that was found: a function, a class, a section, or some lines."""

    path: str
    name: Annotated[str, Field(description="Of a function, a class or a section.")]
    first_line: int
    last_line: int
    text: str
    score: float


class FoundParts(BaseModel):
    """The parts of a project's files that were found, the best first."""

    project: str
    parts: list[FoundPart]


class ApplyBody(Body):
    """Changes to apply, all or none: those that an answer proposed, or the edits of a reply."""

    changes: Annotated[str, Field(max_length=300, description="The `id` of changes that an answer proposed.")] = ""
    reply: Annotated[str, Field(description="Or a reply with edits.")] = ""
    paths: Annotated[
        list[ProjectPath] | None, Field(max_length=1000, description="Apply only the edits of these files.")
    ] = None
    before_sha256: Annotated[
        dict[str, str] | None,
        Field(description="The hashes of files as you know them, by path. Another one is refused: `file_changed`."),
    ] = None
    dry_run: Annotated[bool, Field(description="Only say what would be changed.")] = False


class UndoBody(Body):
    """Which applied changes to undo."""

    change: Annotated[
        str, Field(max_length=300, description="The id of applied changes; the last ones without it.")
    ] = ""


class Applied(BaseModel):
    """Changes that were applied or undone, or would be."""

    project: str
    id: Annotated[str, Field(description="Names them in `POST /api/projects/{id}/undo`; empty of a dry run.")]
    applied: bool
    files: list[ChangedFile]
    refused: Annotated[list[RefusedEdit], Field(description="Of a dry run: the edits that do not apply.")] = []


class AppliedEarlier(BaseModel):
    """Changes that were applied before."""

    id: str
    created: Annotated[float, Field(description="Seconds since 1970.")]
    paths: list[str]
    undone: bool
    undoes: Annotated[str, Field(description="The id of the changes that these took back.")] = ""


class AppliedList(BaseModel):
    """The changes that were applied to a project, the latest first."""

    project: str
    changes: list[AppliedEarlier]


class ResultBody(Body):
    """The result of a call of an answer, as a client reports it."""

    call: Annotated[Words, Field(min_length=1, max_length=300, description="The id of the call.")]
    status: Annotated[
        Literal["applied", "rejected", "failed", "continue", "stop"],
        Field(description="`continue` begins the next turn on the request; all others only report."),
    ]
    message: Annotated[Words, Field(max_length=20_000, description="For the model, such as the output of tests.")] = ""
    files: Annotated[tuple[ProjectPath, ...], Field(max_length=1000, description="The paths that were changed.")] = ()
    contents: Annotated[
        tuple[GivenFileBody, ...],
        Field(max_length=MOST_FILES, description="Of `continue`: the files that you hold yourself, as they are now."),
    ] = ()
    screenshot: Annotated[str, Field(description="A picture in base64, or as a `data:` address.")] = ""


class ResultTaken(BaseModel):
    """A result was stored as the event `seq` of the conversation."""

    conversation: str
    seq: int
    message: Annotated[str | None, Field(description="Of `continue`: the id of the answer that begins.")] = None
    after: Annotated[int, Field(description="Events of the answer that begins have numbers greater than this.")] = 0
