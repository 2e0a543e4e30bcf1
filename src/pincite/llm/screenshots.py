"""Turn the screenshots in a client's results into pictures for a model: once, when a result arrives.

A result has a screenshot in its own field, or its message is JSON that has one somewhere. The picture is taken out of
the message and stored; later requests only send it on in the form of their provider.
"""

import base64
import binascii
import json
import re
from typing import TYPE_CHECKING, Any

from pincite.errors import Misuse
from pincite.types import Picture

if TYPE_CHECKING:
    from pydantic_ai.messages import UserContent

FIELD = "screenshot"
LARGEST = 5_000_000  # bytes of a picture, which providers accept
_CACHED_BY_OPENAI = 200_000  # bytes above which a picture for OpenAI is cached
_ADDRESS = re.compile(r"data:(?P<type>[\w.+-]+/[\w.+-]+)?(?:;[\w=-]+)*;base64,", re.IGNORECASE)
_MEDIA_TYPES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_TAKEN = "(see the picture)"  # stands in the message where the screenshot was


def take_screenshots(message: str, screenshot: str = "") -> tuple[str, tuple[Picture, ...]]:
    """Return a result's message without its screenshots, and the screenshots as pictures, each once.

    Raise `Misuse` if the screenshot field holds no picture. In a message, other text under that name stays as it is.
    """
    pictures = [decode_picture(screenshot)] if screenshot.strip() else []
    kept = message.strip()
    if kept.startswith(("{", "[")) and f'"{FIELD}"' in kept:
        try:
            found = json.loads(kept)
        except (ValueError, RecursionError):
            found = None
        if found is not None:
            rest = _take_from_json(found, pictures)
            message = json.dumps(rest, ensure_ascii=False) if rest != found else message
    return message, tuple(dict.fromkeys(pictures))


def decode_picture(encoded: str) -> Picture:
    """Return a picture from base64 or a `data:` address; raise `Misuse` if it is none, or too large."""
    bare = _ADDRESS.sub("", encoded.strip(), count=1)
    try:
        data = base64.b64decode("".join(bare.split()), validate=True)
    except (binascii.Error, ValueError):
        data = b""
    media_type = find_media_type(data)
    if not media_type:
        raise Misuse("The screenshot is not a picture.", "Send a PNG, JPEG, GIF or WebP in base64.", "bad_screenshot")
    if len(data) > LARGEST:
        raise Misuse(
            f"The screenshot has {len(data):,} bytes, more than {LARGEST:,}.", "Send a smaller one.", "large_screenshot"
        )
    return Picture(media_type, data)


def find_media_type(data: bytes) -> str:
    """Return the format of a picture by its first bytes; "" if it is of no format that all providers read."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((name for start, name in _MEDIA_TYPES if data.startswith(start)), "")


def make_image_content(picture: Picture, provider: str) -> "list[UserContent]":
    """Return a picture as content of a message, followed by the mark that has the provider cache it, where it should.

    Anthropic caches every picture, OpenAI only large ones. The framework writes each provider's own form.
    """
    from pydantic_ai.messages import BinaryContent, CachePoint

    content: list[UserContent] = [BinaryContent(picture.data, media_type=picture.media_type)]
    if is_cached(picture, provider):
        content.append(CachePoint())
    return content


def is_cached(picture: Picture, provider: str) -> bool:
    """Whether a provider is to cache a picture."""
    return provider == "anthropic" or (provider == "openai" and len(picture.data) > _CACHED_BY_OPENAI)


def _take_from_json(value: Any, pictures: list[Picture]) -> Any:
    """Return JSON in which each screenshot is replaced by a remark, and add the screenshots to `pictures`."""
    if isinstance(value, list):
        return [_take_from_json(each, pictures) for each in value]
    if not isinstance(value, dict):
        return value
    rest = {}
    for key, each in value.items():
        rest[key] = _take_from_json(each, pictures)
        if key == FIELD and isinstance(each, str) and each.strip():
            try:
                pictures.append(decode_picture(each))
            except Misuse:
                continue
            rest[key] = _TAKEN
    return rest
