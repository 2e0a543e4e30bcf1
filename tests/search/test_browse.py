"""Documents opened by the names that people use, from end to end or at a page."""

from itertools import pairwise
from pathlib import Path

import pytest

from pincite.answer.services import Services
from pincite.search import browse
from pincite.types import Scope, Span
from tests import pdfs
from tests.turns import keep, open_test_services


@pytest.fixture
def services(tmp_path: Path) -> Services:
    sections = "\n\n".join(f"## Section {n}\n\n" + f"Words of section {n}. " * 90 for n in range(1, 31))
    texts = {"report-2023.md": f"# Rapport d'activité\n\n{sections}", "notes.md": "# Réunion du comité\n\nRien."}
    return open_test_services(tmp_path, texts)


def test_a_document_is_known_by_its_id_its_title_or_its_file(services: Services) -> None:
    database, scope = services.library.database, Scope()
    everything = {document.name: document.id for document in browse.list_documents(database, scope)}
    for name in (everything["notes.md"][:8], "reunion COMITÉ", "notes", "la réunion du comité"):
        assert [document.name for document in browse.find_documents_by_name(database, scope, name)] == ["notes.md"]
    assert browse.find_documents_by_name(database, scope, "unheard of") == []
    assert browse.find_documents_by_name(database, scope, "") == []
    assert browse.find_documents_by_name(database, Scope(owner="other"), "notes") == []


def test_an_outline_goes_from_the_beginning_to_the_end(services: Services) -> None:
    (report,) = browse.find_documents_by_name(services.library.database, Scope(), "rapport activité")
    hits = browse.sample_passages(services.library.database, "local", report.id, 10)
    assert len(hits) == 10
    starts = [hit.span.start for hit in hits]
    assert starts == sorted(starts)
    assert starts[0] == 0
    assert "Section 30" in hits[-1].headings[-1]


def test_a_short_document_is_its_own_outline(services: Services) -> None:
    (notes,) = browse.find_documents_by_name(services.library.database, Scope(), "notes")
    assert [
        "Rien." in hit.text for hit in browse.sample_passages(services.library.database, "local", notes.id, 10)
    ] == [True]


def test_a_page_gives_what_stands_on_it(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, {})
    id = keep(services.library, pdfs.simple(tmp_path / "three.pdf", pages=3))
    hits = browse.list_passages_on_page(services.library.database, "local", id, 2)
    assert hits
    assert all(hit.page <= 2 <= hit.last_page for hit in hits)
    assert browse.list_passages_on_page(services.library.database, "local", id, 9) == []


def test_reading_on_begins_where_it_was_left(services: Services) -> None:
    (report,) = browse.find_documents_by_name(services.library.database, Scope(), "report")
    hits = browse.list_passages_after(services.library.database, "local", report.id, 20_000)
    assert hits[0].span.start <= 20_000 < hits[0].span.end


def test_the_words_of_a_file_s_name_may_be_parted_by_underscores(tmp_path: Path) -> None:
    services = open_test_services(tmp_path, {"AMBER_2022_10K.md": "Sales rose.", "BERYL_2022_10K.md": "Sales fell."})
    found = browse.find_documents_by_name(services.library.database, Scope(), "Amber 10K")
    assert [document.name for document in found] == ["AMBER_2022_10K.md"]


def test_a_section_goes_to_the_next_heading_of_its_level(services: Services) -> None:
    database = services.library.database
    (report,) = browse.find_documents_by_name(database, Scope(), "report")
    section = browse.find_section(database, "local", report.id, "section 7")
    assert section
    assert section.title.endswith("Section 7")
    hits = browse.list_passages_between(database, "local", report.id, section.start, section.end, 20)
    assert {hit.headings[-1] for hit in hits} == {"Section 7"}
    whole = browse.find_section(database, "local", report.id, "activite")
    assert whole
    assert whole.start < section.start < section.end < whole.end
    assert browse.find_section(database, "local", report.id, "unheard of") is None


def test_the_opening_of_each_document_comes_in_the_order_asked_for(services: Services) -> None:
    there = [document.id for document in browse.list_documents(services.library.database, Scope())]
    hits = browse.list_first_passages(services.library.database, "local", there[::-1])
    assert [hit.span.document for hit in hits] == there[::-1]
    assert [hit.span.start for hit in hits] == [0, 0]


def test_an_outline_has_the_beginning_of_each_section_before_passages_from_the_middle(tmp_path: Path) -> None:
    long = "The report says more about the same subject in this sentence. " * 60
    parts = "".join(f"## Part {n}\n\nHere begins part {n}. {long}\n\n" for n in (1, 2, 3))
    services = open_test_services(tmp_path, {"report.md": f"# Report\n\n{parts}"})
    (report,) = browse.find_documents_by_name(services.library.database, Scope(), "report")
    for limit in range(4, 9):
        hits = browse.sample_passages(services.library.database, "local", report.id, limit)
        assert len(hits) == limit
        assert all(any(f"Here begins part {n}." in hit.text for hit in hits) for n in (1, 2, 3))


def test_places_give_the_passages_that_have_them_in_their_order(services: Services) -> None:
    (report,) = browse.find_documents_by_name(services.library.database, Scope(), "report")
    places = [Span(report.id, start, start + length) for start, length in ((20_000, 10), (30_000, 5_000), (20_005, 1))]
    database = services.library.database
    hits = browse.load_passages(database, "local", browse.find_passages_at(database, "local", places))
    assert hits[0].span.start <= 20_000 < hits[0].span.end
    assert hits[1].span.start <= 30_000 < hits[1].span.end
    assert hits[-1].span.start < 35_000 <= hits[-1].span.end
    assert all(a.span.start < b.span.start and a.span.end < b.span.end for a, b in pairwise(hits))
    assert browse.find_passages_at(database, "somebody else", places) == []
    assert browse.load_passages(database, "somebody else", browse.find_passages_at(database, "local", places)) == []
