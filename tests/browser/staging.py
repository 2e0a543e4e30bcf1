"""The program with answers that a test tells event by event: what the page makes of them is seen without a model."""

import asyncio
import queue
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite import events
from pincite.answer.context import Context
from pincite.events import (
    Answer,
    Boxes,
    Citation,
    Cited,
    EvidenceFound,
    MessageStarted,
    Sentence,
    ShownPassage,
    Text,
    Usage,
)
from pincite.server import create_app
from pincite.server.server_process import Server as Listening
from pincite.settings import Settings
from tests.browser.running import Server

MODEL = "staged:model"


@dataclass
class Script:
    """The next answer: events that the test sends, until the finished answer is one of them."""

    told: "queue.SimpleQueue[events.Data]" = field(default_factory=queue.SimpleQueue)

    def tell(self, *data: events.Data) -> None:
        for each in data:
            self.told.put(each)

    async def answer(self, context: Context) -> AsyncIterator[events.Data]:
        """An answer to a question, as it is told."""
        asked = context.asked
        yield MessageStarted(
            conversationId=asked.conversation,
            questionId=asked.question_id,
            question=asked.question,
            model=MODEL,
            focus=asked.focus,
        )
        while True:
            data = await asyncio.to_thread(self.told.get)
            yield data
            if isinstance(data, Answer):
                return


@contextmanager
def staged(data: Path, script: Script, page: str = "") -> Iterator[Server]:
    """A server in this process whose answers the script tells, until the block ends."""
    settings = Settings.model_validate({"data": data, "embedding": {"provider": "none"}, "server": {"page": page}})
    listener = socket.create_server(("127.0.0.1", 0))
    listening = Listening(create_app(settings, worker=True, answer=script.answer))
    thread = threading.Thread(target=listening.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield Server(data, {}, port=listener.getsockname()[1])
    finally:
        listening.should_exit = True
        thread.join()


@dataclass
class Telling:
    """An answer put together sentence by sentence, as the server counts its characters."""

    script: Script
    text: str = ""
    sentences: list[Sentence] = field(default_factory=list)
    citations: dict[int, Citation] = field(default_factory=dict)
    passages: list[ShownPassage] = field(default_factory=list)

    def say(self, lead: str, text: str, *cited: Citation, **verdict: Any) -> int:
        """Tell one more sentence with its verdict; its index."""
        start = len(self.text) + len(lead)
        numbers = [each.n for each in cited]
        sentence = Sentence.model_validate(
            {"text": text, "citations": numbers, "start": start, "end": start + len(text), "support": None, **verdict}
        )
        self.sentences.append(sentence)
        self.citations |= {each.n: each for each in cited}
        marks = "".join(f" [{n}]" for n in numbers)
        self.text += lead + text + marks
        index = len(self.sentences) - 1
        self.script.tell(Text(delta=lead + text), Cited(index=index, sentence=sentence, citations=list(cited)))
        if marks:
            self.script.tell(Text(delta=marks))
        return index

    def quote(self, citation: Citation, **shown: Any) -> None:
        """Tell a passage that answers; one that is shown on demand alone has no words in the answer."""
        passage = ShownPassage.model_validate(
            {
                "n": citation.n,
                "document": citation.document,
                "title": citation.title,
                "page": citation.page,
                "start": citation.start,
                "end": citation.end,
                "text": citation.quote,
                **shown,
            }
        )
        self.passages.append(passage)
        self.script.tell(passage)
        self.citations[citation.n] = citation
        if not passage.more:
            self.say("\n\n" if self.text else "", f"**{passage.title}**")
            self.say("\n\n", passage.text, citation, support="verified", basis="quote")

    def settle(self, index: int, *offered: Citation, **verdict: Any) -> None:
        """Tell the verdict on a sentence that was awaited."""
        before = self.sentences[index]
        self.sentences[index] = sentence = Sentence.model_validate(
            {**before.model_dump(), "checking": False, **verdict}
        )
        self.citations |= {each.n: each for each in offered}
        cited = [self.citations[n] for n in (*sentence.citations, *sentence.suggested)]
        self.script.tell(Cited(index=index, sentence=sentence, citations=cited))

    def end(self, **more: Any) -> None:
        """Tell the whole answer."""
        whole = Answer.model_validate(
            {
                "answer": self.text,
                "refused": False,
                "question": "",
                "model": MODEL,
                "sentences": [each.model_dump() for each in self.sentences],
                "citations": [each.model_dump() for each in self.citations.values()],
                "usage": Usage().model_dump(),
                "passages": [each.model_dump() for each in self.passages],
                **more,
            }
        )
        self.script.tell(whole)


def cite(server: Server, document: str, n: int, quote: str, **more: Any) -> Citation:
    """A citation of words of a document, where they stand."""
    start, end = server.span(document, quote)
    found = server.get(f"/api/documents/{document}")
    boxes = boxes_of(server, document, quote)
    return Citation(
        n=n,
        evidence=n,
        document=document,
        title=found["title"],
        kind=found["kind"],
        url=None,
        page=boxes[0].page if boxes else None,
        quote=quote,
        start=start,
        end=end,
        score=0.9,
        boxes=boxes,
        **more,
    )


def boxes_of(server: Server, document: str, words: str) -> list[Boxes]:
    """Where words stand on the pages of a document."""
    start, end = server.span(document, words)
    found = server.get(f"/api/documents/{document}/boxes", start=start, end=end)
    return [Boxes.model_validate(each) for each in found]


def evidence_of(citation: Citation) -> EvidenceFound:
    """The source of a citation, as it joins the turn."""
    return EvidenceFound(
        n=citation.evidence,
        document=citation.document,
        title=citation.title,
        kind=citation.kind,
        url=None,
        page=citation.page,
        start=citation.start,
        end=citation.end,
        text=citation.quote,
        headings=[],
        score=0.9,
    )
