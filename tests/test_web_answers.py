"""One question, a PDF of one's own and pages of the web: one answer, of which every word can be checked ever after."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite import events
from pincite.answer.pipeline import stream_answer
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services
from pincite.store import document_text
from tests import pdfs, sites
from tests.answer.outside import article, found, standing
from tests.sites import Site
from tests.turns import keep

LEASE = (
    "The lease of the flat in the Rue Basse began on 1 March 2021. The tenant may end the lease with a notice period "
    "of two months, given in writing. The rent is 840 euros a month."
)
LAW = "Article 12 of the tenancy law of Corvel sets a notice period of three months for a furnished flat."
GUIDE = "By law the notice period begins in Corvel on the day the letter is received."
BOTH = "What does the lease say about the notice period and what does the law of Corvel say about it?"


@pytest.fixture
def site() -> Iterator[Site]:
    with sites.serving() as made:
        made.pages.update({"/law": article("The tenancy law", LAW), "/guide": article("Notice periods", GUIDE)})
        found(made, ("/law", "The tenancy law of Corvel"), ("/guide", "Notice periods in Corvel"))
        yield made


@pytest.fixture
def services(site: Site, tmp_path: Path) -> Iterator[Services]:
    with standing(tmp_path, site) as made:
        keep(made.library, pdfs.simple(tmp_path / "lease.pdf", words=LEASE))
        yield made


def asked(services: Services, question: str, **given: object) -> list[events.Data]:
    async def heard() -> list[events.Data]:
        return [data async for data in stream_answer(services.open_context(AskedQuestion(question=question, **given)))]  # type: ignore[arg-type]

    return asyncio.run(heard())


def last(heard: list[events.Data]) -> events.Answer:
    assert isinstance(heard[-1], events.Answer)
    return heard[-1]


def text_of(services: Services, document: str) -> str:
    with services.library.database.reading() as connection:
        return document_text.load_document(connection, document).text


def test_a_question_for_a_pdf_and_two_pages_gets_one_answer_whose_pins_all_hold(services: Services, site: Site) -> None:
    heard = asked(services, BOTH)
    told = last(heard)
    assert [each.name for each in told.subagents] == ["file_analyzer", "deep_research", "content_synthesizer"]
    assert {each.status for each in told.subagents} == {"success"}
    assert {each.url or each.kind for each in told.citations} == {"pdf", site.url("/law"), site.url("/guide")}
    # Numbered together, each number once, and each from a source that was told of.
    assert [each.n for each in told.citations] == list(range(1, len(told.citations) + 1))
    sources = {data.n: data.document for data in heard if isinstance(data, events.EvidenceFound)}
    assert sorted(sources) == [1, 2, 3]
    for each in told.citations:
        assert sources[each.evidence] == each.document
        assert text_of(services, each.document)[each.start : each.end] == each.quote
    claims = [sentence for sentence in told.sentences if sentence.citations]
    assert {sentence.support for sentence in claims} == {"verified"}
    for said in ("two months", LAW, GUIDE):
        assert said in told.answer


@pytest.mark.parametrize("focus", ["web", "all"])
def test_a_citation_keeps_its_words_when_the_page_changes_and_the_next_answer_reads_it_again(
    services: Services, site: Site, focus: str
) -> None:
    before = last(asked(services, "What notice period does the law of Corvel set?", focus=focus))
    site.pages["/law"] = article("The tenancy law", LAW.replace("three", "five"))
    after = last(asked(services, "What notice period does the law of Corvel set?", focus=focus))
    for told, months in ((before, "three months"), (after, "five months")):
        cited = next(each for each in told.citations if each.url == site.url("/law"))
        assert months in cited.quote
        assert text_of(services, cited.document)[cited.start : cited.end] == cited.quote
    assert "three months" not in after.answer


def test_results_that_lead_inside_are_asked_by_nobody_and_the_others_answer(services: Services, site: Site) -> None:
    with sites.serving() as inside:
        inside.pages["/secret"] = article("The law", LAW.replace("three", "ninety-nine"))
        traps = [f"http://{host}:{inside.port}/secret" for host in ("127.0.0.1", "localhost", "[::1]", "2130706433")]
        site.pages["/onward"] = sites.redirect(traps[0])
        good = ("/law", "Notes on tenancy")
        found(site, *((url, "The tenancy law of Corvel") for url in (*traps, "/onward")), good)
        told = last(asked(services, "What notice period does the law of Corvel set?", focus="web"))
        assert inside.connections == []
    assert [each.url for each in told.citations] == [site.url("/law")]


def test_pictures_come_under_the_answer_numbered_and_are_no_sources(services: Services, site: Site) -> None:
    pictures = [
        {
            "category": "images",
            "url": site.url("/tower"),
            "title": f"The tower, {number}",
            "img_src": site.url(f"/{number}.png"),
        }
        for number in ("from afar", "at night")
    ]
    site.pages["/search"] = sites.searxng(*pictures)
    heard = asked(services, "Show me pictures of the tower of Corvel", focus="web")
    shown = [item for data in heard if isinstance(data, events.Media) for item in data.items]
    assert [(each.n, each.title) for each in shown] == [(1, "The tower, from afar"), (2, "The tower, at night")]
    assert last(heard).media == shown
    assert not any(isinstance(data, events.EvidenceFound) for data in heard)


@pytest.mark.parametrize(
    ("status", "setting"), [(403, "formats: [html, json]"), (429, "limiter: false"), (404, "address of SearXNG")]
)
def test_an_engine_that_does_not_answer_is_told_with_the_setting_to_change(
    services: Services, site: Site, status: int, setting: str
) -> None:
    site.pages["/search"] = sites.page(b"no", status=status)
    told = last(asked(services, "What notice period does the law of Corvel set?", focus="web"))
    assert told.refused
    assert f"answered {status}" in told.answer
    assert setting in told.answer
