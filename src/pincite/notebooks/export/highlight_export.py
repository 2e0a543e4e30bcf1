"""Export highlights and comments as Markdown or CSV."""

import csv
from collections.abc import Sequence
from io import StringIO
from itertools import groupby
from typing import Literal

from pincite.conversations.export.footnotes import escape_markdown, make_single_line
from pincite.events.source_names import describe_page
from pincite.store.annotations import StoredAnnotation
from pincite.text.display import join_broken_words, put_on_one_line

HighlightFormat = Literal["md", "csv"]
COLOURS = {
    "en": {"yellow": "yellow", "green": "green", "blue": "blue", "pink": "pink"},
    "fr": {"yellow": "jaune", "green": "vert", "blue": "bleu", "pink": "rose"},
}
_LOST = {"en": "no longer found in the document", "fr": "introuvable dans le document actuel"}
_TITLE = {"en": "Highlights and comments", "fr": "Surlignages et commentaires"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export_highlights(
    found: Sequence[StoredAnnotation], titles: dict[str, str], format: HighlightFormat, language: str = "en"
) -> str:
    """Return highlights, which are in the order of their documents; `titles` are those of the documents."""
    if format == "csv":
        return _write_csv(found, titles)
    parts = [f"# {_TITLE[language]}"]
    for document, group in groupby(found, key=lambda each: each.document):
        parts.append(f"## {escape_markdown(make_single_line(titles.get(document, document)))}")
        for each in group:
            lines = [f"> {escape_markdown(line)}" for line in join_broken_words(each.quote).split("\n") if line.strip()]
            lost = _LOST[language] if each.state == "lost" else ""
            place = describe_page(each.page, each.label, language, word="page")
            below = ", ".join(filter(None, (place, COLOURS[language][each.colour], lost)))
            parts.append("\n".join(lines))
            parts.append(f"*{escape_markdown(below)}*")
            if each.comment:
                parts.append(escape_markdown(each.comment))
    return "\n\n".join(parts) + "\n"


def _write_csv(found: Sequence[StoredAnnotation], titles: dict[str, str]) -> str:
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["document", "title", "page", "label", "start", "end", "colour", "state", "quote", "comment"])
    for each in found:
        place = (each.page or "", each.label, each.start, each.end, each.colour, each.state)
        title = titles.get(each.document, "")
        words = (put_on_one_line(each.quote), each.comment)
        writer.writerow([each.document, _defuse(title), *place, *map(_defuse, words)])
    return stream.getvalue()


def _defuse(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
