"""Without a model a question in parts is answered part by part, in quotations that all verify."""

from pathlib import Path

import pytest

from pincite import events
from pincite.answer.services import Services
from pincite.library.web_snapshots import archive_page
from pincite.reading.source import Source
from tests.answer.split.acting import TEXTS, Shelf, with_engine
from tests.turns import ask, final, of_type, open_test_services
from tests.work import AtOnce

QUESTION = "What notice period does the lease name and what notice does the act on letting name?"


def quoting(tmp_path: Path) -> Services:
    services = open_test_services(tmp_path, TEXTS)
    return Services(services.library, services.search, None)


def test_each_part_is_quoted_under_its_name(tmp_path: Path) -> None:
    said = ask(quoting(tmp_path), QUESTION, focus="documents")
    whole = final(said)
    assert [each.name for each in whole.subagents] == ["file_analyzer", "file_analyzer", "content_synthesizer"]
    assert "**What notice period does the lease name**" in whole.answer
    assert "three months" in whole.answer
    assert "one month" in whole.answer
    assert {each.support for each in whole.sentences} <= {"verified", None}
    assert {each.title for each in whole.citations} == {"Lease of the flat in rue Haute", "Act on furnished letting"}


def test_a_question_about_the_files_does_not_search_pages_kept_from_the_web(tmp_path: Path) -> None:
    services = quoting(tmp_path)
    path = tmp_path / "page.html"
    words = "The lease of the flat in rue Haute names a notice period of nine months, and the notice period is long."
    path.write_text(f"<html><head><title>A page</title></head><body><p>{words}</p></body></html>", "utf-8")
    archive_page(services.library, "local", AtOnce(), Source(path, "page.html"), "https://example.org/", {})
    whole = final(ask(with_engine(services, Shelf()), QUESTION))
    assert whole.subagents[0].name == "file_analyzer"
    assert whole.citations
    assert {each.url for each in whole.citations} == {None}


def test_also_without_an_engine_my_lease_is_not_looked_for_in_pages_that_were_kept(tmp_path: Path) -> None:
    services = quoting(tmp_path)
    path = tmp_path / "page.html"
    words = "By law the notice period of a furnished flat is five weeks, whatever the lease says of the notice period."
    path.write_text(f"<html><head><title>The law</title></head><body><p>{words}</p></body></html>", "utf-8")
    archive_page(services.library, "local", AtOnce(), Source(path, "page.html"), "https://example.org/", {})
    asked = "What does the lease say about the notice period and what does the law say about the notice period?"
    lease, _, law = final(ask(services, asked)).answer.partition("**What does the law")
    assert "three months" in lease
    assert "five weeks" not in lease
    assert "five weeks" in law


def test_two_rows_of_one_table_are_compared_in_it_under_both_names(tmp_path: Path) -> None:
    rows = "".join(f"| {name} | {sales} |\n" for name, sales in (("Aerospace", 512), ("Rail", 301), ("Marine", 58)))
    report = (
        "# Annual report\n\n## Risks\n\nVolta Rail is a customer. Gas is dear.\n\n"
        f"## Results\n\nThe table shows the results of each segment.\n\n| Segment | Revenue 2023 |\n|---|---|\n{rows}"
    )
    made = open_test_services(tmp_path, {"report.md": report})
    services = Services(made.library, made.search, None)
    whole = final(ask(services, "Compare the revenue of Aerospace and Rail in 2023"))
    assert "**Revenue of Aerospace in 2023 · Revenue of Rail in 2023**" in whole.answer
    (table,) = [passage for passage in whole.passages if passage.rows]
    assert [table.rows[row] for row in table.lit_rows] == [["Aerospace", "512"], ["Rail", "301"]]
    assert "Gas is dear" not in whole.answer


def test_two_things_are_compared_side_by_side(tmp_path: Path) -> None:
    said = ask(quoting(tmp_path), "Compare the lease of rue Haute and the act on furnished letting", focus="documents")
    whole = final(said)
    first, _, second = whole.answer.partition("**Act on furnished letting**")
    assert first.startswith("Found in your documents:\n\n**Lease of rue Haute**")
    assert "three months" in first
    assert "one month" in second
    assert {each.support for each in whole.sentences} <= {"verified", None}


def make_report(name: str, sales: int) -> str:
    return f"""# {name}: annual report

## Results

The results of {name} are below.

| in millions | 2023 | 2022 |
|---|---|---|
| Net sales | {sales} | {sales - 9} |
| Selling and administrative expenses | {sales - 50} | {sales - 60} |

Source: {name}, Inc.

| Adjustments | 2023 | 2022 |
|---|---|---|
| {name} adjusted income | 22 | 21 |
"""


@pytest.mark.parametrize(
    "question",
    [
        "Compare net sales of Plumtree and Velour Beauty",
        "Compare Plumtree's net sales and Velour Beauty's",
        "Which of Plumtree and Velour Beauty has more net sales?",
    ],
)
@pytest.mark.parametrize("subagents", [True, False])
def test_the_rows_of_what_is_compared_are_highlighted_and_none_that_only_names_a_side(
    tmp_path: Path, question: str, subagents: bool
) -> None:
    texts = {"a.md": make_report("Plumtree", 340), "b.md": make_report("Velour Beauty", 470)}
    services = open_test_services(tmp_path, texts, research={"subagents": subagents})
    whole = final(ask(Services(services.library, services.search, None), question, focus="documents"))
    shown = [passage for passage in whole.passages if not passage.more]
    assert [passage.rows[row] for passage in shown for row in passage.lit_rows] == [
        ["Net sales", "340", "331"],
        ["Net sales", "470", "461"],
    ]
    assert not any(passage.lit for passage in shown if passage.form != "table")
    assert whole.answer.startswith("Found in your documents:\n\n**")


@pytest.mark.parametrize(
    "question", ["Compare option A and option B", "Quelle est la différence entre l'option A et l'option B ?"]
)
def test_two_things_in_one_passage_are_highlighted_there_under_both_names(tmp_path: Path, question: str) -> None:
    text = """# Bicycles

- The town has 1,200 bicycles.
- Option A needs no new depot.
- Option B needs a charging depot in Westhaven.
- The stations are open all night.
- The mayor spoke in April.
- The fleet is washed in May.
"""
    services = open_test_services(tmp_path, {"bicycles.md": text})
    whole = final(ask(Services(services.library, services.search, None), question, focus="documents"))
    assert "**Option A · Option B**" in whole.answer
    (passage,) = [each for each in whole.passages if not each.more]
    lit = [passage.text[start:end] for start, end in passage.lit]
    assert "Option A needs no new depot." in " ".join(lit)
    assert "Option B needs a charging depot in Westhaven." in " ".join(lit)
    assert "1,200" not in " ".join(lit)


def test_two_rows_of_a_long_table_are_highlighted_in_one_table(tmp_path: Path) -> None:
    towns = ["Aberdeen", "Bristol", "Cardiff", "Dover", "Exeter", "Falmouth", "Glasgow", "Hull", "Ipswich"]
    towns += ["Jarrow", "Kendal", "London", "Margate"]
    rows = "".join(f"| {town} | {100 + 10 * place} |\n" for place, town in enumerate(towns))
    services = open_test_services(tmp_path, {"rates.md": f"# Rates\n\n| Place | Hotel |\n|---|---|\n{rows}"})
    asked = "Compare the hotel in Dover and Jarrow"
    whole = final(ask(Services(services.library, services.search, None), asked, focus="documents"))
    (passage,) = [each for each in whole.passages if not each.more]
    assert [passage.rows[place] for place in passage.lit_rows] == [["Dover", "130"], ["Jarrow", "190"]]
    assert passage.part == "Hotel in Dover · Jarrow"
    assert whole.answer.count("| Falmouth | 150 ") == 1


@pytest.mark.parametrize("sides", [("red van", "blue van"), ("blue van", "red van")])
def test_a_passage_about_both_sides_has_the_highlights_of_both(tmp_path: Path, sides: tuple[str, str]) -> None:
    texts = {
        "a.md": "# Vans\n\n- The red van carries 900 kg.\n- The blue van carries 700 kg.\n- The keys are in the safe.\n"
        "- The office is closed on Mondays.\n- Both have a radio.\n",
        "b.md": "# Repairs\n\nThe blue van was repaired in May. The blue van has new brakes.\n",
        "c.md": "# Paint\n\nThe red van was painted in June. The red van has a new door.\n",
    }
    services = open_test_services(tmp_path, texts)
    asked = f"Compare the {sides[0]} and the {sides[1]}"
    whole = final(ask(Services(services.library, services.search, None), asked, focus="documents"))
    (vans,) = [each for each in whole.passages if each.title == "Vans" and not each.more]
    assert [vans.text[start:end] for start, end in vans.lit] == [
        "- The red van carries 900 kg.\n- The blue van carries 700 kg."
    ]
    first, second = (whole.answer.index(f"**{side.capitalize()}**") for side in sides)
    assert first < second


def test_a_part_that_nothing_answers_says_so_and_the_rest_stands(tmp_path: Path) -> None:
    said = ask(quoting(tmp_path), "What notice does the lease name and who painted the Mona Lisa?", focus="documents")
    whole = final(said)
    assert not whole.refused
    assert "three months" in whole.answer
    assert "No document mentions Mona Lisa." in whole.answer
    assert whole.missing == ["Mona Lisa"]


def test_nothing_found_in_any_part_is_a_refusal(tmp_path: Path) -> None:
    said = ask(quoting(tmp_path), "Who painted the Mona Lisa and where does the Volga begin?", focus="documents")
    assert final(said).refused
    assert len(of_type(said, events.SubagentStarted)) == 2


def test_a_word_that_both_sides_have_does_not_mix_them(tmp_path: Path) -> None:
    texts = {
        "pumps.md": "# Heat pumps\n\nA heat pump takes heat from the air. Heat pumps cost 12,000 euros.\n",
        "boilers.md": "# Gas boilers\n\nA gas boiler turns gas into heat. Gas boilers cost 4,000 euros.\n",
    }
    services = open_test_services(tmp_path, texts)
    whole = final(
        ask(Services(services.library, services.search, None), "Compare heat pumps and gas boilers", focus="documents")
    )
    first, _, second = whole.answer.partition("**Gas boilers**")
    assert "12,000" in first
    assert "gas boiler" not in first
    assert "4,000" in second
    assert "heat pump" not in second


def test_a_part_that_names_no_place_is_asked_of_the_documents_when_they_know_it(tmp_path: Path) -> None:
    services = with_engine(quoting(tmp_path), Shelf())
    whole = final(ask(services, "What is the rent of the flat in rue Haute a month and who painted the Mona Lisa?"))
    assert [each.name for each in whole.subagents[:2]] == ["file_analyzer", "deep_research"]
    assert "812 euros" in whole.answer
