"""The options that ask, chat and research share."""

from typing import Annotated

import typer

from pincite.agent.given import Given as Given
from pincite.types import Focus

FocusOption = Annotated[
    Focus,
    typer.Option(
        help="Where to look: documents, the web, nowhere (chat); all asks the web where documents are silent, "
        "research writes a report from both."
    ),
]
ModelOption = Annotated[
    str, typer.Option("--model", "-m", metavar="PROVIDER:NAME", help="The model that answers; see docs/models.md.")
]
SystemModelOption = Annotated[
    str, typer.Option("--system-model", metavar="PROVIDER:NAME", help="The model for the small work; default the same.")
]
DocumentOption = Annotated[
    list[str] | None, typer.Option("--document", metavar="ID", help="Only in this document; may be given again.")
]
StrictOption = Annotated[
    bool | None,
    typer.Option("--strict/--no-strict", help="Leave out sentences that no source supports, or mark them."),
]
ToolsOption = Annotated[
    bool | None,
    typer.Option(
        "--tools/--no-tools", help="Let the model search with tools, or search first and give it what is found."
    ),
]
PersonaOption = Annotated[
    str, typer.Option("--persona", metavar="NAME_OR_TEXT", help="How to answer: a saved persona, or a sentence.")
]
LocationOption = Annotated[str, typer.Option("--location", help="Where you are; it may guide the search.")]
AboutOption = Annotated[
    str, typer.Option("--about-me", help="Who you are; for the tone alone: no tool and no search ever sees it.")
]
