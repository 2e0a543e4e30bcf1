"""Transcripts of videos, read with the real package and the real guard from a fake YouTube."""

import json
import sys
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from youtube_transcript_api import YouTubeTranscriptApi

from pincite.errors import Forbidden, Misuse, Unavailable, WebError
from pincite.settings import load_settings
from pincite.web.guard import GuardedTransport
from pincite.web.youtube import TranscriptSegment, VideoTranscript, fetch_transcript, parse_video_id

ID = "abc-DEF_123"
WORDS = (
    '<?xml version="1.0"?><transcript><text start="0.5" dur="2">The rent &amp;amp; the &lt;b&gt;law&lt;/b&gt;</text>'
    '<text start="2.5" dur="1.5">are old.</text><text start="4"> </text></transcript>'
)
Respond = Callable[[httpx2.Request], httpx2.Response]


def track(language: str, **given: Any) -> dict[str, Any]:
    return {
        "baseUrl": f"https://www.youtube.com/api/timedtext?lang={language}&kind={given.get('kind', '')}",
        "name": {"runs": [{"text": language}]},
        "languageCode": language,
        **given,
    }


class Imitation:
    """YouTube's three answers: the page of a video, what its player asks, the words; and what it was asked."""

    def __init__(self, *tracks: dict[str, Any], status: dict[str, Any] | None = None, words: str = WORDS) -> None:
        captions = {"playerCaptionsTracklistRenderer": {"captionTracks": list(tracks)}} if tracks else {}
        self.player = {"playabilityStatus": status or {"status": "OK"}, "captions": captions}
        self.words = words
        self.asked: list[tuple[str, str]] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        path = request.url.raw_path.decode()
        self.asked.append((request.headers["host"], path))
        if path.startswith("/watch"):
            return httpx2.Response(200, text='<title>A talk - YouTube</title>"INNERTUBE_API_KEY": "key"')
        if path.startswith("/youtubei/"):
            assert json.loads(request.read())["videoId"] == ID
            return httpx2.Response(200, json=self.player)
        return httpx2.Response(200, text=self.words)


class Wire(httpx2.AsyncBaseTransport):
    """A transport whose answers come in a stream, as those of a network do."""

    def __init__(self, respond: Respond) -> None:
        self._respond = respond

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await request.aread()
        given = self._respond(request)
        headers = {name: value for name, value in given.headers.items() if name != "content-length"}
        return httpx2.Response(given.status_code, headers=headers, content=_pieces(given.content))


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    yield content


def heard(
    inner: Respond, *languages: str, given: str = ID, found: str = "93.184.216.34", **web: Any
) -> VideoTranscript:
    async def look_up(host: str, port: int) -> list[str]:
        return [found]

    transport = GuardedTransport((), look_up, Wire(inner))
    return anyio.run(lambda: fetch_transcript(given, languages, load_settings(web=web), transport))


def test_the_words_of_a_video_come_with_their_seconds_and_its_title() -> None:
    youtube = Imitation(track("en"))
    told = heard(youtube, "en", given=f"https://youtu.be/{ID}?t=3")
    assert told == VideoTranscript(
        ID, "A talk", "en", (TranscriptSegment(0.5, 2.0, "The rent & the law"), TranscriptSegment(2.5, 1.5, "are old."))
    )
    assert told.url == f"https://www.youtube.com/watch?v={ID}"
    assert {host for host, _ in youtube.asked} == {"www.youtube.com"}


@pytest.mark.parametrize(
    ("languages", "language", "generated"),
    [
        (("fr", "en"), "fr", True),
        (("en", "fr"), "en-GB", False),
        (("de", "es"), "es", False),
        (("it",), "en-GB", False),
        ((), "en-GB", False),
    ],
)
def test_the_first_language_there_is_is_chosen_and_a_person_s_words_before_a_machine_s(
    languages: tuple[str, ...], language: str, generated: bool
) -> None:
    offered = (track("fr", kind="asr"), track("en-GB"), track("en", kind="asr"), track("es"))
    told = heard(Imitation(*offered), *languages)
    assert (told.language, told.is_generated) == (language, generated)


@pytest.mark.parametrize(
    ("youtube", "said"),
    [
        (Imitation(), "no transcript"),
        (Imitation(track("en"), status={"status": "ERROR", "reason": "This video is unavailable"}), "no such video"),
        (Imitation(track("en"), status={"status": "LOGIN_REQUIRED", "reason": "Private"}), "without a login"),
        (
            Imitation(
                track("en"), status={"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm you’re not a bot"}
            ),
            "as a robot",
        ),
        (Imitation(track("en"), words=""), "not understood"),
        (Imitation(track("en"), words="<transcript></transcript>"), "empty"),
        (Imitation({"odd": 1}), "not understood"),
        (lambda request: httpx2.Response(429), "as a robot"),
        (lambda request: httpx2.Response(500), "not understood"),
        (lambda request: httpx2.Response(200, text="<html>"), "did not return"),
    ],
)
def test_without_a_transcript_it_is_said_why_and_what_to_do(youtube: Respond, said: str) -> None:
    with pytest.raises(WebError, match=said) as caught:
        heard(youtube, "en")
    assert caught.value.hint
    assert len(caught.value.message) < 200


@pytest.mark.parametrize(
    "elsewhere",
    [
        *("https://169.254.169.254/", "http://www.youtube.com/x", "https://youtube.com.evil.example/x"),
        *("https://evilyoutube.com/x", "file:///etc/passwd"),
    ],
)
def test_nobody_but_youtube_is_asked_whatever_its_answers_say(elsewhere: str) -> None:
    youtube = Imitation({**track("en"), "baseUrl": elsewhere})
    with pytest.raises(Forbidden):
        heard(youtube, "en")
    assert len(youtube.asked) == 2
    with pytest.raises(Forbidden):
        heard(lambda request: httpx2.Response(302, headers={"Location": elsewhere}), "en")


def test_a_name_of_youtube_that_leads_inside_is_not_followed() -> None:
    youtube = Imitation(track("en"))
    with pytest.raises(Forbidden):
        heard(youtube, "en", found="127.0.0.1")
    assert youtube.asked == []


class Silent(httpx2.AsyncBaseTransport):
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        await anyio.sleep_forever()
        raise AssertionError


def test_a_youtube_that_says_nothing_is_not_waited_for() -> None:
    with pytest.raises(WebError, match=r"0\.2 seconds"):
        anyio.run(lambda: fetch_transcript(ID, ["en"], load_settings(web={"seconds": 0.2}), Silent()))


def test_a_request_that_begins_after_the_deadline_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = YouTubeTranscriptApi.list

    def list_late(self: YouTubeTranscriptApi, video: str) -> Any:
        time.sleep(0.5)
        return listed(self, video)

    monkeypatch.setattr(YouTubeTranscriptApi, "list", list_late)
    with pytest.raises(WebError, match=r"0\.2 seconds"):
        anyio.run(lambda: fetch_transcript(ID, ["en"], load_settings(web={"seconds": 0.2}), Silent()))


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "youtube_transcript_api", None)
    with pytest.raises(Unavailable) as caught:
        heard(Imitation(track("en")), "en")
    assert "pincite[youtube]" in caught.value.hint


@pytest.mark.parametrize(
    "given",
    [
        *(ID, f"https://www.youtube.com/watch?v={ID}", f"http://youtube.com/watch?list=x&v={ID}&t=4s", f" {ID} "),
        *(f"https://m.youtube.com/watch?v={ID}", f"https://youtu.be/{ID}", f"https://www.youtube.com/shorts/{ID}"),
        *(f"https://www.youtube.com/live/{ID}?x", f"https://www.youtube-nocookie.com/embed/{ID}"),
        f"https://music.youtube.com/watch?v={ID}",
    ],
)
def test_a_video_is_known_by_any_of_its_addresses(given: str) -> None:
    assert parse_video_id(given) == ID


@pytest.mark.parametrize(
    "given",
    [
        *("", "abc", f"{ID}x", f"https://example.org/watch?v={ID}", f"https://youtube.com.example.org/watch?v={ID}"),
        *("https://www.youtube.com/", f"https://www.youtube.com/user/{ID}", "https://www.youtube.com/watch?v=short"),
        *(f"ftp://youtube.com/watch?v={ID}", "http://[", f"file://youtube.com/watch?v={ID}"),
    ],
)
def test_an_address_of_no_video_is_refused_as_such(given: str) -> None:
    assert parse_video_id(given) is None
    with pytest.raises(Misuse, match="not a YouTube video"):
        heard(Imitation(), "en", given=given)


@given(st.text(max_size=40) | st.from_regex(r"https?://(www\.)?youtu(\.be|be\.com)/[\w/?=&-]{0,30}", fullmatch=True))
def test_whatever_is_given_is_a_video_or_not(given: str) -> None:
    found = parse_video_id(given)
    assert found is None or parse_video_id(found) == found
