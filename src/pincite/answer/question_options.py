"""Turn the options of a question into an `AskedQuestion`, and look up what they name in the library."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.errors import NotFound
from pincite.types import Focus

if TYPE_CHECKING:
    from pincite.answer.question import AskedQuestion
    from pincite.events import Answer
    from pincite.settings import Settings
    from pincite.store.database import Database

LAST = "last"
NEW = "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionOptions:
    """The options of a question, as the user gave them."""

    focus: Focus = "all"
    model: str = ""
    system_model: str = ""
    library: str | None = None
    documents: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    strict: bool | None = None
    use_tools: bool | None = None
    persona: str = ""
    workspace: str = ""
    notebook: str = ""
    location: str = ""
    about_me: str = field(default="", repr=False)
    project: str = ""

    def asked(self, question: str, settings: "Settings", database: "Database") -> "AskedQuestion":
        """Return the question with its options; raise `NotFound` when an option names something that does not exist."""
        from pincite.answer.question import AskedQuestion
        from pincite.answer.question_workspace import add_workspace
        from pincite.store.named_scope import make_scope
        from pincite.text.storable import clean_text

        with database.reading() as connection:
            scope = make_scope(connection, settings.owner, self.library, self.documents or None, self.tags)
        asked = AskedQuestion(
            question=clean_text(question),
            focus=self.focus,
            scope=scope,
            chat_model=self.model,
            system_model=self.system_model,
            persona=_find_persona(self.persona, settings.owner, database),
            location=clean_text(self.location),
            profile=clean_text(self.about_me),
            strict=self.strict,
            use_tools=self.use_tools,
            project=self.project,
        )
        if not self.workspace:
            return asked
        with database.reading() as connection:
            return add_workspace(connection, asked, self.workspace)


def _find_persona(persona: str, owner: str, database: "Database") -> str:
    """Return the instructions of the saved persona with this name, or the text itself."""
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
    raise NotFound(f"There is no persona {persona}.", hint, "persona")


def find_conversation(database: "Database", owner: str, given: str) -> str | None:
    """Return the id of the last conversation, or of the one whose id begins so; None for a new one."""
    from pincite.store import conversations

    if given == NEW:
        return None
    with database.reading() as connection:
        if given != LAST:
            return conversations.get_by_prefix(connection, owner, given).id
        found = conversations.find(connection, owner, 1)
    if not found:
        raise NotFound(
            "There is no conversation yet.", "`--conversation new` or `pincite chat` begins one.", "conversation"
        )
    return found[0].id


def suggest_next(asked: "AskedQuestion", answer: "Answer") -> str:
    """Suggest what to do next: add documents, or name a model that changes files; "" where nothing helps."""
    from pincite.llm.providers import EXTRACTIVE

    if asked.has_project:
        return "Changes need a language model: --model PROVIDER:NAME." if answer.model == EXTRACTIVE else ""
    if asked.focus in ("web", "chat"):
        return ""
    return "`pincite add FOLDER` adds documents, `pincite add --sample` adds a sample." if answer.no_documents else ""


def list_fetch_days(database: "Database", owner: str, answer: "Answer") -> dict[str, str]:
    """Return the days on which the cited web pages were fetched, by document."""
    from datetime import date

    from pincite.store import document_sources

    cited = {citation.document for citation in answer.citations if citation.url}
    if not cited:
        return {}
    with database.reading() as connection:
        places = document_sources.find_origins(connection, owner, cited)
    return {id: date.fromtimestamp(place.fetched).isoformat() for id, place in places.items() if place.fetched}
