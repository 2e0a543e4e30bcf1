"""A turn: one question and everything it owns. Twenty at once share nothing but the house."""

import asyncio
from collections import deque
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from pincite import events
from pincite.agent.budget import Budget
from pincite.agent.call_order import CallOrder
from pincite.agent.ledger import About, Ledger
from pincite.agent.outbound import Outbound, open_outbound
from pincite.agent.passage_facts import describe_passages
from pincite.agent.providers import EXTRACTIVE
from pincite.agent.showing import Memory
from pincite.errors import Misuse, RetrievalStopped
from pincite.events.source_names import label_page
from pincite.evidence.commands import Highlight, Navigate
from pincite.library.archive import WEB
from pincite.store.documents import StoredDocument
from pincite.text.display import join_broken_words
from pincite.types import Evidence, Exchange, Focus, Hit, PageBoxes, Scope, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pincite.agent.house import House
    from pincite.agent.models import Roles
    from pincite.agent.tools.calculate import CitedCalculation
    from pincite.web.engine import Engine

T = TypeVar("T")

_OPENING = 300  # characters of an evidence that its event carries
_NEAREST = 200  # passages whose cosines tell how near any passage is to a question
_MENTIONS = 1000  # passages with a word that are counted: more are simply many


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came in through a door: the question and what goes with it.

    `profile` ("About Me") is for the tone of the answer alone: nothing but the writer's prompt may see it.
    """

    question: str
    focus: Focus = "all"
    history: tuple[Exchange, ...] = ()
    scope: Scope = field(default_factory=Scope)
    chat_model: str = ""
    system_model: str = ""
    persona: str = ""
    location: str = ""
    profile: str = field(default="", repr=False)
    conversation: str = ""
    question_id: str = ""  # under which it is stored
    strict: bool | None = None
    use_tools: bool | None = None  # whether the model searches with tools; None leaves it to the settings
    web: bool = True  # whether it may be gone to at all, whatever the focus


@dataclass(frozen=True, slots=True)
class Prior:
    """A tool call that was made for the model before it was asked: it finds it as if it had made it itself.

    `found` is what the tool gave besides its words: evidence, or documents.
    """

    tool: str
    given: dict[str, Any]
    said: str
    found: tuple[object, ...] = ()


@dataclass(slots=True)
class Retrieval:
    """The searches and readings of a turn: how many are under way, and whether the user stopped them."""

    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    running: int = 0


@dataclass(slots=True, kw_only=True)
class Turn:
    """One question being answered: its evidence, its models, its budget, and the word that stops it."""

    asked: Asked
    house: "House"
    models: "Roles"
    question: str = ""  # as it is understood
    plain: str = ""  # the question without the subject that was added to it, where one was
    subject: str = ""  # what the last question was about: searched for beside the question
    corrected: list[events.Correction] = field(default_factory=list)  # words of the question read as others
    ledger: Ledger = field(default_factory=Ledger)
    shown: Memory = field(default_factory=Memory)  # what its model has been shown of the evidence
    order: CallOrder = field(default_factory=CallOrder)
    calculations: "list[CitedCalculation]" = field(default_factory=list)
    searched: list[str] = field(default_factory=list)
    unread: list[events.UnreadPage] = field(default_factory=list)  # pages that the question names
    problems: list[str] = field(default_factory=list)  # what on the web could not be had, and why: a refusal says it
    said: deque[events.Data] = field(default_factory=deque)
    usage: events.Usage = field(default_factory=events.Usage)
    judged: bool = True  # whether the answer must rest on evidence
    used_location: bool = False
    used_profile: bool = False
    cut: events.Cut | None = None  # why the model did not finish what it wrote last
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    retrieval: Retrieval = field(default_factory=Retrieval)  # of the turn and its subagents together
    budget: Budget = field(default_factory=Budget)  # what all of it may cost
    helping: int = 0  # requests to the system model that its tools have under way
    engine: "Engine | None" = None  # that searches the web, where one is set and the focus allows it
    outbound: Outbound = field(default_factory=Outbound)  # what may leave, and what left; subagents share it
    tools: frozenset[str] | None = None  # all it may call, whatever its focus
    prior: list[Prior] = field(default_factory=list)
    found: dict[int, Evidence] = field(default_factory=dict)  # by number: what it found itself, new or not
    media: list[events.Medium] = field(default_factory=list)
    executions: list[events.Execution] = field(default_factory=list)
    outline: list[events.Section] = field(default_factory=list)
    _vectors: "dict[str, NDArray[np.float32]]" = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.outbound.messages:
            self.outbound = open_outbound(self.asked)

    def meaning(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Texts as unit vectors; a turn holds its sentences against the same sources again and again."""
        import numpy as np

        new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if new:
            self._vectors.update(zip(new, self.house.meaning(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])

    @property
    def writes(self) -> bool:
        """Whether the model writes words of its own, to which a tone could be given."""
        return self.models.chat.name != EXTRACTIVE

    def stop(self) -> None:
        """End the turn now, at whatever stage it is; what was said until then is its answer."""
        self.stopped.set()

    def stop_retrieval(self) -> bool:
        """End searches and reading under way, and refuse new ones; the model answers from what was found.

        Say whether any were under way.
        """
        self.retrieval.stopped.set()
        return self.retrieval.running > 0

    async def retrieve(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a search or of reading; `RetrievalStopped` when the user stops retrieval before it is there."""
        if self.retrieval.stopped.is_set():
            work.close()
            raise RetrievalStopped
        working = asyncio.ensure_future(work)
        stopping = asyncio.ensure_future(self.retrieval.stopped.wait())
        self.retrieval.running += 1
        try:
            await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise RetrievalStopped
            return working.result()
        finally:
            self.retrieval.running -= 1
            working.cancel()
            stopping.cancel()

    def say(self, data: events.Data) -> None:
        """Put an event in the stream, from a tool."""
        self.said.append(data)

    @property
    def left(self) -> Budget:
        """What the turn may still cost."""
        return self.budget.after(self.usage)

    def spend(self, usage: events.Usage) -> None:
        """Add what a request cost to what the turn has cost."""
        names = events.Usage.model_fields
        self.usage = events.Usage(**{name: getattr(self.usage, name) + getattr(usage, name) for name in names})

    async def collect(self, hits: Sequence[Hit]) -> tuple[Evidence, ...]:
        """What was found as evidence, in its order, with what the store says of it; what is new to the turn is told.

        Of tool calls that run side by side, the one that began first numbers its evidence first.
        """
        spans = [hit.span for hit in hits if not self.ledger.knows(hit.span)]
        about = await asyncio.to_thread(self._about, spans) if spans else {}
        await self.order.wait_for_earlier()
        found = []
        for hit in hits:
            evidence, is_new = self.ledger.add(hit, about.get(hit.span))
            found.append(evidence)
            self.found[evidence.number] = evidence
            if is_new:
                self.say(told(evidence))
        self.order.pass_on()
        return tuple(found)

    def read(self, span: Span) -> str:
        """A stretch of a document's text, from the store."""
        from pincite.store import documents

        with self.house.library.database.reading() as connection:
            return documents.text(connection, span.document, span.start, span.end)

    @property
    def shelves(self) -> Scope:
        """Where documents are looked for: not among pages kept from the web where the web itself can be searched.

        What an answer read some day is better than nothing, and worse than the page as it is now.
        """
        scope = self.asked.scope
        is_chosen = scope.library is not None or scope.documents is not None
        return replace(scope, without=WEB) if self.engine and not is_chosen else scope

    def find(self, query: str, scope: Scope, limit: int) -> list[Hit]:
        """The best passages for a query; in a follow-up those for the last question's subject are among them."""
        if not self.subject:
            return self.house.search.select(query, scope, limit)
        from pincite.retrieval.follow_up import search_follow_up

        own = self.plain if self.plain and query == self.question else query
        hits = list(search_follow_up(self.house.search, own, self.subject, scope, limit, not self.plain).hits)
        return [hit for hit in hits if hit.chosen] or hits

    def count_mentions(self, word: str, document: str = "") -> int:
        """Count passages with a word, in whatever inflection: of a document, or of all that may be looked in."""
        from pincite.index.analysis import question_terms
        from pincite.store import documents

        library = self.house.library
        with library.database.reading() as connection:
            asked = question_terms(word, documents.languages(connection))
            inside = frozenset({document}) if document else documents.in_scope(connection, self.shelves)
            return len(library.index.lexical(connection, asked, inside, _MENTIONS)) if asked else 0

    def list_cosines(self, question: str) -> list[float]:
        """The cosines of the passages nearest to a question, of many more than answer it; none without an embedder."""
        return self.house.search.list_cosines(question, self.shelves, _NEAREST)

    def within(self, chosen: Sequence[StoredDocument]) -> Scope:
        """The turn's scope, narrowed to some documents of it."""
        return replace(self.asked.scope, documents=tuple(document.id for document in chosen))

    def allowed(self) -> list[str]:
        """The words that may leave with a tool call: what was asked, what was found, where the user is.

        Not what was answered before, nor what a model made of the question: an answer in the user's tone may have let
        something slip.
        """
        found = [text for evidence in self.ledger.listed for text in (evidence.title, evidence.text)]
        return [*self.outbound.messages, self.asked.location, *found]

    def gather(self, media: Sequence[events.Medium]) -> tuple[events.Medium, ...]:
        """Pictures or videos under their numbers in the turn; those that are new to it are told."""
        known = {(each.kind, each.url, each.image) for each in self.media}
        fresh = [each for each in media if (each.kind, each.url, each.image) not in known]
        new = [each.model_copy(update={"n": n}) for n, each in enumerate(fresh, len(self.media) + 1)]
        if new:
            self.media += new
            self.say(events.Media(items=new))
        return tuple(new)

    def _about(self, spans: Sequence[Span]) -> dict[Span, About]:
        return describe_passages(self.house.library.database, self.asked.scope.owner, spans)

    async def boxes(self, span: Span) -> list[events.Boxes]:
        """Where a stretch of a document stands on its pages."""
        return [wire(each) for each in await asyncio.to_thread(self.house.library.boxes, span)]

    async def page_of(self, span: Span, evidence: Evidence) -> tuple[int, str]:
        """The page on which a stretch of an evidence begins, and its label; 0 where there are no pages."""
        page, label = evidence.page, evidence.label
        if page and evidence.last_page > page:
            found = await asyncio.to_thread(self.house.library.page_at, span)
            page, label = (found.number, found.label) if found else (page, label)
        return page, label_page(evidence.kind, page, label)

    async def highlighted(self, asked: Highlight) -> events.Highlight:
        """A highlight with real boxes; `Misuse` when what it names is not there."""
        if asked.evidence:
            evidence = self.ledger.get(asked.evidence)
            if evidence is None or (asked.sentence and asked.sentence > len(evidence.sentences)):
                raise Misuse(f"There is no evidence {asked.evidence}.{asked.sentence or ''}".rstrip("."))
            span = evidence.span
            if asked.sentence:
                span = Span(span.document, *evidence.sentences[asked.sentence - 1])
            return events.Highlight(
                document=span.document,
                evidence=asked.evidence,
                importance=asked.importance,
                boxes=await self.boxes(span),
            )
        document, width, height = await self._page(asked.page)
        x0, y0, x1, y1 = asked.rect or (0, 0, 0, 0)
        if not (0 <= x0 < x1 <= width + 1 and 0 <= y0 < y1 <= height + 1):
            raise Misuse(
                f"There is no such rectangle on page {asked.page}, which has {width:.0f} × {height:.0f} points."
            )
        box = events.Boxes(page=asked.page, width=width, height=height, rects=[(x0, y0, x1, y1)])
        return events.Highlight(document=document, importance=asked.importance, boxes=[box])

    async def navigated(self, asked: Navigate) -> events.Navigate:
        """A page to open; `Misuse` when there is none with this number."""
        document, *_ = await self._page(asked.page)
        return events.Navigate(document=document, page=asked.page)

    async def _page(self, number: int) -> tuple[str, float, float]:
        """The document that a bare page number means, the only one asked about or the first found, and its size."""
        chosen = self.asked.scope.documents or ()
        listed = self.ledger.listed
        document = chosen[0] if len(chosen) == 1 else listed[0].span.document if listed else ""
        if not document:
            raise Misuse(f"Page {number} is a page of no document: nothing was found yet.")

        def size() -> tuple[float, float]:
            from pincite.store import documents

            with self.house.library.database.reading() as connection:
                page = documents.page(connection, document, number)
            return page.width, page.height

        return document, *await asyncio.to_thread(size)


def wire(boxes: PageBoxes) -> events.Boxes:
    """Rectangles as they are sent."""
    return events.Boxes(page=boxes.page, width=boxes.width, height=boxes.height, rects=list(boxes.rects))


def told(evidence: Evidence) -> events.Evidence:
    """An evidence as its event."""
    return events.Evidence(
        n=evidence.number,
        document=evidence.span.document,
        title=evidence.title,
        kind=evidence.kind,
        url=evidence.url,
        page=evidence.page or None,
        start=evidence.span.start,
        end=evidence.span.end,
        text=join_broken_words(evidence.text[:_OPENING]),
        headings=list(evidence.headings),
        score=round(evidence.score, 6),
    )
