"""Shapes of requests and responses about notebooks and the things kept in them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from pincite.events import Citation, Sentence
from pincite.notebooks.kept_items import read_proof
from pincite.server.dependencies import Body, Words
from pincite.store.notebook_items import ItemKind, StoredItem
from pincite.store.notebooks import StoredNotebook

_MOST = 2**31 - 1
Comment = Annotated[Words, Field(max_length=20_000, description="Your own words about it.")]
Named = Annotated[Words, Field(min_length=1, max_length=200)]
OwnWords = Annotated[Words, Field(min_length=1, max_length=100_000)]
Number = Annotated[int, Field(ge=0, le=_MOST)]


class NotebookSummary(BaseModel):
    """A notebook in a list. Times are seconds since 1970."""

    id: str
    title: str
    items: Annotated[int, Field(description="Number of things in it.")]
    workspace: Annotated[str, Field(description="Id of the workspace that it is in; empty without one.")] = ""
    created: float
    updated: float


class NotebookItem(BaseModel):
    """A kept thing, with its pins and verdicts as they were when it was kept."""

    id: str
    notebook: str
    kind: ItemKind
    text: Annotated[str, Field(description="Its words; of a sentence or an answer with marks such as `[1]`.")]
    comment: str
    question: Annotated[str, Field(description="Of a sentence or an answer: the question.")]
    conversation: Annotated[str, Field(description="Where it was answered; empty otherwise.")]
    message: Annotated[str, Field(description="The id of the answer; empty otherwise.")]
    sentences: Annotated[list[Sentence], Field(description="Its sentences with their verdicts.")]
    citations: Annotated[list[Citation], Field(description="Its pins, by the numbers of its marks.")]
    lost: Annotated[
        list[int], Field(description="Numbers of pins whose quote is not in the current text of its document.")
    ] = []
    created: float
    updated: float


class WholeNotebook(NotebookSummary):
    """A notebook with everything in it, in its order."""

    kept: list[NotebookItem]
    missing: Annotated[list[str], Field(description="Ids of cited documents that are gone, or hidden from you.")]


class FoundNoteOf(BaseModel):
    """A notebook, a kept thing, or a highlight that contains the words of a search."""

    kind: Literal["notebook", "item", "annotation"]
    id: str
    title: Annotated[str, Field(description="The title of the notebook, or of the highlighted document.")]
    excerpt: Annotated[str, Field(description="About 120 characters around the words.")]
    notebook: Annotated[str, Field(description="The notebook that has it; empty for a highlight.")]
    document: Annotated[str, Field(description="The document of a highlight; empty otherwise.")]
    start: int
    end: int
    page: int | None
    label: str


class NotebookTitle(Body):
    """The title of a notebook."""

    title: Named


class GivenNotebook(NotebookTitle):
    """A new notebook."""

    workspace: Annotated[
        Words | None, Field(max_length=300, description="Id or name of a workspace to put it into.")
    ] = None


class _Kept(Body):
    comment: Comment = ""


class KeepText(_Kept):
    """Your own words."""

    kind: Literal["text"]
    text: OwnWords


class KeepAnswer(_Kept):
    """A whole answer."""

    kind: Literal["answer"]
    message: Annotated[Words, Field(max_length=200, description="The id of the answer.")]


class KeepSentence(_Kept):
    """One sentence of an answer."""

    kind: Literal["sentence"]
    message: Annotated[Words, Field(max_length=200, description="The id of the answer.")]
    sentence: Annotated[Number, Field(description="Its place in `sentences` of the answer, from 0.")]


class KeepCitation(_Kept):
    """A passage that an answer cites."""

    kind: Literal["citation"]
    message: Annotated[Words, Field(max_length=200, description="The id of the answer.")]
    citation: Annotated[Number, Field(description="The number of the citation.")]


class KeepPassage(_Kept):
    """A passage of a document: a range of its text, end exclusive."""

    kind: Literal["passage"]
    document: Annotated[Words, Field(max_length=200)]
    start: Number
    end: Number


KeepBody = Annotated[KeepText | KeepAnswer | KeepSentence | KeepCitation | KeepPassage, Field(discriminator="kind")]


class ItemChange(Body):
    """Changes of a kept thing. Fields that are left out stay."""

    text: Annotated[OwnWords | None, Field(description="New words, of your own words alone.")] = None
    comment: Comment | None = None
    place: Annotated[Number | None, Field(description="Its new place in the notebook, from 0.")] = None
    notebook: Annotated[
        Words | None, Field(max_length=200, description="Another notebook of yours, to whose end it moves.")
    ] = None


def make_summary(stored: StoredNotebook, items: int, workspace: str = "") -> NotebookSummary:
    """Return a notebook for a list."""
    return NotebookSummary(**_make_fields(stored, items, workspace))


def make_whole(
    stored: StoredNotebook, items: list[NotebookItem], missing: list[str], workspace: str = ""
) -> WholeNotebook:
    """Return a notebook with its things."""
    return WholeNotebook(**_make_fields(stored, len(items), workspace), kept=items, missing=missing)


def make_item(stored: StoredItem) -> NotebookItem:
    """Return a kept thing with its proof."""
    proof = read_proof(stored)
    return NotebookItem(
        id=stored.id,
        notebook=stored.notebook,
        kind=stored.kind,
        text=stored.text,
        comment=stored.comment,
        question=stored.question,
        conversation=stored.conversation,
        message=stored.message,
        sentences=list(proof.sentences),
        citations=list(proof.citations),
        lost=list(proof.lost),
        created=stored.created,
        updated=stored.updated,
    )


def _make_fields(stored: StoredNotebook, items: int, workspace: str) -> dict[str, Any]:
    return {
        "id": stored.id,
        "title": stored.title,
        "items": items,
        "workspace": workspace,
        "created": stored.created,
        "updated": stored.updated,
    }
