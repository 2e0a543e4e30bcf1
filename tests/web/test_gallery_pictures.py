"""Small pictures of the gallery: fetched through the guard, drawn anew, and never anything but a picture."""

import io
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pincite.errors import Forbidden, PinciteError, TooLarge, Unsupported, WebError
from pincite.settings import load_settings
from pincite.web.gallery_pictures import MOST_BYTES, PictureCache
from pincite.web.thumbnails import WIDEST, make_thumbnail
from pincite.web.web_parser import DirectParser
from tests.sites import Site, page, redirect, serving, stream


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as made:
        yield made


def painted(format: str = "PNG", size: tuple[int, int] = (20, 10), mode: str = "RGB", **given: Any) -> bytes:
    out = io.BytesIO()
    colour: Any = {"RGBA": (255, 0, 0, 0), "L": 7, "P": 3}.get(mode, (255, 0, 0))
    Image.new(mode, size, colour).save(out, format, **given)
    return out.getvalue()


def seen(made: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(made))
    assert picture.format == "JPEG"
    return picture


def small(url: str, *allow: str, **web: Any) -> bytes:
    return anyio.run(PictureCache(load_settings(web={"allow": allow, **web}), DirectParser()).get_thumbnail, url)


def bomb(width: int, height: int) -> bytes:
    """A PNG that says it is large and holds next to nothing."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize("format", ["PNG", "JPEG", "GIF", "WEBP", "AVIF"])
def test_a_picture_is_known_by_its_bytes_whatever_it_is_said_to_be(site: Site, format: str) -> None:
    site.pages["/x"] = page(painted(format), {"Content-Type": "text/html"})
    assert seen(small(site.url("/x"), site.host)).size == (20, 10)


def test_a_large_one_is_made_small_and_keeps_its_shape() -> None:
    assert seen(make_thumbnail(painted("JPEG", (2000, 1000)))).size == (WIDEST, WIDEST // 2)
    assert seen(make_thumbnail(painted("PNG", (30, 3000)))).height == WIDEST


def test_transparent_pixels_become_white_and_turned_pictures_upright() -> None:
    assert seen(make_thumbnail(painted("PNG", mode="RGBA"))).getpixel((5, 5)) == (255, 255, 255)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    assert seen(make_thumbnail(painted("JPEG", exif=exif))).size == (10, 20)


def test_nothing_that_came_with_a_picture_goes_on_with_it() -> None:
    exif = Image.Exif()
    exif[0x010E] = "where I live"
    given = painted("JPEG", exif=exif) + b"<script>alert(1)</script>"
    made = make_thumbnail(given)
    assert b"script" not in made
    assert b"where I live" not in made


@pytest.mark.parametrize(
    "given",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><p>no picture</p>",
        b"%PDF-1.7",
        painted("BMP"),
        painted("TIFF"),
        painted("ICO"),
        painted("PNG")[:40],
        painted("JPEG")[:200],
    ],
)
def test_a_file_that_is_no_picture_of_the_web_is_not_shown(given: bytes) -> None:
    with pytest.raises(Unsupported) as told:
        make_thumbnail(given)
    assert told.value.hint


@pytest.mark.parametrize("side", [5_000, 12_000, 60_000])
def test_a_picture_that_unpacks_without_end_is_refused_before_it_is_make_thumbnail(side: int) -> None:
    with pytest.raises(TooLarge):
        make_thumbnail(bomb(side, side))


@given(st.binary(max_size=300), st.integers(0, 400))
def test_damage_is_an_error_in_words_and_never_a_fault(noise: bytes, at: int) -> None:
    for whole in (painted("PNG"), painted("GIF"), painted("JPEG"), painted("WEBP")):
        with suppress(PinciteError):
            seen(make_thumbnail(whole[:at] + noise + whole[at + len(noise) :])).load()


def test_a_redirect_is_followed_and_one_into_the_house_is_not(site: Site) -> None:
    site.pages.update({"/a": redirect("/b"), "/b": page(painted()), "/trap": redirect("http://169.254.169.254/latest")})
    assert small(site.url("/a"), site.host)
    with pytest.raises(Forbidden):
        small(site.url("/trap"), site.host)
    with pytest.raises(Forbidden):
        small(site.url("/b"))  # this machine itself, where nobody allowed it
    assert site.paths == ["/a", "/b", "/trap"]


def test_a_picture_that_is_too_large_is_not_read_to_its_end(site: Site) -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"\x89PNG\r\n\x1a\n" + bytes(100_000)

    site.pages["/said"] = page(b"x", {"Content-Length": str(MOST_BYTES + 1)})
    site.pages["/unsaid"] = stream(endless)
    site.pages["/round"] = redirect("/round")
    for path in ("/said", "/unsaid"):
        with pytest.raises(TooLarge):
            small(site.url(path), site.host)
    with pytest.raises(WebError):
        small(site.url("/round"), site.host)
    with pytest.raises(WebError, match="404"):
        small(site.url("/gone"), site.host)


def test_one_that_does_not_come_is_given_up(site: Site) -> None:
    def drop() -> Iterator[bytes]:
        while True:
            anyio.run(anyio.sleep, 0.05)
            yield b"."

    site.pages["/slow"] = stream(drop)
    with pytest.raises(WebError, match="did not answer"):
        small(site.url("/slow"), site.host, seconds=0.3)


def test_a_picture_is_fetched_once_until_others_took_its_place(site: Site) -> None:
    site.pages.update({"/a": page(painted()), "/b": page(painted("PNG", (40, 40)))})

    async def look() -> None:
        made = PictureCache(
            load_settings(web={"allow": [site.host]}), DirectParser(), most=len(make_thumbnail(painted())) + 10
        )
        for path in ("/a", "/a", "/b", "/a"):
            await made.get_thumbnail(site.url(path))

    anyio.run(look)
    assert site.paths == ["/a", "/b", "/a"]
