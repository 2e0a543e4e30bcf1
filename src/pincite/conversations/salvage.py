"""What an answer is when nobody could end it: the pieces that were said, put together."""

from collections.abc import Iterable

from pydantic import BaseModel

from pincite import events
from pincite.events import Answer, Citation, Cited, Question, Sentence, Text, Thought, Usage
from pincite.evidence.markers import after_marks


def salvaged(said: Iterable[BaseModel], question: str, model: str, stopped: bool, usage: Usage | None = None) -> Answer:
    """The answer as far as these payloads tell it; what was said before its end counts, with its proof.

    `usage` is what it cost, where whoever wrote it can still be asked.
    """
    words = ""
    sentences: dict[int, Sentence] = {}
    citations: dict[int, Citation] = {}
    cost = usage or Usage()
    media: list[events.Medium] = []
    outline: list[events.Section] = []
    ran: dict[str, events.Execution] = {}
    for data in said:
        match data:
            case Text():
                words += data.delta
            case Thought():
                words = words[: max(len(words) - data.retracted, 0)]
                sentences = {index: each for index, each in sentences.items() if each.end <= len(words)}
            case Cited():
                sentences[data.index] = data.sentence
                citations.update((citation.n, citation) for citation in data.citations)
            case Question():
                question = data.question
            case Usage():
                cost = data
            case events.MessageStarted():
                model = data.model
            case events.Media():
                media += data.items
            case events.Outline():
                outline = data.sections
            case events.SubagentStarted(subagentId=id, name=name, task=task):
                ran[id] = events.Execution(id=id, name=name, task=task, status="error")
            case events.SubagentCompleted(subagentId=id) | events.SubagentError(subagentId=id) if id in ran:
                ran[id] = ran[id].model_copy(update={"status": data.status, "seconds": data.seconds})
    kept = [sentences[index] for index in sorted(sentences)]
    cited = {n for sentence in kept for n in sentence.citations}
    return Answer(
        answer=words,
        refused=False,
        question=question,
        model=model,
        sentences=[*kept, *_begun(words, max((sentence.end for sentence in kept), default=0))],
        citations=[citations[n] for n in sorted(citations) if n in cited],
        usage=cost,
        stopped=stopped,
        media=media,
        subagents=list(ran.values()),
        outline=outline,
    )


def _begun(words: str, at: int) -> list[Sentence]:
    """The sentence that was cut off, which people have seen: it stays, unjudged."""
    bare = words[after_marks(words, at) :].strip()
    end = len(words.rstrip())
    return [Sentence(text=bare, citations=[], support=None, start=end - len(bare), end=end)] if bare else []


def payloads(stored: Iterable[events.Event]) -> list[BaseModel]:
    """The payloads of stored events; one that this version does not know is left out."""
    known = ((events.EVENTS.get(event.type), event.data) for event in stored)
    return [kind.model_validate(data) for kind, data in known if kind is not None]
