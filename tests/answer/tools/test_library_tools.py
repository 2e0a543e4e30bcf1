"""A model that looks into documents: what it reads can be told apart, cited, and comes once."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.answer.services import Services
from pincite.answer.split.decomposition import Subtask
from pincite.answer.split.subagent_run import make_child_context
from pincite.answer.split.subagents import FILE_ANALYZER
from pincite.answer.tools.library_tools import list_documents, outline_document, read_document, search_documents
from pincite.errors import NotFound
from pincite.llm.model_roles import Roles
from pincite.llm.providers import EXTRACTIVE
from pincite.search.search import PassageSearch
from pincite.types import Scope
from tests.answer.tools.running import a_turn, call
from tests.search.test_search import Reversed
from tests.turns import DAM, open_test_services

LEASE = """---
date: 2023-05-01
---

# The lease of the flat

## 1. Rent

The rent is 812 euros a month. It is paid on the first day of each month.

## 2. Préavis et départ

The tenant gives three months' notice, by registered letter.

### 2.1 Furnished flats

For a furnished flat the notice is one month.

## 3. Keys

Three keys were handed over to the tenant.
"""
CODE = "def rate(rows):\n    for row in rows:\n        yield row.price * 2\n"


@pytest.fixture
def services(tmp_path: Path) -> Services:
    return open_test_services(
        tmp_path, {"dam.md": DAM, "lease_2023.md": LEASE, "rates.py": CODE}, passages={"size": 120}
    )


def test_file_name_day_and_id_stand_beside_the_title(services: Services) -> None:
    said = call(a_turn(services), search_documents, query="notice of the tenant")
    assert re.search(r"\[1\] The lease of the flat \(lease_2023\.md, 2023-05-01, id [0-9a-f]{8}\)", said)


def test_the_id_that_is_shown_opens_the_document(services: Services) -> None:
    context = a_turn(services)
    said = call(context, search_documents, query="notice of the tenant")
    found = re.search(r"id ([0-9a-f]{8})", said)
    assert found
    assert "Keys" in call(context, outline_document, document=found[1])


def test_a_passage_that_was_found_before_is_named_alone(services: Services) -> None:
    context = a_turn(services)
    assert "812 euros" in call(context, search_documents, query="rent euros")
    again = call(context, read_document, document="lease", section="rent")
    assert "(shown above) The lease of the flat" in again
    assert "812 euros" not in again


def test_without_a_model_nothing_is_quoted_from_passages_much_weaker_than_the_best(tmp_path: Path) -> None:
    many = {f"note{n}.md": f"# Note {n}\n\nSomebody wrote about the weather of day {n}." for n in range(9)}
    best = {"pike.md": "# The pike\n\nThe pike weather record of the lake: the pike weather was mild."}
    context = a_turn(open_test_services(tmp_path, {**many, **best}))
    context = replace(context, models=Roles(replace(context.models.chat, name=EXTRACTIVE)))
    call(context, search_documents, query="pike weather record lake")
    first, *others = context.ledger.listed
    assert "The pike" in first.text
    assert len(others) == 2


def test_a_search_gives_no_more_passages_than_is_set(tmp_path: Path) -> None:
    many = {f"note{n}.md": f"# Note {n}\n\nThe weather was mild." for n in range(9)}
    services = open_test_services(tmp_path, many, answers={"evidence": 4})
    context = a_turn(services)
    call(context, search_documents, query="mild weather")
    assert len(context.ledger) == 4


@pytest.mark.parametrize("reply", ["chooses", "fails", "none"])
def test_a_model_is_given_the_five_that_a_reranker_chooses_or_the_first_five(tmp_path: Path, reply: str) -> None:
    many = {f"note{n}.md": f"# Note {n}\n\nThe weather was mild on day {n}." for n in range(9)}
    services = open_test_services(tmp_path, many)
    plain = [hit.title for hit in services.search.search("mild weather", Scope())]
    reranker = Reversed(fails=reply == "fails") if reply != "none" else None
    library = services.library
    services.search = PassageSearch(library.database, library.index, None, services.settings, reranker)
    context = a_turn(services)
    call(context, search_documents, query="mild weather")
    expected = plain[:3:-1] if reply == "chooses" else plain[:5]
    assert [evidence.title for evidence in context.ledger.listed] == expected
    assert len(expected) == 5


def test_the_outline_lists_the_headings(services: Services) -> None:
    said = call(a_turn(services), outline_document, document="lease")
    assert "2. Préavis et départ\n· · 2.1 Furnished flats\n" in said


@pytest.mark.parametrize("words", ["preavis", "2", "Préavis et départ", "départ, préavis"])
def test_a_whole_section_is_read_by_words_of_its_heading(services: Services, words: str) -> None:
    said = call(a_turn(services), read_document, document="lease", section=words)
    assert "registered letter" in said
    assert "one month" in said  # its subsection belongs to it
    assert "812" not in said
    assert "keys" not in said


def test_a_section_that_is_not_there_is_said_so_with_what_to_do(services: Services) -> None:
    with pytest.raises(NotFound, match="No heading") as error:
        call(a_turn(services), read_document, document="lease", section="swimming")
    assert "outline_document" in error.value.hint


def test_a_long_section_says_how_it_goes_on(tmp_path: Path) -> None:
    long = "# Book\n\n## Fish\n\n" + "\n\n".join(f"Fish number {n} has {n} fins and a tail." for n in range(60))
    services = open_test_services(tmp_path, {"book.md": long}, passages={"size": 100})
    context, seen = a_turn(services), ""
    given: dict[str, int] = {}
    while True:
        said = call(context, read_document, document="book", section="fish", **given)
        seen += said
        if not (more := re.search(r"start=(\d+), section='fish'", said)):
            break
        given = {"start": int(more[1])}
    assert all(f"Fish number {n} has" in seen for n in range(60))


def test_a_list_of_documents_can_be_cited(services: Services) -> None:
    context = a_turn(services)
    said = call(context, list_documents)
    (number,) = re.findall(r"\[(\d+)\] The lease of the flat \(lease_2023\.md, 2023-05-01, id \w+\)", said)
    evidence = context.ledger.get(int(number))
    assert evidence
    assert evidence.name == "lease_2023.md"
    assert LEASE[evidence.span.start : evidence.span.end] == evidence.text  # its own words, which can be pinned


def test_a_document_that_was_only_listed_is_shown_when_it_is_found(services: Services) -> None:
    context = a_turn(services)
    call(context, list_documents)
    assert "(shown above)" not in call(context, search_documents, query="rent euros")


def test_a_code_file_is_shown_as_code(services: Services) -> None:
    said = call(a_turn(services), search_documents, query="rate rows price")
    assert "]\ndef rate(rows):\n    for row in rows:\n        yield row.price * 2\n" in said


def test_a_model_with_a_small_context_is_sent_what_fits(tmp_path: Path) -> None:
    words = " ".join(f"The dam number {n} of the valley is {n} m high and holds water." for n in range(15))
    services = open_test_services(tmp_path, {f"dam{n}.md": f"# Dam {n}\n\n{words}" for n in range(8)})
    context = a_turn(services)
    context = replace(context, models=Roles(replace(context.models.chat, context=6000)))
    said = "".join(call(context, search_documents, query=query) for query in ("dam valley", "dam water", "high dam"))
    assert len(said) / 3.5 < 3500
    assert "left out to fit the model's context" in said


def test_a_subagent_is_not_sent_again_what_was_read_before_it_began(services: Services) -> None:
    context = a_turn(services)
    call(context, search_documents, query="rent euros")
    own = make_child_context(context, Subtask(FILE_ANALYZER, "What is the rent?"), context.meter.budget, lambda _: None)
    assert "(shown above)" in call(own, search_documents, query="rent euros")
    call(own, read_document, document="dam")
    assert "33 m high" in call(context, read_document, document="dam")  # another conversation, which has not seen it
