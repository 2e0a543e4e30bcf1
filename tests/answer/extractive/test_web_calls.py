"""Without a model: the documents answer first, the web where they are silent, and every pin holds."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import events
from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.search_plan import plan_next_calls
from pincite.answer.extractive.tool_calls import FILES, IMAGES, LIST, OUTLINE, SEARCH, VIDEOS, WEB, Call, CallResult
from pincite.answer.extractive.web_calls import plan_media_calls
from pincite.answer.services import Services
from pincite.store import document_text
from tests import sites
from tests.answer.outside import article, found
from tests.sites import Site
from tests.turns import ask, final, of_type

DEEP = "The lake of Corvel is forty metres deep, and nobody has seen its ground in winter for a hundred years."
FISH = "Nine kinds of fish live in the lake of Corvel, and the pike is the largest of them all."
ALL = frozenset({SEARCH, OUTLINE, LIST, WEB, IMAGES, VIDEOS})


@pytest.fixture
def services(shared: Services, site: Site) -> Services:
    """The shared services beside a web that knows a lake."""
    site.pages.clear()
    site.asked.clear()
    site.pages["/lake"] = article("Corvel", DEEP, FISH)
    found(site, ("/lake", "The lake of Corvel"))
    return shared


def names(said: list[events.Data]) -> list[str]:
    return [data.name for data in of_type(said, events.ToolCallStarted)]


def searches(site: Site) -> list[str]:
    return [path for path in site.paths if path.startswith("/search")]


def test_a_question_that_the_documents_answer_is_not_sent_to_the_search_engine(services: Services, site: Site) -> None:
    said = ask(services, "How high is the dam at Vassivière?")
    assert "33 m high" in final(said).answer
    assert set(names(said)) == {"search_documents"}
    assert site.asked == []


def test_a_question_that_the_documents_do_not_answer_is_searched_on_the_web(services: Services, site: Site) -> None:
    # A page that another test had kept would be found among the documents.
    mine = "The mine of Ondres was opened by Ada Verne in 1871 and closed in 1902."
    site.pages["/mine"] = article("Ondres", mine)
    found(site, ("/mine", "The mine of Ondres"))
    said = ask(services, "Who opened the mine of Ondres?")
    assert mine in final(said).answer
    assert names(said)[0] == "search_documents"
    assert names(said)[-1] == "web_search"


def test_every_pin_into_a_page_holds_and_has_its_address(services: Services, site: Site) -> None:
    answer = final(ask(services, "Which fish live in the lake of Corvel?", focus="web"))
    assert {sentence.support for sentence in answer.sentences if sentence.support} == {"verified"}
    for citation in answer.citations:
        assert citation.url == site.url("/lake")
        with services.library.database.reading() as connection:
            kept = document_text.read_text(connection, citation.document, citation.start, citation.end)
        assert kept == citation.quote


def test_with_the_focus_on_the_web_no_document_is_searched(services: Services, site: Site) -> None:
    said = ask(services, "How high is the dam at Vassivière?", focus="web")
    assert set(names(said)) == {"web_search"}
    assert final(said).refused
    assert "documents" not in final(said).answer


def test_with_the_focus_on_documents_the_web_is_not_touched(services: Services, site: Site) -> None:
    # Not even what was kept of it.
    ask(services, "How deep is the lake of Corvel?", focus="web")
    site.asked.clear()
    answer = final(ask(services, "How deep is the lake of Corvel?", focus="documents"))
    assert answer.refused
    assert site.asked == []


def test_key_words_are_tried_when_the_question_finds_nothing(services: Services, site: Site) -> None:
    site.pages["/search"] = sites.searxng()
    said = ask(services, "How deep is the lake of Corvel?", focus="web")
    queries = [data.attributes["query"] for data in of_type(said, events.ToolCallStarted)]
    assert queries == ["How deep is the lake of Corvel?", "deep lake Corvel"]
    assert final(said).refused


def test_an_engine_that_is_down_is_said_in_the_refusal_and_asked_once(services: Services, site: Site) -> None:
    site.pages["/search"] = sites.page(b"no", status=403)
    said = ask(services, "How deep is the lake of Corvel?", focus="web")
    assert len(searches(site)) == 1
    assert final(said).refused
    (failed,) = of_type(said, events.ToolCallError)
    assert "formats" in failed.error
    assert "403" in final(said).answer


def test_pages_that_all_fail_are_said_in_the_refusal(services: Services, site: Site) -> None:
    found(site, ("/gone", "The lake of Corvel"))
    answer = final(ask(services, "How deep is the lake of Corvel?", focus="web"))
    assert answer.refused
    assert "404" in answer.answer


def test_a_document_and_pages_are_chosen_from_together(services: Services, site: Site) -> None:
    site.pages["/dam"] = article("News", "The dam at Vassivière was closed to walkers on 3 May 2026, the prefect said.")
    found(site, ("/dam", "The dam at Vassivière"))
    answer = final(ask(services, "When was the dam at Vassivière closed to walkers by the prefect?"))
    assert "3 May 2026" in answer.answer
    assert {sentence.support for sentence in answer.sentences if sentence.support} == {"verified"}


def test_pictures_that_are_asked_for_are_shown_under_the_answer(services: Services, site: Site) -> None:
    picture = {"category": "images", "title": "The lake", "url": site.url("/p"), "img_src": site.url("/p.jpg")}
    site.pages["/search"] = sites.searxng(picture)
    said = ask(services, "Show me pictures of Zermatt")
    answer = final(said)
    assert [(each.kind, each.title, each.image) for each in answer.media] == [("image", "The lake", site.url("/p.jpg"))]
    assert not answer.refused
    assert "Zermatt" in answer.answer
    assert {sentence.support for sentence in answer.sentences} == {None}


@pytest.mark.parametrize(
    ("question", "tool", "query"),
    [
        ("Show me pictures of the Garrow Bridge", IMAGES, "the Garrow Bridge"),
        ("Can you find some photos of lake Corvel?", IMAGES, "lake Corvel"),
        ("Montre-moi des photos du pont de Gravelle", IMAGES, "pont de Gravelle"),
        ("photos de la tour Eiffel", IMAGES, "tour Eiffel"),
        ("Videos about glaciers", VIDEOS, "glaciers"),
        ("Je cherche des vidéos sur les glaciers.", VIDEOS, "les glaciers"),
        ("I'd like to see a video of a launch", VIDEOS, "a launch"),
        ("And videos? (the lake)", VIDEOS, "the lake"),
        ("Et des vidéos ? (photos du lac)", VIDEOS, "lac"),
    ],
)
def test_a_request_for_pictures_or_videos_is_recognised(question: str, tool: str, query: str) -> None:
    assert plan_media_calls(parse_question(question)) == [Call(tool, (("query", query),))]


@pytest.mark.parametrize(
    "question",
    ["What do the images of the report show?", "How deep is the lake?", "Who took the photos of the dam?", "Pictures"],
)
def test_a_question_that_speaks_of_pictures_wants_none(question: str) -> None:
    assert plan_media_calls(parse_question(question)) == []


def test_a_task_that_may_only_search_files_searches_those() -> None:
    calls = plan_next_calls(
        parse_question("Compare the Garrow Bridge and the pont de Gravelle"), frozenset({FILES}), []
    )
    assert {call.tool for call in calls} == {FILES}
    assert {name for call in calls for name, _ in call.given} == {"query"}


def test_both_sides_of_a_comparison_are_looked_for_on_the_web() -> None:
    asking = parse_question("Compare the Garrow Bridge and the pont de Gravelle")
    calls = plan_next_calls(asking, frozenset({WEB}), [])
    assert [dict(call.given)["query"] for call in calls][1:] == ["Garrow Bridge", "pont de Gravelle"]


def test_a_summary_is_searched_for_by_the_name_of_its_subject_and_not_without_one() -> None:
    (call,) = plan_next_calls(parse_question("Summarise the Treaty of Lund"), frozenset({WEB}), [])
    assert call == Call(WEB, (("query", "Treaty of Lund"),))
    assert plan_next_calls(parse_question("Summarise this document"), frozenset({WEB}), []) == []


QUESTIONS = (
    "How deep is the lake of Corvel?",
    "Summarise the Treaty of Lund",
    "Compare the Garrow Bridge and the pont de Gravelle",
    "Show me pictures of the Garrow Bridge",
    "Qu'est-ce que la médiation familiale ?",
    "?",
)


@given(
    st.sampled_from(QUESTIONS),
    st.sets(st.sampled_from(sorted({*ALL, FILES}))),
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1),
)
def test_looking_comes_to_an_end_and_calls_nothing_that_is_not_offered(
    question: str, offered: set[str], luck: list[tuple[bool, bool]]
) -> None:
    asking, returned = parse_question(question), list[CallResult]()
    for step in range(6):
        answers, fails = luck[step % len(luck)]
        calls = plan_next_calls(asking, frozenset(offered), returned, partial(bool, answers))
        assert {call.tool for call in calls} <= offered
        assert not {each.call for each in returned} & set(calls)
        returned += [CallResult(call, failed=fails) for call in calls]
        if not calls:
            break
    assert plan_next_calls(asking, frozenset(offered), returned, lambda: True) == []
    assert len(returned) <= 12


def test_an_engine_is_told_that_a_question_is_french() -> None:
    (call,) = plan_next_calls(parse_question("Quelle est la profondeur du lac ?"), frozenset({WEB}), [])
    assert dict(call.given)["language"] == "fr"


def test_nothing_more_is_looked_for_when_the_web_gave_what_it_has() -> None:
    asking = parse_question("How deep is the lake of Corvel?")
    home = [CallResult(call) for call in plan_next_calls(asking, ALL, [])]
    (web,) = plan_next_calls(asking, ALL, home, lambda: False)
    assert web.tool == WEB
    assert plan_next_calls(asking, ALL, home, lambda: True) == []
    failed = CallResult(web, failed=True)
    assert plan_next_calls(asking, ALL, [*home, failed], lambda: False) == []


def test_a_page_that_was_kept_is_read_as_it_is_now_while_the_web_can_be_searched(
    services: Services, site: Site
) -> None:
    found(site, ("/ferry", "The ferry to Lund"))
    for price in ("4 euros", "5 euros"):
        site.pages["/ferry"] = article("The ferry to Lund", f"A ticket for the ferry to Lund costs {price} each way.")
        answer = final(ask(services, "How much is a ticket for the ferry to Lund?"))
        assert price in answer.answer


@pytest.mark.parametrize(
    "question",
    ["Show me pictures and videos of the lake", "Videos, photos of the lake", "photos et vidéos de the lake"],
)
def test_both_may_be_wanted(question: str) -> None:
    query = (("query", "the lake"),)
    assert plan_media_calls(parse_question(question)) == [Call(IMAGES, query), Call(VIDEOS, query)]


def test_a_request_for_pictures_gets_pictures_alone() -> None:
    asking = parse_question("Show me pictures of the Garrow Bridge")
    (call,) = plan_next_calls(asking, ALL, [])
    assert call.tool == IMAGES
    assert plan_next_calls(asking, ALL, [CallResult(call, media=3)]) == []
    assert SEARCH in {each.tool for each in plan_next_calls(asking, ALL, [CallResult(call)])}
    assert SEARCH in {
        each.tool for each in plan_next_calls(parse_question("Pictures of the lake, and how deep is it?"), ALL, [])
    }
