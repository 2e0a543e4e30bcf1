"""Two hundred damaged files: each is ready or failed with a reason, and the program goes on."""

import io
import random
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

from pincite.jobs import Worker
from pincite.library import Library
from tests import files, pdfs
from tests.work import all_of, waiting

FILES = 200
Deed = Callable[[random.Random, bytes], bytes]


def flipped(chance: random.Random, data: bytes) -> bytes:
    """A few bytes changed, anywhere."""
    damaged = bytearray(data)
    for _ in range(chance.choice((1, 3, 10, 100))):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    return bytes(damaged)


def cut(chance: random.Random, data: bytes) -> bytes:
    """The end missing, or the beginning, or a piece from the middle."""
    first, last = sorted(chance.randrange(1, len(data)) for _ in range(2))
    return chance.choice((data[:last], data[first:], data[:first] + data[last:]))


def doubled(chance: random.Random, data: bytes) -> bytes:
    """A piece of it there twice, somewhere else too."""
    first, last = sorted(chance.randrange(len(data)) for _ in range(2))
    place = chance.randrange(len(data))
    return data[:place] + data[first:last] + data[place:]


def renumbered(chance: random.Random, data: bytes) -> bytes:
    """A number in it made huge, negative or nothing: lengths, counts, offsets."""
    numbers = list(re.finditer(rb"\d{1,10}", data))
    if not numbers:
        return flipped(chance, data)
    chosen = chance.choice(numbers)
    return data[: chosen.start()] + chance.choice((b"99999999999", b"-1", b"0")) + data[chosen.end() :]


def mismeasured(chance: random.Random, data: bytes) -> bytes:
    """A four-byte length changed to something else."""
    place = chance.randrange(max(len(data) - 4, 1))
    return data[:place] + struct.pack("<I", chance.choice((0, 1, 2**31, 2**32 - 1))) + data[place + 4 :]


def damaged_inside(chance: random.Random, data: bytes) -> bytes:
    """One member of a container damaged before it is packed again, or left out, or made of something else."""
    if data[:2] != b"PK":
        return flipped(chance, data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice([name for name, content in members.items() if content])
    deed = chance.choice((flipped, cut, doubled, renumbered, None))
    if deed:
        members[name] = deed(chance, members[name])
    elif chance.random() < 0.5:
        del members[name]
    else:
        members[name] = b"<a>" * 10_000
    return files.zipped(dict(members))


DEEDS: tuple[Deed, ...] = (flipped, cut, doubled, renumbered, mismeasured, damaged_inside)


def test_two_hundred_damaged_files_cost_at_most_themselves(library: Library, tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    samples = files.samples()
    whole = [(name, samples[name]) for name in ("a.docx", "a.pptx", "a.xlsx", "a.epub", "a.eml", "b.eml", "a.html")]
    whole += [(name, samples[name]) for name in ("a.rtf", "a.odt", "a.ipynb")]
    for name, words in (("en.pdf", pdfs.WORDS_EN), ("fr.pdf", pdfs.WORDS_FR), ("two.pdf", pdfs.WORDS_EN)):
        whole.append((name, pdfs.simple(tmp_path / name, words=words, pages=len(name) - 5).read_bytes()))
    for number in range(FILES):
        name, data = whole[number % len(whole)]
        path = tmp_path / f"{number}-{name}"
        path.write_bytes(chance.choice(DEEDS)(chance, data))
        library.add(path)
    sound = library.add(pdfs.simple(tmp_path / "sound.pdf", pages=4)).document

    Worker(library, lambda: None, readers=2).run()

    assert waiting(library) == 0
    stored = all_of(library)
    assert {document.id: document.status for document in stored}[sound] == "ready"
    assert len(stored) > FILES * 0.9  # a deed may undo itself, and then the bytes are known
    for document in stored:
        assert document.status in ("ready", "failed"), document.name
        if document.status == "failed":
            assert_can_be_understood(document.error, document.name)
    # Were all of them one or the other, nothing would have been tried.
    assert 10 < sum(document.status == "failed" for document in stored) < FILES - 10


def assert_can_be_understood(reason: str, name: str) -> None:
    """Sentences, the last of which says what to do; no traceback, no library's own words alone."""
    assert "Traceback" not in reason, name
    assert 'File "' not in reason, name
    assert "A fault of ours" not in reason, name
    sentences = re.split(r"(?<=\.)\s+", reason)
    assert len(sentences) >= 2, f"{name}: {reason}"
    assert re.match(r"[A-Z`]", sentences[-1]), f"{name}: {reason}"
    assert reason.endswith("."), f"{name}: {reason}"
    assert not re.fullmatch(r"\w*(Error|Exception)\b.*", sentences[0]), f"{name}: {reason}"
    assert " object at 0x" not in reason, f"{name}: {reason}"
