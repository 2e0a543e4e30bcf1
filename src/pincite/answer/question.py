"""Hold the question of an answer: as an interface passes it on, and as the first stage understands it."""

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite import events
from pincite.answer.project_request import ProjectRequest
from pincite.text.language import detect_conversation_language
from pincite.types import Exchange, Focus, Scope, Span

if TYPE_CHECKING:
    from pincite.answer.firefox_prompt import FirefoxPrompt
    from pincite.web.search_engine import SearchEngine


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A text file that a client holds and sends with a question."""

    path: str
    content: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AskedNotebook:
    """The notebook that a question is about.

    `passages` are the places of the sources that are kept in it. `notes` are texts that are no source: the person's own
    words and comments, and the kept sentences of answers.
    """

    title: str
    passages: tuple[Span, ...] = ()
    notes: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question and the options it was asked with.

    `profile` ("About Me") sets the tone of the answer. Only the writer's prompt may contain it.
    """

    question: str
    focus: Focus = "all"
    history: tuple[Exchange, ...] = ()
    scope: Scope = field(default_factory=Scope)
    chat_model: str = ""
    system_model: str = ""
    persona: str = ""
    workspace: str = ""  # the id of the workspace that it is asked in
    workspace_instructions: str = ""
    location: str = ""
    profile: str = field(default="", repr=False)
    conversation: str = ""
    question_id: str = ""  # the id of the stored message
    strict: bool | None = None
    use_tools: bool | None = None  # whether the model searches with tools; None leaves it to the settings
    web: bool = True  # whether the answer may use the web; False overrides the focus
    project: str = ""  # the id or name of the project that it is about
    notebook: AskedNotebook | None = None
    open_document: str = ""  # the id of the document that the reader has open, which a bare page number means
    files: tuple[GivenFile, ...] = field(default=(), repr=False)  # the files that it is about, sent by the client
    request: ProjectRequest | None = None  # the request that it continues
    begun: float = field(default_factory=time.perf_counter, compare=False, repr=False)  # when it arrived, to time it

    @property
    def has_project(self) -> bool:
        """Whether it is about the files of a project, or about files that the client sent."""
        return bool(self.project or self.files)

    @property
    def language(self) -> str:
        """The language of the question, "fr" or "en"; the questions before it decide where it tells too little."""
        return detect_conversation_language(self.question, self.history)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnderstoodQuestion:
    """The question as the stages search for it and answer it."""

    question: str
    needs_evidence: bool = True  # False for small talk and for a page that the browser sent along
    plain: str = ""  # the question before a subject was added to it; empty when none was
    subject: str = ""  # the subject of the last question, which a search adds to the question
    corrected: tuple[events.Correction, ...] = ()  # words of the question whose spelling was corrected
    page: "FirefoxPrompt | None" = None  # the page that a browser sent along
    engine: "SearchEngine | None" = None  # searches the web, where one is set and the focus allows it
