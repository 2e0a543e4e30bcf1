"""Pictures and videos are shown under the answer and never cited; what is said in a video is evidence."""

from collections.abc import Iterator, Sequence

import pytest

from pincite import events
from pincite.answer.services import Services
from pincite.answer.video_transcripts import split_paragraphs
from pincite.errors import WebError
from pincite.store import document_text, documents
from pincite.web.youtube import TranscriptSegment, VideoTranscript
from tests import sites
from tests.answer.outside import named_before, scripted, standing
from tests.sites import Site
from tests.turns import ask, final, of_type, searching

DEEP = "The lake of Corvel is forty metres deep, and nobody has seen its ground in winter for a hundred years."
VIDEO = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"


@pytest.fixture(scope="module")
def services(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    with standing(tmp_path_factory.mktemp("web"), site) as services:
        yield services


@pytest.fixture(autouse=True)
def _found(site: Site) -> None:
    site.pages["/search"] = sites.searxng(
        {
            "category": "images",
            "title": "A [1] lake",
            "url": "https://a.example/p",
            "img_src": "https://a.example/p.jpg",
        },
        {"category": "images", "title": "No picture at all", "url": "https://a.example/q"},
        {"category": "videos", "title": "A film", "url": "https://v.example/1", "length": "62"},
        unresponsive=[["qwant", "timeout"]],
    )


def test_pictures_are_a_gallery_and_no_evidence(services: Services) -> None:
    scripted(services, searching("a lake", "Here they are:", tool="image_search"))
    said = ask(services, "Show me a lake")
    (media,) = of_type(said, events.Media)
    assert [(each.n, each.kind, each.image) for each in media.items] == [(1, "image", "https://a.example/p.jpg")]
    assert final(said).media == media.items
    assert of_type(said, events.EvidenceFound) == []
    (ended,) = of_type(said, events.ToolCallSuccess)
    assert ended.extra["found"] == "1"
    assert "qwant" in ended.extra["unresponsive"]


def test_videos_have_their_length(services: Services) -> None:
    scripted(services, searching("a lake", "Here they are:", tool="video_search"))
    (film,) = final(ask(services, "Show me a film")).media
    assert (film.kind, film.url, film.length) == ("video", "https://v.example/1", "1:02")


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """A video of which the transcript is known; which languages it was asked in."""
    asked: list[Sequence[str]] = []

    async def transcript(given: str, languages: Sequence[str], settings: object) -> VideoTranscript:
        asked.append(languages)
        if "nothing" in given:
            raise WebError("This video has no transcript.", "Look for the same talk elsewhere.")
        return VideoTranscript(
            "dQw4w9WgXcQ",
            "On lakes",
            "en-GB",
            (TranscriptSegment(0, 5, "Welcome."), TranscriptSegment(5, 9, DEEP)),
            True,
        )

    monkeypatch.setattr("pincite.answer.web_requests.fetch_transcript", transcript)
    return asked


def test_the_transcript_of_a_video_is_kept_and_cited(services: Services, spoken: list[Sequence[str]]) -> None:
    say = "The lake of Corvel is forty metres deep [1.2]."
    scripted(services, searching("", say, tool="youtube_transcript", url=VIDEO))
    said = ask(services, "How deep is the lake of Corvel?", history=named_before(VIDEO))
    (citation,) = final(said).citations
    assert (citation.title, citation.kind, citation.url) == ("On lakes", "text", VIDEO)
    with services.library.database.reading() as connection:
        kept = document_text.read_text(connection, citation.document, citation.start, citation.end)
        stored = documents.get(connection, citation.document)
    assert kept == citation.quote == DEEP
    assert stored.language == "en"
    (ended,) = of_type(said, events.ToolCallSuccess)
    assert ended.extra["videoId"] == "dQw4w9WgXcQ"


def test_a_video_is_heard_in_the_language_of_the_question(services: Services, spoken: list[Sequence[str]]) -> None:
    scripted(services, searching("", "Rien.", tool="youtube_transcript", url=VIDEO))
    ask(services, "Quelle est la profondeur du lac de Corvel ?", history=named_before(VIDEO))
    scripted(services, searching("", "Rien.", tool="youtube_transcript", url=VIDEO, language="de"))
    ask(services, "Quelle est la profondeur du lac de Corvel ?", history=named_before(VIDEO))
    assert spoken == [["fr", "en"], ["de", "fr", "en"]]


def test_a_video_without_a_transcript_says_so(services: Services, spoken: list[Sequence[str]]) -> None:
    silent = "https://youtu.be/nothing_123"
    scripted(services, searching("", "I found nothing.", tool="youtube_transcript", url=silent))
    (failed,) = of_type(ask(services, "How deep is the lake?", history=named_before(silent)), events.ToolCallError)
    assert "no transcript" in failed.error


def test_words_without_full_stops_are_cut_into_paragraphs() -> None:
    segments = [TranscriptSegment(n, 1, f"and then we came to lake number {n}") for n in range(60)]
    made = list(split_paragraphs(segments))
    assert " ".join(made) == " ".join(segment.text for segment in segments)
    assert len(made) > 3
    assert max(map(len, made)) < 600
