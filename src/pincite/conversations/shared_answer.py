"""Remove the parts of an answer that a reader with only a link to its conversation must not see."""

from collections.abc import Iterable

from pincite.events import Answer, Citation, Sentence
from pincite.events.answer import ShownPassage, Usage

_WEB = ("http://", "https://")


def strip_answers(answers: Iterable[Answer | None]) -> list[Answer | None]:
    """Return answers with their sentences, verdicts and quotes alone.

    Each field that stays is named here, so that a new field of an answer is private. Ids of documents become numbers:
    one document has the same number in the whole conversation, and no route takes it.
    """
    numbers: dict[str, str] = {}

    def hide(document: str) -> str:
        return numbers.setdefault(document, f"source-{len(numbers) + 1}")

    return [
        None
        if answer is None
        else Answer(
            answer=answer.answer,
            refused=answer.refused,
            question="",
            model="",
            sentences=[_strip_sentence(each) for each in answer.sentences],
            citations=[_strip_citation(each, hide(each.document)) for each in answer.citations],
            usage=Usage(),
            stopped=answer.stopped,
            outline=answer.outline,
            cut=answer.cut,
            passages=[_strip_passage(each, hide(each.document)) for each in answer.passages],
            missing=answer.missing,
        )
        for answer in answers
    ]


def _strip_sentence(sentence: Sentence) -> Sentence:
    return Sentence(
        text=sentence.text,
        citations=sentence.citations,
        support=sentence.support,
        basis=sentence.basis,
        reasons=sentence.reasons,
        start=sentence.start,
        end=sentence.end,
        unsupported=sentence.unsupported,
        source=sentence.source,
        computed=sentence.computed,
        silent=sentence.silent,
    )


def _strip_citation(citation: Citation, document: str) -> Citation:
    is_web = citation.url is not None and citation.url.startswith(_WEB)
    return Citation(
        n=citation.n,
        evidence=citation.evidence,
        document=document,
        title=_strip_path(citation.title, citation.path),
        kind=citation.kind,
        url=citation.url if is_web else None,
        page=citation.page,
        quote=citation.quote,
        start=citation.start,
        end=citation.end,
        score=citation.score,
        boxes=[],
        rows=citation.rows,
        label=citation.label,
        lines=citation.lines,
        heading=citation.heading,
    )


def _strip_passage(passage: ShownPassage, document: str) -> ShownPassage:
    return ShownPassage(
        n=passage.n,
        document=document,
        title=_strip_path(passage.title, passage.path),
        page=passage.page,
        last_page=passage.last_page,
        label=passage.label,
        headings=passage.headings,
        start=passage.start,
        end=passage.end,
        form=passage.form,
        lead=passage.lead,
        text=passage.text,
        lit=passage.lit,
        inner_headings=passage.inner_headings,
        heads=passage.heads,
        rows=passage.rows,
        lit_rows=passage.lit_rows,
        more=passage.more,
        part=passage.part,
        lines=passage.lines,
    )


def _strip_path(title: str, path: str) -> str:
    """Return the name of a file of a project without its folders; other titles stay."""
    return path.rpartition("/")[2] if path else title
