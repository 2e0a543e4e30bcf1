"""Make cited sentences of drafted text: each is shown, checked and cited at once, and judged later.

A sentence is shown as soon as it is complete. Its verdict follows when the judge has decided, in an event of the same
index. In strict mode a sentence waits for its verdict, and is left out when its sources do not support it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from textwrap import shorten

from pincite import events
from pincite.answer.citations import Citations, describe_nearest
from pincite.answer.context import Context
from pincite.answer.faults import report_faults
from pincite.answer.judge_choice import open_answer_judge
from pincite.answer.model_judge import JudgeQueue, SentenceJudgement
from pincite.answer.outbox import OutboxItem
from pincite.answer.question import UnderstoodQuestion
from pincite.answer.quoted_parts import QuotedParts
from pincite.answer.refusal import describe_search, lacks_documents
from pincite.answer.sentence_assembly import CompleteSentence, SentenceAssembler, VisibleText
from pincite.answer.sentence_check import LAST_BAR, AnswerPiece, Checker
from pincite.answer.stream_items import (
    DraftEnd,
    Note,
    QuotedPassage,
    QuotedSentences,
    RefusalSentence,
    RetractText,
    SentenceBreak,
    SourceLine,
    TextDelta,
)
from pincite.answer.viewer import make_highlight, make_navigation
from pincite.answer.written_answer import SendEvent, WrittenAnswer, choose_wider_break
from pincite.errors import Misuse, PinciteError
from pincite.llm.repetition import has_sentence_end
from pincite.proof.claims import is_row
from pincite.store.calibrations import CalibrationResult, get_calibration
from pincite.text.citation_marks import parse_mark
from pincite.text.marker_parser import CitationMark, Item, MarkerParser, TextItem
from pincite.text.viewer_commands import HighlightCommand, MalformedCommand, NavigateCommand

_log = logging.getLogger(__name__)
_NEAREST = 3  # passages that a refusal lists
_LONGEST_COMMAND = 120  # characters of a malformed command that are reported


class CitationWriter:
    """Reads the outbox of an answer and sends its events: drafted text becomes checked and cited sentences.

    The `Text` events, put together, are the answer until a repair replaces it. Nothing else sends text of the answer.
    """

    def __init__(self, context: Context, send: SendEvent) -> None:
        self.context = context
        self.send = send
        strict = context.asked.strict
        self.strict = context.services.settings.answers.strict if strict is None else strict
        self.judging: JudgeQueue | None = None
        self.checker = Checker(context)
        self.written = WrittenAnswer(Citations(context, context.asked.language), send)
        self._parts = QuotedParts(self.written, context.ledger, self._open_paragraph, self._close_paragraph)
        self._repairs: list[events.Repair] = []
        self._judged_pieces: list[AnswerPiece] = []  # the pieces that were given to the judge, by their key
        self._calibration: CalibrationResult | None = None
        self._commands_sent: set[NavigateCommand | HighlightCommand | MalformedCommand] = set()
        self._has_asked_for_judge = False
        self._lacks_documents = False
        self._is_whole = False  # the whole draft was read
        self._restart()

    @asynccontextmanager
    async def read_outbox(self) -> AsyncIterator[None]:
        """Read the outbox while the block runs, and at its end until it is empty."""
        outbox = self.context.outbox

        async def read() -> None:
            with report_faults(self.send):
                async for item in outbox.read():
                    await self.handle(item)

        reading = asyncio.create_task(read())
        try:
            yield
            outbox.close()
            await reading
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def handle(self, item: OutboxItem) -> None:
        """Send the events that one item of the outbox gives."""
        match item:
            case TextDelta():
                await self._open_judge()
                for part in self._markers.feed(item.text):
                    await self._handle_item(part)
            case SentenceJudgement():
                await self._settle(item)
            case UnderstoodQuestion():
                self.context = self.checker.context = self.context.with_understood(item)
            case RetractText():
                self.send(self._retract())
            case SentenceBreak():
                await self._flush()
            case DraftEnd():
                await self._end()
            case Note() | QuotedPassage() | QuotedSentences() | SourceLine() | RefusalSentence():
                await self._parts.write(item)
            case _:
                self.send(item)

    async def _open_judge(self) -> None:
        """Open the judge when the first text comes: before that, it is not known whether the answer needs evidence."""
        if self._has_asked_for_judge:
            return
        self._has_asked_for_judge = True
        with report_faults(self.send):
            if judge := await asyncio.to_thread(open_answer_judge, self.context):
                self.judging = JudgeQueue(judge, self.context.outbox.emit)

    async def wait_for_judge(self) -> None:
        """Handle the verdicts that are still missing, until the last one comes or the user stops the answer."""
        if self.judging is None:
            return
        outbox, stop = self.context.outbox, self.context.stop
        self.judging.flush()
        while (self.judging.open or not outbox.is_empty) and not stop.is_stopped:
            if item := await stop.run_until_stopped(outbox.take()):
                await self.handle(item)

    def stop_judge(self) -> None:
        """Cancel the requests to the judge that are running."""
        if self.judging:
            self.judging.stop()

    async def finish_stopped(self) -> None:
        """Check the last sentence of an answer that the user stopped, where it is complete. No judge is asked."""
        await self._flush()

    async def _end(self) -> None:
        """Handle the rest of the text when all of it is drafted. A sentence that was cut off is not judged."""
        await self._flush()
        self._is_whole = True

    async def close(self) -> None:
        """Add the searches to a refusal, and look up the calibration of the judge."""
        if self.judging and self._count_judged():
            database, name = self.context.services.library.database, self.judging.judge.name
            self._calibration = await asyncio.to_thread(get_calibration, database, name)
        if not self.refused:
            return
        self._lacks_documents = await asyncio.to_thread(lacks_documents, self.context)
        if more := await asyncio.to_thread(describe_search, self.context, self.written.text):
            self.written.add_text(more)

    @property
    def refused(self) -> bool:
        """Whether the answer is a refusal: it only says that the sources do not answer, or no sentence is left."""
        sentences = self.written.sentences
        if not self.context.understood.needs_evidence or not self._is_whole or any(map(str.strip, self._pending_text)):
            return False
        if self.context.ledger.changes or self.context.ledger.progress:
            return False  # the answer proposes changes, and need not rest on a file
        if self._parts.has_refusal and not any(sentence.support is not None for sentence in sentences):
            return True
        if not sentences:
            return True
        if not len(self.context.ledger):
            # There is no evidence that could support a claim.
            return any(sentence.support is not None or sentence.silent for sentence in sentences)
        has_claim = any(sentence.support is not None for sentence in sentences)
        return not has_claim and any(sentence.silent for sentence in sentences)

    def report_repairs(self, repairs: Sequence[events.Repair]) -> None:
        """Send the repaired answer, where a repair changed it."""
        if not repairs:
            return
        self._repairs += repairs
        text, sentences, cited = self.written.text, self.written.sentences, self.written.citations.listed
        self.send(events.Repaired(answer=text, sentences=sentences, citations=cited, repairs=self._repairs))

    async def settle_rest(self) -> None:
        """Give each sentence that the judge did not reach the verdict that it has without a judge."""
        for piece in self.written.sent_pieces:
            if piece.is_waiting:
                await self._settle(SentenceJudgement(self._judged_pieces.index(piece), None))

    def make_answer(self, stopped: bool = False) -> events.Answer:
        """Return the event that has the whole answer."""
        context, refused = self.context, self.refused
        text = self.written.text
        sentences = list(self.written.sentences)
        if pending := "".join(self._pending_text):
            # The answer was cut off inside a sentence. People have seen its beginning: it stays, without a verdict.
            text += pending
            bare = pending.strip()
            end = len(text.rstrip())
            sentences.append(events.Sentence(text=bare, citations=[], support=None, start=end - len(bare), end=end))
        return events.Answer(
            answer=text,
            refused=refused,
            question=context.question or context.asked.question,
            model=context.models.chat.name,
            sentences=sentences,
            citations=self.written.citations.listed,
            usage=context.usage,
            used_location=context.agent.used_location,
            used_personalization=context.agent.used_profile,
            unread=context.ledger.unread,
            no_documents=refused and self._lacks_documents,
            nearest=[describe_nearest(each) for each in context.ledger.listed[:_NEAREST]] if refused else [],
            invented=self.checker.invented,
            stopped=stopped,
            media=context.ledger.media,
            subagents=context.ledger.executions,
            outline=context.ledger.outline,
            judge=self._describe_judge(),
            repairs=self._repairs,
            cut=context.agent.cut,
            corrected=list(context.understood.corrected),
            passages=self._parts.passages,
            missing=self._parts.missing,
            sent=list(context.outbound.sent),
            changes=context.ledger.changes,
            calls=context.ledger.calls,
            progress=context.ledger.progress,
        )

    def _restart(self) -> None:
        """Begin a new stretch of drafted text. A retraction goes back to this place."""
        self._markers, self._assembly = MarkerParser(self._is_quoted), SentenceAssembler()
        self.checker.restart()
        self._checkpoint = self.written.make_checkpoint()
        self._pending_text: list[str] = []  # shown text of the sentence that is not complete yet
        self._gap = ""  # the widest break before pieces that were left out
        self._paragraph_break = ""  # the break before the next text, after a part that the program wrote

    def _is_quoted(self, mark: str) -> bool:
        """Whether brackets such as `[17, 21]` are words of the question or of a source, and name no evidence."""
        ledger = self.context.ledger
        if any(ledger.get(number) for number, _ in parse_mark(mark)):
            return False
        return mark in self.context.asked.question or any(mark in each.text for each in ledger.listed)

    def _retract(self) -> events.Thought:
        """Take back the text since the last tool call, and return it as a thought."""
        pending = "".join(self._pending_text)
        text = self.written.retract(self._checkpoint) + pending
        self._restart()
        return events.Thought(text=text, retracted=len(text))

    async def _open_paragraph(self) -> None:
        """Finish the drafted text before a part that the program writes: a quoted passage, a note or a refusal."""
        await self._flush()
        self._restart()

    def _close_paragraph(self) -> None:
        """Let the next drafted text begin a paragraph."""
        self._restart()
        self._paragraph_break = "\n\n"

    async def _flush(self) -> None:
        """Handle the text that was held back because more might have belonged to it."""
        for item in self._markers.end():
            await self._handle_item(item)
        for piece in self._assembly.end():
            is_cut = self.context.agent.cut or self.context.stop.is_stopped
            if isinstance(piece, CompleteSentence) and is_cut and not _is_finished(piece):
                continue
            await self._handle_piece(piece)

    async def _handle_item(self, item: Item) -> None:
        """Handle a piece of text, a citation mark or a command to the viewer."""
        if isinstance(item, TextItem | CitationMark):
            for piece in self._assembly.feed(item):
                await self._handle_piece(piece)
        elif item not in self._commands_sent:
            self._commands_sent.add(item)
            _log.debug("Viewer command: %s", item)
            try:
                if isinstance(item, MalformedCommand):
                    line = shorten(item.line, _LONGEST_COMMAND)
                    raise Misuse(
                        f"The command “{line}” is malformed. {item.reason}",
                        reason="command_malformed",
                        params={"line": line},
                    )
                if isinstance(item, NavigateCommand):
                    self.send(await make_navigation(self.context, item))
                else:
                    self.send(await make_highlight(self.context, item))
            except PinciteError as error:
                self.send(events.Thought(text=f"Not shown: {error.message}", error=events.describe_error(error)))

    async def _handle_piece(self, piece: VisibleText | CompleteSentence) -> None:
        """Show text, or check a complete sentence and give it to the judge."""
        if isinstance(piece, VisibleText):
            if not self._needs_check_first and (delta := self._take_visible(piece.text)):
                self.send(events.Text(delta=delta))
            return
        self._pending_text.clear()
        if self._paragraph_break:
            piece, self._paragraph_break = replace(piece, lead=self._paragraph_break + piece.lead), ""
        checked = await self.checker.check(piece, self.judging is not None and not self.context.stop.is_stopped)
        checked.is_private = checked.is_left_out = self.checker.has_private_details(piece.text)
        self.written.pieces.append(checked)
        if checked.is_waiting and self.judging and checked.checked:
            self._judged_pieces.append(checked)
            self.judging.add(len(self._judged_pieces) - 1, checked.checked.claim)
        await self._release()

    def _take_visible(self, text: str) -> str:
        """Return the text that may be shown now. The bar that ends a table row waits: its marks go before it."""
        if self._paragraph_break and not self._pending_text:
            text = self._paragraph_break + text
        if self._pending_text and LAST_BAR.fullmatch(self._pending_text[-1]):
            text = self._pending_text.pop() + text
        line = ("".join(self._pending_text) + text).lstrip().rpartition("\n")[2]
        bar = LAST_BAR.search(text) if is_row(line) and line.strip() != "|" else None
        visible = text[: bar.start()] if bar else text
        self._pending_text += [part for part in (visible, bar[0] if bar else "") if part]
        return visible

    async def _release(self) -> None:
        """Send the next pieces: all of them, or in strict mode those before the first that waits for its verdict."""
        for piece in self.written.pieces[self._checkpoint.pieces :]:
            if piece.is_emitted:
                continue
            if self.strict and piece.is_waiting:
                return
            piece.is_left_out |= self.strict and piece.is_refused
            piece.is_emitted = True
            await self._send_piece(piece)

    async def _send_piece(self, piece: AnswerPiece) -> None:
        """Send the sentence of a piece, and its text where that was not shown yet."""
        written, lead = self.written, piece.sentence.lead
        if self._needs_check_first:
            if piece.is_left_out:
                self._gap = choose_wider_break(self._gap, lead)
                return
            lead = choose_wider_break(self._gap, lead) if written.text else ""
            self._gap = ""
            written.add_text(lead + piece.words)
        else:
            written.text += lead + piece.words
        await written.add_sentence(piece)

    async def _settle(self, settled: SentenceJudgement) -> None:
        """Give a sentence the verdict of the judge, and send it again under its index."""
        assert self.judging
        piece = self._judged_pieces[settled.key]
        await self.checker.apply_judgement(piece, settled.judgement, self.judging.judge.name)
        await self.written.update_sentence(piece)
        await self._release()

    @property
    def _needs_check_first(self) -> bool:
        """Whether a sentence is shown only after its check, because it may have to be left out."""
        return self.strict or bool(self.context.asked.profile)

    def _describe_judge(self) -> events.Judge | None:
        """Return the judge, with its result on the calibration set where it was measured."""
        if self.judging is None or not self._count_judged():
            return None
        known = self._calibration
        figures = {"agreed": known.agreed, "passed": known.passed, "total": known.total} if known else {}
        return events.Judge(model=self.judging.judge.name, sentences=self._count_judged(), **figures)

    def _count_judged(self) -> int:
        return sum(bool(sentence.judge) for sentence in self.written.sentences)


def _is_finished(sentence: CompleteSentence) -> bool:
    """Whether the last sentence of an answer that was cut off or stopped is complete."""
    return has_sentence_end(sentence.text) or sentence.text.rstrip().endswith("|") or sentence.is_code
