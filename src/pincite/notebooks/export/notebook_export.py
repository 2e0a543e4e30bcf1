"""Export a notebook as Markdown, HTML, PDF or a Word document, with a footnote for each pin."""

import re
from html import escape
from typing import Literal

from pincite.conversations.export import safe_markdown
from pincite.conversations.export.footnotes import (
    PLACEHOLDER,
    annotate_answer,
    escape_markdown,
    make_markdown_reader,
    make_single_line,
)
from pincite.conversations.export.formula_tree import write_mathml
from pincite.conversations.export.pdf_layout import PdfLayout
from pincite.conversations.export.text_canvas import TextCanvas, TextRun
from pincite.conversations.export.text_export import write_html_page
from pincite.notebooks.export.exported_notebook import (
    COMMENT,
    KEPT_ON,
    QUESTION,
    ExportedItem,
    ExportedNotebook,
    describe_footnote,
)
from pincite.text.display import join_broken_words, put_on_one_line

NotebookFormat = Literal["docx", "md", "html", "pdf"]
MEDIA_TYPES: dict[NotebookFormat, str] = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "md": "text/markdown",
    "html": "text/html",
    "pdf": "application/pdf",
}
_MARKS = {"en": "“{}”", "fr": "«\u00a0{}\u00a0»"}


def export_notebook(notebook: ExportedNotebook, format: NotebookFormat, language: str = "en") -> str | bytes:
    """Return a notebook in a file format: text for Markdown and HTML, else bytes."""
    match format:
        case "md":
            return export_markdown(notebook, language)
        case "html":
            return export_html(notebook, language)
        case "pdf":
            from pincite.conversations.export.pdf_canvas import PdfCanvas

            canvas = PdfCanvas(notebook.about.title, language, notebook.changed)
            _draw_notebook(canvas, notebook, language, notes_below=True)
            return canvas.make_bytes()
        case "docx":
            from pincite.conversations.export.docx_canvas import DocxCanvas

            document = DocxCanvas(notebook.about.title, language, notebook.changed)
            _draw_notebook(document, notebook, language, notes_below=False)
            return document.make_bytes()


def export_markdown(notebook: ExportedNotebook, language: str = "en") -> str:
    """Return a notebook as Markdown with footnotes. Nothing in it is loaded from outside or run."""
    text = _write_markdown(notebook, language, safe_markdown.make_harmless)
    if safe_markdown.is_harmless(text):
        return text
    return _write_markdown(notebook, language, safe_markdown.escape_links)


def _write_markdown(notebook: ExportedNotebook, language: str, shown: safe_markdown.Disarm) -> str:
    parts = [f"# {shown(make_single_line(notebook.about.title))}", f"*{_describe_date(notebook, language)}*"]
    notes = []
    for place, item in enumerate(notebook.items, 1):
        parts.append(_write_markdown_item(item, place, language, shown))
        parts += [f"*{escape_markdown(line)}*" for line in _list_lines(item, language)]
        for citation in item.answer.citations:
            source, quote, basis = describe_footnote(item, citation, language)
            said = _MARKS[language].format(put_on_one_line(quote)) if quote else ""
            note = shown(make_single_line(": ".join(filter(None, (source, said)))))
            notes.append(f"[^{place}-{citation.n}]: {note}" + (f" *({escape_markdown(basis)})*" if basis else ""))
        parts.append("---")
    return "\n\n".join([*parts[:-1], *notes]) + "\n"


def _write_markdown_item(item: ExportedItem, place: int, language: str, shown: safe_markdown.Disarm) -> str:
    if item.is_quote:
        marks = "".join(f"[^{place}-{citation.n}]" for citation in item.answer.citations)
        lines = join_broken_words(item.stored.text).split("\n")
        return "\n".join(f"> {escape_markdown(line)}" for line in lines) + marks
    found = annotate_answer(item.answer, language)
    return shown(found.fill(lambda n: f"[^{place}-{n}]", lambda note: f" *({escape_markdown(note)})*").strip())


def export_html(notebook: ExportedNotebook, language: str = "en") -> str:
    """Return a notebook as one self-contained HTML page."""
    title = escape(notebook.about.title)
    body = [f"<h1>{title}</h1>", f'<p class="date">{escape(_describe_date(notebook, language))}</p>']
    notes = []
    for item in notebook.items:
        body.append(f"<section>{_write_html_item(item, language)}")
        body += [f'<p class="sum">{escape(line)}</p>' for line in _list_lines(item, language)]
        body.append("</section>")
        for citation in item.answer.citations:
            source, quote, basis = describe_footnote(item, citation, language)
            said = f"<blockquote>{escape(join_broken_words(quote))}</blockquote>" if quote else ""
            notes.append(f'<li id="note-{item.number(citation.n)}">{escape(source)}{said} {escape(basis)}</li>')
    if notes:
        body.append(f'<ol class="notes">{"".join(notes)}</ol>')
    return write_html_page(title, "".join(body), language)


def _write_html_item(item: ExportedItem, language: str) -> str:
    def link(n: int) -> str:
        number = item.number(n)
        return f'<sup><a href="#note-{number}">{number}</a></sup>'

    if item.is_quote:
        marks = "".join(link(citation.n) for citation in item.answer.citations)
        return f"<blockquote>{escape(join_broken_words(item.stored.text))}{marks}</blockquote>"
    found = annotate_answer(item.answer, language)

    def put(held: re.Match[str]) -> str:
        kind, value = held[1][:1], int(held[1][1:])
        if kind == "f":
            return write_mathml(found.formulas[value])
        return link(value) if kind == "c" else f' <span class="doubt">({escape(found.notes[value])})</span>'

    return PLACEHOLDER.sub(put, str(make_markdown_reader().render(found.text)))


def _draw_notebook(canvas: TextCanvas, notebook: ExportedNotebook, language: str, notes_below: bool) -> None:
    """Draw a notebook on a PDF, which has its footnotes at the end, or in a Word document."""

    canvas.heading([TextRun(make_single_line(notebook.about.title))], 1)
    canvas.paragraph([TextRun(_describe_date(notebook, language), faint=True)], small=True)
    places: dict[int, int] = {}
    for position, item in enumerate(notebook.items):
        if position:
            canvas.rule()
        own = {citation.n: canvas.place() for citation in item.answer.citations}
        places |= {item.number(n): place for n, place in own.items()}
        if item.is_quote:
            marks = [TextRun(f"[{item.number(n)}]", raised=True, link=place) for n, place in own.items()]
            canvas.quote([TextRun(put_on_one_line(item.stored.text)), *marks])
        else:
            found = annotate_answer(item.answer, language)
            numbers = {n: item.number(n) for n in own}
            PdfLayout(canvas, own, found.notes, numbers, found.formulas).lay(found.text)
        for line in _list_lines(item, language):
            canvas.paragraph([TextRun(line, italic=True, faint=True)], small=True)
    if places and notes_below:
        canvas.rule()
    for item in notebook.items:
        for citation in item.answer.citations:
            source, quote, basis = describe_footnote(item, citation, language)
            number = item.number(citation.n)
            runs = [TextRun(source, bold=True)]
            runs += [TextRun(f" {_MARKS[language].format(put_on_one_line(quote))}")] if quote else []
            runs += [TextRun(f" ({basis})", italic=True, faint=True)] if basis else []
            canvas.here(places[number])
            canvas.paragraph(runs, 1, f"{number}.", small=True)


def _list_lines(item: ExportedItem, language: str) -> list[str]:
    """Return the lines below a kept thing: the question that it answers, and the comment."""
    stored = item.stored
    question = QUESTION[language].format(make_single_line(stored.question)) if stored.question else ""
    comment = COMMENT[language].format(make_single_line(stored.comment)) if stored.comment else ""
    return [line for line in (question, comment) if line]


def _describe_date(notebook: ExportedNotebook, language: str) -> str:
    return KEPT_ON[language].format(notebook.changed.date().isoformat())
