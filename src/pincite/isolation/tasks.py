"""The tasks of the isolated process. Each takes a request and returns the bytes of its result.

A request comes over the pipe as JSON. A task raises `PinciteError` with a reason that a person understands. A result in
bytes is cut to fit the pipe and joined again. A result in parts is sent part by part as the task makes them.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any

from pincite import errors
from pincite.reading.limits import DocumentLimits
from pincite.reading.source import Source

Request = Mapping[str, Any]
Progress = Callable[[int, int], None]
Task = Callable[[Request, Progress], bytes | Iterator[bytes]]


def read_document(request: Request, progress: Progress) -> bytes:
    """Read a document. The result is encoded by `encode_document`."""
    from pincite.isolation.document_bytes import encode_document
    from pincite.reading import read

    return encode_document(read(read_source(request, progress)))


def make_contents(request: Request, progress: Progress) -> Iterator[bytes]:
    """Read a document and make everything that is stored of it. The result is in the parts of `encode_contents`."""
    from pincite.isolation.document_parts import Recipe, encode_contents
    from pincite.passages import limit_passages
    from pincite.reading import read

    source = read_source(request, progress)
    document = read(source)
    recipe = Recipe(**request["recipe"])
    try:
        document = limit_passages(document, recipe.size, recipe.overlap, source.limits.passages)
        yield from encode_contents(document, recipe)
    except errors.PinciteError:
        raise
    except MemoryError as error:
        raise errors.MemoryExceeded(
            f"{source.name} needs more memory than the limit.", "Raise reading.memory_mb, or split the file."
        ) from error
    except Exception as error:
        kind = type(error).__name__
        raise errors.ReadingFault(f"A fault of ours ({kind}).", "Please report it with the file.") from error


def draw_page(request: Request, progress: Progress) -> bytes:
    """Draw a page of a document as PNG at a resolution in dots per inch."""
    from pincite.reading.page_picture import render_page

    return render_page(read_source(request, progress), int(request["page"]), float(request["dpi"]))


def draw_slides(request: Request, progress: Progress) -> Iterator[bytes]:
    """Draw the slides of a presentation. Each part of the result is JSON of `ReadSlide`."""
    from pincite.reading.slide_drawing import draw_slides

    return draw_slides(read_source(request, progress))


def draw_word(request: Request, progress: Progress) -> Iterator[bytes]:
    """Draw a Word document. Each part of the result is a range and JSON of `ReadStretch`."""
    from pincite.reading.word_drawing import draw_word

    return draw_word(read_source(request, progress))


def draw_picture(request: Request, progress: Progress) -> bytes:
    """Draw a picture in an Office file again, as WebP."""
    from pincite.reading.office_picture import draw_picture

    return draw_picture(read_source(request, progress), int(request["number"]))


def find_refresh(request: Request, progress: Progress) -> bytes:
    """Find the address to which a web page redirects. The result is JSON."""
    from pincite.web.web_parser import DirectParser

    return json.dumps(DirectParser().find_refresh(Path(request["path"]), request["url"])).encode()


def find_emptiness(request: Request, progress: Progress) -> bytes:
    """Find the reason why a web page has no text. The result is JSON."""
    from pincite.web.web_parser import DirectParser

    return json.dumps(DirectParser().find_emptiness(Path(request["path"]), request["is_rendered"])).encode()


def list_links(request: Request, progress: Progress) -> bytes:
    """List the addresses that a web page links to. The result is JSON."""
    from pincite.web.web_parser import DirectParser

    return json.dumps(DirectParser().list_links(Path(request["path"]), request["url"])).encode()


def make_thumbnail(request: Request, progress: Progress) -> bytes:
    """Draw an image again as a small JPEG."""
    from pincite.web.web_parser import DirectParser

    return DirectParser().make_thumbnail(Path(request["path"]).read_bytes())


def probe(request: Request, progress: Progress) -> bytes:
    """Try to break out of the sandbox. The result is JSON of `probe.try_all`."""
    from pincite.isolation.probe import try_all

    return json.dumps(try_all(request)).encode()


def write_source(source: Source) -> dict[str, Any]:
    """Return the fields of a request that describe a file to read."""
    return {
        "path": str(source.path),
        "name": source.name,
        "password": source.password,
        "skip": sorted(source.skip),
        "ocr": source.ocr,
        "limits": astuple(source.limits),
    }


def read_source(request: Request, progress: Progress) -> Source:
    """Return the file that a request describes, with the child's function to report progress."""
    return Source(
        Path(request["path"]),
        request["name"],
        request["password"],
        frozenset(request["skip"]),
        request["ocr"],
        progress,
        DocumentLimits(*request["limits"]),
    )


TASKS: dict[str, Task] = {
    "read": read_document,
    "contents": make_contents,
    "draw": draw_page,
    "draw_slides": draw_slides,
    "draw_word": draw_word,
    "draw_picture": draw_picture,
    "find_refresh": find_refresh,
    "find_emptiness": find_emptiness,
    "list_links": list_links,
    "make_thumbnail": make_thumbnail,
    "probe": probe,
}
