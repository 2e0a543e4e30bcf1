"""What a question is asked with: the options that ask and chat share, and what they make of them."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.errors import NotFound
from pincite.types import Focus

if TYPE_CHECKING:
    from pincite.agent.turn import Asked
    from pincite.settings import Settings
    from pincite.store.database import Database

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The options of a question, as they were given."""

    focus: Focus = "all"
    model: str = ""
    system_model: str = ""
    library: str | None = None
    documents: tuple[str, ...] = ()
    strict: bool | None = None
    use_tools: bool | None = None
    persona: str = ""
    location: str = ""
    about_me: str = field(default="", repr=False)

    def asked(self, question: str, settings: "Settings", database: "Database") -> "Asked":
        """The question with all that goes with it; `NotFound` when an option names something that is not there."""
        from pincite.agent.turn import Asked
        from pincite.reading.finish import clean
        from pincite.store import documents, sources
        from pincite.types import Scope

        with database.reading() as connection:
            sources.check_library(connection, settings.owner, self.library)
            chosen = [documents.matching(connection, settings.owner, given).id for given in self.documents]
        return Asked(
            question=clean(question),
            focus=self.focus,
            scope=Scope(owner=settings.owner, library=self.library, documents=tuple(chosen) or None),
            chat_model=self.model,
            system_model=self.system_model,
            persona=_instructions(self.persona, settings.owner, database),
            location=clean(self.location),
            profile=clean(self.about_me),
            strict=self.strict,
            use_tools=self.use_tools,
        )


def _instructions(persona: str, owner: str, database: "Database") -> str:
    """What a persona says: one that is saved under this name, or the text itself."""
    from pincite.store import personas

    if not persona.strip():
        return ""
    with database.reading() as connection:
        try:
            return personas.get(connection, owner, persona).instructions
        except NotFound:
            if " " in persona.strip():
                return persona
            known = ", ".join(each.name for each in personas.find(connection, owner))
    hint = f"There are {known}; or write a sentence." if known else "None is saved; write a sentence instead."
    raise NotFound(f"There is no persona {persona}.", hint)
