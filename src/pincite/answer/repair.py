"""Repair an answer: the writer corrects, once, the sentences that their sources do not support."""

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel

from pincite import events
from pincite.answer.citations import find_source_words
from pincite.answer.context import Context
from pincite.answer.evidence_prompt import sanitise_line, write_source
from pincite.answer.model_judge import JudgeQueue
from pincite.answer.prompts import render
from pincite.answer.sentence_assembly import CompleteSentence, SentenceAssembler, VisibleText
from pincite.answer.sentence_check import AnswerPiece, Checker
from pincite.answer.written_answer import WrittenAnswer
from pincite.errors import PinciteError
from pincite.proof.claims import is_row
from pincite.proof.reasons import describe_reason
from pincite.text.marker_parser import CitationMark, MarkerParser, TextItem
from pincite.text.model_json import parse_model_json
from pincite.types import Evidence

log = logging.getLogger(__name__)

_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_EVIDENCE = 12  # sources that the prompt contains at most


@dataclass(frozen=True, slots=True)
class FlawedSentence:
    """A sentence to correct: the number of its piece, its words, the reasons against it, and the evidence it cites."""

    number: int
    text: str
    reasons: tuple[str, ...]
    cited: frozenset[int]


@dataclass(frozen=True, slots=True)
class SentenceCorrection:
    """The writer's new text for a sentence, with its marks; an empty text withdraws the sentence."""

    number: int
    text: str


class _CorrectionEntry(BaseModel):
    n: int
    sentence: str = ""


class _CorrectionReply(BaseModel):
    corrections: list[_CorrectionEntry]


def list_flawed(pieces: Sequence[AnswerPiece]) -> list[FlawedSentence]:
    """Return the sentences that their sources contradict or do not support."""
    return [
        FlawedSentence(
            number,
            piece.text,
            tuple(describe_reason(reason, "en") for reason in piece.verdict.reasons),
            frozenset(number for number, _ in piece.sentence.cited),
        )
        for number, piece in enumerate(pieces)
        if piece.verdict and piece.is_refused and not piece.is_private
    ]


async def request_corrections(context: Context, flawed: Sequence[FlawedSentence]) -> list[SentenceCorrection]:
    """Return the writer's corrections, in the order of the sentences; none when the model fails."""
    from pydantic_ai import Agent
    from pydantic_ai.exceptions import AgentRunError, UserError

    prompt = render(
        "repair",
        question=context.question or context.asked.question,
        sentences="\n".join(_show_sentence(each) for each in flawed),
        evidence="\n\n".join(map(write_source, _choose_evidence(context, flawed))),
    )
    try:
        ran = await Agent(context.models.chat.model).run(
            prompt, usage_limits=context.meter.left.at_least(1).limits(), model_settings={"temperature": 0.0}
        )
    except (AgentRunError, UserError, PinciteError) as error:
        log.warning("The answer was not repaired: %s", error)
        return []
    used = ran.usage
    context.meter.spend(
        events.Usage(input_tokens=used.input_tokens, output_tokens=used.output_tokens, requests=used.requests)
    )
    return _read_corrections(ran.output, {each.number for each in flawed})


async def apply_corrections(
    corrections: Sequence[SentenceCorrection], written: WrittenAnswer, checker: Checker, judging: JudgeQueue
) -> list[events.Repair]:
    """Put corrected sentences in the place of flawed ones, and return the repairs.

    A corrected sentence is checked and judged again, and replaces the old one only if its sources support it.
    """
    fixed = {each.number: await _check_correction(each, written, checker) for each in corrections if each.text}
    waiting = [piece for piece in fixed.values() if piece and piece.is_waiting and piece.checked]
    if waiting:
        judgements = await judging.ask([piece.checked.claim for piece in waiting if piece.checked])
        for piece, judgement in zip(waiting, judgements, strict=True):
            await checker.apply_judgement(piece, judgement, judging.judge.name)
    repairs: list[events.Repair] = []
    for each in corrections:
        old, new = written.pieces[each.number], fixed.get(each.number)
        assert old.verdict
        if each.text and (new is None or not _is_better(new, checker)):
            continue  # the old sentence stays, with its verdict
        if new:
            written.pieces[each.number] = new
        else:
            old.is_left_out = True
        after = new.text if new else ""
        source = find_source_words(old)
        repairs.append(events.Repair(before=old.text, after=after, support=old.verdict.support, source=source))
    if repairs:
        await written.rebuild()
    return repairs


async def _check_correction(
    correction: SentenceCorrection, written: WrittenAnswer, checker: Checker
) -> AnswerPiece | None:
    """Check a corrected sentence; return None when it is not one sentence of the same form."""
    old = written.pieces[correction.number]
    sentences = _split_sentences(_ITEM.sub("", correction.text))
    if len(sentences) != 1 or is_row(sentences[0].text) != is_row(old.text):
        return None
    bullet = _ITEM.match(old.text)
    text = (bullet[0] if bullet else "") + sentences[0].text
    sentence = replace(sentences[0], lead=old.sentence.lead, text=text)
    return await checker.check_replacement(sentence, old, has_judge=True)


def _is_better(piece: AnswerPiece, checker: Checker) -> bool:
    """Whether a correction may replace the flawed sentence.

    It must claim something that its source does not deny, and repeat nothing of About Me.
    """
    is_claim = piece.verdict is not None or piece.is_silent
    return is_claim and not piece.is_refused and not checker.has_private_details(piece.text)


def _split_sentences(text: str) -> list[CompleteSentence]:
    """Split a complete text into sentences with their citations."""
    markers, assembly = MarkerParser(), SentenceAssembler()

    def assemble() -> Iterator[VisibleText | CompleteSentence]:
        for item in (*markers.feed(text), *markers.end()):
            if isinstance(item, TextItem | CitationMark):
                yield from assembly.feed(item)
        yield from assembly.end()

    return [piece for piece in assemble() if isinstance(piece, CompleteSentence)]


def _read_corrections(reply: str, known: set[int]) -> list[SentenceCorrection]:
    given = parse_model_json(reply, _CorrectionReply)
    entries = given.corrections if given else []
    found = {entry.n: SentenceCorrection(entry.n, entry.sentence.strip()) for entry in entries if entry.n in known}
    return [found[number] for number in sorted(found)]


def _show_sentence(flawed: FlawedSentence) -> str:
    reasons = "; ".join(flawed.reasons)
    return f"{flawed.number}. {sanitise_line(flawed.text)}\n   why: {sanitise_line(reasons)}"


def _choose_evidence(context: Context, flawed: Sequence[FlawedSentence]) -> list[Evidence]:
    """Return the sources that the sentences cite, then the first of the others."""
    cited = frozenset().union(*(each.cited for each in flawed))
    return sorted(context.ledger.listed, key=lambda each: each.number not in cited)[:_EVIDENCE]
