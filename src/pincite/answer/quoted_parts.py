"""Write the parts of an answer that code makes: quoted passages, notes, source lines and refusals. None is checked."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from pincite import events
from pincite.answer.ledger import Ledger
from pincite.answer.passage_cards import Card, CardPiece, describe_card, write_pieces, write_place
from pincite.answer.refusal import SILENCE
from pincite.answer.sentence_assembly import CompleteSentence
from pincite.answer.sentence_check import AnswerPiece
from pincite.answer.stream_items import AnswerPart, Note, QuotedPassage, QuotedSentences, RefusalSentence, SourceLine
from pincite.answer.written_answer import WrittenAnswer
from pincite.events.source_names import describe_lines
from pincite.types import Pin, Span, Verdict


class QuotedParts:
    """Writes parts into an answer, each as a paragraph.

    `open_paragraph` is called before a part is written, and `close_paragraph` after it: drafted text stands in other
    paragraphs.
    """

    def __init__(
        self,
        written: WrittenAnswer,
        ledger: Ledger,
        open_paragraph: Callable[[], Awaitable[None]],
        close_paragraph: Callable[[], None],
    ) -> None:
        self._written = written
        self._ledger = ledger
        self._open_paragraph = open_paragraph
        self._close_paragraph = close_paragraph
        self._last_card: Card | None = None
        self.passages: list[events.ShownPassage] = []
        self.missing: list[str] = []  # names that the sources do not have
        self.has_refusal = False

    async def write(self, part: AnswerPart | QuotedSentences) -> None:
        """Write one part."""
        match part:
            case Note():
                await self._write_note(part.text)
            case QuotedPassage():
                await self._write_passage(part.card, part.part)
            case QuotedSentences():
                await self._write_sentences(part.card)
            case SourceLine():
                await self._write_source_line(part)
            case RefusalSentence():
                await self._write_refusal(part)

    async def _write_note(self, text: str) -> None:
        """Write a sentence about the answer, such as the reason why it only quotes. It claims nothing."""
        await self._open_paragraph()
        await self._write_unchecked("\n\n" if self._written.text else "", text)
        self._close_paragraph()

    async def _write_passage(self, card: Card, part: str) -> None:
        """Send the event of a quoted passage, and write its words unless it is shown only on demand."""
        written = self._written
        citation = await written.citations.cite_card(card)
        shown = describe_card(card, citation, await written.citations.find_last_page(card)).model_copy(
            update={"part": part}
        )
        self.passages.append(shown)
        written.send(shown)
        if card.is_more:
            return
        await self._open_paragraph()
        language = written.citations.language
        if citation.path:  # each card of a file says its own lines
            place = write_place(replace(card, title=describe_lines(citation.path, citation.lines)), language=language)
        else:
            place = write_place(replace(card, page=shown.page or 0), self._last_card, citation.label, language)
        pin = Pin(card.evidence, card.cited)
        lead = "\n\n" if written.text else ""
        has_mark = any(is_marked for *_, is_marked, _ in write_pieces(card))
        if place:
            await self._write_unchecked(lead, place, copied=() if has_mark else (pin,))
            lead = "\n\n"
        await self._write_pieces(card, lead, lambda _: pin)
        self._last_card = card
        self._close_paragraph()

    async def _write_sentences(self, card: Card) -> None:
        """Write the words of a card into a text. Each sentence cites its own place."""
        await self._open_paragraph()
        document = card.span.document
        lead = "\n\n" if self._written.text else ""
        await self._write_pieces(card, lead, lambda piece: Pin(card.evidence, Span(document, piece.start, piece.end)))
        self._close_paragraph()

    async def _write_pieces(self, card: Card, lead: str, cite: Callable[[CardPiece], Pin]) -> None:
        for before, words, end, is_cited, piece in write_pieces(card):
            is_code = not is_cited and words.startswith("`")
            sentence = CompleteSentence(lead or before, words + end, (), is_code=is_code)
            verdict = Verdict("verified", "quote", 1.0) if is_cited else None
            copied = (cite(piece),) if is_cited and piece else ()
            await self._written.add_unchecked(
                AnswerPiece(sentence, is_emitted=True, bar=end, verdict=verdict, copied=copied)
            )
            lead = ""

    async def _write_source_line(self, line: SourceLine) -> None:
        """Write a line that names a source and cites it. It claims nothing."""
        evidence = self._ledger.get(line.evidence)
        text = self._written.text
        is_item = text.rpartition("\n")[2].startswith("- ")
        lead = "" if not text else "\n" if is_item else "\n\n"
        # The citation opens the beginning of the source. No text there answers the question, so none is lit.
        copied = (Pin(evidence.number, replace(evidence.span, end=evidence.span.start)),) if evidence else ()
        await self._write_unchecked(lead, line.text, copied=copied)
        self._close_paragraph()

    async def _write_refusal(self, refusal: RefusalSentence) -> None:
        """Write a sentence that says the sources do not answer, and note the names that they do not have."""
        self.has_refusal = True
        self.missing += [name for name in refusal.missing if name not in self.missing]
        await self._open_paragraph()
        written = self._written
        text = refusal.text.removesuffix(SILENCE).rstrip()
        lead = " " if written.text and written.sentences[-1].silent else "\n\n" if written.text else ""
        await self._write_unchecked(lead, text, is_silent=True)
        self._close_paragraph()

    async def _write_unchecked(
        self, lead: str, text: str, copied: tuple[Pin, ...] = (), is_silent: bool = False
    ) -> None:
        sentence = CompleteSentence(lead, text, ())
        await self._written.add_unchecked(AnswerPiece(sentence, is_emitted=True, copied=copied, is_silent=is_silent))
