"""A model that cannot call tools is given what was looked up for it: documents, and the web where they are silent."""

import pytest

from pincite import events
from pincite.answer.services import Services
from tests import sites
from tests.answer.outside import article, found, scripted
from tests.sites import Site
from tests.turns import ask, final, of_type, saying

DEEP = "The lake of Corvel is forty metres deep, and nobody has seen its ground in winter for a hundred years."
LAKE, HEIGHT = "How deep is the lake of Corvel?", "How high is the dam at Vassivière?"


@pytest.fixture
def services(shared: Services, site: Site) -> Services:
    site.pages.clear()
    site.asked.clear()
    site.pages["/lake"] = article("Corvel", DEEP)
    found(site, ("/lake", "The lake of Corvel"))
    return scripted(shared, saying("The lake of Corvel is forty metres deep."), tools=False)


def names(said: list[events.Data]) -> list[str]:
    return [data.name for data in of_type(said, events.ToolCallStarted)]


def test_documents_that_answer_are_enough(services: Services, site: Site) -> None:
    assert names(ask(services, HEIGHT)) == ["search_documents"]
    assert site.asked == []


def test_the_web_is_searched_where_they_do_not(services: Services, site: Site) -> None:
    # A page that another test had kept would be found among the documents.
    site.pages["/mine"] = article("Ondres", "The mine of Ondres was opened by Ada Verne in 1871 and closed in 1902.")
    found(site, ("/mine", "The mine of Ondres"))
    scripted(services, saying("The mine of Ondres was opened by Ada Verne."), tools=False)
    said = ask(services, "Who opened the mine of Ondres?")
    assert names(said) == ["search_documents", "web_search"]
    assert final(said).citations[0].url == site.url("/mine")


def test_the_web_alone_is_searched_when_that_is_wanted(services: Services) -> None:
    assert names(ask(services, LAKE, focus="web")) == ["web_search"]


def test_the_documents_alone_are_searched_when_that_is_wanted(services: Services, site: Site) -> None:
    assert names(ask(services, LAKE, focus="documents")) == ["search_documents"]
    assert site.asked == []


def test_a_search_that_fails_is_told_and_the_answer_goes_on(services: Services, site: Site) -> None:
    site.pages["/search"] = sites.page(b"", status=403)
    said = ask(services, LAKE, focus="web")
    (failed,) = of_type(said, events.ToolCallError)
    assert "403" in failed.error
    assert final(said).answer


def test_a_search_of_which_no_page_can_be_read_is_told(services: Services, site: Site) -> None:
    found(site, ("/gone", "The lake of Corvel"))
    (failed,) = of_type(ask(services, LAKE, focus="web"), events.ToolCallError)
    assert "404" in failed.error


def test_facts_about_the_person_are_not_searched_for(services: Services, site: Site) -> None:
    ask(services, LAKE, focus="web", profile="My name is Tadeusz Kowalczyk.")
    assert not [path for path in site.paths if "Kowalczyk" in path or "Tadeusz" in path]
