"""The members of a backup that hold the index of a PostgreSQL server: words and vectors as JSON lines.

They are the same for every engine: the words of a passage as text, the vectors of a generation as bytes.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import Damaged
from pincite.index import index_copy
from pincite.index.index_copy import StoredVectors
from pincite.store.database_snapshot import ROWS_FOLDER, ROWS_SUFFIX

if TYPE_CHECKING:
    from pincite.store.database import Connection

WORDS_MEMBER = f"{ROWS_FOLDER}index_words{ROWS_SUFFIX}"
VECTORS_MEMBER = f"{ROWS_FOLDER}index_vectors{ROWS_SUFFIX}"
_AT_ONCE = 2_000


def read_members(connection: "Connection") -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield the name and the bytes of each member."""
    yield WORDS_MEMBER, _write_words(connection)
    yield VECTORS_MEMBER, _write_vectors(connection)


def has_index(unpacked: Path) -> bool:
    """Whether an unpacked backup has these members; those of earlier versions have none."""
    return (unpacked / WORDS_MEMBER).is_file() and (unpacked / VECTORS_MEMBER).is_file()


def restore_index(unpacked: Path, connection: "Connection") -> None:
    """Write the index of an unpacked backup into a database that has its rows."""
    words: index_copy.Words = {}
    for line in _parse_lines(unpacked / WORDS_MEMBER):
        words[int(line["passage"])] = str(line["context"]), str(line["body"])
        if len(words) >= _AT_ONCE:
            index_copy.write_words(connection, words, is_new=True)
            words = {}
    index_copy.write_words(connection, words, is_new=True)
    for line in _parse_lines(unpacked / VECTORS_MEMBER):
        stored = [
            StoredVectors(each["model"], each["dimension"], tuple(each["passages"]), b64decode(each["vectors"]))
            for each in line["vectors"]
        ]
        index_copy.write_vectors(connection, int(line["generation"]), stored)
    index_copy.announce_changes(connection)


def _write_words(connection: "Connection") -> Iterator[bytes]:
    for words in index_copy.iterate_words(connection):
        yield b"".join(
            _write_line({"passage": id, "context": context, "body": body}) for id, (context, body) in words.items()
        )


def _write_vectors(connection: "Connection") -> Iterator[bytes]:
    for generation, stored in index_copy.iterate_vectors(connection):
        vectors = [
            {
                "model": each.model,
                "dimension": each.dimension,
                "passages": each.passages,
                "vectors": b64encode(each.vectors).decode(),
            }
            for each in stored
        ]
        yield _write_line({"generation": generation, "vectors": vectors})


def _write_line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def _parse_lines(file: Path) -> Iterator[dict[str, Any]]:
    with file.open("rb") as lines:
        for line in lines:
            try:
                yield json.loads(line)
            except ValueError as error:
                raise Damaged("The index of the backup cannot be read.", "Use another backup.") from error
