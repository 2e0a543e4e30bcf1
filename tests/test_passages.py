import time
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.passages import make_indexed, split_passages
from pincite.reading.document_draft import Draft
from pincite.types import Block, BlockKind, Document, Page

KINDS: st.SearchStrategy[BlockKind] = st.sampled_from(
    ["heading", "paragraph", "list", "table", "code", "header", "footer"]
)
TEXTS = st.text(alphabet=st.sampled_from("ab é.!?\n\t\u00ad-，字🙂1"), max_size=400)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Any text, with any blocks in order, with or without pages."""
    text, blocks, starts = "", [], [0]
    for kind, piece in draw(st.lists(st.tuples(KINDS, TEXTS), max_size=12)):
        text += draw(st.sampled_from(["", "\n\n", " loose "]))
        if draw(st.booleans()):
            starts.append(len(text))
        if piece:
            blocks.append(
                Block(kind, len(text), len(text) + len(piece), draw(st.integers(1, 4)) if kind == "heading" else 0)
            )
        text += piece
    ends = [*starts[1:], len(text)]
    pages = (
        tuple(Page(i, a, b) for i, (a, b) in enumerate(zip(starts, ends, strict=True), 1))
        if draw(st.booleans())
        else ()
    )
    return Document("text", text, "A title", pages=pages, blocks=tuple(blocks))


@given(documents(), st.integers(1, 300), st.integers(0, 100))
def test_passages_lie_in_the_text_keep_their_order_and_their_size(document: Document, size: int, overlap: int) -> None:
    passages = split_passages(document, size, overlap)
    assert all(0 <= p.start < p.end <= len(document.text) for p in passages)
    assert all(a.start < b.start and a.end < b.end for a, b in pairwise(passages))
    assert all(p.end - p.start <= size for p in passages)


@given(documents(), st.integers(1, 300), st.integers(0, 100))
def test_every_character_but_furniture_and_white_space_is_in_a_passage(
    document: Document, size: int, overlap: int
) -> None:
    covered = {i for p in split_passages(document, size, overlap) for i in range(p.start, p.end)}
    furniture = {i for b in document.blocks if b.kind in ("header", "footer") for i in range(b.start, b.end)}
    missing = [i for i, c in enumerate(document.text) if not c.isspace() and i not in covered | furniture]
    assert not missing


@given(documents(), st.integers(20, 300))
def test_the_page_range_is_that_of_the_span(document: Document, size: int) -> None:
    for passage in split_passages(document, size, 0):
        if document.pages:
            first, last = document.pages[passage.first_page - 1], document.pages[passage.last_page - 1]
            assert first.start <= passage.start < max(first.end, first.start + 1)
            assert last.start < passage.end <= last.end
        else:
            assert passage.first_page == passage.last_page == 0


@given(documents())
def test_indexed_text_never_holds_a_broken_word(document: Document) -> None:
    for passage in split_passages(document, 100, 20):
        entry = make_indexed(document, passage, "a_file.pdf")
        assert "\u00ad" not in entry.body + entry.context


def sectioned() -> Document:
    parts = [
        ("heading", "Report", 1), ("paragraph", "Opening words. " * 20, 0),
        ("heading", "Costs", 2), ("paragraph", "Costs rose again. " * 30, 0),
        ("table", "Item\t2022\t2023\nEnergy\t10\t12\nTravel\t5\t4", 0),
        ("heading", "Outlook", 2), ("paragraph", "Members will meet in spring. " * 10, 0),
    ]  # fmt: skip
    text, blocks = "", []
    for kind, piece, level in parts:
        text += "\n\n" if text else ""
        blocks.append(Block(kind, len(text), len(text) + len(piece), level))  # type: ignore[arg-type]
        text += piece
    return Document("text", text, "Annual report", blocks=tuple(blocks))


def test_passages_begin_at_headings_and_carry_their_path() -> None:
    document = sectioned()
    passages = split_passages(document, 700, 100)
    starts = [document.text[p.start :].split("\n")[0] for p in passages]
    assert starts[0] == "Report"
    assert "Costs" in starts
    assert passages[starts.index("Costs")].headings == ("Report", "Costs")
    assert passages[-1].headings == ("Report", "Outlook")


def test_a_table_that_fits_is_kept_whole() -> None:
    document = sectioned()
    table = next(b for b in document.blocks if b.kind == "table")
    holders = [p for p in split_passages(document, 650, 0) if p.start < table.end and p.end > table.start]
    assert len(holders) == 1
    assert holders[0].start <= table.start
    assert holders[0].end >= table.end


def test_a_heading_is_never_left_at_the_end_of_a_passage() -> None:
    document = sectioned()
    for size in range(300, 900, 20):
        for passage in split_passages(document, size, 50)[:-1]:
            assert not document.text[passage.start : passage.end].endswith(("Costs", "Outlook"))


def test_neighbours_inside_a_section_share_a_sentence_and_sections_share_nothing() -> None:
    document = sectioned()
    passages = split_passages(document, 400, 100)
    for a, b in pairwise(passages):
        shared = a.end - b.start
        if document.text[b.start :].startswith(("Costs\n", "Outlook\n")):
            assert shared < 0
        elif a.headings == b.headings:
            assert 0 < shared <= 100


@pytest.mark.parametrize("cell", ["the mayor of it", "1962"])
def test_every_row_of_a_long_table_is_indexed_with_its_heads(cell: str) -> None:
    draft = Draft()
    draft.table([["Town", "Office"], *([f"Corvel-{'x' * (row % 7)}", cell] for row in range(300))])
    document = draft.document("csv")
    found = [make_indexed(document, passage) for passage in split_passages(document)]
    assert len(found) > 3
    assert all("Town" in entry.body or "Town Office" in entry.context for entry in found)


def test_a_table_that_goes_on_is_indexed_with_its_first_row() -> None:
    rows = "Item\t2022\t2023\n" + "\n".join(f"Row {i}\t{i}\t{i}" for i in range(60))
    document = Document("pdf", rows, "T", blocks=(Block("table", 0, len(rows)),))
    later = split_passages(document, 200, 0)[-1]
    assert "Item 2022 2023" in make_indexed(document, later).context
    assert "Item" not in make_indexed(document, later).body


def test_the_context_names_title_file_and_headings_and_furniture_is_left_out() -> None:
    text = "Page head\n\nProse that matters.\n\n7"
    blocks = (Block("header", 0, 9), Block("paragraph", 11, 30), Block("footer", 32, 33))
    document = Document("pdf", text, "Amcor plc", blocks=blocks)
    (passage,) = split_passages(document)
    assert document.text[passage.start : passage.end] == "Prose that matters."
    assert make_indexed(document, passage, "AMCOR_2023_10K.pdf").context == "Amcor plc · AMCOR 2023 10K"
    assert make_indexed(document, passage, "amcor plc.pdf").context == "Amcor plc"


def paged(*pages: list[tuple[str, str, int]]) -> Document:
    text, blocks, made = "", [], []
    for number, page in enumerate(pages, 1):
        start = len(text)
        for kind, piece, level in page:
            blocks.append(Block(kind, len(text), len(text) + len(piece), level))  # type: ignore[arg-type]
            text += piece + "\n\n"
        made.append(Page(number, start, len(text)))
    return Document("pdf", text, "Form", pages=tuple(made), blocks=tuple(blocks))


def test_the_type_of_a_cover_is_no_section_for_the_pages_that_follow() -> None:
    prose = "Prose about things. " * 20
    document = paged(
        [("heading", "UNITED STATES", 1), ("heading", "Overview", 3), ("paragraph", prose, 0)],
        [("paragraph", prose, 0)],
        [("heading", "Costs", 3), ("paragraph", prose, 0)],
    )
    assert [p.headings for p in split_passages(document, 450, 0)] == [
        ("UNITED STATES", "Overview"),
        ("Overview",),
        ("Costs",),
    ]


def test_a_heading_in_two_lines_keeps_both() -> None:
    document = paged([("heading", "Balance sheets", 2), ("heading", "In millions", 2), ("paragraph", "Assets 5.", 0)])
    assert split_passages(document)[0].headings == ("Balance sheets", "In millions")


def test_a_heading_that_goes_on_in_the_next_line_is_one() -> None:
    document = paged(
        [
            ("heading", "2.3 Where can I get the ima\u00ad", 2),
            ("heading", "ges of the well-", 2),
            ("heading", "known disk?", 2),
            ("paragraph", "Prose.", 0),
        ]
    )
    assert split_passages(document)[0].headings == ("2.3 Where can I get the images of the well-known disk?",)


def test_what_stands_between_the_lines_of_a_heading_is_no_part_of_it_nor_is_the_next_of_a_list() -> None:
    document = paged(
        [("heading", "Rights of the", 2), ("footer", "page 3", 0), ("hidden", "Ignore all.", 0)],
        [("heading", "tenant", 2), ("paragraph", "Prose. " * 40, 0)],
        [("heading", "a) Scope", 2), ("heading", "b) Term", 2), ("paragraph", "Prose. " * 40, 0)],
    )
    found = {passage.headings for passage in split_passages(document, 300, 0)}
    assert found == {("Rights of the tenant",), ("a) Scope", "b) Term")}


def test_many_headings_that_go_on_take_time_as_they_are_many() -> None:
    def measure(count: int) -> float:
        document = paged([("heading", "lower case words " * 9, 2)] * count + [("paragraph", "Prose.", 0)])
        begun = time.process_time()
        split_passages(document)
        return time.process_time() - begun

    measure(200)
    assert measure(4000) < 40 * max(measure(400), 0.01)


def test_a_chapter_ends_at_the_next_even_if_its_number_is_a_heading_of_its_own() -> None:
    document = paged(
        *(
            [("heading", f"Chapter {number}", 6), ("heading", title, 1), ("paragraph", "Prose. " * 40, 0)]
            for number, title in enumerate(("Tides", "Rivers", "Lakes"), 1)
        )
    )
    assert [passage.headings for passage in split_passages(document, 300, 0)] == [("Tides",), ("Rivers",), ("Lakes",)]


def test_a_table_of_contents_is_no_chapter_of_which_the_others_are_parts() -> None:
    document = paged(
        [("heading", "Table of Contents", 1), ("paragraph", "Tides 2. " * 20, 0)],
        [("heading", "Tides", 2), ("paragraph", "Prose. " * 40, 0)],
        [("heading", "Index", 1), ("paragraph", "Prose. " * 40, 0)],
    )
    found = [passage.headings for passage in split_passages(document, 300, 0)]
    assert found == [("Table of Contents",), ("Tides",), ("Index",)]


def test_without_title_or_headings_a_later_passage_is_indexed_with_the_opening_of_the_document() -> None:
    text = "Family mediation helps parents. " + "It takes some time to reach an agreement. " * 20
    document = Document("text", text, blocks=(Block("paragraph", 0, len(text)),))
    first, *later = split_passages(document, 300, 0)
    assert make_indexed(document, first).context == ""
    assert {make_indexed(document, passage).context for passage in later} == {"Family mediation helps parents."}
    titled = replace(document, title="Mediation")
    assert {make_indexed(titled, passage).context for passage in later} == {"Mediation"}
    assert make_indexed(titled, later[0], "mediation.txt").context == "Mediation · Family mediation helps parents."


def test_the_marks_of_a_heading_go_with_it() -> None:
    text = "Words before it. " * 6 + "\n\n## Costs\n\n" + "They rose again. " * 6
    heading = text.index("Costs")
    blocks = (
        Block("paragraph", 0, 102),
        Block("heading", heading, heading + 5, 2),
        Block("paragraph", heading + 7, len(text)),
    )
    first, second = split_passages(Document("markdown", text, blocks=blocks), 120, 0)
    assert text[first.start : first.end].endswith("before it.")
    assert text[second.start : second.end].startswith("## Costs")
    assert second.headings == ("Costs",)


@given(documents(), st.integers(200, 1500), st.text("ab /", max_size=300))
def test_all_that_is_indexed_is_a_small_multiple_of_the_document(document: Document, size: int, title: str) -> None:
    titled = replace(document, title=title)
    entries = [make_indexed(titled, passage, "a_file.pdf") for passage in split_passages(titled, size, size // 8)]
    total = sum(len(entry.context) + len(entry.body) for entry in entries)
    # Each passage repeats a title, a name, headings and heads of a table, each of which has a limit.
    assert total <= 3 * len(document.text) + 1800 * max(len(entries), 1)
    assert len(entries) <= 1 + 8 * len(document.text) / size


def test_the_long_first_row_of_a_table_is_in_no_passage_but_its_own() -> None:
    head = "\t".join(f"column {place}" for place in range(20_000))
    rows = "\n".join(f"row {place}\t{place}" for place in range(2_000))
    text = f"{head}\n{rows}"
    document = Document("csv", text, blocks=(Block("table", 0, len(text)),))
    entries = [make_indexed(document, passage, "a.csv") for passage in split_passages(document)]
    assert sum(len(entry.context) + len(entry.body) for entry in entries) < 2 * len(text)
    assert "column 0 column 1" in entries[-1].context


def test_a_passage_names_the_heads_of_a_table_once_though_the_table_has_many_blocks() -> None:
    lines = ["Region\tTotal", *(f"North {place}\t{place}" for place in range(400))]
    blocks, at = [], 0
    for first in range(0, len(lines), 4):
        length = len("\n".join(lines[first : first + 4]))
        blocks.append(Block("table", at, at + length))
        at += length + 1
    document = Document("csv", "\n".join(lines), "Sales", blocks=tuple(blocks))
    contexts = [make_indexed(document, passage, "a.csv").context for passage in split_passages(document)[1:]]
    assert contexts
    assert all(context.count("Region Total") <= 1 for context in contexts)
    assert "Region Total" in contexts[0]
