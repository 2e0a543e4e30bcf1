"""What an answer is when nobody could end it: the pieces that were said, put together."""

from collections.abc import Iterable

from pydantic import BaseModel

from pincite import events
from pincite.events import Answer, Citation, Cited, Question, Sentence, Text, Thought, Usage


def salvaged(said: Iterable[BaseModel], question: str, model: str, stopped: bool) -> Answer:
    """The answer as far as these payloads tell it; what was said before its end counts, with its proof."""
    words = ""
    sentences: dict[int, Sentence] = {}
    citations: dict[int, Citation] = {}
    usage = Usage()
    for data in said:
        match data:
            case Text():
                words += data.delta
            case Thought():
                words = words[: max(len(words) - data.retracted, 0)]
            case Cited():
                sentences[data.index] = data.sentence
                citations.update((citation.n, citation) for citation in data.citations)
            case Question():
                question = data.question
            case Usage():
                usage = data
            case events.MessageStarted():
                model = data.model
    return Answer(
        answer=words,
        refused=False,
        question=question,
        model=model,
        sentences=[sentences[index] for index in sorted(sentences)],
        citations=[citations[n] for n in sorted(citations)],
        usage=usage,
        stopped=stopped,
    )


def payloads(stored: Iterable[events.Event]) -> list[BaseModel]:
    """The payloads of stored events; one that this version does not know is left out."""
    known = ((events.EVENTS.get(event.type), event.data) for event in stored)
    return [kind.model_validate(data) for kind, data in known if kind is not None]
