"""Render the location of a passage as a self-contained HTML page: the pages with their boxes, block by block."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from pincite.locate.boxes import find_boxes, list_touched_pages
from pincite.locate.diagnosis import explain_blocks
from pincite.locate.differences import list_block_excerpts
from pincite.locate.location import Location
from pincite.locate.page_lines import describe_spans, list_span_pages, locate_character, take_first_words
from pincite.locate.result import MATCHED, compute_metrics
from pincite.types import Document

_COLOURS = ("#0d7a86", "#b4530a", "#6a3fb5", "#2f7d32", "#b0235f", "#1f5fbf", "#7a5c00", "#5d4037")
_AROUND = 300  # characters shown before and after what is marked
_BLOCK_SHOWN = 600  # characters of a block in the table
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


@dataclass(frozen=True, slots=True)
class LocateTrial:
    """A passage that was located in a document, with everything known about the result.

    `pictures` are pages as PNG by number; `steps` are the lines of the step log.
    """

    name: str
    text: str
    document: Document
    location: Location
    diagnosis: Sequence[str]
    pictures: Mapping[int, bytes]
    steps: Sequence[str]


def list_report_pages(document: Document, location: Location) -> list[int]:
    """Return the pages a report has to show: where a passage was found, or the nearest place."""
    return list_span_pages(document, location.spans or location.nearest)


def render_report(trial: LocateTrial) -> str:
    """Return the whole page as HTML, without scripts or external resources."""
    style = files("pincite.locate").joinpath("report.css").read_text(encoding="utf-8")
    parts = [
        f"<h1>{escape(trial.name)}</h1>{_render_verdict(trial)}",
        f"<blockquote>{escape(trial.text.strip())}</blockquote>",
        _render_metrics(trial.location),
        _render_diagnosis(trial.diagnosis),
        *_render_pages(trial),
        _render_blocks(trial),
        _render_log(trial.steps),
    ]
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{escape(take_first_words(trial.text))} · {escape(trial.name)}</title><style>{style}</style>"
        f"<main>{''.join(parts)}</main></html>\n"
    )


def _render_verdict(trial: LocateTrial) -> str:
    location = trial.location
    if not location.found:
        return '<p class="verdict bad">Not found</p>'
    told = f"Found on {describe_spans(trial.document, location.spans)}"
    return f'<p class="verdict good">{told}</p><p class="note">{location.how} match, score {location.score:.3f}</p>'


def _render_metrics(location: Location) -> str:
    if not location.blocks or not (location.found or location.nearest):
        return ""
    counted = compute_metrics(location)
    figures = (
        (f"{counted.matched}/{counted.total} ({100 * counted.block_match_rate:.1f} %)", "block match rate"),
        (f"{counted.average_score:.3f}", "average score"),
        (f"{100 * counted.coverage:.1f} %", "of the passage covered"),
    )
    return (
        '<div class="metrics">'
        + "".join(f"<div><b>{value}</b><span>{name}</span></div>" for value, name in figures)
        + "</div>"
        + ("" if location.found else '<p class="note">These are of the nearest place, which was refused.</p>')
    )


def _render_diagnosis(diagnosis: Sequence[str]) -> str:
    if not diagnosis:
        return ""
    return f"<h2>Diagnosis</h2><ul>{''.join(f'<li>{escape(line)}</li>' for line in diagnosis)}</ul>"


def _render_pages(trial: LocateTrial) -> Iterator[str]:
    spans = trial.location.spans or trial.location.nearest
    if not spans:
        return
    yield "<h2>Where it stands</h2>" if trial.location.found else "<h2>The nearest place, which is not lit</h2>"
    drawn = [number for number in list_report_pages(trial.document, trial.location) if number in trial.pictures]
    for number in drawn:
        yield _render_figure(trial, number)
    shown = [page for page in list_touched_pages(trial.document.pages, spans) if page.number in drawn]
    rest = [span for span in spans if not any(page.start <= span[0] < page.end for page in shown)]
    if rest:
        yield _render_surroundings(trial, rest)


def _render_figure(trial: LocateTrial, number: int) -> str:
    page = next(page for page in trial.document.pages if page.number == number)
    drawn = []
    if trial.location.found:
        for i, block in enumerate(trial.location.blocks):
            colour = _COLOURS[i % len(_COLOURS)]
            for j, rect in enumerate(_find_rects(trial, block.spans, number)):
                drawn.append(_render_rect(rect, f'class="block" fill="{colour}"'))
                drawn += [_render_label(rect, page.width, colour, str(i + 1))] if not j else []
        lit = 'class="lit" stroke="#22282a"'
        drawn += [_render_rect(rect, lit) for rect in _find_rects(trial, trial.location.spans, number)]
    else:
        drawn += [_render_rect(rect, 'class="near"') for rect in _find_rects(trial, trial.location.nearest, number)]
    data = base64.b64encode(trial.pictures[number]).decode()
    size = f"{page.width:g} {page.height:g}"
    picture = f'<image href="data:image/png;base64,{data}" width="{page.width:g}" height="{page.height:g}"/>'
    return (
        f'<figure><figcaption>Page {number}</figcaption><svg viewBox="0 0 {size}" role="img" '
        f'aria-label="Page {number} with the boxes drawn">{picture}{"".join(drawn)}</svg></figure>'
    )


def _find_rects(
    trial: LocateTrial, spans: Sequence[tuple[int, int]], number: int
) -> tuple[tuple[float, float, float, float], ...]:
    return next((found.rects for found in find_boxes(trial.document, spans) if found.page == number), ())


def _render_rect(rect: tuple[float, float, float, float], look: str) -> str:
    x0, y0, x1, y1 = rect
    return f'<rect x="{x0:g}" y="{y0:g}" width="{x1 - x0:.2f}" height="{y1 - y0:.2f}" rx="1" {look}/>'


def _render_label(rect: tuple[float, float, float, float], width: float, colour: str, number: str) -> str:
    """Render a block's number in a disc at the edge of the page, beside its first line, where it hides no word."""
    size = 4.4 + 1.6 * len(number)
    x = size + 2 if rect[0] + rect[2] < width else width - size - 2
    y = max((rect[1] + rect[3]) / 2, size)
    return f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" fill="{colour}"/><text x="{x:g}" y="{y:g}">{number}</text>'


def _render_surroundings(trial: LocateTrial, spans: Sequence[tuple[int, int]]) -> str:
    """Render the text with the found words marked, for pages without a picture."""
    text, parts, at = trial.document.text, list[str](), -1
    look = "" if trial.location.found else ' class="near"'
    for start, end in sorted(spans):
        if at < 0 or start - at > 2 * _AROUND:
            if at >= 0:
                parts.append(escape(text[at : at + _AROUND]) + " …</p>")
            first = max(start - _AROUND, 0)
            page = locate_character(trial.document, start).page
            told = f"Page {page}" if page else f"Line {locate_character(trial.document, start).line}"
            parts.append(f'<p class="note">{told}</p><p class="around">' + ("… " if first else ""))
            at = first
        parts.append(f"{escape(text[at:start])}<mark{look}>{escape(text[start:end])}</mark>")
        at = end
    more = " …" if at + _AROUND < len(text) else ""
    return "".join(parts) + escape(text[at : at + _AROUND]) + f"{more}</p>"


def _render_blocks(trial: LocateTrial) -> str:
    rows = []
    why = explain_blocks(trial.document, trial.location)
    there = list_block_excerpts(trial.document, trial.location)
    for i, (block, stands, reason) in enumerate(zip(trial.location.blocks, there, why, strict=True)):
        look = "bad" if block.score < MATCHED else "good" if trial.location.found else ""
        rows.append(
            f'<tr><td class="number"><span class="dot" style="background:{_COLOURS[i % len(_COLOURS)]}">{i + 1}</span>'
            f'<td class="words">{escape(take_first_words(block.text, _BLOCK_SHOWN))}'
            f'<td class="number {look}">{block.score:.3f}'
            f'<td class="words">{escape(take_first_words(stands, _BLOCK_SHOWN)) or "–"}<td>{escape(reason)}'
        )
    if not rows:
        return ""
    heads = "".join(f"<th>{head}" for head in ("", "block", "score", "the document there", "why"))
    return f'<h2>Block by block</h2><div class="scroll"><table><tr>{heads}{"".join(rows)}</table></div>'


def _render_log(steps: Sequence[str]) -> str:
    if not steps:
        return ""
    lines = escape("\n".join(steps))
    return f"<details><summary>Step log, {len(steps)} lines</summary><pre>{lines}</pre></details>"
