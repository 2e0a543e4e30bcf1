"""A conversation as a file to keep: every footnote carries its source's title, page and quote."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from html import escape

from pincite.conversations.reading import Conversation, Said
from pincite.events import Answer, Citation, Sentence

_MARK = re.compile(r" ?\[(\d+)\]")
_CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
_NOTES = {"unsupported": "no source supports this", "partial": "supported in part"}
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
    """The conversation as Markdown, with footnotes."""
    parts = [f"# {_line(conversation.about.title)}", _date(conversation)]
    for number, question, said in _exchanges(conversation):
        parts.append("## " + _line(question))
        parts += _markdown_answer(said.answer, number) if said.answer else ["*This answer is still being written.*"]
    return "\n\n".join(parts) + "\n"


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


def _markdown_answer(answer: Answer, number: int) -> list[str]:
    text = _annotated(answer, lambda n: f"[^{number}-{n}]", lambda note: f" *({note})*")
    return [
        _without_tags(text).strip() or "*No answer.*",
        *(f"[^{number}-{each.n}]: {_line(_source(each))}: “{_line(each.quote)}”" for each in answer.citations),
    ]


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
    known = {citation.n for citation in answer.citations}

    def linked(match: re.Match[str]) -> str:
        number = int(match[1])
        return mark(number) if number in known else match[0]

    pieces, at = [], 0
    for sentence in _doubted(answer):
        end = _after_marks(answer.answer, sentence.end)
        pieces += [_MARK.sub(linked, _plain(answer.answer[at:end])), note(_NOTES[sentence.support or ""])]
        at = end
    rest = _MARK.sub(linked, _plain(answer.answer[at:]))
    return "".join([*pieces, rest, note("stopped here") if answer.stopped else ""])


def _doubted(answer: Answer) -> list[Sentence]:
    found = [each for each in answer.sentences if each.support in _NOTES and 0 < each.end <= len(answer.answer)]
    return sorted(found, key=lambda sentence: sentence.end)


def _after_marks(text: str, end: int) -> int:
    """Where the marks that follow a sentence end."""
    found = re.compile(r"(?:\s?\[\d+\])*[.!?…]?").match(text, end)
    return found.end() if found else end


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
    return _without_tags(_plain(" ".join(text.split())))


def _without_tags(text: str) -> str:
    """Markdown in which no HTML is meant; code stands as it is."""
    pieces = _CODE.split(text)
    return "".join(piece if number % 2 else piece.replace("<", "\\<") for number, piece in enumerate(pieces))


def _plain(text: str) -> str:
    return text.replace(_OPEN, "").replace(_CLOSE, "")
