"""The protocol of a judge: it gets sentences with their cited words, and returns an opinion on each.

`answer.model_judge` asks a language model. This module writes the claims as text and reads the reply.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, Field

from pincite.text.display import join_broken_words
from pincite.text.folding import keep_alphanumerics
from pincite.text.model_json import parse_innermost_json, parse_model_json

Opinion = Literal["supported", "partial", "contradicted", "unsupported", "silent", "no_claim"]

_CITED, _AROUND, _SENTENCE = 3_000, 2_400, 1_200  # characters shown of each
_OBJECT = re.compile(r"\{\s*\"verdicts\"")
_SPACE = re.compile(r"\s+")
_TAG = re.compile(r"<(?=\s*(?:/\s*)?claim\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quotation:
    """Cited words, the text around them, and the place they stand in: title, headings, page."""

    words: str
    around: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence to judge. `before` is the sentence before it in the answer, `computed` a calculation by code."""

    sentence: str
    cited: tuple[Quotation, ...] = ()
    before: str = ""
    computed: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """An opinion, the words of the sentence that nothing supports, and a quote of the source that contradicts it."""

    opinion: Opinion
    words: tuple[str, ...] = ()
    quote: str = ""


class SentenceJudge(Protocol):
    """Judges sentences, several at once. A claim without a usable opinion gets None."""

    @property
    def name(self) -> str: ...

    async def judge(self, claims: Sequence[Claim]) -> list[Judgement | None]: ...


class _Verdict(BaseModel):
    n: int
    verdict: Opinion
    words: Annotated[list[str], Field(max_length=20)] = []
    quote: str = ""


class _JudgeReply(BaseModel):
    verdicts: list[_Verdict]


def show_claims(claims: Sequence[Claim]) -> str:
    """Return the claims as text for a model, numbered from 1; their words cannot close the tags around them."""
    return "\n\n".join(_show_claim(number, claim) for number, claim in enumerate(claims, 1))


def read_reply(reply: str, claims: Sequence[Claim]) -> list[Judgement | None]:
    """Return the judgements in a model's reply, in the order of the claims; None where it gave no usable one.

    Words that do not stand in the sentence are dropped, and so is a quote that does not stand in the source. Two
    different verdicts on one claim are none.
    """
    found: dict[int, Judgement] = {}
    unclear: set[int] = set()
    for verdict in _read_verdicts(reply):
        if 1 <= verdict.n <= len(claims):
            claim = claims[verdict.n - 1]
            words = tuple(each for each in verdict.words if _is_in_text(each, claim.sentence))
            source = " ".join(f"{each.words} {each.around}" for each in claim.cited)
            quote = verdict.quote if _is_in_text(verdict.quote, source) else ""
            # A sentence with unsupported words is not fully supported.
            opinion = "partial" if verdict.verdict == "supported" and words else verdict.verdict
            judgement = Judgement(opinion, words, quote)
            if found.setdefault(verdict.n, judgement).opinion != opinion:
                unclear.add(verdict.n)
    return [None if number in unclear else found.get(number) for number in range(1, len(claims) + 1)]


def may_judge_whole(claim: Claim) -> bool:
    """Whether a judge can be shown the whole claim: a verdict on a part of it would be worthless."""
    return len(claim.sentence) <= _SENTENCE and all(len(each.words) <= _CITED for each in claim.cited)


def _read_verdicts(reply: str) -> list[_Verdict]:
    """Return the verdicts of the last object in a reply that has any; words of a source may stand before it."""
    starts = [match.start() for match in _OBJECT.finditer(reply)]
    for start in reversed(starts):
        if whole := parse_model_json(reply[start:], _JudgeReply):
            return whole.verdicts
        # One wrong word in a reply loses one verdict.
        if found := parse_innermost_json(reply[start:], _Verdict):
            return found
    return []


def _show_claim(number: int, claim: Claim) -> str:
    lines = [f'<claim n="{number}">']
    if claim.before:
        lines.append(f"the sentence before it: {_put_on_line(claim.before, _SENTENCE)}")
    lines.append(f"SENTENCE: {_put_on_line(claim.sentence, _SENTENCE)}")
    if claim.computed:
        lines.append(f"calculation, checked by code: {_put_on_line(claim.computed, _SENTENCE)}")
    for each in claim.cited:
        lines.append(f"source: {_put_on_line(each.where, 300)}" if each.where else "source:")
        lines.append(f"  cited: {_put_on_line(each.words, _CITED)}")
        if each.around:
            lines.append(f"  around it: {_put_on_line(each.around, _AROUND)}")
    if not claim.cited:
        lines.append("source: (nothing is cited)")
    return "\n".join([*lines, "</claim>"])


def _put_on_line(text: str, most: int) -> str:
    """Return a text on one line that cannot close a claim; table cells keep a bar between them."""
    joined = _SPACE.sub(" ", _TAG.sub("‹", join_broken_words(text).replace("\t", " | ")))
    return joined.strip() if len(joined) <= most else joined[: most - 1].strip() + "…"


def _is_in_text(words: str, text: str) -> bool:
    return bool(words.strip()) and keep_alphanumerics(words) in keep_alphanumerics(text)
