"""A page whose address is in the question is read without being asked for."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.models.function import AgentInfo

from pincite import events
from pincite.answer.pipeline import stream_answer as answering
from pincite.answer.question import AskedQuestion
from pincite.answer.services import Services
from pincite.llm.model_roles import Models
from pincite.store import document_text
from pincite.types import Exchange
from pincite.web.youtube import TranscriptSegment, VideoTranscript
from tests import pdfs, sites
from tests.answer.outside import article, found, scripted, standing
from tests.sites import Site
from tests.turns import Piece, ask, final, of_type, saying

DEEP = "The lake of Corvel is forty metres deep, and nobody has seen its ground in winter for a hundred years."
FISH = "Nine kinds of fish live in the lake of Corvel, and the pike is the largest of them all, people say there."


@pytest.fixture
def services(shared: Services, site: Site) -> Services:
    """The shared services, with the model that quotes and an empty web."""
    site.pages.clear()
    site.asked.clear()
    found(site)
    shared.models = Models(shared.settings)
    return shared


def names(said: list[events.Data]) -> list[str]:
    return [data.name for data in of_type(said, events.ToolCallStarted)]


def test_a_page_that_is_named_is_read_and_answered_from(services: Services, site: Site) -> None:
    site.pages["/lake"] = article("Corvel", DEEP, FISH)
    said = ask(services, f"How deep is the lake of Corvel, according to {site.url('/lake')}?")
    answer = final(said)
    assert {sentence.support for sentence in answer.sentences} == {"verified", None}
    assert DEEP in answer.citations[0].quote
    assert answer.citations[0].url == site.url("/lake")
    assert names(said) == ["scrape_web_page"]
    (started,) = of_type(said, events.ToolCallStarted)
    assert started.attributes["url"] == site.url("/lake")
    (ended,) = of_type(said, events.ToolCallSuccess)
    assert ended.toolCallId == started.toolCallId
    assert int(ended.extra["found"]) == len(of_type(said, events.EvidenceFound)) > 0


def test_a_quote_of_a_page_stands_in_the_copy_that_is_kept(services: Services, site: Site) -> None:
    site.pages["/lake"] = article("Corvel", DEEP, FISH)
    answer = final(ask(services, f"How deep is the lake of Corvel? See {site.url('/lake')}"))
    site.pages["/lake"] = article("Corvel", "It has changed since, and nobody can read there what once was said.")
    for citation in answer.citations:
        with services.library.database.reading() as connection:
            kept = document_text.read_text(connection, citation.document, citation.start, citation.end)
        assert kept == citation.quote


@pytest.mark.parametrize(
    "question", ["Summarise {}", "{}", "Résume {}", "What is this about? {}", "What does {} say?", "Que dit {} ?"]
)
def test_a_page_is_summarised(services: Services, site: Site, question: str) -> None:
    site.pages["/lake"] = article("Corvel", DEEP, FISH)
    said = ask(services, question.format(site.url("/lake")))
    assert {citation.url for citation in final(said).citations} == {site.url("/lake")}
    assert "scrape_web_page" in names(said)
    assert not final(said).refused


def test_a_page_alone_is_summarised_whatever_the_documents_say(services: Services, site: Site) -> None:
    site.pages["/lake"] = article("Corvel", DEEP, FISH)
    assert names(ask(services, f"Summarise {site.url('/lake')}")) == ["scrape_web_page"]


def test_a_page_that_a_robot_may_not_read_is_read_for_who_gave_its_address(tmp_path: Path) -> None:
    with sites.serving() as shy, standing(tmp_path, shy) as services:
        shy.pages["/robots.txt"] = sites.page(b"User-agent: *\nDisallow: /", {"Content-Type": "text/plain"})
        shy.pages["/lake"] = article("Corvel", DEEP)
        assert DEEP in final(ask(services, f"How deep is the lake of Corvel? {shy.url('/lake')}")).answer


def test_a_question_that_the_page_does_not_answer_is_searched_in_the_documents(services: Services, site: Site) -> None:
    site.pages["/lake"] = article("Corvel", DEEP)
    said = ask(services, f"How high is the dam at Vassivière? {site.url('/lake')}")
    assert "33 m high" in final(said).answer
    assert names(said)[:2] == ["scrape_web_page", "search_documents"]
    assert "web_search" not in names(said)


def test_a_page_that_cannot_be_read_is_said_with_the_reason(services: Services, site: Site) -> None:
    said = ask(services, f"Summarise {site.url('/gone')}")
    answer = final(said)
    assert answer.refused
    assert f"I could not read {site.url('/gone')}: 127.0.0.1 answered 404" in answer.answer
    (failed,) = of_type(said, events.ToolCallError)
    assert "404" in failed.error
    (unread,) = answer.unread
    assert (unread.url, unread.reason) == (site.url("/gone"), "status")
    assert unread.message in answer.answer


def test_a_page_that_cannot_be_read_is_said_though_the_documents_answer(services: Services, site: Site) -> None:
    answer = final(ask(services, f"How high is the dam at Vassivière? {site.url('/gone')}"))
    assert not answer.refused
    assert "33 m high" in answer.answer
    assert answer.answer.startswith(f"I could not read {site.url('/gone')}: 127.0.0.1 answered 404 Not Found.\n\n")
    assert answer.sentences[0].support is None


def test_the_reason_is_in_the_language_of_the_question(services: Services, site: Site) -> None:
    answer = final(ask(services, f"Quelle est la hauteur du barrage, selon {site.url('/gone')} ?"))
    said = f"Je n’ai pas pu lire {site.url('/gone')} : son serveur a répondu 404 (introuvable)."
    assert said in answer.answer
    assert answer.unread[0].message == said


def test_a_page_that_nobody_tried_to_read_is_said_too(services: Services, site: Site) -> None:
    for number in range(5):
        site.pages[f"/lake{number}"] = article("Corvel", DEEP)
    addresses = " ".join(site.url(f"/lake{number}") for number in range(5))
    answer = final(ask(services, f"How deep is the lake of Corvel? {addresses}"))
    assert [(each.url, each.reason) for each in answer.unread] == [
        (site.url("/lake3"), "many"),
        (site.url("/lake4"), "many"),
    ]
    inside = final(ask(services, f"How high is the dam at Vassivière? {site.url('/lake0')}", focus="documents"))
    assert [each.reason for each in inside.unread] == ["focus"]
    assert "33 m high" in inside.answer
    alone = final(ask(services, f"Summarise {site.url('/lake0')}", focus="chat"))
    assert [each.reason for each in alone.unread] == ["chat"]
    assert f"I could not read {site.url('/lake0')}: nothing is read for this question." in alone.answer
    alone = final(ask(services, f"Translate this: {addresses}", focus="chat"))
    assert [each.reason for each in alone.unread] == ["chat"] * 5
    assert alone.answer.count("I could not read") == 3


def test_without_their_package_transcripts_are_not_offered_and_a_video_is_said_not_to_be_read(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite.answer.tools import list_offered_tools

    question = "What does https://www.youtube.com/watch?v=abcdefghijk say about the dam at Vassivière?"
    context = services.open_context(AskedQuestion(question=question))
    assert "youtube_transcript" in list_offered_tools(context)
    monkeypatch.setattr("pincite.answer.tools.has_transcripts", lambda: False)
    assert "youtube_transcript" not in list_offered_tools(context)
    assert "scrape_web_page" in list_offered_tools(context)
    said = ask(services, question)
    assert [each.reason for each in final(said).unread] == ["no_transcripts"]
    assert "pincite[youtube]" in final(said).answer
    assert "youtube_transcript" not in names(said)


def test_every_reason_has_a_sentence_in_both_languages() -> None:
    from typing import get_args

    from pincite.answer.unread_pages import _WHY, describe_unread
    from pincite.errors import WebError, WebFailure

    assert _WHY["en"].keys() == _WHY["fr"].keys()
    for failure in get_args(WebFailure):
        told = describe_unread("http://x.example/", WebError("http://x.example/ failed.", "", failure, 500), "fr")
        assert told.message.startswith("Je n’ai pas pu lire http://x.example/ : ")
        assert "{" not in told.message


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/wall", "consent"), ("/trap", "169.254.169.254"), ("/film", "a video"), ("/loop", "more than 5 times")],
)
def test_every_way_to_fail_is_told(services: Services, site: Site, path: str, reason: str) -> None:
    site.pages["/wall"] = sites.cookie_wall
    site.pages["/trap"] = sites.redirect("http://169.254.169.254/latest/meta-data")
    site.pages["/film"] = sites.page(b"0000", {"Content-Type": "video/mp4"})
    site.pages["/loop"] = sites.redirect("/loop")
    answer = final(ask(services, f"Summarise {site.url(path)}", focus="web"))
    assert answer.refused
    assert reason in answer.answer


def test_that_a_page_cannot_be_read_is_said_in_the_language_of_who_asked(services: Services, site: Site) -> None:
    french = final(ask(services, f"Que dit {site.url('/gone')} ?")).answer.split("\n\n")
    assert french[0].startswith("Je n’ai pas pu lire")
    assert french[1].startswith("Je n’ai rien trouvé")
    english = final(ask(services, f"What does {site.url('/gone')} say?")).answer.split("\n\n")
    assert english[0].startswith("I could not read")
    assert english[1].startswith("I found nothing")


def test_three_pages_are_read_at_once_and_no_fourth(services: Services, site: Site) -> None:
    for n in range(1, 5):
        site.pages[f"/{n}"] = article(
            f"Lake {n}", f"The lake number {n} is {n}0 metres deep, as all the people there say."
        )
    urls = " ".join(site.url(f"/{n}") for n in range(1, 5))
    told = ask(services, f"Summarise {urls}")
    assert names(told) == ["scrape_web_page"] * 3
    assert "/4" not in site.paths
    assert [evidence.title for evidence in of_type(told, events.EvidenceFound)] == ["Lake 1", "Lake 2", "Lake 3"]
    assert {citation.title for citation in final(told).citations} == {"Lake 1", "Lake 2", "Lake 3"}


@pytest.mark.parametrize("question", ["Compare {} and {}", "Quelle différence entre {} et {} ?", "{} {}"])
def test_two_pages_are_told_each_under_its_title(services: Services, site: Site, question: str) -> None:
    site.pages["/lake"] = article("Corvel", DEEP)
    site.pages["/mine"] = article("Ondres *", FISH.replace("lake", "mine"))
    answer = final(ask(services, question.format(site.url("/lake"), site.url("/mine"))))
    first, second = answer.answer.index("**Corvel**"), answer.answer.index("**Ondres**")
    assert first < answer.answer.index("forty metres") < second < answer.answer.index("Nine kinds")
    assert {sentence.support for sentence in answer.sentences} == {"verified", None}


@pytest.mark.parametrize("focus", ["documents", "chat"])
def test_no_page_is_read_where_the_web_is_not_wanted(services: Services, site: Site, focus: str) -> None:
    site.pages["/lake"] = article("Corvel", DEEP)
    said = ask(services, f"How deep is the lake? {site.url('/lake')}", focus=focus)
    assert "scrape_web_page" not in names(said)
    assert site.asked == []


def test_a_pdf_is_read_and_cited_with_its_page(services: Services, site: Site, tmp_path: Path) -> None:
    made = pdfs.simple(tmp_path / "report.pdf", pages=2).read_bytes()
    site.pages["/report"] = sites.page(made, {"Content-Type": "application/pdf"})
    answer = final(ask(services, f"Summarise {site.url('/report')}"))
    assert {citation.kind for citation in answer.citations} == {"pdf"}
    assert all(citation.boxes for citation in answer.citations)


def test_a_video_is_listened_to(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    async def transcript(given: str, languages: object, settings: object) -> VideoTranscript:
        return VideoTranscript(
            "dQw4w9WgXcQ", "On lakes", "en", (TranscriptSegment(0, 5, DEEP), TranscriptSegment(5, 5, FISH))
        )

    monkeypatch.setattr("pincite.answer.web_requests.fetch_transcript", transcript)
    said = ask(services, "How deep is the lake of Corvel? https://youtu.be/dQw4w9WgXcQ")
    assert names(said) == ["youtube_transcript"]
    citation = final(said).citations[0]
    assert DEEP in citation.quote
    assert citation.title == "On lakes"
    assert citation.url == "https://www.youtube.com/watch?v=dQw4w9WgXcQ"


def test_a_model_finds_the_page_as_if_it_had_read_it_itself(services: Services, site: Site) -> None:
    site.pages["/lake"] = article("Corvel", DEEP)
    seen: list[ToolReturnPart] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        seen.extend(part for message in messages for part in message.parts if isinstance(part, ToolReturnPart))
        async for piece in saying("The lake of Corvel is forty metres deep [1.1].")(messages, info):
            yield piece

    scripted(services, script)
    said = ask(services, f"How deep is it? {site.url('/lake')} and {site.url('/gone')}")
    assert [sentence.support for sentence in final(said).sentences] == [None, "unchecked"]
    read, failed = seen
    assert (read.tool_name, failed.tool_name) == ("scrape_web_page", "scrape_web_page")
    assert "forty metres deep" in str(read.content)
    assert "404" in str(failed.content)


@pytest.mark.parametrize("question", ["How deep is the lake of Corvel? {}", "Summarise {}", "{}"])
def test_a_model_without_tools_is_given_the_page(services: Services, site: Site, question: str) -> None:
    site.pages["/lake"] = article("Corvel", DEEP)
    scripted(services, saying("The lake of Corvel is forty metres deep [1.1]."), tools=False)
    said = ask(services, question.format(site.url("/lake")))
    assert final(said).sentences[0].support == "unchecked"
    assert names(said) == ["scrape_web_page"]


def test_a_turn_that_is_stopped_waits_for_no_page(services: Services, site: Site) -> None:
    site.pages["/slow"] = sites.dripping

    async def stopped() -> list[events.Data]:
        context = services.open_context(AskedQuestion(question=f"Summarise {site.url('/slow')}"))

        async def soon() -> None:
            while not site.asked:
                await asyncio.sleep(0.01)
            context.stop.stop_answer()

        stopping = asyncio.create_task(soon())
        said = [data async for data in answering(context)]
        await stopping
        return said

    assert final(asyncio.run(stopped())).stopped


def test_a_follow_up_is_answered_from_the_page_it_is_about(services: Services, site: Site) -> None:
    site.pages["/corvel"] = article("The lake of Corvel", DEEP, FISH)
    before = Exchange(f"How deep is the lake? {site.url('/corvel')}", "It is forty metres deep.")
    whole = final(ask(services, "How many kinds of fish live in the lake of Corvel?", history=(before,)))
    assert "Nine kinds of fish" in whole.answer
    assert {each.url for each in whole.citations} == {site.url("/corvel")}
    long_ago = (before, *(Exchange(f"How high is dam {n}?", "33 m.") for n in range(3)))
    site.asked.clear()
    ask(services, "How many kinds of fish live in the lake of Corvel?", history=long_ago)
    assert "/corvel" not in site.paths
