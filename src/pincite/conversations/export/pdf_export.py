"""Export a conversation as a PDF with footnotes, quotes, and the bibliography of a report."""

from itertools import count

from pincite.conversations.export.bibliography import HEADING, CitedWork
from pincite.conversations.export.footnotes import (
    EMPTY,
    WRITING,
    annotate_answer,
    choose_language,
    describe_date,
    find_report_question,
    find_start_time,
    list_exchanges,
    list_works,
    make_single_line,
    name_source,
)
from pincite.conversations.export.pdf_canvas import PdfCanvas
from pincite.conversations.export.pdf_layout import PdfLayout
from pincite.conversations.export.text_canvas import TextRun
from pincite.conversations.transcript import Conversation
from pincite.conversations.verdict_wording import describe_citation, describe_end, summarize_verdicts
from pincite.events import Answer, Citation
from pincite.events.source_names import describe_cited_page
from pincite.text.display import put_on_one_line
from pincite.web.text_fragments import make_fragment_link

_ADDRESSES = ("http://", "https://")
_LACKING = {
    "en": "■ stands for {} that the typeface of this file lacks. The HTML and Markdown exports show them all.",
    "fr": "■ remplace {} que la police de ce fichier n'a pas. Les exports HTML et Markdown affichent tout.",
}
_CHARACTERS = {"en": ("a character", "{} characters"), "fr": ("un caractère", "{} caractères")}
_MARKS = {"en": "“{}”", "fr": "« {} »"}


def export_pdf(conversation: Conversation) -> bytes:
    """Return the conversation as the bytes of a PDF, with selectable text, numbered footnotes and links."""
    whole = find_report_question(conversation)
    title = make_single_line(whole or conversation.about.title)
    language = choose_language(whole or " ".join(question for _, question, _ in list_exchanges(conversation)))
    canvas = PdfCanvas(title, language, find_start_time(conversation))
    canvas.heading([TextRun(title)], 1)
    canvas.paragraph([TextRun(describe_date(conversation), faint=True)], small=True)
    for _, question, said in list_exchanges(conversation):
        if not whole:
            canvas.heading([TextRun(make_single_line(question))], 2)
        if said.answer:
            _write_answer(canvas, said.answer, language, deeper=not whole)
            _write_works(canvas, list_works(conversation, said.answer), language, 2 if whole else 3)
        else:
            canvas.paragraph([TextRun(WRITING[language], italic=True)])
    if canvas.lacking:
        one, many = _CHARACTERS[language]
        note = _LACKING[language].format(one if canvas.lacking == 1 else many.format(canvas.lacking))
        canvas.paragraph([TextRun(note, faint=True)], small=True)
    return canvas.make_bytes()


def _write_answer(canvas: PdfCanvas, answer: Answer, language: str, deeper: bool) -> None:
    places = {citation.n: canvas.place() for citation in answer.citations}
    found = annotate_answer(answer, language, deeper)
    PdfLayout(canvas, places, found.notes, formulas=found.formulas).lay(found.text or EMPTY[language])
    for line in filter(None, (summarize_verdicts(answer, language), *describe_end(answer, language))):
        canvas.paragraph([TextRun(line, italic=True, faint=True)], small=True)
    if answer.citations:
        canvas.rule()
    for citation in answer.citations:
        canvas.here(places[citation.n])
        canvas.paragraph(_make_footnote(answer, citation, language), 1, f"{citation.n}.", small=True)


def _make_footnote(answer: Answer, citation: Citation, language: str) -> list[TextRun]:
    """Return a footnote: title and page of the source, its quote, and a link that opens the page at the quote."""
    page = f", {describe_cited_page(citation, language, word='page')}" if citation.page else ""
    colon = ("\u00a0: " if language == "fr" else ": ") if citation.quote else ""
    runs = [
        TextRun(f"{make_single_line(name_source(answer, citation))}{page}{colon}", bold=True),
        *([TextRun(_MARKS[language].format(put_on_one_line(citation.quote)))] if citation.quote else []),
    ]
    basis = describe_citation(answer.sentences, citation.n, language)
    note = [TextRun(f" ({basis})", italic=True, faint=True)] if basis else []
    return [*runs, *note, *_make_address(citation.url, citation.quote)]


def _write_works(canvas: PdfCanvas, listed: list[CitedWork], language: str, level: int) -> None:
    if listed:
        canvas.heading([TextRun(HEADING[language])], level)
    for number, work in zip(count(1), listed, strict=False):
        canvas.paragraph([TextRun(work.describe(language)), *_make_address(work.url)], 1, f"{number}.", small=True)


def _make_address(url: str | None, quote: str = "") -> list[TextRun]:
    if not url:
        return []
    is_page = url.startswith(_ADDRESSES)
    return [
        TextRun(" "),
        TextRun(make_single_line(url), link=(make_fragment_link(url, quote) if quote else url) if is_page else None),
    ]
