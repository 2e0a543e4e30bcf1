"""Export a conversation as Markdown or HTML. Footnotes give the title, page and quote of each source."""

import re
from collections.abc import Callable
from html import escape

from pincite.conversations.export import safe_markdown
from pincite.conversations.export.bibliography import HEADING, CitedWork
from pincite.conversations.export.footnotes import (
    EMPTY,
    PLACEHOLDER,
    WRITING,
    annotate_answer,
    choose_language,
    describe_date,
    describe_source,
    escape_markdown,
    find_report_question,
    list_exchanges,
    list_works,
    make_markdown_reader,
    make_single_line,
    name_source,
)
from pincite.conversations.export.formula_tree import write_mathml
from pincite.conversations.transcript import Conversation
from pincite.conversations.verdict_wording import describe_citation, describe_end, summarize_verdicts
from pincite.events import Answer, Citation
from pincite.events.source_names import describe_cited_page
from pincite.text.display import join_broken_words

_STYLE = """
:root { color-scheme: light dark; --ink: #22282a; --paper: #faf8f4; --line: #d9d4c8; --accent: #0d5c63;
  --doubt: #9a4a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e4da; --paper: #1b1f20; --line: #3a4042; --accent: #6fc3c9;
  --doubt: #f0a860; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 Georgia, serif; }
main { max-width: 68ch; margin: 8vh auto; padding: 0 24px; }
h1 { font-size: 28px; line-height: 1.25; } h2 { font-size: 20px; margin-top: 40px; }
a { color: var(--accent); } sup a { text-decoration: none; padding: 0 1px; }
.date, .notes { font-size: 14px; } .notes { border-top: 1px solid var(--line); margin-top: 24px; padding-top: 12px; }
.notes li { margin: 8px 0; } blockquote { margin: 4px 0; padding-left: 12px; border-left: 2px solid var(--line); }
.sum { font-size: 14px; font-style: italic; }
.doubt { color: var(--doubt); font-size: 13px; font-family: system-ui, sans-serif; }
pre { overflow-x: auto; } math[display="block"] { margin: 12px 0; overflow-x: auto; }
table { border-collapse: collapse; }
li { overflow-wrap: anywhere; }
td, th { border: 1px solid var(--line); padding: 4px 8px; }
@media print { body { background: none; color: black; } main { margin: 0; max-width: none; }
  h2, li { break-inside: avoid; break-after: avoid; } }
"""


def export_markdown(conversation: Conversation) -> str:
    """Return the conversation as Markdown with footnotes. Nothing in it is loaded from outside or run."""
    text = _write_markdown(conversation, safe_markdown.make_harmless)
    # Parts that are harmless alone may be harmful together.
    return text if safe_markdown.is_harmless(text) else _write_markdown(conversation, safe_markdown.escape_links)


def export_html(conversation: Conversation) -> str:
    """Return the conversation as one self-contained HTML page."""
    whole = find_report_question(conversation)
    title = escape(whole or conversation.about.title)
    language = "en"
    body = [f"<h1>{title}</h1>", f'<p class="date">{escape(describe_date(conversation))}</p>']
    for number, question, said in list_exchanges(conversation):
        language = choose_language(question)
        body.append("<section>" if whole else f"<section><h2>{escape(question)}</h2>")
        if said.answer:
            body.append(_write_html_answer(said.answer, number, language, deeper=not whole))
            body.append(_write_html_works(list_works(conversation, said.answer), language, "h2" if whole else "h3"))
        else:
            body.append(f"<p>{WRITING[language]}</p>")
        body.append("</section>")
    return write_html_page(title, "".join(body), language if whole else "en")


def write_html_page(title: str, body: str, language: str) -> str:
    """Return a self-contained HTML page. The title and the body are escaped already."""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><main>{body}</main></body></html>"
    )


def _write_markdown(conversation: Conversation, shown: Callable[[str], str]) -> str:
    whole = find_report_question(conversation)
    parts = [f"# {shown(make_single_line(whole or conversation.about.title))}", describe_date(conversation)]
    for number, question, said in list_exchanges(conversation):
        if not whole:
            parts.append("## " + shown(make_single_line(question)))
        language = choose_language(question)
        if said.answer is None:
            parts.append(f"*{WRITING[language]}*")
            continue
        parts.append(
            shown(_write_markdown_answer(said.answer, number, language, deeper=not whole)) or f"*{EMPTY[language]}*"
        )
        parts += [f"*{escape_markdown(each)}*" for each in _list_closing_lines(said.answer, language)]
        if listed := list_works(conversation, said.answer):
            parts.append(f"{'##' if whole else '###'} {HEADING[language]}")
            works = (
                make_single_line(each.describe(language) + (f", {each.url}" if each.url else "")) for each in listed
            )
            parts.append("\n".join(f"{place}. {shown(one)}" for place, one in enumerate(works, 1)))
        for each in said.answer.citations:
            quote = f": “{join_broken_words(each.quote)}”" if each.quote else ""
            note = shown(make_single_line(f"{describe_source(said.answer, each, language)}{quote}"))
            parts.append(f"[^{number}-{each.n}]: {note}{_describe_basis(said.answer, each, language)}")
    return "\n\n".join(parts) + "\n"


def _write_markdown_answer(answer: Answer, number: int, language: str, deeper: bool) -> str:
    found = annotate_answer(answer, language, deeper)
    return found.fill(lambda n: f"[^{number}-{n}]", lambda note: f" *({escape_markdown(note)})*").strip()


def _describe_basis(answer: Answer, citation: Citation, language: str) -> str:
    """Return why the sentences that cite a source are verified, as Markdown that follows its quote."""
    basis = describe_citation(answer.sentences, citation.n, language)
    return f" *({escape_markdown(basis)})*" if basis else ""


def _list_closing_lines(answer: Answer, language: str) -> list[str]:
    """Return the lines below an answer: the count of verdicts, why it ended early, and its repairs."""
    return [each for each in (summarize_verdicts(answer, language), *describe_end(answer, language)) if each]


def _write_html_answer(answer: Answer, number: int, language: str, deeper: bool) -> str:
    found = annotate_answer(answer, language, deeper)

    def fill_placeholder(match: re.Match[str]) -> str:
        kind, value = match[1][:1], match[1][1:]
        if kind == "c":
            return f'<sup><a href="#note-{number}-{value}">{value}</a></sup>'
        if kind == "f":
            return write_mathml(found.formulas[int(value)])
        return f' <span class="doubt">({escape(found.notes[int(value)])})</span>'

    text = (
        PLACEHOLDER.sub(fill_placeholder, str(make_markdown_reader().render(found.text))) or f"<p>{EMPTY[language]}</p>"
    )
    text += "".join(f'<p class="sum">{escape(each)}</p>' for each in _list_closing_lines(answer, language))
    notes = "".join(
        f'<li id="note-{number}-{citation.n}" value="{citation.n}">{_write_html_source(answer, citation, language)}'
        f"{_write_html_quote(citation.quote)}"
        f"{escape(describe_citation(answer.sentences, citation.n, language))}</li>"
        for citation in answer.citations
    )
    return text + (f'<ol class="notes">{notes}</ol>' if notes else "")


def _write_html_quote(quote: str) -> str:
    return f"<blockquote>{escape(join_broken_words(quote))}</blockquote>" if quote else ""


def _write_html_works(listed: list[CitedWork], language: str, heading: str) -> str:
    items = "".join(f"<li>{escape(each.describe(language))}{_write_html_address(each.url)}</li>" for each in listed)
    return f'<{heading}>{HEADING[language]}</{heading}><ol class="works">{items}</ol>' if items else ""


def _write_html_source(answer: Answer, citation: Citation, language: str) -> str:
    page = f", {describe_cited_page(citation, language, word='page')}" if citation.page else ""
    title = escape(name_source(answer, citation))
    if _is_page(citation.url):
        title = f'<a href="{escape(citation.url or "")}" rel="noreferrer">{title}</a>'
    return title + page


def _write_html_address(url: str | None) -> str:
    if url and _is_page(url):
        return f', <a href="{escape(url)}" rel="noreferrer">{escape(url)}</a>'
    return f", {escape(url)}" if url else ""


def _is_page(url: str | None) -> bool:
    return bool(url and url.startswith(("http://", "https://")))
