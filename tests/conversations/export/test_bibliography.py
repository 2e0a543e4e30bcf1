from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conversations.export.test_text_export import answered, cited, talk
from tests.turns import open_test_services

from pincite.conversations.export import text_export
from pincite.conversations.export.bibliography import CitedWork, load_document_facts, make_bibliography
from pincite.conversations.transcript import make_exchange
from pincite.events import Answer, Boxes, Section
from pincite.store import documents

BOXES = [Boxes(page=page, width=1, height=1, rects=[]) for page in (7, 8)]


def a_report(text: str = "## In short\n\nDeep [1].", **given: object) -> Answer:
    section = Section(heading="In short", question="How deep?")
    return answered(text, citations=[cited(1, **given)]).model_copy(update={"outline": [section]})


def test_each_source_stands_once_with_all_its_pages_in_the_order_it_is_first_cited() -> None:
    answer = answered(
        "?",
        citations=[
            cited(1, document="b", title="Dams", page=9),
            cited(2, document="a", page=3),
            cited(3, document="b", title="Dams", page=7).model_copy(update={"boxes": BOXES}),
            cited(4, document="b", title="Dams", page=2),
        ],
    )
    assert [work.describe() for work in make_bibliography(answer, {})] == ["Dams, pages 2, 7–9", "Lakes, page 3"]


def test_authors_and_date_of_access_are_told_where_known() -> None:
    known = {"d": {"author": "Ada  Lovelace", "fetched": "2026-11-15T10:00:00+00:00"}}
    work = make_bibliography(a_report(page=None, url="https://a.example/x"), known)[0]
    assert work.describe("en") == "Ada Lovelace, Lakes, read on 2026-11-15"
    assert work.describe("fr") == "Ada Lovelace, Lakes, lu le 2026-11-15"
    assert work.url == "https://a.example/x"


@given(st.sets(st.integers(1, 60), min_size=1))
def test_every_page_is_in_its_row_and_no_other(pages: set[int]) -> None:
    told = CitedWork("", tuple(sorted(pages))).describe().removeprefix("pages ").removeprefix("page ")
    found: set[int] = set()
    for part in told.split(", "):
        first, _, last = part.partition("–")
        found |= set(range(int(first), int(last or first) + 1))
    assert found == pages


def test_a_document_of_another_owner_or_a_removed_one_tells_nothing(tmp_path: Path) -> None:
    services = open_test_services(tmp_path)
    with services.library.database.reading() as connection:
        stored = documents.find(connection, "local")[0].id
    answers = [a_report(document=stored), a_report(document="gone")]
    assert list(load_document_facts(services.library.database, "local", answers)) == [stored]
    assert load_document_facts(services.library.database, "somebody else", answers) == {}
    services.close()


def test_a_report_that_stands_alone_has_its_question_as_its_title_and_nothing_twice() -> None:
    told = talk(("How  deep is it?", a_report()), title="How deep…")
    text = text_export.export_markdown(told)
    assert text.startswith("# How deep is it?\n")
    assert text.count("How deep is it?") == 1
    assert "\n## In short\n" in text
    assert text.index("## Bibliography\n\n1. Lakes, page 3\n") < text.index("[^1-1]: ")
    page = text_export.export_html(told)
    assert "<h2>In short</h2>" in page
    assert '<h2>Bibliography</h2><ol class="works"><li>Lakes, page 3</li></ol>' in page


def test_a_report_among_other_questions_stands_below_its_own() -> None:
    told = talk(("How deep?", a_report()), ("Et en été ?", answered("# Été\n\n`# x`")))
    text = text_export.export_markdown(told)
    for line in ("## How deep?", "### In short", "### Bibliography", "## Et en été ?", "## Été"):
        assert f"\n{line}\n" in text
    assert "`# x`" in text
    assert text.count("Bibliography") == 1
    assert "<h3>In short</h3>" in text_export.export_html(told)


@pytest.mark.parametrize("url", ["javascript:alert(1)", '"><script>', "file:///etc/passwd"])
def test_no_address_of_a_source_is_a_way_in(url: str) -> None:
    page = text_export.export_html(talk(("How deep?", a_report(url=url))))
    assert "<script>" not in page
    assert 'href="javascript' not in page
    assert 'href="file' not in page


def test_a_question_that_was_asked_once_is_exported_like_a_conversation(tmp_path: Path) -> None:
    services = open_test_services(tmp_path)
    told = make_exchange(services.library.database, "local", "How deep is it?", a_report())
    services.close()
    assert text_export.export_markdown(told).startswith("# How deep is it?\n")
