"""Draw the passages of an answer: their place, their words with the answer highlighted, and tables as tables.

A terminal shows the highlight in bold and underlined. Plain text, as in a pipe or a file, puts it on lines of its own
with a mark in front.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pincite.cli.growing_text import strip_controls, wrap_line
from pincite.text.squeeze import squeeze

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from pincite.events import Answer, ShownPassage

_LIT = "bold underline"
_INDENT = "    "
_MARKED = "  > "  # in place of the indentation, in plain text
_CUT = "…"  # stands for lines that are left out
_LINES_OF_A_ROW = 3  # of a table at most, on average; the heads are one row
_UNLIMITED = 10_000  # columns of a terminal in which every table fits
_MORE = {
    "en": (
        "--more (in a chat /more) shows the whole passages.",
        "{} more passage: --more (in a chat /more) shows it.",
        "{} more passages: --more (in a chat /more) shows them.",
    ),
    "fr": (
        "Passages entiers\u00a0: voir avec --more (/more dans un chat).",
        "{} autre passage\u00a0: voir avec --more (/more dans un chat).",
        "{} autres passages\u00a0: voir avec --more (/more dans un chat).",
    ),
}


def draw_answer(answer: "Answer", console: "Console", more: bool = False) -> None:
    """Draw an answer that shows passages. With `more`, draw the less certain passages too, and all of them whole.

    A terminal shows long passages shortened. Text for a pipe or a file is whole; only those that a refusal offers are
    shortened there too.
    """
    from rich.text import Text

    from pincite.cli.answer_wording import get_phrase
    from pincite.cli.passage_excerpt import list_left_out
    from pincite.cli.proof_output import print_lines
    from pincite.text.language import detect_conversation_language

    language = detect_conversation_language(answer.question)
    length = _choose_length(answer, console, more)
    left_out = list_left_out([each for each in answer.passages if not each.more], length) if length else []
    is_cut = bool(left_out)
    before: ShownPassage | None = None
    for place, part in enumerate(arrange_parts(answer)):
        if any(part is each for each in left_out):
            continue
        if isinstance(part, str):
            is_apart = place > 0 and part.startswith("**")
            print_lines([Text(), _make_bold(part)] if is_apart else [_make_bold(part)], console)
            before = None
        else:
            is_cut |= draw_passage(part, console, language, length, before)
            before = part
    left = [passage for passage in answer.passages if passage.more]
    if answer.refused and left:
        print_lines([Text(), Text(get_phrase(language, "nearest"), "dim")], console)
    if more or answer.refused:
        for passage in left:
            is_cut |= draw_passage(passage, console, language, length, before)
            before = passage
        left = []
    if left or is_cut:
        count = len({passage.n for passage in left})
        print_lines([Text(), Text(_MORE[language][min(count, 2)].format(count), "dim")], console)


def draw_more(answer: "Answer", console: "Console", is_shortened: bool = True) -> bool:
    """Draw the passages of an answer that are shown on demand, and whole those that `draw_answer` shortened.

    Return whether there were any.
    """
    from pincite.cli.passage_excerpt import list_left_out, make_excerpt
    from pincite.text.language import detect_conversation_language

    language = detect_conversation_language(answer.question)
    length = _choose_length(answer, console, more=False) if is_shortened else None
    shown = [passage for passage in answer.passages if not passage.more]
    incomplete = {passage.n for passage in list_left_out(shown, length)} if length else set[int]()

    def is_shortened_part(passage: "ShownPassage") -> bool:
        return bool(length) and (make_excerpt(passage, length or 0).is_cut or is_too_wide(passage, console))

    left = [
        passage for passage in answer.passages if passage.more or passage.n in incomplete or is_shortened_part(passage)
    ]
    before: ShownPassage | None = None
    for passage in left:
        draw_passage(passage, console, language, before=before)
        before = passage
    return bool(left)


def arrange_parts(answer: "Answer") -> "list[str | ShownPassage]":
    """Return the parts of an answer in order: its own lines, and passages in place of the sentences that quote them."""
    from pincite.text.language import detect_conversation_language

    shown: dict[int, list[ShownPassage]] = {}  # the parts of a passage have one number
    for passage in answer.passages:
        if not passage.more:
            shown.setdefault(passage.n, []).append(passage)
    if not shown:
        return [answer.answer]
    places: dict[int, list[int]] = {}
    for at, sentence in enumerate(answer.sentences):
        for n in sentence.citations:
            if n in shown:
                places.setdefault(n, []).append(at)
    language = detect_conversation_language(answer.question)
    inside = {at for own in places.values() for at in range(own[0], own[-1] + 1)}
    starts = {own[0]: n for n, own in places.items()}
    parts: list[str | ShownPassage] = []
    for at, sentence in enumerate(answer.sentences):
        text = sentence.text.strip()
        if at in starts:
            own = shown[starts[at]]
            if parts and isinstance(parts[-1], str) and _is_place(parts[-1], own[0], language):
                parts.pop()
            parts += own
        elif at not in inside and not text.startswith(("|", "`")):
            parts.append(text)
    return parts


def draw_passage(
    passage: "ShownPassage",
    console: "Console",
    language: str = "en",
    length: int | None = None,
    before: "ShownPassage | None" = None,
) -> bool:
    """Draw one passage: its number and place, then its words, indented; about so many characters of them if given.

    Then a table that does not fit into the terminal is a list of its highlighted rows. A further part of the passage
    drawn `before` gets no number, and its headings if it has them neither in its text nor from the part before. Return
    whether lines were left out.
    """
    from rich.padding import Padding
    from rich.text import Text

    from pincite.cli.passage_excerpt import PassageExcerpt, make_excerpt
    from pincite.cli.proof_output import print_lines
    from pincite.cli.row_list import draw_row_list

    if before and before.n == passage.n:
        path = strip_controls(" › ".join(passage.headings))
        is_named = not path or passage.headings[-1] in (before.last_heading, *passage.inner_heading_texts)
        print_lines([Text()] if is_named else [Text(), Text(_INDENT + path, "bold")], console)
    else:
        print_lines([Text(), _describe_place(passage, language)], console)
    if passage.lead:
        print_lines([Text(_INDENT + strip_controls(passage.lead))], console)
    is_plain = _is_plain(console)
    is_table = passage.form == "table" and bool(passage.rows)
    if is_table and length and is_too_wide(passage, console):
        return draw_row_list(passage, console, _LIT, _INDENT)
    excerpt = make_excerpt(passage, length) if length else PassageExcerpt(passage)
    cut = Text(_INDENT + _CUT, "dim")
    if is_table:
        table = _make_table(excerpt.passage, is_plain, excerpt.is_cut_before)
        # Padding fills lines with spaces, which only a terminal should get.
        console.print(table if is_plain else Padding(table, (0, 0, 0, len(_INDENT))))
    else:
        if excerpt.is_cut_before:
            console.print(cut)
        for line in _make_plain_lines(excerpt.passage) if is_plain else _make_wrapped_lines(excerpt.passage, console):
            console.print(line, no_wrap=True, overflow="ignore", crop=False)
    if excerpt.is_cut_after:
        console.print(cut)
    return excerpt.is_cut


def is_too_wide(passage: "ShownPassage", console: "Console") -> bool:
    """Return whether a table in a terminal would break words, or fill several lines with each of its rows."""
    from rich.measure import Measurement

    if _is_plain(console) or passage.form != "table" or not passage.rows:
        return False
    table = _make_table(passage, is_plain=False)
    options = console.options.update(width=max(console.width - len(_INDENT), 1))
    if Measurement.get(console, options.update(max_width=_UNLIMITED), table).minimum > options.max_width:
        return True
    return len(console.render_lines(table, options)) > _LINES_OF_A_ROW * (len(passage.rows) + 1)


def _choose_length(answer: "Answer", console: "Console", more: bool) -> int | None:
    """Return how many characters of a passage are shown; None for all."""
    from pincite.cli.passage_excerpt import ANSWER_LENGTH, NEAREST_LENGTH

    if more:
        return None
    if answer.refused:
        return NEAREST_LENGTH
    return None if _is_plain(console) else ANSWER_LENGTH


def _is_plain(console: "Console") -> bool:
    """Whether text goes to a pipe or a file, or to a terminal without styles."""
    return not console.is_terminal or console.is_dumb_terminal


def _make_plain_lines(passage: "ShownPassage") -> "Iterator[Text]":
    from rich.text import Text

    for is_lit, words in _split_plain_lines(passage):
        yield Text((_MARKED if is_lit else _INDENT) + words)


def _make_wrapped_lines(passage: "ShownPassage", console: "Console") -> "Iterator[Text]":
    from rich.text import Text

    width = max(console.width - len(_INDENT) - 1, 20)
    for line in _split_lit_lines(passage):
        for row in [line] if passage.form == "code" else wrap_line(line, console, width):
            yield Text(_INDENT) + row


def _describe_place(passage: "ShownPassage", language: str) -> "Text":
    from pincite.cli.proof_output import make_line
    from pincite.events.source_names import describe_lines, describe_page

    if passage.path:
        place = describe_lines(passage.path, passage.lines)
        path = " › ".join(passage.headings)
        return make_line((f"[{passage.n}]", "cyan"), " ", (place, "bold"), (f" · {path}" if path else "", "dim"))
    page = describe_page(passage.page, passage.label, language, last=passage.last_page or 0)
    path = " › ".join(passage.headings)
    name = passage.name if passage.name and squeeze(passage.name).text != squeeze(passage.title).text else ""
    rest = " · ".join(filter(None, (page, path)))
    return make_line(
        (f"[{passage.n}]", "cyan"),
        " ",
        (passage.title or passage.name, "bold"),
        (f" · {rest}" if rest else "", "dim"),
        (f" · {name}" if name else "", "dim"),
    )


def _split_lit_lines(passage: "ShownPassage") -> "Iterator[Text]":
    """Yield the lines of a passage with the answer highlighted."""
    from rich.text import Text

    # Each control character becomes one space, so that the highlighted positions stay right.
    text = Text("".join(strip_controls(sign) or " " if sign != "\n" else sign for sign in passage.text))
    for start, end in passage.inner_headings:
        text.stylize("bold", start, end)
    for start, end in passage.lit:
        text.stylize(_LIT, start, end)
    yield from text.split("\n", allow_blank=True)


def _split_plain_lines(passage: "ShownPassage") -> Iterator[tuple[bool, str]]:
    """Yield the lines of a passage, each with whether it is highlighted. Highlighted words get lines of their own.

    Lines of code are not split.
    """
    text, at = passage.text, 0
    lit = sorted(passage.lit)
    if passage.form == "code":
        for line in text.split("\n"):
            yield any(start < at + len(line) and end > at for start, end in lit), strip_controls(line)
            at += len(line) + 1
        return
    for start, end in [*lit, (len(text), len(text))]:
        start -= len(text[:start].rpartition("\n")[2]) if _begins_line(text, start) else 0  # with its indentation
        for is_lit, first, last in ((False, at, start), (True, max(at, start), end)):
            part = text[first:last] if _begins_line(text, first) else text[first:last].lstrip(" ")
            for line in filter(str.strip, part.split("\n")):
                yield is_lit, strip_controls(line.rstrip())
        at = max(at, end)


def _begins_line(text: str, at: int) -> bool:
    return not text[:at].rpartition("\n")[2].strip()


def _make_table(passage: "ShownPassage", is_plain: bool, is_cut_before: bool = False) -> "Table":
    from rich.table import Table
    from rich.text import Text

    width = max(map(len, (*passage.heads, *passage.rows)))
    heads = passage.heads[-1] if passage.heads else []
    table = Table(show_header=bool(heads), header_style="dim", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for place in range(width):
        head = heads[place] if place < len(heads) else ""
        margin = _INDENT if is_plain and not place else ""
        table.add_column(Text(margin + strip_controls(head)), justify="right" if place else "left", overflow="fold")
    if is_cut_before:
        table.add_row(Text((_INDENT if is_plain else "") + _CUT), style="dim")
    for place, row in enumerate(passage.rows):
        is_lit = place in passage.lit_rows
        label, *cells = (strip_controls(cell) for cell in _pad_row(row, width))
        margin = (_MARKED if is_lit else _INDENT) if is_plain else ""
        table.add_row(Text(margin + label), *map(Text, cells), style=_LIT if is_lit else "")
    return table


def _pad_row(row: Sequence[str], width: int) -> list[str]:
    return [*row, *[""] * (width - len(row))]


def _is_place(text: str, passage: "ShownPassage", language: str) -> bool:
    """Return whether a line of the answer is the heading of a passage, which is drawn separately."""
    from pincite.events.source_names import describe_page

    page, path = describe_page(passage.page, passage.label, language), " ".join(passage.headings)
    said = squeeze(text).text
    return said in (squeeze(f"{passage.title or passage.name} {page} {path}").text, squeeze(f"{page} {path}").text)


def _make_bold(text: str) -> "Text":
    from rich.text import Text

    shown = Text(strip_controls(text.replace("**", "")))
    if text.startswith("**") and text.endswith("**"):
        shown.stylize("bold")
    return shown
