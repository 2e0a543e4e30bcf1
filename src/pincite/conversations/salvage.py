"""What an answer is when nobody could end it: the pieces that were said, put together."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from pincite import events
from pincite.events import Answer, Citation, Cited, Judge, Question, Sentence, Text, Thought, Usage
from pincite.evidence.markers import after_marks


def salvaged(
    said: Iterable[BaseModel],
    question: str,
    model: str,
    stopped: bool,
    usage: Usage | None = None,
    cut: events.Cut | None = None,
) -> Answer:
    """The answer as far as these payloads tell it; what was said before its end counts, with its proof.

    `usage` is its cost and `cut` the reason why the model broke off, where the turn can still be asked.
    """
    words = ""
    sentences: dict[int, Sentence] = {}
    citations: dict[int, Citation] = {}
    cost = usage or Usage()
    media: list[events.Medium] = []
    outline: list[events.Section] = []
    passages: list[events.ShownPassage] = []
    ran: dict[str, events.Execution] = {}
    repairs: list[events.Repair] = []
    sent: list[events.Sent] = []
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
            case events.Repaired():
                words, repairs = data.answer, data.repairs
                sentences = dict(enumerate(data.sentences))
                citations = {citation.n: citation for citation in data.citations}
            case Question():
                question = data.question
            case Usage():
                cost = data
            case events.MessageStarted():
                model = data.model
            case events.Media():
                media += data.items
            case events.ShownPassage():
                passages.append(data)
            case events.Sent():
                sent.append(data)
            case events.Outline():
                outline = data.sections
            case events.SubagentStarted(subagentId=id, name=name, task=task):
                ran[id] = events.Execution(id=id, name=name, task=task, status="error")
            case events.SubagentCompleted(subagentId=id) | events.SubagentError(subagentId=id) if id in ran:
                ran[id] = ran[id].model_copy(update={"status": data.status, "seconds": data.seconds})
    # A verdict may settle after its sentence was taken back: what is not in the text any more is not kept.
    kept = [settled(each) for _, each in sorted(sentences.items()) if each.end <= len(words)]
    cited = {n for sentence in kept for n in (*sentence.citations, *sentence.suggested)}
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
        judge=_judge(kept),
        repairs=repairs,
        cut=cut,
        passages=[passage for passage in passages if passage.n in cited],
        sent=sent,
    )


def settled(sentence: Sentence) -> Sentence:
    """A sentence whose judge will not answer any more: it stays unchecked."""
    if not sentence.checking:
        return sentence
    # Without a citation and without a judge's word nothing supports it, unless it says that the sources are silent.
    support = sentence.support or (None if sentence.silent else "unsupported")
    return sentence.model_copy(update={"checking": False, "support": support})


def _judge(sentences: Sequence[Sentence]) -> Judge | None:
    """The judge of sentences, as far as they name one; how it was measured is not known here."""
    named = Counter(sentence.judge for sentence in sentences if sentence.judge)
    return next((Judge(model=model, sentences=count) for model, count in named.most_common(1)), None)


def _begun(words: str, at: int) -> list[Sentence]:
    """The sentence that was cut off, which people have seen: it stays, unjudged."""
    bare = words[after_marks(words, at) :].strip()
    end = len(words.rstrip())
    return [Sentence(text=bare, citations=[], support=None, start=end - len(bare), end=end)] if bare else []


def payloads(stored: Iterable[events.Event]) -> list[BaseModel]:
    """The payloads of stored events; one that this version does not know is left out."""
    known = ((events.EVENTS.get(event.type), event.data) for event in stored)
    return [kind.model_validate(data) for kind, data in known if kind is not None]
