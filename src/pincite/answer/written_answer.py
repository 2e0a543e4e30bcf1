"""Hold an answer while it is written: its text, its pieces, and the sentences that were sent."""

from collections.abc import Callable
from dataclasses import dataclass

from pincite import events
from pincite.answer.citations import Citations
from pincite.answer.sentence_check import AnswerPiece

SendEvent = Callable[[events.Data], None]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The lengths of an answer at one moment. A retraction goes back to them."""

    text: int
    sentences: int
    pieces: int


class WrittenAnswer:
    """The text of an answer, and the events that send it. The `Text` events, put together, are the text."""

    def __init__(self, citations: Citations, send: SendEvent) -> None:
        self.send = send
        self.citations = citations
        self.text = ""
        self.pieces: list[AnswerPiece] = []  # all pieces, also those that are left out
        self.sentences: list[events.Sentence] = []
        self.sent_pieces: list[AnswerPiece] = []  # the piece of each sentence, in the order of `sentences`

    def add_text(self, text: str) -> None:
        """Add text to the answer and send it."""
        self.text += text
        self.send(events.Text(delta=text))

    async def add_sentence(self, piece: AnswerPiece) -> None:
        """Send the event of a piece whose words end the text, and add its citation marks."""
        sentence, cited = await self.citations.describe(piece, len(self.text))
        self.sentences.append(sentence)
        self.sent_pieces.append(piece)
        self.send(events.Cited(index=len(self.sentences) - 1, sentence=sentence, citations=cited))
        if marks := write_marks(sentence) + piece.bar:
            self.add_text(marks)

    async def add_unchecked(self, piece: AnswerPiece) -> None:
        """Add a piece that needs no check, with its words and its marks."""
        self.add_text(piece.sentence.lead + piece.words)
        self.pieces.append(piece)
        await self.add_sentence(piece)

    async def update_sentence(self, piece: AnswerPiece) -> None:
        """Send the sentence of a piece again, under the same index, with its new verdict."""
        if piece not in self.sent_pieces:
            return
        index = self.sent_pieces.index(piece)
        sentence, cited = await self.citations.describe(piece, self.sentences[index].end)
        self.sentences[index] = sentence
        self.send(events.Cited(index=index, sentence=sentence, citations=cited))

    def make_checkpoint(self) -> Checkpoint:
        """Return the present lengths."""
        return Checkpoint(len(self.text), len(self.sentences), len(self.pieces))

    def retract(self, to: Checkpoint) -> str:
        """Remove everything after a checkpoint, and return the text that was removed."""
        removed = self.text[to.text :]
        self.text = self.text[: to.text]
        self.sentences = self.sentences[: to.sentences]
        del self.sent_pieces[to.sentences :], self.pieces[to.pieces :]
        self.citations.keep_only(self.sentences)
        return removed

    async def rebuild(self) -> None:
        """Write the text and the sentences again from the pieces, after some were changed. No event is sent."""
        self.text, self.sentences, self.sent_pieces = "", [], []
        gap = ""
        for piece in self.pieces:
            if piece.is_left_out:
                gap = choose_wider_break(gap, piece.sentence.lead)
                continue
            lead, gap = (choose_wider_break(gap, piece.sentence.lead) if self.text else ""), ""
            self.text += lead + piece.words
            sentence, _ = await self.citations.describe(piece, len(self.text))
            self.sentences.append(sentence)
            self.sent_pieces.append(piece)
            self.text += write_marks(sentence) + piece.bar
        self.citations.keep_only(self.sentences)


def write_marks(sentence: events.Sentence) -> str:
    """Return the citation marks of a sentence, as they stand in the text."""
    return "".join(f" [{n}]" for n in sentence.citations)


def choose_wider_break(one: str, other: str) -> str:
    """Return the break with more line ends: a paragraph stays one when the piece before it is left out."""
    return one if one.count("\n") > other.count("\n") else other
