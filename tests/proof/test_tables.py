from hypothesis import given
from hypothesis import strategies as st

from pincite.proof.table_cells import find_note
from pincite.proof.tables import describe_row, find_tables
from pincite.reading.document_draft import Draft
from pincite.types import Block, Table

STATEMENT = """Year ended December 31,
(In millions, except per share amounts)\t2020\t2019\t2018
Net sales\t$\t11,303 $\t11,503 $\t11,290
Operating expenses:
Selling, general and administrative expenses (1)\t1,747\t1,585\t1,799
Loss on yen-
denominated debt (2)\t(86)\t—\t3
Total expenses\t1,833\t1,585\t1,802
Margin\t31\t%\t35.1%\t39\t%"""


def tables(*parts: tuple[str, str], start: int = 0, end: int | None = None) -> tuple[Table, ...]:
    """The tables of a document of blocks, each a kind and its text."""
    draft = Draft()
    for kind, text in parts:
        draft.add(text, kind)  # type: ignore[arg-type]
    document = draft.document("text")
    return find_tables(document.text, document.blocks, start, len(document.text) if end is None else end)


def rows(*parts: tuple[str, str]) -> list[str]:
    return [describe_row(table, row) for table in tables(*parts) for row in table.rows]


def test_a_row_knows_its_heads_unit_and_scale() -> None:
    (table,) = tables(("table", "(in millions of dollars)\t2015\t2014\nNet revenue\t3,991\t5,506"))
    assert describe_row(table, table.rows[0]) == "Net revenue | 2015: 3,991 | 2014: 5,506 (in millions of dollars)"


def test_only_the_first_of_two_full_lines_of_words_is_a_head() -> None:
    hours = "Service\tHours\tContact\nDesk\tMonday to Friday, 07:00 to 19:00\tdesk@example.org"
    (table,) = tables(("table", f"{hours}\nOn-call\t24 hours\t+33 4 72 00 11 22\nWorks\tSunday\tops@example.org"))
    assert [row.label for row in table.rows] == ["Desk", "On-call", "Works"]
    assert table.written_heads == ("Service", "Hours", "Contact")
    (table,) = tables(("table", "Part\tMaterial\tWeight\nFrame\tsteel\theavy\nFork\t3\t12\nHub\t4\t18"))
    assert [row.label for row in table.rows] == ["Frame", "Fork", "Hub"]


def test_a_line_of_units_under_the_heads_is_a_head() -> None:
    (table,) = tables(("table", "Region\tSales\tProfit\nUnit\t€ million\t€ million\nNorth\t12\t3\nSouth\t14\t4"))
    assert [row.label for row in table.rows] == ["North", "South"]
    assert table.note == "€ million"
    (table,) = tables(("table", "Name\tSales\tCosts\nAll\tmillions\tmillions\nNorth\t12\t3\nSouth\t14\t4"))
    assert [row.label for row in table.rows] == ["North", "South"]


def test_the_heads_are_those_that_the_table_writes_under_a_heading_with_a_year() -> None:
    (table,) = tables(("heading", "Prices 2025"), ("table", "Item\tPrice (€)\tDays\nDesk\t489\t10\nLamp\t75\t3"))
    assert table.written_heads == ("Item", "Price (€)", "Days")


def test_a_lone_sign_belongs_to_its_neighbour() -> None:
    (table,) = tables(("table", STATEMENT))
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["$11,303", "$11,503", "$11,290"],
        ["1,747", "1,585", "1,799"],
        ["(86)", "—", "3"],
        ["1,833", "1,585", "1,802"],
        ["31%", "35.1%", "39%"],
    ]


def test_places_are_those_of_the_text() -> None:
    (table,) = tables(("table", STATEMENT))
    for row in table.rows:
        assert STATEMENT[row.start : row.end].count("\t") >= 3
        for cell in row.cells:
            assert STATEMENT[cell.start : cell.end].replace("\t", "") == cell.text
    assert [STATEMENT[a:b].split("\t")[-1] for a, b in table.heads] == ["Year ended December 31,", "2018"]


def test_labels_lose_footnote_marks_and_gain_their_group_and_their_wrapped_words() -> None:
    (table,) = tables(("table", STATEMENT))
    assert [row.label for row in table.rows] == [
        "Net sales",
        "Operating expenses › Selling, general and administrative expenses",
        "Operating expenses › Loss on yen- denominated debt",
        "Operating expenses › Total expenses",
        "Margin",
    ]


def test_a_line_that_gives_the_scale_is_no_group_of_rows() -> None:
    (table,) = tables(("table", "Freight\t2023\t2022\n(in thousands)\nCoal\t412\t398\nGrain\t96\t88"))
    assert ([row.label for row in table.rows], table.note) == (["Coal", "Grain"], "in thousands")


def test_the_head_of_the_labels_is_no_group_of_rows() -> None:
    assert rows(("table", "Division\t2023\t2022\nDeck machinery\t412\t398\nWinches\t96\t88")) == [
        "Deck machinery | 2023: 412 | 2022: 398",
        "Winches | 2023: 96 | 2022: 88",
    ]


def test_heads_of_labels_tell_the_parts_of_a_table_apart() -> None:
    parts = "GAAP results\t2023\t2022\nIncome\t412\t398\nNon-GAAP results\t2023\t2022\nIncome\t430\t401"
    assert [row.partition(" | ")[0] for row in rows(("table", parts))] == [
        "GAAP results › Income",
        "Non-GAAP results › Income",
    ]


def test_two_levels_of_heads_are_joined() -> None:
    text = (
        "Three Months Ended June 30,\tSix Months Ended June 30,\n2022\t2023\t2022\t2023\nNet sales\t1.5\t2.5\t3.5\t4.5"
    )
    (row,) = tables(("table", text))[0].rows
    assert [cell.head for cell in row.cells] == [
        "Three Months Ended June 30, 2022",
        "Three Months Ended June 30, 2023",
        "Six Months Ended June 30, 2022",
        "Six Months Ended June 30, 2023",
    ]


def test_a_table_of_changes_keeps_the_period_to_its_years() -> None:
    text = (
        "Year ended December 31,\n2020\t2019\t% Change\nNet sales\t$998\t$1,015\t(2)\t%\nNet income\t139\t150\t(7)\t%"
    )
    table = tables(("table", text))[0]
    heads = ["Year ended December 31, 2020", "Year ended December 31, 2019", "% Change"]
    assert [cell.head for cell in table.rows[0].cells] == heads


def test_the_note_and_the_period_may_stand_above_the_table() -> None:
    (table,) = tables(
        ("paragraph", "The following table gives net sales (in\nthousands of euros):"),
        ("paragraph", "Year ended June 30,"),
        ("table", "2022\t2021\nNet sales\t7,250\t6,100\nCosts\t5,000\t4,000"),
    )
    assert table.note == "in thousands of euros"
    assert [cell.head for cell in table.rows[0].cells] == ["Year ended June 30, 2022", "Year ended June 30, 2021"]


def test_a_year_above_does_not_spoil_columns_that_name_their_own() -> None:
    (table,) = tables(("heading", "Results of 2022"), ("table", "2022\t2021\nSales\t7,250\t6,100\nCosts\t5,000\t4,000"))
    assert [cell.head for cell in table.rows[0].cells] == ["2022", "2021"]


def test_rows_on_the_next_page_take_the_heads_of_the_page_before() -> None:
    found = rows(
        ("table", "(en milliers d’euros)\t2023\t2022\nChiffre d’affaires\t1 200\t1 100\nAchats\t800\t700"),
        ("footer", "12"),
        ("header", "Rapport annuel"),
        ("table", "Charges de personnel\t300\t290\nImpôts\t10\t9"),
    )
    assert found[-1] == "Impôts | 2023: 10 | 2022: 9 (en milliers d’euros)"
    assert found[0] == "Chiffre d’affaires | 2023: 1 200 | 2022: 1 100 (en milliers d’euros)"


def test_the_next_page_takes_the_note_above_the_first_page_too() -> None:
    found = rows(
        ("paragraph", "Sales by country (in thousands of dollars):"),
        ("table", "2023\t2022\nFrance\t1,200\t1,100\nItaly\t800\t700"),
        ("table", "Spain\t300\t290\nMalta\t10\t9"),
    )
    assert found[-1] == "Malta | 2023: 10 | 2022: 9 (in thousands of dollars)"


def test_another_number_of_columns_is_another_table() -> None:
    found = rows(
        ("table", "2023\t2022\nSales\t12.5\t11.5\nCosts\t8.5\t7.5"), ("table", "Rent\t1.5\t2.5\t3.5\nTax\t1.5\t2\t3")
    )
    assert found[-1] == "Tax | 1.5 | 2 | 3"


def test_a_row_that_lacks_cells_names_no_column() -> None:
    (table,) = tables(("table", "2020\t2019\t2018\nSales\t1,303\t1,503\t1,290\nCosts\t1,000\t900\t800\nGain, net\t498"))
    assert [cell.head for cell in table.rows[-1].cells] == [""]


def test_a_long_table_is_read_from_its_middle() -> None:
    draft = Draft()
    draft.table([["Town", "People", "Area (km²)"], *([f"Town {i}", str(1000 + i), "3.5"] for i in range(2000))])
    document = draft.document("csv")
    at = document.text.index("Town 1500\t")
    (table,) = find_tables(document.text, document.blocks, at, at + 5)
    assert describe_row(table, table.rows[0]) == "Town 1500 | People: 2500 | Area (km²): 3.5"
    assert document.text[slice(*table.heads[0])] == "Town\tPeople\tArea (km²)"


def test_empty_cells_keep_their_column() -> None:
    (table,) = tables(("table", "Item\t2023\t2022\nRent\t\t12.5\nPower\t3.5\t4.5"))
    assert [(cell.head, cell.text) for cell in table.rows[0].cells] == [("2023", ""), ("2022", "12.5")]


def test_a_unit_below_full_heads_may_be_merged_below_several() -> None:
    found = rows(("table", "Item\t2023\t2022\tChange\n\t€m\t\t%\nRent\t12.5\t11.5\t8.7"))
    assert found == ["Rent | 2023 €m: 12.5 | 2022 €m: 11.5 | Change %: 8.7"]


def test_the_scale_above_the_first_column_is_that_of_the_table() -> None:
    found = rows(("table", "\tin thousands of tonnes\t \n\t2023\t2022\nCoal\t412\t398\nGrain\t96\t88"))
    assert found[1] == "Grain | 2023: 96 | 2022: 88 (in thousands of tonnes)"


def test_a_caption_in_a_table_is_no_head_of_its_columns() -> None:
    caption = "Table 3:\tRates of women and men in 1995,\t\n\t2000 and 2005 (in %)\t"
    (table,) = tables(("table", caption + "\n\tWomen\tMen\n1995\t15.1\t9\n2000\t3.1\t8\n2005\t4.1\t7"))
    assert describe_row(table, table.rows[0]) == "1995 | Women: 15.1 | Men: 9 (in %)"
    assert table.label_head == "Table 3: Rates of women and men in 1995, 2000 and 2005 (in %)"


def test_a_unit_of_one_letter_in_a_head_is_no_footnote() -> None:
    assert rows(("table", "Tank\tHeight (m)\tSteel (t) (a)\nT1\t4.2\t6")) == ["T1 | Height (m): 4.2 | Steel (t): 6"]
    found = rows(("table", "Pump\tFlow\tHead\tPower\n\t(m³/h)\t(m)\t(kW)\nP1\t12\t18\t9.5"))
    assert found == ["P1 | Flow (m³/h): 12 | Head (m): 18 | Power (kW): 9.5"]


def test_a_title_with_a_year_is_no_part_of_the_heads() -> None:
    data = "\tFlow\tPrice\nP1\t12\t640"
    for title in ("Nordflow price list 2024 – pumps", "Budget 2025 draft", "List of the pumps in stock 2024"):
        assert rows(("paragraph", title), ("table", data)) == ["P1 | Flow: 12 | Price: 640"]
        assert rows(("table", f"{title}\n{data}")) == ["P1 | Flow: 12 | Price: 640"]
    for period in ("Fiscal 2023", "Year ended June 30,", "First quarter 2023", "Exercice clos le 31 décembre 2023"):
        (found,) = rows(("paragraph", period), ("table", data))
        assert found == f"P1 | {period} Flow: 12 | {period} Price: 640"


def test_the_label_of_rows_keeps_its_head_where_another_head_stands_further_right() -> None:
    (table,) = tables(("table", "Country\tFreight\tDays\t\tAverage freight\nFrance\t45\t4\nSpain\t62\t6"))
    assert table.label_head == "Country"


def test_the_unit_of_one_column_stays_in_its_head() -> None:
    found = rows(("table", "Service\tUnit\tFee (EUR)\t\n\t\tYear 1\tYear 2\nHandling\tcontainer\t310\t325"))
    assert found == ["Handling | Unit: container | Fee (EUR) Year 1: 310 | Fee (EUR) Year 2: 325"]


def test_prose_above_a_table_names_no_column() -> None:
    for prose in (
        "Employment has declined (see Table 3 and\nTable 4).",
        "These are the results of the weeks ended January 28, 2023 and January\n29, 2022.",
    ):
        assert rows(("paragraph", prose), ("table", "\tWomen\tMen\nYoung\t15.1\t9.2")) == [
            "Young | Women: 15.1 | Men: 9.2"
        ]


def test_each_of_several_days_on_a_line_belongs_to_its_year() -> None:
    for days, first, second in (
        ("January 28, January 29,", "January 28,", "January 29,"),
        ("28 janvier 29 janvier", "28 janvier", "29 janvier"),
    ):
        for data in ("\t2023\t2022\n\t(Unaudited)\t\nCash\t7.5\t4.5", "2023\t2022\nCash\t7.5\t4.5"):
            (found,) = rows(("paragraph", days), ("table", data))
            assert found.replace(" (Unaudited)", "") == f"Cash | {first} 2023: 7.5 | {second} 2022: 4.5"


def test_a_table_of_words_has_one_head() -> None:
    found = rows(("table", "Format\tReader\tPages\nPDF\tpdfium\tyes\nCSV\tours\tno\nHTML\tlxml\tno"))
    assert found == [
        "PDF | Reader: pdfium | Pages: yes",
        "CSV | Reader: ours | Pages: no",
        "HTML | Reader: lxml | Pages: no",
    ]


def test_only_rows_inside_the_span_come_out() -> None:
    at = STATEMENT.index("Total expenses")
    (table,) = tables(("table", STATEMENT), start=at, end=at + 5)
    assert [row.label for row in table.rows] == ["Operating expenses › Total expenses"]
    assert table.note == "In millions, except per share amounts"


def test_notes_in_both_languages() -> None:
    assert (
        find_note("Balance sheet (dollars in thousands, except share data)")
        == "dollars in thousands, except share data"
    )
    assert find_note("Bilan consolidé en millions d'euros") == "en millions d'euros"
    assert find_note("(k€)") == "k€"
    assert find_note("Taux (en %)") == "en %"
    assert find_note("2022 $ million") == "$ million"
    assert find_note("The company in Milan") == ""


@given(st.text(alphabet="ab 2019,.$%()\t\n—€", max_size=300), st.integers(0, 300), st.integers(0, 300))
def test_any_text_gives_rows_inside_it(text: str, start: int, end: int) -> None:
    for table in find_tables(text, [Block("table", 0, len(text))], start, end):
        assert all(0 <= a <= b <= len(text) for a, b in table.heads)
        for row in table.rows:
            assert 0 <= row.start < end
            assert start < row.end <= len(text)
            assert all(row.start <= cell.start <= cell.end <= row.end for cell in row.cells)
            assert describe_row(table, row) or not row.label


def test_rows_of_a_markdown_table_know_their_heads_and_stand_where_they_stand() -> None:
    text = (
        "In millions of euros.\n\n| | 2023 | 2022 |\n|---|---:|---:|\n| Revenue | 48.6 | 45.0 |\n| Debt |  | 12.9 |\n"
    )
    start = text.index("|")
    blocks = (Block("paragraph", 0, 21), Block("table", start, len(text) - 1))
    (table,) = find_tables(text, blocks, 0, len(text))
    assert [describe_row(table, row).split(" (")[0] for row in table.rows] == [
        "Revenue | 2023: 48.6 | 2022: 45.0",
        "Debt | 2022: 12.9",
    ]
    assert text[table.rows[0].start : table.rows[0].end] == "| Revenue | 48.6 | 45.0 |"
    cell = table.rows[0].cells[1]
    assert text[cell.start : cell.end] == "45.0"


def test_the_only_head_row_is_kept_as_it_is_written() -> None:
    text = "Poste\tMontant annuel (euros)\tÀ la charge de\nLoyer\t15 000\tpreneur\nEau\t1 240\tpreneur"
    (table,) = find_tables(text, [Block("table", 0, len(text))], 0, len(text))
    assert table.written_heads == ("Poste", "Montant annuel (euros)", "À la charge de")
    assert [cell.head for cell in table.rows[0].cells] == ["Montant annuel (euros)", "À la charge de"]


def test_two_head_rows_are_not_taken_for_one() -> None:
    (table,) = find_tables(STATEMENT, [Block("table", 0, len(STATEMENT))], 0, len(STATEMENT))
    assert table.written_heads == ()
