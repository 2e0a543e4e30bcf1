"""A question with the options it was given with, and what they mean in this library."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.errors import NotFound
from pincite.types import Focus

if TYPE_CHECKING:
    from pincite.agent.turn import Asked
    from pincite.events import Answer
    from pincite.settings import Settings
    from pincite.store.database import Database

LAST = "last"
NEW = "new"


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


def find_conversation(database: "Database", owner: str, given: str) -> str | None:
    """The id of the conversation that is meant: the last one, or the one whose id begins so; None is a new one."""
    from pincite.store import conversations

    if given == NEW:
        return None
    with database.reading() as connection:
        if given != LAST:
            return conversations.matching(connection, owner, given).id
        found = conversations.find(connection, owner, 1)
    if not found:
        raise NotFound("There is no conversation yet.", "`--conversation new` or `pincite chat` begins one.")
    return found[0].id


def suggest_next(database: "Database", asked: "Asked", answer: "Answer") -> str:
    """What somebody can do whose question was not answered; nothing where there is nothing to do."""
    from pincite.retrieval import browse

    if asked.focus in ("web", "chat"):
        return ""
    is_empty = answer.refused and not browse.listed(database, asked.scope)
    return "`pincite add FOLDER` adds documents." if is_empty else ""


def list_days(database: "Database", owner: str, answer: "Answer") -> dict[str, str]:
    """The days on which the web pages that an answer cites were kept, by their documents."""
    from datetime import date

    from pincite.store import sources

    cited = {citation.document for citation in answer.citations if citation.url}
    if not cited:
        return {}
    with database.reading() as connection:
        places = sources.whereabouts(connection, owner, cited)
    return {id: date.fromtimestamp(place.fetched).isoformat() for id, place in places.items() if place.fetched}
