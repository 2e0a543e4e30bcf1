"""A conversation as a file to keep: every footnote carries its source's title, page and quote."""

import re
from collections.abc import Callable
from html import escape

from pincite.conversations import links
from pincite.conversations.annotating import (
    EMPTY,
    HELD,
    WRITING,
    annotated,
    date,
    exchanges,
    language,
    line,
    name_source,
    reader,
    report,
    source,
    spell,
    works,
)
from pincite.conversations.bibliography import HEADING, Work
from pincite.conversations.reading import Conversation
from pincite.conversations.verdicts import describe_citation, describe_end, summarize
from pincite.events import Answer, Citation
from pincite.events.source_names import describe_page
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
pre { overflow-x: auto; } table { border-collapse: collapse; }
li { overflow-wrap: anywhere; }
td, th { border: 1px solid var(--line); padding: 4px 8px; }
@media print { body { background: none; color: black; } main { margin: 0; max-width: none; }
  h2, li { break-inside: avoid; break-after: avoid; } }
"""


def markdown(conversation: Conversation) -> str:
    """The conversation as Markdown, with footnotes; nothing in it is loaded from outside, or run."""
    text = _markdown(conversation, links.harmless)
    # What is harmless by itself may not be so after what stands before it.
    return text if links.is_harmless(text) else _markdown(conversation, links.spelled)


def html(conversation: Conversation) -> str:
    """The conversation as one HTML page that needs nothing else, to be read or printed."""
    whole = report(conversation)
    title = escape(whole or conversation.about.title)
    spoken = "en"
    body = [f"<h1>{title}</h1>", f'<p class="date">{escape(date(conversation))}</p>']
    for number, question, said in exchanges(conversation):
        spoken = language(question)
        body.append("<section>" if whole else f"<section><h2>{escape(question)}</h2>")
        if said.answer:
            body.append(_html_answer(said.answer, number, spoken, deeper=not whole))
            body.append(_html_works(works(conversation, said.answer), spoken, "h2" if whole else "h3"))
        else:
            body.append(f"<p>{WRITING[spoken]}</p>")
        body.append("</section>")
    return (
        f'<!doctype html><html lang="{spoken if whole else "en"}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><main>{''.join(body)}</main></body></html>"
    )


def _markdown(conversation: Conversation, shown: Callable[[str], str]) -> str:
    whole = report(conversation)
    parts = [f"# {shown(line(whole or conversation.about.title))}", date(conversation)]
    for number, question, said in exchanges(conversation):
        if not whole:
            parts.append("## " + shown(line(question)))
        spoken = language(question)
        if said.answer is None:
            parts.append(f"*{WRITING[spoken]}*")
            continue
        parts.append(shown(_markdown_answer(said.answer, number, spoken, deeper=not whole)) or f"*{EMPTY[spoken]}*")
        parts += [f"*{spell(each)}*" for each in _told(said.answer, spoken)]
        if listed := works(conversation, said.answer):
            parts.append(f"{'##' if whole else '###'} {HEADING[spoken]}")
            told = (line(each.told(spoken) + (f", {each.url}" if each.url else "")) for each in listed)
            parts.append("\n".join(f"{place}. {shown(one)}" for place, one in enumerate(told, 1)))
        for each in said.answer.citations:
            quote = f": “{join_broken_words(each.quote)}”" if each.quote else ""
            note = shown(line(f"{source(said.answer, each, spoken)}{quote}"))
            parts.append(f"[^{number}-{each.n}]: {note}{_basis(said.answer, each, spoken)}")
    return "\n\n".join(parts) + "\n"


def _markdown_answer(answer: Answer, number: int, spoken: str, deeper: bool) -> str:
    found = annotated(answer, spoken, deeper)
    return found.fill(lambda n: f"[^{number}-{n}]", lambda note: f" *({spell(note)})*").strip()


def _basis(answer: Answer, citation: Citation, spoken: str) -> str:
    """What the sentences that cite a source rest on, to follow its quote in Markdown."""
    told = describe_citation(answer.sentences, citation.n, spoken)
    return f" *({spell(told)})*" if told else ""


def _told(answer: Answer, spoken: str) -> list[str]:
    """What stands below an answer: the sum of its verdicts, how it was cut, and what was repaired."""
    return [each for each in (summarize(answer, spoken), *describe_end(answer, spoken)) if each]


def _html_answer(answer: Answer, number: int, spoken: str, deeper: bool) -> str:
    found = annotated(answer, spoken, deeper)

    def shown(match: re.Match[str]) -> str:
        kind, value = match[1][:1], match[1][1:]
        if kind == "c":
            return f'<sup><a href="#note-{number}-{value}">{value}</a></sup>'
        return f' <span class="doubt">({escape(found.notes[int(value)])})</span>'

    text = HELD.sub(shown, str(reader().render(found.text))) or f"<p>{EMPTY[spoken]}</p>"
    text += "".join(f'<p class="sum">{escape(each)}</p>' for each in _told(answer, spoken))
    notes = "".join(
        f'<li id="note-{number}-{citation.n}" value="{citation.n}">{_html_source(answer, citation, spoken)}'
        f"{_html_quote(citation.quote)}"
        f"{escape(describe_citation(answer.sentences, citation.n, spoken))}</li>"
        for citation in answer.citations
    )
    return text + (f'<ol class="notes">{notes}</ol>' if notes else "")


def _html_quote(quote: str) -> str:
    return f"<blockquote>{escape(join_broken_words(quote))}</blockquote>" if quote else ""


def _html_works(listed: list[Work], spoken: str, heading: str) -> str:
    items = "".join(f"<li>{escape(each.told(spoken))}{_html_address(each.url)}</li>" for each in listed)
    return f'<{heading}>{HEADING[spoken]}</{heading}><ol class="works">{items}</ol>' if items else ""


def _html_source(answer: Answer, citation: Citation, spoken: str) -> str:
    page = f", {describe_page(citation.page, citation.label, spoken, word='page')}" if citation.page else ""
    title = escape(name_source(answer, citation))
    if _is_page(citation.url):
        title = f'<a href="{escape(citation.url or "")}" rel="noreferrer">{title}</a>'
    return title + page


def _html_address(url: str | None) -> str:
    if url and _is_page(url):
        return f', <a href="{escape(url)}" rel="noreferrer">{escape(url)}</a>'
    return f", {escape(url)}" if url else ""


def _is_page(url: str | None) -> bool:
    return bool(url and url.startswith(("http://", "https://")))
