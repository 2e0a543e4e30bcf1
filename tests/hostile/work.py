"""All the work that one file causes after it was kept: reading, passages, terms and concordance."""

from pathlib import Path

from pincite.errors import PinciteError
from pincite.index.terms import list_terms
from pincite.locate.concordance import build_concordance
from pincite.passages import make_indexed, split_passages
from pincite.reading import read
from pincite.reading.source import Source
from pincite.types import Document


def work(path: Path) -> Document | PinciteError:
    """The document, or the error that refused it; everything that would be stored of it was made."""
    try:
        document = read(Source(path, path.name, ocr=""))
    except PinciteError as error:
        return error
    for passage in split_passages(document):
        entry = make_indexed(document, passage, path.name)
        list_terms(f"{entry.context}\n{entry.body}", document.language)
    build_concordance(document).to_bytes()
    return document
