"""The documents that an empty library offers to try Pincite on. They are part of the package."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from importlib.resources import as_file, files
from pathlib import Path

from pincite.library import DEFAULT, AdditionResult, Library
from pincite.store.document_sources import make_upload_location

_FOLDER = files("pincite.library") / "samples"
_DAM, _LEASE, _REPORT = "corvel-dam.md", "bail-rue-des-tanneurs.md", "corvel-cycles-report.pdf"
# The last one is shown first, because lists begin with the newest document.
_NAMES = {"en": (_LEASE, _DAM, _REPORT), "fr": (_REPORT, _DAM, _LEASE)}


@contextmanager
def open_samples(language: str = "en") -> Iterator[list[Path]]:
    """Return the files of the sample documents; the one in this language is the last."""
    with ExitStack() as stack:
        yield [stack.enter_context(as_file(_FOLDER / name)) for name in _NAMES["fr" if language == "fr" else "en"]]


def add_samples(library: Library, person: str, language: str = "en", name: str = DEFAULT) -> list[AdditionResult]:
    """Add the sample documents to a library of a person; documents that are there already stay as they are."""
    with open_samples(language) as paths:
        return [library.add(person, path, name, name=path.name, place=_make_location(path)) for path in paths]


def _make_location(path: Path) -> str:
    """Return the location that the same file would have as an upload."""
    return make_upload_location(sha256(path.read_bytes()).hexdigest(), "", path.name)
