"""A passage is divided into what can be an answer: the lines of a table of contents are none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.answer.extractive.card_layout import make_card
from pincite.answer.extractive.passage_units import divide_evidence
from pincite.answer.passage_cards import write_card
from pincite.text.sentences import split_sentences
from pincite.types import Block, Evidence, Kind, Span
from tests import files
from tests.answer.extractive.shelves import answered, shelf
from tests.turns import keep

HEADS = ("Facility", "Budget 2023", "Visits 2023")
GROUPS = {
    "Sports": [("Ice rink", 95, 1310), ("Swimming pool", 210, 2840)],
    "Culture": [("Library", 120, 990), ("Theatre", 88, 1500)],
}
LINES = [line for group, rows in GROUPS.items() for line in ((group,), *rows)]


def make_workbook() -> bytes:
    from openpyxl.styles import Alignment

    def build(book: Any) -> None:
        for line in (HEADS, *LINES):
            book.active.append(list(line))
            if line in LINES and len(line) > 1:
                book.active.cell(book.active.max_row, 1).alignment = Alignment(indent=1)

    return files.workbook(build)


def make_word() -> bytes:
    from docx.shared import Pt

    def build(document: Any) -> None:
        table = document.add_table(1 + len(LINES), len(HEADS))
        for number, line in enumerate((HEADS, *LINES)):
            for column, value in enumerate(line):
                table.cell(number, column).text = str(value)
            if line in LINES and len(line) > 1:
                table.cell(number, 0).paragraphs[0].paragraph_format.left_indent = Pt(12)

    return files.word(build)


def listed(text: str) -> list[str]:
    return [
        unit.text
        for part in divide_evidence(Evidence(1, Span("d", 0, len(text)), "", "text", text, sentences=cut(text)))
        for unit in part.units
    ]


def cut(text: str) -> tuple[tuple[int, int], ...]:
    """Return the characters of each line, as the sentences of a text in lines."""
    ends = [at for at, sign in enumerate(text) if sign == "\n"]
    return tuple(zip([0, *(end + 1 for end in ends)], [*ends, len(text)], strict=True))


@pytest.mark.parametrize("leader", ["........", ". . . . . . ", "…………"])
def test_lines_of_a_table_of_contents_are_left_out(leader: str) -> None:
    contents = "\n".join(f"{n} Chapter about the tablet {leader} {n * 7}" for n in range(1, 6))
    assert listed(contents) == []
    assert listed(f"{contents}\nA tablet is a flat computer.") == ["A tablet is a flat computer."]


def test_the_page_of_a_line_of_contents_does_not_open_the_answer() -> None:
    contents = " ".join(f"6.{n} How is the lamp cleaned ? . . . . . .\n{n + 20}\n" for n in range(1, 5))
    text = f"{contents}\n\nThe lamp is cleaned with a dry cloth."
    source = Evidence(1, Span("d", 0, len(text)), "", "text", text, sentences=tuple(split_sentences(text)))
    assert [unit.text for part in divide_evidence(source) for unit in part.units] == [
        "The lamp is cleaned with a dry cloth."
    ]


def test_a_price_list_with_dots_is_kept() -> None:
    menu = "Coffee ........ 3\nCake ........ 5\nTea ........ 2\nWine ........ 6"
    assert len(listed(menu)) == 4
    assert len(listed("Coffee ........ 3.50\nCake ........ 5.20\nWine ........ 6.00\nPort ........ 7.10")) == 4


def test_a_question_about_a_chapter_is_answered_by_the_chapter_and_not_by_the_contents(tmp_path: Path) -> None:
    contents = "\n\n".join(
        f"What is a {name} .............. {n}" for n, name in enumerate(("tablet", "phone", "lamp"), 3)
    )
    texts = {
        "guide.txt": f"Contents\n\n{contents}\n",
        "use.txt": "The tablet is a flat computer with a touch screen.\n",
    }
    answer = answered(shelf(tmp_path, texts), "What is a tablet?")
    assert "flat computer" in answer.answer
    assert "...." not in answer.answer


@pytest.mark.parametrize(("name", "make"), [("facilities.xlsx", make_workbook), ("facilities.docx", make_word)])
def test_indented_rows_under_group_rows_are_shown_as_a_table_with_its_heads(
    tmp_path: Path, name: str, make: Callable[[], bytes]
) -> None:
    services = shelf(tmp_path, {})
    (tmp_path / name).write_bytes(make())
    keep(services.library, tmp_path / name)
    answer = answered(services, "How many visits did the ice rink have in 2023?")
    shown = [passage for passage in answer.passages if passage.form == "table"]
    assert [row for passage in shown for row in passage.rows] == [
        [f"{group} › {row[0]}", *map(str, row[1:])] for group, rows in GROUPS.items() for row in rows
    ]
    assert all(passage.heads == [list(HEADS)] for passage in shown)


def test_the_note_of_a_table_is_shown_above_its_indented_rows(tmp_path: Path) -> None:
    services = shelf(tmp_path, {})
    path = tmp_path / "facilities.xlsx"

    def build(book: Any) -> None:
        book.active.append(["(in thousands of euros)"])
        book.active.append([])
        for line in (HEADS, *LINES):
            book.active.append([f"  {line[0]}" if line in LINES and len(line) > 1 else line[0], *line[1:]])

    path.write_bytes(files.workbook(build))
    keep(services.library, path)
    answer = answered(services, "What was the budget of the ice rink in 2023?")
    assert answer.passages[0].heads[0][0] == "Facility (in thousands of euros)"


GUIDE = """# Guide

Some words about the guide, which is long enough to be a paragraph of its own here.

## Setup

To create the database, run:

```sh
quarry init --db /var/lib/quarry
```

The default password is `tulip`.

## Rates

The table gives the rates in euros per hour.

| Role | Day | Night |
|---|---|---|
| Guard | 21 | 27 |
| Nurse | 34 | 45 |
"""


@pytest.mark.parametrize(
    ("question", "form", "lead"),
    [
        ("How do I create the database?", "code", "To create the database, run:"),
        ("What is the night rate of a nurse?", "table", "The table gives the rates in euros per hour."),
    ],
)
def test_code_and_a_table_below_a_later_heading_keep_the_line_that_introduces_them(
    tmp_path: Path, question: str, form: str, lead: str
) -> None:
    answer = answered(shelf(tmp_path, {"guide.md": GUIDE}), question)
    first = next(each for each in answer.passages if each.lit or each.lit_rows)
    assert (first.form, first.lead) == (form, lead)
    assert answer.answer.count(lead) == 1
    assert not any(each.text.endswith(("Setup", "Rates")) for each in answer.passages)


def test_the_end_of_a_paragraph_stays_in_it_though_code_follows(tmp_path: Path) -> None:
    paragraph = "We predict who leaves. The data has 48 rows, of which a tenth left."
    model = f"# The model\n\n{paragraph}\n\n```py\nmodel.fit(rows)\n```\n"
    answer = answered(shelf(tmp_path, {"model.md": model}), "How many rows does the data have?")
    text, code = answer.passages
    assert (text.text, code.form, code.lead) == (paragraph, "code", "")


def test_the_caption_of_a_table_below_a_later_heading_is_above_the_table(tmp_path: Path) -> None:
    rows = "<tr><th>Edition</th><th>Queues</th></tr><tr><td>Free</td><td>5</td></tr><tr><td>Team</td><td>50</td></tr>"
    page = f"""<html><head><title>Coral</title></head><body><article><h1>Coral</h1>
    <p>Coral is a small queue server. It stores jobs on disk, and hands them to workers in their order.</p>
    <h2>Limits</h2><table><caption>Limits per edition</caption>{rows}</table></article></body></html>"""
    services = shelf(tmp_path, {"notes.md": "# Notes\n\nNothing is here."})
    (tmp_path / "coral.html").write_text(page)
    keep(services.library, tmp_path / "coral.html")
    table = next(each for each in answered(services, "How many queues for Team?").passages if each.rows)
    assert (table.lead, table.headings) == ("Limits per edition", ["Limits"])


def test_a_heading_with_a_full_stop_in_it_is_one_line_with_its_number(tmp_path: Path) -> None:
    text = "# Bail\n\n## Article 1. Durée\n\nLe bail dure trois ans.\n\n"
    text += "## Article 2. Loyer\n\nLe loyer est de 840 euros.\n"
    answer = answered(shelf(tmp_path, {"bail.md": text}), "Quel est le montant du loyer ?")
    first = answer.passages[0]
    assert first.headings == ["Article 2. Loyer"]
    assert [first.text[start:end] for start, end in first.inner_headings] == ["Article 1. Durée", "Article 2. Loyer"]


def test_a_word_broken_at_the_end_of_a_list_is_shown_whole() -> None:
    text = "• Extract a file from an ar\u00ad\n\nchive of Debian."
    end = text.index("\n")
    blocks = (Block("list", 0, end), Block("paragraph", end + 2, len(text)))
    source = Evidence(1, Span("d", 0, len(text)), "", "pdf", text, sentences=((0, len(text)),), blocks=blocks)
    (unit,) = (unit for part in divide_evidence(source) for unit in part.units)
    assert unit.text == "- Extract a file from an archive of Debian."
    assert "archiv" in unit.words
    assert (unit.start, unit.end) == (0, len(text))


def show_card(text: str, kind: Kind = "text", blocks: tuple[Block, ...] = ()) -> str:
    source = Evidence(1, Span("d", 0, len(text)), "", kind, text, sentences=tuple(split_sentences(text)), blocks=blocks)
    return "\n\n".join(write_card(make_card(section), "") for section in divide_evidence(source))


def test_each_line_of_a_log_is_shown_and_highlighted_alone(tmp_path: Path) -> None:
    lines = [f"2024-04-22 03:{n:02}:11 INFO worker-{n % 4} processed batch {8800 + n} in 1.4 s" for n in range(20)]
    lines[7] = "2024-04-22 03:07:40 ERROR worker-2 the disk is full, batch 8807 aborted"
    passage = answered(shelf(tmp_path, {"batch.log": "\n".join(lines)}), "Which batch was aborted?").passages[0]
    assert [passage.text[start:end] for start, end in passage.lit] == [lines[7]]
    assert passage.text.split("\n") == lines


def test_a_field_on_a_line_of_its_own_is_highlighted_alone(tmp_path: Path) -> None:
    fields = ["Doctor on call: Ms. Adjani, room 12", "Fire brigade: 18", "Site security: 4400"]
    text = "Visitors are accompanied by their host.\nFloor wardens wear yellow vests.\n" + "\n".join(fields)
    passage = answered(shelf(tmp_path, {"a.txt": text}), "What is the phone number of site security?").passages[0]
    assert [passage.text[start:end] for start, end in passage.lit] == ["Site security: 4400"]
    assert passage.text.split("\n") == [
        "Visitors are accompanied by their host. Floor wardens wear yellow vests.",
        *fields,
    ]


def test_items_of_plain_text_are_a_list_below_the_line_that_introduces_them(tmp_path: Path) -> None:
    items = ["a) les ouvrages du fonds patrimonial ;", "b) les numéros du mois ;", "c) les partitions rouges."]
    text = "Article 6\n\nSont exclus du prêt :\n" + "\n".join(f"  {item}" for item in items)
    passage = answered(shelf(tmp_path, {"a.txt": text}), "Quels documents sont exclus du prêt ?").passages[0]
    assert [line for line in passage.text.split("\n") if line][-3:] == items
    lit = "".join(passage.text[start:end] for start, end in passage.lit)
    assert all(item in lit for item in items)


def test_an_initial_at_the_beginning_of_a_paragraph_begins_no_item() -> None:
    text = "A. Smith wrote the report. The board read it."
    assert show_card(text, blocks=(Block("paragraph", 0, len(text)),)) == text


def test_a_title_in_its_paragraph_stands_on_a_line_of_its_own() -> None:
    text = "Article 1er – Horaires\nLa médiathèque est ouverte au public du mardi au samedi.\nElle est fermée en août."
    title, _, rest = text.partition("\n")
    assert show_card(text) == f"{title}\n{rest.replace(chr(10), ' ')}"


def test_the_sentences_of_a_long_item_are_apart_and_shown_as_one_paragraph() -> None:
    first = "(c) The contractor may raise the price once a year, after ninety days' notice, by ten percent at most."
    second = "The contractor shall submit the new price list, with the reasons for each change, to the office."
    third = "The office answers within thirty days."
    text = f"{first}\n{second} {third}\n(d) The price list is public."
    blocks = (Block("list", 0, len(text)),)
    source = Evidence(
        1, Span("d", 0, len(text)), "", "pdf", text, sentences=tuple(split_sentences(text)), blocks=blocks
    )
    units = [unit.text for section in divide_evidence(source) for unit in section.units]
    assert units == [first, second, third, "(d) The price list is public."]
    assert show_card(text, "pdf", blocks) == f"{first} {second} {third}\n(d) The price list is public."


def test_the_items_of_an_inner_list_are_indented() -> None:
    text = "1. Open the valves.\n2. Fill the circuit.\n  - Bleed each radiator.\n3. Press Start."
    assert show_card(text, "html", (Block("list", 0, len(text)),)) == text
