"""Fold the events of an answer into the answer. The server, the terminal and the recovery of a cut answer use it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ValidationError

from pincite.events import stream
from pincite.events.answer import (
    Answer,
    Citation,
    ClientCall,
    Cut,
    Execution,
    Judge,
    Medium,
    ProposedChanges,
    Repair,
    Section,
    Sent,
    Sentence,
    ShownPassage,
    Usage,
)
from pincite.text.citation_marks import skip_marks


class AnswerFold:
    """The answer so far, updated event by event.

    An event that this version does not know is skipped, so a stream written by another version can be folded.
    """

    def __init__(self, question: str = "", model: str = "") -> None:
        self.question = question
        self.model = model
        self.text = ""
        self.fault: stream.Fault | None = None
        self.calls: dict[str, stream.ToolCallStarted] = {}  # by id
        self.completed: Answer | None = None  # the answer of `message_completed`
        self._usage: Usage | None = None
        self._sentences: dict[int, Sentence] = {}
        self._citations: dict[int, Citation] = {}
        self._media: list[Medium] = []
        self._outline: list[Section] = []
        self._passages: list[ShownPassage] = []
        self._subagents: dict[str, Execution] = {}
        self._repairs: list[Repair] = []
        self._sent: list[Sent] = []
        self._changes: ProposedChanges | None = None
        self._client_calls: list[ClientCall] = []

    @property
    def sentences(self) -> list[Sentence]:
        """The sentences that are in the text; a verdict may arrive for one that was withdrawn."""
        return [each for _, each in sorted(self._sentences.items()) if each.end <= len(self.text)]

    def add(self, event: "stream.Event | BaseModel") -> None:
        """Add one event, as stored or as its payload."""
        data = _decode_payload(event) if isinstance(event, stream.Event) else event
        match data:
            case Answer():
                self.completed = data
            case stream.Text():
                self.text += data.delta
            case stream.Thought():
                self.text = self.text[: max(len(self.text) - data.retracted, 0)]
                self._sentences = {n: each for n, each in self._sentences.items() if each.end <= len(self.text)}
            case stream.Cited():
                self._sentences[data.index] = data.sentence
                self._citations.update((citation.n, citation) for citation in data.citations)
            case stream.Repaired():
                self.text, self._repairs = data.answer, data.repairs
                self._sentences = dict(enumerate(data.sentences))
                self._citations = {citation.n: citation for citation in data.citations}
            case stream.MessageStarted():
                self.model = data.model
            case stream.Question():
                self.question = data.question
            case Usage():
                self._usage = data
            case stream.Media():
                self._media += data.items
            case ShownPassage():
                self._passages.append(data)
            case Sent():
                self._sent.append(data)
            case ProposedChanges():
                self._changes = data
            case ClientCall():
                self._client_calls.append(data)
            case stream.Outline():
                self._outline = data.sections
            case stream.ToolCallStarted():
                self.calls[data.toolCallId] = data
            case stream.SubagentStarted(subagentId=id, name=name, task=task):
                # A subagent that does not end before the answer does has failed.
                self._subagents[id] = Execution(id=id, name=name, task=task, status="error")
            case stream.SubagentCompleted(subagentId=id) | stream.SubagentError(subagentId=id):
                if id in self._subagents:
                    ended = {"status": data.status, "seconds": data.seconds}
                    self._subagents[id] = self._subagents[id].model_copy(update=ended)
            case stream.Fault():
                self.fault = data

    def build(self, stopped: bool = False, usage: Usage | None = None, cut: Cut | None = None) -> Answer:
        """Return the completed answer, or the answer as far as the events go.

        `usage` and `cut` are of an answer that is not completed: its cost, where it is known better than from the
        events, and why the model broke off.
        """
        if self.completed is not None:
            return self.completed
        sentences = [_settle_sentence(each) for each in self.sentences]
        cited = {n for sentence in sentences for n in (*sentence.citations, *sentence.suggested)}
        end = max((sentence.end for sentence in sentences), default=0)
        return Answer(
            answer=self.text,
            refused=False,
            question=self.question,
            model=self.model,
            sentences=[*sentences, *_find_unfinished(self.text, end)],
            citations=[self._citations[n] for n in sorted(self._citations) if n in cited],
            usage=self._usage or usage or Usage(),
            stopped=stopped,
            media=list(self._media),
            subagents=list(self._subagents.values()),
            outline=list(self._outline),
            judge=_find_judge(sentences),
            repairs=list(self._repairs),
            cut=cut,
            passages=[passage for passage in self._passages if passage.n in cited],
            sent=list(self._sent),
            changes=self._changes,
            calls=list(self._client_calls),
        )


def fold(
    events: "Iterable[stream.Event | BaseModel]",
    question: str = "",
    model: str = "",
    stopped: bool = False,
    usage: Usage | None = None,
    cut: Cut | None = None,
) -> Answer:
    """Return the answer that these events add up to; see `AnswerFold.build` for the arguments.

    `question` and `model` are used where the events do not name them.
    """
    folded = AnswerFold(question, model)
    for event in events:
        folded.add(event)
    return folded.build(stopped, usage, cut)


def _settle_sentence(sentence: Sentence) -> Sentence:
    """Return a sentence whose judge will not reply any more: it stays unchecked."""
    if not sentence.checking:
        return sentence
    # Without a citation and without a judgement nothing supports it, unless it says that the sources are silent.
    support = sentence.support or (None if sentence.silent else "unsupported")
    return sentence.model_copy(update={"checking": False, "support": support})


def _find_judge(sentences: Sequence[Sentence]) -> Judge | None:
    """Return the judge that most sentences name; its measurements are not known here."""
    named = Counter(sentence.judge for sentence in sentences if sentence.judge)
    return next((Judge(model=model, sentences=count) for model, count in named.most_common(1)), None)


def _find_unfinished(text: str, at: int) -> list[Sentence]:
    """Return the sentence that was cut off, unjudged; people have seen it, so it stays."""
    rest = text[skip_marks(text, at) :].strip()
    end = len(text.rstrip())
    return [Sentence(text=rest, citations=[], support=None, start=end - len(rest), end=end)] if rest else []


def _decode_payload(event: "stream.Event") -> BaseModel | None:
    """Return the payload of a stored event; None for one that this version does not know."""
    kind = stream.EVENTS.get(event.type)
    try:
        return kind.model_validate(event.data) if kind else None
    except ValidationError:
        return None
