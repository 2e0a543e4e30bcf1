"""Fetch the transcript of a YouTube video, with the time of each segment."""

import concurrent.futures
import re
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import ParseError

import anyio
import anyio.from_thread
import anyio.lowlevel
import anyio.to_thread
import httpx2

from pincite.errors import Forbidden, Misuse, TooLarge, Unavailable, WebError
from pincite.web.fetch import HEADERS, translate_errors, unpack_body
from pincite.web.guard import GuardedTransport, normalise_host, parse_exemptions
from pincite.web.result_cleanup import make_plain_text

if TYPE_CHECKING:
    from pincite.settings import Settings

_ID = re.compile(r"[A-Za-z0-9_-]{11}")
_IN_PATH = re.compile(r"/(?:shorts|live|embed|v|e)/([A-Za-z0-9_-]{11})(?:/|$)")
_HOSTS = ("youtube.com", "youtube-nocookie.com")
_TITLE = re.compile(r"<title>([^<]{1,1000})</title>")
_REDIRECTS = 3
_MOST_BYTES = 15_000_000
_LONGEST_TITLE, _LONGEST_SEGMENT = 300, 2000


@dataclass(frozen=True, slots=True)
class TranscriptSegment:
    """The words spoken in a video from one second on, for some seconds."""

    start: float
    seconds: float
    text: str


@dataclass(frozen=True, slots=True)
class VideoTranscript:
    """A transcript: the video's id, its title if known, the language, and whether a machine transcribed it."""

    video: str
    title: str | None
    language: str
    segments: tuple[TranscriptSegment, ...]
    is_generated: bool = False

    @property
    def url(self) -> str:
        return f"https://www.youtube.com/watch?v={self.video}"


def parse_video_id(given: str) -> str | None:
    """Return the id of the video that an address or an id names."""
    given = given.strip()
    if _ID.fullmatch(given):
        return given
    try:
        url = httpx2.URL(given)
        host = normalise_host(url).removeprefix("www.").removeprefix("m.").removeprefix("music.")
    except (httpx2.InvalidURL, UnicodeError):
        return None
    if url.scheme not in ("http", "https"):
        return None
    if host == "youtu.be":
        found = url.path.lstrip("/").partition("/")[0]
    elif host in _HOSTS:
        match = _IN_PATH.match(url.path)
        found = match[1] if match else url.params.get("v", "") if url.path.rstrip("/") == "/watch" else ""
    else:
        return None
    return found if _ID.fullmatch(found) else None


async def fetch_transcript(
    given: str,
    languages: Sequence[str],
    settings: "Settings",
    transport: httpx2.AsyncBaseTransport | None = None,
) -> VideoTranscript:
    """Fetch the transcript in the first available language; prefer one written by a person."""
    video = parse_video_id(given)
    if video is None:
        raise Misuse(
            f"{make_plain_text(given, 200)} is not a YouTube video.", "Give its address, or its id of 11 letters."
        )
    try:
        import youtube_transcript_api as package
    except ImportError:
        raise Unavailable(
            "Reading video transcripts needs the extra pincite[youtube], which is not installed.",
            "Install it: `pip install 'pincite[youtube]'`.",
            "not_installed",
        ) from None
    address, seconds = f"https://www.youtube.com/watch?v={video}", settings.web.seconds
    guarded = transport or GuardedTransport(parse_exemptions(settings.web.allow))
    with translate_errors(address, seconds), anyio.fail_after(seconds):
        async with httpx2.AsyncClient(transport=guarded, trust_env=False, headers=HEADERS, timeout=None) as asking:
            session = _GuardedSession(asking, anyio.current_effective_deadline())
            try:
                return await anyio.to_thread.run_sync(_read_transcript, package, session, video, languages)
            except concurrent.futures.CancelledError:
                # The call that the thread waited for was cancelled, so our own task is cancelled too; raise anyio's
                # error for it.
                await anyio.lowlevel.checkpoint()
                raise


class _GuardedSession:
    """The HTTP session of the package, which runs in a thread. It uses the guard and reaches only YouTube's hosts."""

    def __init__(self, asking: httpx2.AsyncClient, deadline: float) -> None:
        self._asking = asking
        self._deadline = deadline
        self.headers: dict[str, str] = {}
        self.cookies = asking.cookies
        self.title: str | None = None

    def get(self, url: str) -> httpx2.Response:
        response = anyio.from_thread.run(self._ask_in_time, "GET", url, None)
        if response.url.path == "/watch" and (match := _TITLE.search(response.text)):
            self.title = make_plain_text(match[1], _LONGEST_TITLE).removesuffix("- YouTube").strip() or None
        return response

    def post(self, url: str, json: Any) -> httpx2.Response:
        return anyio.from_thread.run(self._ask_in_time, "POST", url, json)

    async def _ask_in_time(self, method: str, url: str, json: Any) -> httpx2.Response:
        # A request that the thread begins after the deadline is not cancelled with the others.
        with anyio.fail_after(max(self._deadline - anyio.current_time(), 0)):
            return await self._ask(method, url, json)

    async def _ask(self, method: str, url: str, json: Any) -> httpx2.Response:
        request: httpx2.Request | None = self._asking.build_request(method, url, headers=self.headers, json=json)
        for _ in range(_REDIRECTS + 1):
            assert request is not None
            host = normalise_host(request.url)
            if request.url.scheme != "https" or not (host == "youtube.com" or host.endswith(".youtube.com")):
                raise Forbidden(
                    f"YouTube redirects to {host}, which is not one of its hosts.", "Read the video's page."
                )
            response = await self._asking.send(request, stream=True)
            try:
                if (request := response.next_request) is None:
                    return await _read_body(response)
            finally:
                await response.aclose()
        raise httpx2.TooManyRedirects("too many")


async def _read_body(response: httpx2.Response) -> httpx2.Response:
    body = bytearray()
    async for piece in unpack_body(response):
        body += piece
        if len(body) > _MOST_BYTES:
            raise TooLarge("The response of YouTube is too long.", "Try another video.")
    kept = {"Content-Type": response.headers.get("content-type", "text/html")}
    return httpx2.Response(response.status_code, headers=kept, content=bytes(body), request=response.request)


def _read_transcript(
    package: ModuleType, session: _GuardedSession, video: str, languages: Sequence[str]
) -> VideoTranscript:
    """Read the transcript with the package, and translate its errors and those of unexpected data."""
    try:
        found = sorted(package.YouTubeTranscriptApi(http_client=session).list(video), key=_make_rank(languages))
        if not found:
            raise package.TranscriptsDisabled(video)
        fetched = found[0].fetch()
    except package.YouTubeTranscriptApiException as error:
        raise _explain_error(package, error) from None
    except (httpx2.HTTPStatusError, ParseError, KeyError, IndexError, TypeError, AttributeError, ValueError):
        raise WebError("The response of YouTube was not understood.", _LATER) from None
    segments = tuple(
        TranscriptSegment(each.start, each.duration, text)
        for each in fetched
        if (text := make_plain_text(each.text, _LONGEST_SEGMENT))
    )
    if not segments:
        raise WebError("The transcript of this video is empty.", _OTHER, "transcript")
    return VideoTranscript(video, session.title, fetched.language_code, segments, fetched.is_generated)


def _make_rank(languages: Sequence[str]) -> Any:
    wanted = [language.lower() for language in languages]

    def rank(offered: Any) -> tuple[int, bool]:
        code = str(offered.language_code).lower()
        places = [at for at, language in enumerate(wanted) if code.partition("-")[0] == language.partition("-")[0]]
        return (places[0] if places else len(wanted), bool(offered.is_generated))

    return rank


_OTHER = "Look for the same talk elsewhere, or for a page about it."
_LATER = "Try again later; if it fails again, a newer youtube-transcript-api may know how to read it."


def _explain_error(package: ModuleType, error: Exception) -> WebError:
    if isinstance(error, package.RequestBlocked | package.PoTokenRequired):
        return WebError("YouTube blocks this machine as a robot.", "Try again later.", "blocked")
    if isinstance(error, package.TranscriptsDisabled | package.NoTranscriptFound):
        return WebError("This video has no transcript.", _OTHER, "transcript")
    if isinstance(error, package.VideoUnavailable | package.InvalidVideoId):
        return WebError("There is no such video on YouTube.", "Check the address.", "transcript")
    if isinstance(error, package.AgeRestricted | package.VideoUnplayable):
        return WebError("This video cannot be seen without a login.", _OTHER, "transcript")
    return WebError("YouTube did not return the transcript of this video.", _LATER, "transcript")
