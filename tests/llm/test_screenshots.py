"""A screenshot in a result becomes a picture once, and nothing else of the result is changed."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import BinaryContent, CachePoint

from pincite.errors import Misuse
from pincite.llm.screenshots import LARGEST, is_cached, make_image_content, take_screenshots
from pincite.types import Picture

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20
JPEG = b"\xff\xd8\xff\xe0" + b"\1" * 20
WEBP = b"RIFF\0\0\0\0WEBPVP8 "


def encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.mark.parametrize(
    ("data", "media_type"),
    [(PNG, "image/png"), (JPEG, "image/jpeg"), (WEBP, "image/webp"), (b"GIF89a\0", "image/gif")],
)
@pytest.mark.parametrize("head", ["", "data:image/jpeg;base64,", "data:;base64,"])
def test_the_format_is_that_of_the_bytes_whatever_the_client_says(data: bytes, media_type: str, head: str) -> None:
    message, pictures = take_screenshots("done", head + encode(data))
    assert message == "done"
    assert pictures == (Picture(media_type, data),)


def test_a_screenshot_inside_json_is_taken_out_and_the_rest_stays() -> None:
    given = {"url": "http://localhost", "steps": [{"screenshot": encode(PNG), "ok": True}], "screenshot": encode(JPEG)}
    message, pictures = take_screenshots(json.dumps(given))
    assert [each.media_type for each in pictures] == ["image/png", "image/jpeg"]
    rest = json.loads(message)
    assert rest["url"] == "http://localhost"
    assert rest["steps"][0]["ok"] is True
    assert encode(PNG) not in message
    assert encode(JPEG) not in message
    assert take_screenshots(message) == (message, ())  # nothing is taken twice


def test_the_same_picture_is_taken_once() -> None:
    _, pictures = take_screenshots(json.dumps({"screenshot": encode(PNG)}), encode(PNG))
    assert len(pictures) == 1


@pytest.mark.parametrize("screenshot", ["hello", "AAAA", encode(b"%PDF-1.7"), "data:text/html;base64,PGI+", "é"])
def test_a_screenshot_that_is_no_picture_is_refused(screenshot: str) -> None:
    with pytest.raises(Misuse) as refused:
        take_screenshots("", screenshot)
    assert refused.value.reason == "bad_screenshot"
    message = json.dumps({"screenshot": screenshot})
    assert take_screenshots(message) == (message, ())


@given(st.text() | st.recursive(st.none() | st.text(), lambda inner: st.dictionaries(st.text(), inner)).map(json.dumps))
def test_any_other_message_stays_as_it_is(message: str) -> None:
    assert take_screenshots(message) == (message, ())


@pytest.mark.parametrize(
    ("provider", "size", "cached"),
    [
        ("anthropic", 10, True),
        ("anthropic", 500_000, True),
        ("openai", 10, False),
        ("openai", 200_000, False),
        ("openai", 200_001, True),
        ("mistral", 500_000, False),
    ],
)
def test_each_provider_caches_by_its_own_rule(provider: str, size: int, cached: bool) -> None:
    picture = Picture("image/png", b"x" * size)
    assert is_cached(picture, provider) == cached
    first, *rest = make_image_content(picture, provider)
    assert isinstance(first, BinaryContent)
    assert (first.data, first.media_type) == (picture.data, "image/png")
    assert [type(each) for each in rest] == ([CachePoint] if cached else [])


def test_a_screenshot_that_is_too_large_is_refused() -> None:
    with pytest.raises(Misuse) as refused:
        take_screenshots("", encode(PNG + b"\0" * LARGEST))
    assert refused.value.reason == "large_screenshot"
