"""Make any number of documents from the texts of retrieval sets in BEIR form, with vectors that fit the texts.

The first passages are the texts as they are. Every later passage takes some sentences from another text of its
language and has other numbers and names; its vector is mixed from those of the two texts in the same proportion, with
some noise. The built-in model embeds as many texts as wanted; the vector of any other is one of these with noise.
Document n is the same in every run with the same number of embedded texts.
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
_LONGEST = 1_200  # characters of a passage
_EVERY_FRENCH = 4  # one document in four is French
_REPLACED = 0.3  # of the sentences of a passage come from another text
_BATCH = 32
_NOISE = 0.15  # length of the random vector that is added to one of length 1
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_CHANGED = re.compile(r"\d+|(?<=[a-zé,] )[A-ZÉ][\wé-]{3,}")
_SYLLABLES = ("ba", "ca", "do", "fe", "ga", "ka", "lo", "mi", "na", "or", "pa", "ri", "sa", "tu", "vo", "wen")

Vectors = NDArray[np.float32]


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
    """The passages of the sets in one language, each in sentences, with their vectors."""

    language: str
    passages: tuple[tuple[str, ...], ...]
    vectors: Vectors

    def make(self, place: int, number: int) -> MadeDocument:
        """Return the document at a place among those of this language."""
        chance, noise = random.Random(number), np.random.default_rng(number)
        first = place * PASSAGES_A_DOCUMENT
        bodies, vectors = [], np.empty((PASSAGES_A_DOCUMENT, self.vectors.shape[1]), np.float32)
        for i in range(PASSAGES_A_DOCUMENT):
            times, base = divmod(first + i, len(self.passages))
            if not times:
                bodies.append(" ".join(self.passages[base]))
                vectors[i] = self.vectors[base]
                continue
            other = chance.randrange(len(self.passages))
            body, share = _mix(self.passages[base], self.passages[other], chance)
            bodies.append(body)
            vectors[i] = (1 - share) * self.vectors[base] + share * self.vectors[other]
            vectors[i] += noise.standard_normal(vectors.shape[1]) * (_NOISE / vectors.shape[1] ** 0.5)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        title = " ".join(bodies[0].split()[:8])
        return MadeDocument(number, self.language, title, tuple(bodies), vectors)


class RepeatedText:
    """The documents to load, and the questions of the sets. Vectors of the texts are kept in a file of the folder."""

    def __init__(self, sets: Sequence[Path], folder: Path, embedded: int) -> None:
        pieces: dict[str, list[tuple[str, ...]]] = {"en": [], "fr": []}
        for path in sets:
            language = "fr" if path.name.endswith("_fr") else "en"
            for line in (path / "corpus.jsonl").read_text("utf-8").splitlines():
                row = json.loads(line)
                pieces[language].extend(_cut(f"{row['title']}\n{row['text']}"))
        for some in pieces.values():
            random.Random(1).shuffle(some)
        total = sum(map(len, pieces.values()))
        shares = {name: min(-(-embedded * len(some) // total), len(some)) for name, some in pieces.items()}
        self.texts = [
            Texts(name, tuple(some), _embed(name, some, shares[name], folder)) for name, some in pieces.items()
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


def _cut(text: str) -> Iterator[tuple[str, ...]]:
    """Cut a text into passages of whole sentences."""
    kept: list[str] = []
    for sentence in filter(None, map(str.strip, _SENTENCE_END.split(text))):
        if kept and sum(map(len, kept)) + len(sentence) > _LONGEST:
            yield tuple(kept)
            kept = []
        kept.append(sentence[:_LONGEST])
    if kept:
        yield tuple(kept)


def _mix(base: Sequence[str], other: Sequence[str], chance: random.Random) -> tuple[str, float]:
    """Return the sentences of one passage with some of another, and the share of the other."""
    mixed, foreign = [], 0
    for i, sentence in enumerate(base):
        if chance.random() < _REPLACED:
            sentence = other[i % len(other)]
            foreign += len(sentence)
        mixed.append(sentence)
    names: dict[str, str] = {}

    def change(match: re.Match[str]) -> str:
        known = match[0]
        if known not in names:
            if known[0].isdigit():
                names[known] = str(chance.randrange(10 ** (len(known) - 1), 10 ** len(known)))
            else:
                names[known] = "".join(chance.choices(_SYLLABLES, k=3)).capitalize()
        return names[known]

    body = _CHANGED.sub(change, " ".join(mixed))
    return body, foreign / max(len(body), 1)


def _embed(name: str, pieces: Sequence[Sequence[str]], count: int, folder: Path) -> Vectors:
    """Return a vector for each text; what was embedded is kept in the folder, a file for each batch."""
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
    real = np.concatenate(made)[:count]
    chance = np.random.default_rng(3)
    others = len(pieces) - len(real)
    noise = chance.standard_normal((others, real.shape[1])) * (_NOISE / real.shape[1] ** 0.5)
    found: Vectors = np.concatenate([real, real[chance.integers(0, len(real), others)] + noise]).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found
