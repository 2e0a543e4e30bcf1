"""Make any number of documents from the texts of retrieval sets in BEIR form, with vectors that fit the texts.

The first passages are the texts as they are. Every later passage takes some sentences from another text of its
language and has other numbers and names. Its vector is that of its text, moved in the direction in which a text near it
differs from one near to that, which is closer to the vectors of real texts than mixtures and noise are: the local
dimensions are in docs/scaling.md. The built-in model embeds as many texts as wanted; the vector of any other is one of
these, moved. Document n is the same in every run with the same number of embedded texts.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.embedding import create_embedder
from pincite.settings import load_settings

PASSAGES_A_DOCUMENT = 50
LONGEST = 1_200  # characters of a passage
_EVERY_FRENCH = 4  # one document in four is French
_REPLACED = 0.3  # of the sentences of a passage come from another text
_BATCH = 512  # texts that are embedded at once, and kept in one file
_NEAR = 20  # texts that count as near to another
_NEAREST = 5  # of these, the ones to which the difference is taken
_MOVED = 0.6  # share of the difference between two near texts by which a vector is moved
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_CHANGED = re.compile(r"\d+|(?<=[a-zé,] )[A-ZÉ][\wé-]{3,}")
_SYLLABLES = ("ba", "ca", "do", "fe", "ga", "ka", "lo", "mi", "na", "or", "pa", "ri", "sa", "tu", "vo", "wen")

Vectors = NDArray[np.float32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MadeDocument:
    """A document: its number, language, title, passages, and a vector for each passage."""

    number: int
    language: str
    title: str
    passages: tuple[str, ...]
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Texts:
    """The passages of the sets in one language, each in sentences, with their vectors: the first ones are embedded."""

    language: str
    passages: tuple[tuple[str, ...], ...]
    embedded: int
    vectors: Vectors
    near: Numbers

    def make(self, place: int, number: int) -> MadeDocument:
        """Return the document at a place among those of this language."""
        chance = random.Random(number)
        times, bases = np.divmod(place * PASSAGES_A_DOCUMENT + np.arange(PASSAGES_A_DOCUMENT), len(self.passages))
        bodies = [
            _mix(self.passages[base], chance.choice(self.passages), chance) if time else " ".join(self.passages[base])
            for time, base in zip(times.tolist(), bases.tolist(), strict=True)
        ]
        moved = move_vectors(self.vectors, self.near, bases, np.random.default_rng(number))
        vectors = np.where((times > 0)[:, None], moved, self.vectors[bases])
        title = " ".join(bodies[0].split()[:8])
        return MadeDocument(number, self.language, title, tuple(bodies), vectors)


class RepeatedText:
    """The documents to load, and the questions of the sets. Vectors of the texts are kept in a file of the folder."""

    def __init__(self, sets: Sequence[Path], folder: Path, embedded: int, longest: int = LONGEST) -> None:
        pieces: dict[str, list[tuple[str, ...]]] = {"en": [], "fr": []}
        for path in sets:
            language = "fr" if path.name.endswith("_fr") else "en"
            for line in (path / "corpus.jsonl").read_text("utf-8").splitlines():
                row = json.loads(line)
                pieces[language].extend(_cut(f"{row['title']}\n{row['text']}", longest))
        for some in pieces.values():
            random.Random(1).shuffle(some)
        total = sum(map(len, pieces.values()))
        shares = {name: min(-(-embedded * len(some) // total), len(some)) for name, some in pieces.items()}
        self.texts = [
            Texts(name, tuple(some), shares[name], *_embed(f"{name}-{longest}", some, shares[name], folder))
            for name, some in pieces.items()
        ]
        self.real, self.embedded = total, sum(shares.values())
        self.questions = _read_questions(sets)

    def make(self, documents: int, first: int = 0) -> Iterator[MadeDocument]:
        """Yield documents in order."""
        english, french = self.texts
        for number in range(first, documents):
            before = number // _EVERY_FRENCH
            if number % _EVERY_FRENCH == _EVERY_FRENCH - 1:
                yield french.make(before, number)
            else:
                yield english.make(number - before, number)


def _read_questions(sets: Sequence[Path]) -> list[str]:
    found = [
        json.loads(line)["text"] for path in sets for line in (path / "queries.jsonl").read_text("utf-8").splitlines()
    ]
    random.Random(2).shuffle(found)
    return found


def _cut(text: str, longest: int) -> Iterator[tuple[str, ...]]:
    """Cut a text into passages of whole sentences, each of at most so many characters."""
    kept: list[str] = []
    for sentence in filter(None, map(str.strip, _SENTENCE_END.split(text))):
        if kept and sum(map(len, kept)) + len(sentence) > longest:
            yield tuple(kept)
            kept = []
        kept.append(sentence[:longest])
    if kept:
        yield tuple(kept)


def find_near(vectors: Vectors) -> Numbers:
    """Return the texts nearest to each text, nearest first, without the text itself."""
    count = min(_NEAR, len(vectors) - 1)
    found = np.empty((len(vectors), count), np.int64)
    for first in range(0, len(vectors), 1_000):
        products = vectors[first : first + 1_000] @ vectors.T
        rows = np.arange(len(products))
        products[rows, first + rows] = -2
        best = np.argpartition(-products, count - 1, axis=1)[:, :count]
        order = np.argsort(-np.take_along_axis(products, best, axis=1), axis=1)
        found[first : first + 1_000] = np.take_along_axis(best, order, axis=1)
    return found


def move_vectors(vectors: Vectors, near: Numbers, bases: Numbers, chance: np.random.Generator) -> Vectors:
    """Return vectors of changed texts: each is moved by a share of the way from a text near it to a third."""
    one = near[bases, chance.integers(0, near.shape[1], len(bases))]
    other = near[one, chance.integers(0, min(_NEAREST, near.shape[1]), len(bases))]
    moved: Vectors = vectors[bases] + np.float32(_MOVED) * (vectors[other] - vectors[one])
    moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    return moved


def _mix(base: Sequence[str], other: Sequence[str], chance: random.Random) -> str:
    """Return the sentences of one passage with some of another, and with other numbers and names."""
    mixed = [other[i % len(other)] if chance.random() < _REPLACED else sentence for i, sentence in enumerate(base)]
    names: dict[str, str] = {}

    def change(match: re.Match[str]) -> str:
        known = match[0]
        if known not in names:
            if known[0].isdigit():
                names[known] = str(chance.randrange(10 ** (len(known) - 1), 10 ** len(known)))
            else:
                names[known] = "".join(chance.choices(_SYLLABLES, k=3)).capitalize()
        return names[known]

    return _CHANGED.sub(change, " ".join(mixed))


def _embed(name: str, pieces: Sequence[Sequence[str]], count: int, folder: Path) -> tuple[Vectors, Numbers]:
    """Return a vector for each text, and its nearest; what was embedded is kept in the folder, a file a batch."""
    made, embedder = [], None
    for first in range(0, count, _BATCH):
        path = folder / "vectors" / f"{name}-{first}.npy"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            settings = load_settings(data=folder / "model")
            embedder = embedder or create_embedder(settings.embedding, settings.data)
            if embedder is None:
                raise SystemExit("The built-in model is needed: leave embedding.provider as it is.")
            np.save(path, embedder.passages([" ".join(piece) for piece in pieces[first : first + _BATCH]]))
        made.append(np.load(path))
    real: Vectors = np.concatenate(made)[:count]
    kept = folder / "vectors" / f"near-{name}-{count}.npy"
    if not kept.exists():
        np.save(kept, find_near(real))
    near: Numbers = np.load(kept)
    chance = np.random.default_rng(3)
    bases = chance.integers(0, len(real), len(pieces) - len(real))
    vectors = np.concatenate([real, move_vectors(real, near, bases, chance)])
    return vectors, np.concatenate([near, near[bases]])
