"""The judge's protocol: sentences with their cited words in, an opinion on each out.

`agent.judging` asks a language model. This module knows no model: it lays the claims out as text and reads the reply.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol

from pydantic import BaseModel, Field, ValidationError

from pincite.text.display import join_broken_words

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
    """An opinion, the words of the sentence that nothing supports, and a quote of the source that says otherwise."""

    opinion: Opinion
    words: tuple[str, ...] = ()
    quote: str = ""


class Judge(Protocol):
    """Judges sentences, several at once. A claim without a usable opinion gets None."""

    @property
    def name(self) -> str: ...

    async def judge(self, claims: Sequence[Claim]) -> list[Judgement | None]: ...


class _Verdict(BaseModel):
    n: int
    verdict: Opinion
    words: Annotated[list[str], Field(max_length=20)] = []
    quote: str = ""


class _Reply(BaseModel):
    verdicts: list[_Verdict]


def show_claims(claims: Sequence[Claim]) -> str:
    """The claims as a model reads them, numbered from 1; their words cannot close the marks around them."""
    return "\n\n".join(_show_claim(number, claim) for number, claim in enumerate(claims, 1))


def read_reply(reply: str, claims: Sequence[Claim]) -> list[Judgement | None]:
    """The judgements in a model's reply, in the order of the claims; None where it gave no usable one.

    Words that do not stand in the sentence are dropped, and so is a quote that does not stand in the source. Two
    different verdicts on one claim are none.
    """
    found: dict[int, Judgement] = {}
    unclear: set[int] = set()
    for verdict in _read_verdicts(reply):
        if 1 <= verdict.n <= len(claims):
            claim = claims[verdict.n - 1]
            words = tuple(each for each in verdict.words if _stands_in(each, claim.sentence))
            source = " ".join(f"{each.words} {each.around}" for each in claim.cited)
            quote = verdict.quote if _stands_in(verdict.quote, source) else ""
            # Words that are not supported belong to no supported sentence.
            opinion = "partial" if verdict.verdict == "supported" and words else verdict.verdict
            judgement = Judgement(opinion, words, quote)
            if found.setdefault(verdict.n, judgement).opinion != opinion:
                unclear.add(verdict.n)
    return [None if number in unclear else found.get(number) for number in range(1, len(claims) + 1)]


def fits(claim: Claim) -> bool:
    """Whether a judge can be shown a claim whole: a verdict on a part of it would be worth nothing."""
    return len(claim.sentence) <= _SENTENCE and all(len(each.words) <= _CITED for each in claim.cited)


def _read_verdicts(reply: str) -> list[_Verdict]:
    """The verdicts of the last object in a reply that has any: words of a source may stand before it."""
    starts = [match.start() for match in _OBJECT.finditer(reply)]
    for start in reversed(starts):
        try:
            given, _ = json.JSONDecoder().raw_decode(reply, start)
            return _Reply.model_validate(given).verdicts
        except (ValueError, ValidationError):
            if found := _salvage_verdicts(reply[start:]):
                return found
    return []


def _salvage_verdicts(text: str) -> list[_Verdict]:
    """The verdicts that are usable by themselves, where the whole reply is not: one wrong word loses one verdict."""
    found = []
    for piece in re.findall(r"\{[^{}]*\}", text):
        try:
            found.append(_Verdict.model_validate_json(piece))
        except ValidationError:
            continue
    return found


def _show_claim(number: int, claim: Claim) -> str:
    lines = [f'<claim n="{number}">']
    if claim.before:
        lines.append(f"the sentence before it: {_line(claim.before, _SENTENCE)}")
    lines.append(f"SENTENCE: {_line(claim.sentence, _SENTENCE)}")
    if claim.computed:
        lines.append(f"calculation, checked by code: {_line(claim.computed, _SENTENCE)}")
    for each in claim.cited:
        lines.append(f"source: {_line(each.where, 300)}" if each.where else "source:")
        lines.append(f"  cited: {_line(each.words, _CITED)}")
        if each.around:
            lines.append(f"  around it: {_line(each.around, _AROUND)}")
    if not claim.cited:
        lines.append("source: (nothing is cited)")
    return "\n".join([*lines, "</claim>"])


def _line(text: str, most: int) -> str:
    """A text on one line that cannot close a claim; table cells keep a bar between them."""
    joined = _SPACE.sub(" ", _TAG.sub("‹", join_broken_words(text).replace("\t", " | ")))
    return joined.strip() if len(joined) <= most else joined[: most - 1].strip() + "…"


def _stands_in(words: str, text: str) -> bool:
    return bool(words.strip()) and _plain(words) in _plain(text)


def _plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
