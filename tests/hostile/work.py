"""All the work that one file causes after it was kept: reading, passages, terms and concordance."""

from pathlib import Path

from pincite.errors import PinciteError
from pincite.evidence.concordance import build
from pincite.index.analysis import terms
from pincite.passages import indexed, split
from pincite.reading import read
from pincite.reading.source import Source
from pincite.types import Document


def work(path: Path) -> Document | PinciteError:
    """The document, or the error that refused it; everything that would be stored of it was made."""
    try:
        document = read(Source(path, path.name, ocr=""))
    except PinciteError as error:
        return error
    for passage in split(document):
        entry = indexed(document, passage, path.name)
        terms(f"{entry.context}\n{entry.body}", document.language)
    build(document).to_bytes()
    return document
