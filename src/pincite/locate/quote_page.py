"""Render a citation as a self-contained HTML page: the drawn page or the text, with the quote marked."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files

from pincite.events import Boxes, Citation, Sentence

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_SIGNS = {"verified": "●", "partial": "◐", "contradicted": "▲", "unsupported": "◌", "unchecked": "○"}
_PLACE = ' id="quote"'  # where the page opens
_STYLE = """
svg .quote { fill: #ffd54a; fill-opacity: .5; mix-blend-mode: multiply; }
.said { margin: 12px 0; } .said b { font-weight: 600; }
#quote { scroll-margin-top: 30vh; }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationPage:
    """A citation, the sentences that rest on it, the text around it, and its pages as PNG."""

    citation: Citation
    sentences: Sequence[Sentence]
    before: str
    quote: str
    after: str
    pictures: Mapping[int, bytes] = field(default_factory=dict)
    missing: Sequence[str] = ()
    day: str = ""  # of a web page: the day of this copy
    live: str = ""  # the address of the same words on the current page


def render_citation_page(quoted: CitationPage) -> str:
    """Return the whole page as HTML, without scripts or external resources."""
    citation = quoted.citation
    style = files("pincite.locate").joinpath("report.css").read_text(encoding="utf-8") + _STYLE
    numbers = [boxes.page for boxes in citation.boxes] or ([citation.page] if citation.page else [])
    where = f"Page {' and '.join(map(str, numbers))}" if numbers else "Where it stands"
    drawn = [boxes for boxes in citation.boxes if boxes.page in quoted.pictures]
    parts = [
        f"<h1>{escape(citation.title)}</h1>",
        f'<p class="verdict">Source {citation.n}</p>',
        _render_copy_note(quoted),
        *(_render_sentence(sentence) for sentence in quoted.sentences),
        f"<h2>{where}</h2>",
        *(f'<p class="note">{escape(told)}</p>' for told in quoted.missing),
        *(_render_figure(boxes, quoted.pictures[boxes.page], not number) for number, boxes in enumerate(drawn)),
        "<h2>In its words</h2>" if drawn else "",
        _render_words(quoted, not drawn),
    ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>[{citation.n}] {escape(citation.title)}</title><style>{style}</style>"
        f"<main>{''.join(parts)}</main></html>\n"
    )


def _render_copy_note(quoted: CitationPage) -> str:
    if not (quoted.citation.url and quoted.live):
        return ""
    told = f"This is our copy, as the page was on {quoted.day}." if quoted.day else "This is our copy."
    link = f'<a href="{escape(quoted.live)}" rel="noreferrer noopener">{escape(quoted.citation.url)}</a>'
    return f'<p class="note">{told} Today it may be another: {link}</p>'


def _render_sentence(sentence: Sentence) -> str:
    verdict = f"<b>{_SIGNS[sentence.support]} {sentence.support}</b>: " if sentence.support else ""
    reasons = f' <span class="note">({escape("; ".join(sentence.reasons))})</span>' if sentence.reasons else ""
    return f'<p class="said">{verdict}{escape(sentence.text)}{reasons}</p>'


def _render_figure(boxes: Boxes, picture: bytes, is_first: bool) -> str:
    size = f'width="{boxes.width:g}" height="{boxes.height:g}"'
    marks = "".join(
        f'<rect x="{x0:g}" y="{y0:g}" width="{x1 - x0:.2f}" height="{y1 - y0:.2f}" rx="1" class="quote"'
        f"{_PLACE if is_first and not number else ''}/>"
        for number, (x0, y0, x1, y1) in enumerate(boxes.rects)
    )
    data = base64.b64encode(picture).decode()
    return (
        f'<figure><svg viewBox="0 0 {boxes.width:g} {boxes.height:g}" role="img" '
        f'aria-label="Page {boxes.page} with the quote marked">'
        f'<image href="data:image/png;base64,{data}" {size}/>{marks}</svg></figure>'
    )


def _render_words(quoted: CitationPage, is_first: bool) -> str:
    place = _PLACE if is_first else ""
    return (
        f'<p class="around">{escape(quoted.before)}<mark{place}>{escape(quoted.quote)}</mark>{escape(quoted.after)}</p>'
    )
