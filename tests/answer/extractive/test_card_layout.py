"""The cards of an answer: whole sentences, neighbours joined, copies merged, each document's passages together."""

from pathlib import Path
from typing import Any

from pincite import events
from pincite.answer.extractive.card_layout import align_cells, make_card
from pincite.answer.extractive.passage_units import PassageSection, Unit
from pincite.answer.services import Services
from pincite.types import Evidence, Span
from tests import files
from tests.answer.extractive.shelves import Knowing, answered, shelf
from tests.turns import keep

FERRY = "The ferry to Lund leaves at six in the morning."


def shown(answer: events.Answer) -> list[events.ShownPassage]:
    return [passage for passage in answer.passages if not passage.more]


def test_copies_of_one_passage_are_shown_once(tmp_path: Path) -> None:
    text = f"{FERRY} It takes two hours to cross the sound."
    services = shelf(tmp_path, {"a.md": f"# Ferries\n\n{text}", "b.md": f"# Travel\n\n{text}"})
    answer = answered(services, "When does the ferry to Lund leave?")
    assert answer.answer.count("leaves at six") == 1
    assert len(answer.passages) == 1


def test_the_parts_of_a_contract_stay_in_order_and_no_heading_is_repeated(tmp_path: Path) -> None:
    fees = "## 2. Fees\n\nThe customer pays these fees.\n\n| Service | Fee |\n|---|---|\n| Storage | 4.80 |\n\n"
    liability = "Invoices are due in a month.\n\n## 3. Liability\n\nThe liability of the provider is capped.\n"
    contract = f"# Contract\n\n## 1. Term\n\nIt lasts a year.\n\n{fees}{liability}"
    answer = answered(shelf(tmp_path, {"contract.md": contract}), "What is capped for the provider?")
    assert [passage.form for passage in answer.passages] == ["text", "table", "text"]
    starts = [passage.start for passage in answer.passages]
    assert starts == sorted(starts)
    last = answer.passages[-1]
    assert last.text == "Invoices are due in a month.\n\n3. Liability\n\nThe liability of the provider is capped."
    assert last.headings == ["3. Liability"]
    assert [answer.answer.count(heading) for heading in ("2. Fees", "3. Liability")] == [1, 1]
    (cited,) = answer.citations
    assert [cited.quote[start - cited.start : end - cited.start] for start, end in cited.lit] == [last.text[44:]]


def test_a_refusal_offers_the_parts_that_come_nearest(tmp_path: Path) -> None:
    rows = "| Storage in Lund | 4.80 |\n| Handling | 310 |"
    text = f"# Fees\n\nThe harbour is old. It has a pier.\n\n| Service | Fee |\n|---|---|\n{rows}\n"
    answer = answered(shelf(tmp_path, {"fees.md": text}), "What does storage at Brunnmark cost?")
    assert answer.refused
    assert answer.passages
    assert all(passage.lit or passage.lit_rows for passage in answer.passages)


def test_the_same_words_with_another_figure_are_no_copy(tmp_path: Path) -> None:
    texts = {f"{n}.md": f"# Year {n}\n\nThe ferry to Lund carried {n}00 cars in all of the year." for n in (4, 7)}
    answer = answered(shelf(tmp_path, texts), "How many cars did the ferry to Lund carry?")
    assert {"400", "700"} <= {word for passage in answer.passages for word in passage.text.split()}


def test_one_clear_answer_is_shown_alone_and_the_rest_on_demand(tmp_path: Path) -> None:
    others = {f"{n}.md": f"# Note {n}\n\nThe ferry number {n} is painted in colour {n}." for n in range(4)}
    services = shelf(tmp_path, {"a.md": f"# Ferries\n\n{FERRY}", **others})
    answer = answered(services, "When does the ferry to Lund leave in the morning?")
    assert [passage.title for passage in shown(answer)] == ["Ferries"]
    assert "painted" not in answer.answer


def test_neighbouring_passages_of_one_document_are_joined(tmp_path: Path) -> None:
    first = "The ferry to Lund leaves at six. " + "The harbour of Lund has a long pier of stone. " * 18
    second = "The ferry to Lund leaves again at nine. " + "Tickets for the ferry to Lund are sold on board. " * 14
    services = shelf(tmp_path, {"a.md": f"# Ferries\n\n{first}\n\n{second}"})
    for passage in answered(services, "When does the ferry to Lund leave?").passages:
        assert passage.text[0].isupper()
        assert passage.text.rstrip()[-1] == "."
    places = [(p.start, p.end) for p in answered(services, "When does the ferry to Lund leave?").passages]
    assert all(one[1] <= other[0] or other[1] <= one[0] for one in places for other in places if one != other)


def test_a_long_section_is_cut_to_whole_sentences_around_what_answers(tmp_path: Path) -> None:
    filler = "".join(f"Sentence number {n} of the harbour rules says little of any use. " for n in range(60))
    services = shelf(tmp_path, {"a.md": f"# Rules\n\n{filler}\n\n{FERRY} {filler}"})
    first = answered(services, "When does the ferry to Lund leave in the morning?").passages[0]
    assert "leaves at six" in " ".join(first.text[start:end] for start, end in first.lit)
    assert len(first.text) <= 1600
    assert first.text.endswith(".")


def test_running_heads_of_pages_and_headings_are_no_sentences(tmp_path: Path) -> None:
    text = f"# Ferries\n\n## Times\n\n{FERRY}\n\n## Prices\n\nA ticket for one costs 40 crowns."
    answer = answered(shelf(tmp_path, {"a.md": text}), "When does the ferry to Lund leave?")
    assert answer.passages[0].headings == ["Times"]
    assert "##" not in answer.answer


def test_the_headings_of_a_card_are_those_above_the_lit_sentence_and_headings_in_it_are_named(tmp_path: Path) -> None:
    text = f"# Ferries\n\n## Prices\n\nA ticket costs 40 crowns.\n\n## Times\n\n### Morning\n\n{FERRY}\n"
    answer = answered(shelf(tmp_path, {"a.md": text}), "When does the ferry to Lund leave in the morning?")
    [passage] = answer.passages
    assert passage.headings == ["Times", "Morning"]
    assert "**Ferries** · Times › Morning" in answer.answer
    assert [citation.heading for citation in answer.citations] == ["Morning"]
    assert [passage.text[start:end] for start, end in passage.lit] == [FERRY]
    inside = [passage.text[start:end] for start, end in passage.inner_headings]
    assert inside[0] == "Prices"
    assert inside[-1] == "Morning"


def test_passages_of_one_document_stand_together(tmp_path: Path) -> None:
    one = "# Alpha\n\n## Ferry\n\nThe ferry to Lund is red.\n\n## Pier\n\n" + "The pier is old. " * 60
    one += "\n\n## Ferry again\n\nThe ferry to Lund is a ship."
    services = shelf(tmp_path, {"a.md": one, "b.md": "# Beta\n\nThe ferry to Lund is slow."})
    titles = [passage.title for passage in shown(answered(services, "What is the ferry to Lund?"))]
    assert titles == sorted(titles, key=titles.index)


def test_a_document_that_says_the_opposite_in_nearly_the_same_words_is_not_dropped(tmp_path: Path) -> None:
    rule = "Employees of the company may {} over unused vacation days to the first quarter of the next year."
    texts = {
        "old.md": f"# Old policy\n\n{rule.format('carry')}",
        "new.md": f"# New policy\n\n{rule.format('not carry')}",
    }
    answer = answered(shelf(tmp_path, texts), "May employees carry over unused vacation days?")
    assert {passage.title for passage in answer.passages} == {"Old policy", "New policy"}


def test_the_answer_to_a_question_of_a_faq_is_lit_and_not_the_question(tmp_path: Path) -> None:
    faq = (
        "QUESTIONS\n\nHow do I change my address?\nWrite to the desk within a week.\n\n"
        "How do I cancel my membership?\nSend a letter before the end of the month.\n"
    )
    answer = answered(shelf(tmp_path, {"faq.txt": faq}), "How can I cancel the membership?")
    (passage,) = [each for each in answer.passages if not each.more]
    assert [passage.text[start:end] for start, end in passage.lit] == ["Send a letter before the end of the month."]
    assert "How do I cancel my membership?\n\nSend a letter" in passage.text
    assert passage.headings == ["How do I cancel my membership?"]


def test_a_list_of_questions_without_answers_stays_a_list(tmp_path: Path) -> None:
    audit = (
        "# Safety audit\n\n## Questions for the foreman\n\n- Are the exits free?\n"
        "- When was the crane last inspected?\n- Do the welders wear masks?\n"
    )
    answer = answered(shelf(tmp_path, {"audit.md": audit}), "When was the crane inspected?")
    (passage,) = [each for each in answer.passages if not each.more]
    assert passage.headings == ["Questions for the foreman"]
    assert "- Are the exits free?\n- When was the crane last inspected?\n- Do the welders wear masks?" in passage.text
    forms = {"form.txt": "Do you smoke now?\nDo you drink coffee?\nDo you ever sleep?\n"}
    assert answered(shelf(tmp_path / "form", forms), "Do you drink coffee?").passages


def test_the_question_of_a_faq_stands_below_the_heading_of_its_section(tmp_path: Path) -> None:
    handbook = "# Handbook\n\n## Leave\n\nCan I carry days over?\nYes, up to five days.\n\nWho decides?\nThe office.\n"
    answer = answered(shelf(tmp_path, {"handbook.md": handbook}), "Can I carry leave days over?")
    (passage,) = [each for each in answer.passages if not each.more]
    assert passage.headings == ["Leave", "Can I carry days over?"]


def test_the_second_sentence_of_an_item_stays_in_the_item(tmp_path: Path) -> None:
    rules = (
        "# Travel\n\n- Rail is preferred.\n- Economy class applies. Business class is never paid.\n- Taxis are paid.\n"
    )
    answer = answered(shelf(tmp_path, {"travel.md": rules}), "Is business class paid?")
    (passage,) = [each for each in answer.passages if not each.more]
    assert "- Economy class applies. Business class is never paid.\n" in passage.text


def test_two_tables_are_two_passages_each_with_its_own_heads(tmp_path: Path) -> None:
    prices = "## Prices\n\n| Item | Price (€) |\n|---|---|\n| Desk | 489 |\n| Oak lamp | 75 |\n\n"
    discounts = "## Discounts\n\n| Quantity | Discount |\n|---|---|\n| 10 to 24 | 5 % |\n| 25 to 49 | 8 % |\n"
    answer = answered(shelf(tmp_path, {"list.md": f"# Furniture\n\n{prices}{discounts}"}), "price of the oak lamp")
    shown = [(passage.heads, passage.rows) for passage in answer.passages]
    assert shown == [
        ([["Item", "Price (€)"]], [["Desk", "489"], ["Oak lamp", "75"]]),
        ([["Quantity", "Discount"]], [["10 to 24", "5 %"], ["25 to 49", "8 %"]]),
    ]


def test_a_long_table_has_all_of_its_rows(tmp_path: Path) -> None:
    rows = [[f"Plot {number}", str(number * 7)] for number in range(1, 31)]
    table = "\n".join(f"| {label} | {trees} |" for label, trees in rows)
    made = shelf(tmp_path, {"wood.md": f"# The wood\n\n| Plot | Trees |\n|---|---|\n{table}\n"})
    (passage,) = answered(made, "How many trees stand on plot 12?").passages
    assert passage.rows == rows
    assert [passage.rows[row] for row in passage.lit_rows] == [["Plot 12", "84"]]


def test_a_row_with_fewer_of_the_questions_words_is_not_lit_beside_the_one_that_answers(tmp_path: Path) -> None:
    rows = "| London | £180 | £45 |\n| Paris | €190 | €55 |\n| Elsewhere | €150 | €48 |"
    table = f"| Place | Hotel per night | Meals per day |\n|---|---|---|\n{rows}"
    policy = f"# Travel\n\n{table}\n\nAlcohol is not paid in London.\n"
    made = shelf(tmp_path, {"travel.md": policy})
    services = Services(made.library, made.search, Knowing("no sentence"))  # meaning does not tell the rows apart
    answer = answered(services, "What is the hotel allowance per night in Paris?")
    assert [passage.lit_rows for passage in answer.passages if passage.rows] == [[1]]
    both = answered(services, "What is the hotel allowance per night in London and in Paris?")
    assert [passage.lit_rows for passage in both.passages if passage.rows] == [[0, 1]]


def test_a_row_with_other_heads_than_the_lit_one_keeps_its_own_figures() -> None:
    heads = ("", "2023", "2022", "2023", "2022")
    evidence = Evidence(1, Span("d", 0, 9), "T", "text", "x" * 9)
    short = Unit(evidence, "row", 0, 9, "", frozenset(), ("Impairment", "5", "7", "9"), heads[:4])
    other = Unit(evidence, "row", 0, 9, "", frozenset(), ("Other", "77"), ("", "2021"))
    assert align_cells(short, heads) == ("Impairment", "5", "7", "9", "")
    assert align_cells(other, heads) == ("Other", "77 (2021)")


def test_a_lit_row_with_fewer_cells_leaves_the_other_rows_under_their_heads() -> None:
    heads = ("Model", "Summer", "Winter", "Weight")
    evidence = Evidence(1, Span("d", 0, 40), "T", "text", "x" * 40)
    full = Unit(evidence, "row", 0, 9, "", frozenset(), ("Zephyr", "70", "52", "19 kg"), heads)
    short = Unit(evidence, "row", 10, 19, "", frozenset(), ("Boreas", "110", "85"), heads[:3])
    card = make_card(PassageSection(evidence, "table", (full, short), ()), [1])
    assert card.heads == heads
    assert [piece.cells for piece in card.pieces] == [full.cells, ("Boreas", "110", "85", "")]


def test_a_table_below_a_title_with_a_year_keeps_its_heads(tmp_path: Path) -> None:
    rows = [["Budget 2025 draft"], ["Item", "Cost (EUR)", "Share"], ["Civil works", 120, 0.6], ["Piping", 80, 0.4]]

    def build(book: Any) -> None:
        for row in [*rows, ["Total", None, 1]]:
            book.active.append(row)

    services = shelf(tmp_path, {})
    (tmp_path / "budget.xlsx").write_bytes(files.workbook(build))
    keep(services.library, tmp_path / "budget.xlsx")
    answer = answered(services, "What is the cost of the piping?")
    assert answer.passages[0].heads == [["Item", "Cost (EUR)", "Share"]]
    (cited,) = answer.citations[0].rows
    assert (cited.heads, cited.cells, cited.note) == (["", "Cost (EUR)", "Share"], ["Piping", "80", "0.4"], "")


def test_a_citation_of_slides_names_the_slide_of_what_answers_best(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        for title, words in (
            ("Plan", "Product: Zephyr, which may be delivered"),
            ("Budget", "The launch budget is 250,000 dollars"),
            ("Risks", "The sensor supplier Nordisk may deliver late"),
            ("Team", "Four people work on it"),
        ):
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text, slide.placeholders[1].text = title, words

    services = shelf(tmp_path, {})
    (tmp_path / "zephyr.pptx").write_bytes(files.slides(build))
    keep(services.library, tmp_path / "zephyr.pptx")
    answer = answered(Services(services.library, services.search, Knowing("Nordisk")), "Who may deliver Zephyr late?")
    first, cited = answer.passages[0], answer.citations[0]
    slide = cited.page
    assert "Nordisk" in first.text[slice(*first.lit[-1])]
    assert (cited.label, cited.heading, first.page, first.last_page) == (f"slide {slide}", "Risks", slide, slide)
    assert first.headings[-1] == "Risks"
    assert "Nordisk" in cited.quote[cited.lit[0][0] - cited.start : cited.lit[0][1] - cited.start]


def test_a_title_that_is_a_line_of_text_does_not_make_its_slide_the_cited_one(tmp_path: Path) -> None:
    def build(deck: Any) -> None:
        for words in (
            ("Project Heron",),
            ("The main risk of the project is the delay of the harbour permit.",),
        ):
            box = deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_textbox(0, 0, 9_000_000, 2_000_000)
            box.text_frame.text = "\n".join(words)

    services = shelf(tmp_path, {})
    (tmp_path / "deck.pptx").write_bytes(files.slides(build))
    keep(services.library, tmp_path / "deck.pptx")
    asked = "What is the main risk of project Heron?"
    answer = answered(Services(services.library, services.search, Knowing("Project Heron")), asked)
    first, cited = answer.passages[0], answer.citations[0]
    assert [first.text[start:end] for start, end in first.lit] == [
        "The main risk of the project is the delay of the harbour permit."
    ]
    assert (cited.page, cited.label, first.page, first.last_page) == (2, "slide 2", 2, 2)


def test_the_words_with_which_the_heads_of_a_row_begin_are_said_once() -> None:
    period = "Twelve Months Ended June 30,"
    evidence = Evidence(1, Span("d", 0, 9), "T", "text", "x" * 9)
    own = ("", f"{period} 2022 Dues", f"{period} 2023 Dues", "Tolls")
    unit = Unit(evidence, "row", 0, 9, "", frozenset(), ("Ships", "14,544", "14,694", ""), own)
    assert align_cells(unit, ("", "2021", "2020")) == (
        f"Ships ({period})",
        "14,544 (2022 Dues)",
        "14,694 (2023 Dues)",
        "",
    )
