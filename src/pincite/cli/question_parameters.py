"""Options that the `ask`, `chat` and `research` commands share."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.answer.question_options import QuestionOptions as QuestionOptions
from pincite.types import Focus

FocusOption = Annotated[
    Focus,
    typer.Option(
        help="Where to search: documents, web, or nowhere (chat). all searches the web if the documents do not "
        "answer; research writes a report from both."
    ),
]
ModelOption = Annotated[
    str, typer.Option("--model", "-m", metavar="PROVIDER:NAME", help="The model that answers; see docs/models.md.")
]
SystemModelOption = Annotated[
    str,
    typer.Option(
        "--system-model",
        metavar="PROVIDER:NAME",
        help="The model for small tasks, such as rewriting a question; default is the same.",
    ),
]
DocumentOption = Annotated[
    list[str] | None, typer.Option("--document", metavar="ID", help="Search only this document; may be repeated.")
]
TagOption = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", help="Search only documents with this tag; may be repeated: all are needed."),
]
StrictOption = Annotated[
    bool | None,
    typer.Option("--strict/--no-strict", help="Leave out sentences that no source supports, or mark them."),
]
ToolsOption = Annotated[
    bool | None,
    typer.Option(
        "--tools/--no-tools", help="Let the model search with tools, or search first and give it the results."
    ),
]
PersonaOption = Annotated[
    str, typer.Option("--persona", metavar="NAME_OR_TEXT", help="How to answer: a saved persona, or instructions.")
]
WorkspaceOption = Annotated[
    str,
    typer.Option(
        "--workspace", metavar="NAME", help="Ask in this workspace: its instructions apply, its libraries are searched."
    ),
]
NotebookOption = Annotated[
    str,
    typer.Option(
        "--notebook",
        metavar="NAME",
        help="Ask about this notebook: its passages come first, and a model gets your notes.",
    ),
]
LocationOption = Annotated[str, typer.Option("--location", help="Where you are; the search may use it.")]
ProjectOption = Annotated[
    Path | None,
    typer.Option("--project", metavar="DIR", help="Answer about the files of this folder, with line citations."),
]
AboutOption = Annotated[
    str, typer.Option("--about-me", help="Who you are; it only sets the tone and is never sent to a tool or a search.")
]
