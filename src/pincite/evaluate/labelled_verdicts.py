"""Measure verdicts on labelled sentences: how often a true one is verified, and how often a false one."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pincite.answer.ledger import cut_passage
from pincite.answer.passage_facts import find_code
from pincite.errors import PinciteError
from pincite.evaluate.evaluation_library import ReportStatus
from pincite.evaluate.labelled_sentences import LabelledSentence, read_labelled
from pincite.evaluate.machine_info import describe_machine
from pincite.proof.judge import Claim, Judgement, SentenceJudge
from pincite.proof.pin import Cited, strip_markup
from pincite.proof.tables import find_tables
from pincite.proof.verdict import CheckedSentence, apply_judgement, check_sentence
from pincite.reading import read
from pincite.reading.source import Source
from pincite.text.squeeze import squeeze
from pincite.types import Block, Document, Evidence, Kind, Span

_AROUND = 600  # characters before and after the cited words, so that evidence is about as long as a passage


class LabelJudge:
    """A judge that answers by the labels: the ceiling for any judge after the checks by code."""

    name = "labels"

    def __init__(self, labelled: Sequence[LabelledSentence]) -> None:
        self._supported = {strip_markup(each.claim) for each in labelled if each.is_supported}

    async def judge(self, claims: Sequence[Claim]) -> list[Judgement | None]:
        return [Judgement("supported" if claim.sentence in self._supported else "unsupported") for claim in claims]


def evaluate(
    path: Path,
    open_judge: Callable[[Sequence[LabelledSentence]], SentenceJudge | None],
    say: ReportStatus,
    details: Path | None = None,
) -> dict[str, Any]:
    """Count verdicts by label and by kind; write a line with verdict and reasons for each sentence to `details`."""
    labelled = read_labelled(path)
    judge = open_judge(labelled)
    checked = []
    for number, each in enumerate(labelled, 1):
        say(f"checking: {number}/{len(labelled)} sentences")
        checked.append(check_sentence(each.claim, make_cited(each)))
    judgements = asyncio.run(_judge_sentences(checked, judge, say)) if judge else [None] * len(checked)
    counts: dict[str, Counter[str]] = {"supported": Counter(), "not_supported": Counter()}
    kinds: dict[str, dict[str, Counter[str]]] = {"all": {}, "supported": {}, "not_supported": {}}
    lines = []
    for each, code, judgement in zip(labelled, checked, judgements, strict=True):
        verdict = apply_judgement(code, judgement, judge.name if judge else "")
        support = verdict.support if verdict else "none"
        label = "supported" if each.is_supported else "not_supported"
        counts[label][support] += 1
        for group in ("all", label):
            kinds[group].setdefault(each.kind, Counter())[support] += 1
        reasons = [f"{r.code} {r.claimed} {r.found}".strip() for r in verdict.reasons] if verdict else []
        lines.append(
            {"id": each.id, "label": label, "kind": each.kind, "support": support, "reasons": reasons}
            | {"claim": each.claim, "computed": code.facts.computed}
        )
    if details:
        details.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines), encoding="utf-8")
    return {
        "set": path.name,
        "about": f"{path.name}: {len(labelled)} sentences; "
        f"judge: {judge.name if judge else 'none'}; {describe_machine()}",
        **{label: dict(found) for label, found in counts.items()},
        "kinds": {kind: dict(found) for kind, found in sorted(kinds["all"].items())},
        "kinds_by_label": {
            label: {kind: dict(found) for kind, found in sorted(kinds[label].items())} for label in counts
        },
    }


def make_cited(labelled: LabelledSentence) -> list[Cited]:
    """Return the evidence that a labelled sentence cites, as an answer would: passages and their sentences.

    Cited words near each other belong to one passage.
    """
    document = _read_document(labelled.document) if labelled.document else None
    page = _find_page(document, labelled.page) if document and not labelled.cited and not labelled.context else None
    if document and (page or any(_find_quote(document.text, quote) for quote in labelled.cited)):
        text, blocks, kind, title = document.text, document.blocks, document.kind, document.title
    else:
        extra = [quote for quote in labelled.cited if not _find_quote(labelled.context, quote)]
        text = "\n".join((labelled.context, *extra)).strip()
        blocks, kind, title = tuple(_guess_blocks(text)), "text", labelled.where
    places = sorted(place for quote in labelled.cited if (place := _find_quote(text, quote))) or [
        page or (0, len(text))
    ]
    groups: list[list[tuple[int, int]]] = []
    for place in places:
        if groups and place[0] - groups[-1][-1][1] < 2 * _AROUND:
            groups[-1].append(place)
        else:
            groups.append([place])
    found: list[Cited] = []
    name = labelled.where.partition("#")[0].rpartition("/")[2]
    for number, group in enumerate(groups, 1):
        start, end = _widen(text, group[0][0], group[-1][1])
        evidence = _make_evidence(text, blocks, kind, (title or name, name), start, end, number)
        numbers = [
            i for i, (a, b) in enumerate(evidence.sentences, 1) if any(a < last and b > first for first, last in group)
        ]
        found += [(evidence, i) for i in numbers] or [(evidence, None)]
    return found


def _find_page(document: Document, number: int) -> tuple[int, int] | None:
    return next(((page.start, page.end) for page in document.pages if page.number == number), None)


def _widen(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span with the lines around it, about as long as a passage."""
    start = max(start - _AROUND, 0)
    start = text.rfind("\n", 0, start) + 1 if start else 0
    after = text.find("\n", min(end + _AROUND, len(text)))
    return start, after if after >= 0 else len(text)


def _make_evidence(
    text: str, blocks: Sequence[Block], kind: Kind, called: tuple[str, str], start: int, end: int, number: int
) -> Evidence:
    span = Span("document", start, end)
    tables = () if kind == "code" else find_tables(text, blocks, start, end)
    code = find_code(span, kind, blocks)
    return Evidence(
        number=number,
        span=span,
        title=called[0],
        name=called[1],
        kind=kind,
        text=text[start:end],
        sentences=tuple(cut_passage(text[start:end], start, tables, code)),
        tables=tables,
        code=code,
    )


def _guess_blocks(text: str) -> Iterator[Block]:
    """Yield lines with tabs as tables, and other lines as paragraphs."""
    at, begun, kind = 0, 0, ""
    for line in [*text.splitlines(keepends=True), ""]:
        new = "table" if "\t" in line else "paragraph"
        if (new != kind or not line) and at > begun:
            yield Block("table" if kind == "table" else "paragraph", begun, at)
            begun = at
        kind = new
        at += len(line)


def _find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Return the span of a quote in a text, compared by its letters and digits."""
    at = text.find(quote)
    if at >= 0:
        return at, at + len(quote)
    wanted, letters = squeeze(quote).text, squeeze(text)
    at = letters.text.find(wanted) if wanted else -1
    if at < 0:
        return None
    return int(letters.places[at]), int(letters.places[at + len(wanted) - 1]) + 1


@cache
def _read_document(path: Path) -> Document | None:
    try:
        return read(Source(path, path.name))
    except PinciteError:
        return None


async def _judge_sentences(
    checked: Sequence[CheckedSentence], judge: SentenceJudge, say: ReportStatus
) -> list[Judgement | None]:
    """Return the judgements on the sentences that code leaves open."""
    from pincite.answer.model_judge import judge_all

    left = [number for number, each in enumerate(checked) if each.verdict is None]
    judgements = await judge_all(
        judge, [checked[i].claim for i in left], lambda done, total: say(f"judging: {done}/{total} sentences")
    )
    found = dict(zip(left, judgements, strict=True))
    return [found.get(number) for number in range(len(checked))]
