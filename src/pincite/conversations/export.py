"""A conversation as a file to keep: every footnote carries its source's title, page and quote."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from html import escape

from pincite.conversations import links
from pincite.conversations.reading import Conversation, Said
from pincite.events import Answer, Citation
from pincite.evidence.markers import after_marks, told

_NOTES = {"unsupported": "no source supports this", "partial": "supported in part"}
_STOP = re.compile(r"[.!?…]?")
# Characters of private use stand for what is put into the text while its Markdown is made into HTML.
_OPEN, _CLOSE = "\ue000", "\ue001"
_HELD = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")

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
.doubt { color: var(--doubt); font-size: 13px; font-family: system-ui, sans-serif; }
pre { overflow-x: auto; } table { border-collapse: collapse; }
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
    title = escape(conversation.about.title)
    body = [f"<h1>{title}</h1>", f'<p class="date">{escape(_date(conversation))}</p>']
    for number, question, said in _exchanges(conversation):
        body.append(f"<section><h2>{escape(question)}</h2>")
        body.append(_html_answer(said.answer, number) if said.answer else "<p>This answer is still being written.</p>")
        body.append("</section>")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><main>{''.join(body)}</main></body></html>"
    )


def _markdown(conversation: Conversation, shown: Callable[[str], str]) -> str:
    parts = [f"# {shown(_line(conversation.about.title))}", _date(conversation)]
    for number, question, said in _exchanges(conversation):
        parts.append("## " + shown(_line(question)))
        if said.answer is None:
            parts.append("*This answer is still being written.*")
            continue
        text = _annotated(said.answer, partial("[^{}-{}]".format, number), " *({})*".format)
        parts.append(shown(text).strip() or "*No answer.*")
        parts += [
            f"[^{number}-{each.n}]: " + shown(_line(f"{_source(each)}: “{each.quote}”"))
            for each in said.answer.citations
        ]
    return "\n\n".join(parts) + "\n"


def _html_answer(answer: Answer, number: int) -> str:
    def held(kind: str) -> Callable[[object], str]:
        return lambda value: f"{_OPEN}{kind}{value}{_CLOSE}"

    def shown(match: re.Match[str]) -> str:
        kind, value = match[1][:1], match[1][1:]
        if kind == "c":
            return f'<sup><a href="#note-{number}-{value}">{value}</a></sup>'
        return f' <span class="doubt">({value})</span>'

    text = _HELD.sub(shown, _rendered(_annotated(answer, held("c"), held("n")))) or "<p>No answer.</p>"
    notes = "".join(
        f'<li id="note-{number}-{citation.n}" value="{citation.n}">{_html_source(citation)}'
        f"<blockquote>{escape(citation.quote)}</blockquote></li>"
        for citation in answer.citations
    )
    return text + (f'<ol class="notes">{notes}</ol>' if notes else "")


def _rendered(text: str) -> str:
    from markdown_it import MarkdownIt

    # No raw HTML, and no pictures: the page loads nothing from outside. Links that are scripts are refused by itself.
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").disable("image").render(text))


def _annotated(answer: Answer, mark: Callable[[int], str], note: Callable[[str], str]) -> str:
    """The answer's text with its marks as links to footnotes, and a note after each sentence that is in doubt."""
    text, known = answer.answer, {citation.n for citation in answer.citations}
    changes = [(start, end, mark(number)) for start, end, number in told(text) if number in known]
    for sentence in answer.sentences:
        if sentence.support in _NOTES and 0 < sentence.end <= len(text):
            place = _STOP.match(text, after_marks(text, sentence.end)).end()  # type: ignore[union-attr]
            changes.append((place, place, note(_NOTES[sentence.support])))
    pieces, at = [], 0
    for start, end, new in sorted(changes, key=lambda change: change[:2]):
        if start >= at:
            pieces += [_plain(text[at:start]), new]
            at = end
    return "".join([*pieces, _plain(text[at:]), note("stopped here") if answer.stopped else ""])


def _exchanges(conversation: Conversation) -> Iterator[tuple[int, str, Said]]:
    said = conversation.said
    for number, (question, answer) in enumerate(zip(said[::2], said[1::2], strict=False), 1):
        yield number, question.message.content, answer


def _source(citation: Citation) -> str:
    page = f", page {citation.page}" if citation.page else ""
    return f"{citation.title}{page}" + (f", {citation.url}" if citation.url else "")


def _html_source(citation: Citation) -> str:
    page = f", page {citation.page}" if citation.page else ""
    title = escape(citation.title)
    if citation.url and citation.url.startswith(("http://", "https://")):
        title = f'<a href="{escape(citation.url)}" rel="noreferrer">{title}</a>'
    return title + page


def _date(conversation: Conversation) -> str:
    day = datetime.fromtimestamp(conversation.about.created, UTC).date().isoformat()
    return f"{day}, answered by Pincite"


def _line(text: str) -> str:
    """A text as one line of Markdown."""
    return _plain(" ".join(text.split()))


def _plain(text: str) -> str:
    return text.replace(_OPEN, "").replace(_CLOSE, "")
