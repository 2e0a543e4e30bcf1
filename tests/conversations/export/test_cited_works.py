"""The sources of answers as BibTeX, RIS, CSL-JSON and lines, with what is known of each document."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conversations.export.test_text_export import answered, cited, talk

from pincite.conversations.export.bibliography import describe_pages
from pincite.conversations.export.cited_works import (
    Author,
    Reference,
    list_references,
    parse_date,
    split_authors,
)
from pincite.conversations.export.reference_formats import format_reference, write_references
from pincite.conversations.transcript import Conversation
from pincite.errors import NotFound

FACTS = {
    "d": {"author": "Ada Lovelace, Charles Babbage", "date": "1843-08-05"},
    "w": {"site": "The Times", "fetched": "2026-11-15T10:00:00+00:00"},
}


def a_talk(facts: dict[str, dict[str, str]] = FACTS) -> Conversation:
    first = answered("?", citations=[cited(1, label="iv", page=6), cited(2, page=9), cited(3, page=10)])
    page: dict[str, Any] = {"document": "w", "title": "Dams & 100 % more", "kind": "html", "page": None}
    second = answered(
        "?", citations=[cited(4, **page, url="https://a.example/x_y?z=%20"), cited(1, page=6, label="iv")]
    )
    return replace(talk(("How deep?", first), ("How high?", second)), facts=facts)


def test_each_document_is_one_reference_with_its_printed_pages() -> None:
    lakes, dams = list_references(a_talk())
    assert (lakes.key, lakes.title, lakes.pages) == ("lovelace1843lakes", "Lakes", "iv, 9–10")
    assert lakes.authors == (Author("Lovelace", "Ada"), Author("Babbage", "Charles"))
    assert (dams.key, dams.pages, dams.read) == ("dams", "", (2026, 11, 15))
    assert format_reference(lakes) == "Lovelace, Ada; Babbage, Charles (1843). Lakes. pp. iv, 9–10."
    read = "https://a.example/x_y?z=%20, consulté le 2026-11-15."
    assert format_reference(dams, "fr") == f"Dams & 100 % more. The Times. {read}"


def test_references_are_those_of_one_answer_or_of_one_document() -> None:
    assert [each.title for each in list_references(a_talk(), "a0")] == ["Lakes"]
    assert [each.title for each in list_references(a_talk(), "a1", "w")] == ["Dams & 100 % more"]
    for message, document in (("nothing", ""), ("a0", "w"), ("q0", "")):
        with pytest.raises(NotFound):
            list_references(a_talk(), message, document)


def test_bibtex_has_every_sign_that_means_something_escaped() -> None:
    told = write_references(list_references(a_talk()), "bib")
    assert "@misc{lovelace1843lakes,\n  author = {Lovelace, Ada and Babbage, Charles},\n" in told
    assert "  title = {{Dams \\& 100 \\% more}},\n" in told
    assert "  note = {Cited: pp. iv, 9–10},\n" in told
    assert "  url = {https://a.example/x_y?z=\\%20},\n  urldate = {2026-11-15},\n" in told
    hostile = Reference("k", "pdf", "} @evil{x, \\input{y}", (Author("{Org", ""),))
    body = write_references([hostile], "bib")
    assert re.sub(r"\\[{}]", "", body).count("{") == re.sub(r"\\[{}]", "", body).count("}")


def test_ris_has_one_tag_on_each_line_and_its_end() -> None:
    told = write_references(list_references(a_talk()), "ris")
    assert told.startswith("TY  - GEN\r\nID  - lovelace1843lakes\r\nAU  - Lovelace, Ada\r\nAU  - Babbage, Charles\r\n")
    assert told.count("ER  - \r\n") == 2
    assert "TY  - ELEC\r\n" in told
    assert "Y2  - 2026/11/15\r\n" in told
    broken = write_references([Reference("k", "pdf", "One\r\nER  - \r\nTY  - BOOK")], "ris")
    assert broken.count("\r\nER") == 1


def test_csl_json_is_what_citation_programs_read() -> None:
    lakes, dams = json.loads(write_references(list_references(a_talk()), "csl"))
    assert lakes["author"] == [{"family": "Lovelace", "given": "Ada"}, {"family": "Babbage", "given": "Charles"}]
    assert (lakes["type"], lakes["issued"]) == ("document", {"date-parts": [[1843, 8, 5]]})
    assert (dams["type"], dams["URL"]) == ("webpage", "https://a.example/x_y?z=%20")
    assert "issued" not in dams


@pytest.mark.parametrize(
    ("title", "kind", "date", "told"),
    [
        ("Brook Mill: yearly report 2021", "pdf", "2025-03-04", (2021,)),
        ("Brook Mill: yearly report 2021", "pdf", "", (2021,)),
        ("Brook Mill: yearly report 2021", "pdf", "2021-12-01", (2021, 12, 1)),
        ("Brook Mill: plan for 2030", "pdf", "2025-03-04", (2025, 3, 4)),
        ("Brook Mill from 2019 to 2021", "docx", "2025-03-04", (2025, 3, 4)),
        ("Rule 85-2021.3 of the mill", "pdf", "2025-03-04", (2025, 3, 4)),
        ("The flood of 1998", "html", "2025-03-04", (2025, 3, 4)),
        ("Brook Mill", "pdf", "2025-03-04", (2025, 3, 4)),
    ],
)
def test_the_year_in_a_title_comes_before_the_date_of_the_file(
    title: str, kind: str, date: str, told: tuple[int, ...]
) -> None:
    known = {"d": {"date": date}}
    said = replace(talk(("?", answered("?", citations=[cited(1, title=title, kind=kind)]))), facts=known)
    (made,) = list_references(said)
    assert made.date == told


def test_a_web_page_and_an_e_mail_are_named_as_what_they_are() -> None:
    assert "@online{dams," in write_references(list_references(a_talk()), "bib")
    mail = Reference("k", "email", "Dams")
    assert write_references([mail], "ris").startswith("TY  - ICOMM")
    assert json.loads(write_references([mail], "csl"))[0]["type"] == "personal_communication"


def test_keys_differ_where_documents_are_alike() -> None:
    citations = [cited(n, document=f"d{n}") for n in (1, 2, 3)]
    made = list_references(talk(("?", answered("?", citations=citations))))
    assert [each.key for each in made] == ["lakes", "lakes-2", "lakes-3"]


def test_a_key_has_every_letter_of_the_title_without_accents() -> None:
    titles = ("Straßen", "Œuvres complètes", "Ørsted")
    citations = [cited(n, document=f"d{n}", title=title) for n, title in enumerate(titles, 1)]
    made = list_references(talk(("?", answered("?", citations=citations))))
    assert [each.key for each in made] == ["strassen", "oeuvres", "orsted"]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("", []),
        ("Lovelace, Ada", [("Lovelace", "Ada")]),
        ("Lovelace, Ada; Babbage, Charles", [("Lovelace", "Ada"), ("Babbage", "Charles")]),
        ("Ada Lovelace and Charles Babbage", [("Lovelace", "Ada"), ("Babbage", "Charles")]),
        ("Ada Lovelace <ada@example.org>", [("Lovelace", "Ada")]),
        ("The Office of the National Statistics of Norway", [("The Office of the National Statistics of Norway", "")]),
        ("ACME", [("ACME", "")]),
    ],
)
def test_authors_are_told_apart(line: str, names: list[tuple[str, str]]) -> None:
    assert [(author.family, author.given) for author in split_authors(line)] == names


@pytest.mark.parametrize(
    ("line", "date"),
    [
        ("2015", (2015,)),
        ("2015-03", (2015, 3)),
        ("2015-03-01T10:00:00Z", (2015, 3, 1)),
        ("2015-13-01", (2015,)),
        ("20150301", ()),
        ("in spring", ()),
    ],
)
def test_a_date_tells_what_it_tells(line: str, date: tuple[int, ...]) -> None:
    assert parse_date(line) == date


def test_pages_have_their_printed_numbers_and_slides_are_slides() -> None:
    assert describe_pages({4: "ii", 5: "iii", 6: "1", 7: "2", 20: ""}) == "ii–iii, 1–2, 20"
    assert describe_pages({2: "slide 2", 3: "slide 3"}) == "slides 2–3"
    assert describe_pages({}) == ""


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_title_and_author_make_a_reference(title: str, author: str) -> None:
    known = a_talk({"d": {"author": author, "date": title}})
    said = known.said[1]
    assert said.answer
    changed = said.answer.model_copy(update={"citations": [cited(1, title=title)]})
    one = replace(known, said=(known.said[0], replace(said, answer=changed)))
    made = list_references(one)
    assert re.fullmatch(r"[a-z0-9-]+", made[0].key)
    for format in ("bib", "ris", "csl", "txt"):
        assert write_references(made, format)
