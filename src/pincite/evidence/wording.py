"""A text to its words, ready to be compared: what each is worth, what it may stand for, and what is said of it."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeVar

from pincite.evidence import commonplace, operators
from pincite.evidence.operators import Said
from pincite.evidence.opposites import LOOSE, SIDES
from pincite.evidence.quantities import Quantity, quantities, table_scales
from pincite.evidence.synonyms import GROUPS

NAME, CODE, PLAIN, LIGHT, LONG = 1.5, 1.5, 1.0, 0.35, 1.2
_LONG = 8
_VERB = 6
_FAR = 6
_TOKEN = re.compile(r"[^\W_]+(?:['’\-‑–][^\W_]+)*")
_APOSTROPHES = frozenset(("'", "’"))
_ITEM = re.compile(r"^\s*\(?\d{1,2}[.)]\s(?=\s*\D)", re.MULTILINE)
_PART = re.compile(r"[^\W_]+")
_ELIDED = frozenset(("l", "d", "j", "m", "t", "s", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"))
_CONTRACTED = {"don": "do", "won": "will", "can": "can", "shan": "shall"}
_PAUSE = re.compile(r"[,;:.!?()\[\]…\n—]|\s[–-]\s")
_STOP = re.compile(r"[.!?…][^\w]*\s|\n")
_OPENING = re.compile(r"[:;«“\"(•*]|\s[-–—]\s")
_JOINING = frozenset(
    (
        "but",
        "mais",
        "whereas",
        "although",
        "though",
        "while",
        "tandis",
        "alors",
        "because",
        "car",
        "parce",
        "puisque",
        "and",
        "et",
        "or",
        "ou",
    )
)
_SHOUTED, _FEW = 0.7, 7  # capitals tell nothing in a heading
T = TypeVar("T")


class Word(NamedTuple):
    """A word or a quantity where it stands. Equal keys: may stand for each other; sides: excludes, in these rows."""

    text: str
    plain: str
    keys: tuple[str, ...]
    weight: float
    name: bool
    first: bool
    clause: int
    sentence: int
    cue: int = 0
    said: Said = Said()
    sides: tuple[tuple[int, int], ...] = ()
    quantity: Quantity | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text that is ready to be compared, on either side."""

    text: str
    words: tuple[Word, ...]
    places: dict[str, list[int]]
    scales: frozenset[float]
    before: tuple[int, ...]  # each word's neighbour that carries meaning, in its sentence; -1 for none
    after: tuple[int, ...]


def prepare(text: str) -> Prepared:
    """A text to its words; the costly half of comparing two texts."""
    # The number of an item says where it stands, not what it says; blanks keep the places of the rest.
    tokens = _tokens(_ITEM.sub(lambda match: " " * len(match[0]), text))
    plain = [token[2] for token in tokens]
    code = commonplace.language(plain)
    small = commonplace.SMALL[code]
    gaps = [text[a[1] : b[0]] for a, b in pairwise(tokens)] + [""]
    clauses, sentences = _clauses(plain, gaps)
    capitals = [bool(token[4] is None and text[token[0]].isupper()) for token in tokens]
    weights = [_weight(token, small) for token in tokens]
    heavy = [
        capital for capital, weight, token in zip(capitals, weights, tokens, strict=True) if weight and not token[4]
    ]
    shouted = sum(heavy) > _SHOUTED * max(len(heavy), _FEW)
    # "né" is no "ne": cues are looked for with their accents.
    kinds = operators.cues([lower if word == "ne" else word for _, _, word, lower, _ in tokens], gaps)
    kinds = [0 if text[a:b] == "NO" and not shouted else kind for (a, b, *_), kind in zip(tokens, kinds, strict=True)]
    carried = operators.said(kinds, weights, LIGHT, clauses)
    words = []
    for i, (start, end, word, lower, quantity) in enumerate(tokens):
        first = i == 0 or sentences[i] != sentences[i - 1] or bool(_OPENING.search(gaps[i - 1]))
        written = text[start:end]
        acronym = written.isupper() and end - start > 1 and not shouted
        name = acronym or (capitals[i] and not first and not shouted and weights[i] > 0 and end - start > 1)
        name = name or (quantity is None and _has_digit(word))
        weight = NAME if name else 0.0 if kinds[i] else weights[i]
        keys, sides = ((f"#{i}",), ()) if quantity else _known(lower, word)
        words.append(
            Word(
                written,
                word,
                keys,
                weight,
                name,
                first,
                clauses[i],
                sentences[i],
                kinds[i],
                carried[i],
                sides,
                quantity,
            )
        )
    places: dict[str, list[int]] = {}
    for i, entry in enumerate(words):
        for key in entry.keys:
            places.setdefault(key, []).append(i)
    before = _neighbours(words, range(len(words)))
    after = _neighbours(words, range(len(words) - 1, -1, -1))
    return Prepared(text, tuple(words), places, table_scales(text), before, after)


def _neighbours(words: list[Word], order: range) -> tuple[int, ...]:
    """For each word the last one in this order that carries meaning, unless it is far or in another sentence."""
    found, last = [-1] * len(words), -1
    for i in order:
        if last >= 0 and abs(i - last) <= _FAR and words[last].sentence == words[i].sentence:
            found[i] = last
        if words[i].weight > LIGHT:
            last = i
    return tuple(found)


def _tokens(text: str) -> list[tuple[int, int, str, str, Quantity | None]]:
    """Start, end, folded and lower form of each word, with the quantity where it is one."""
    found: list[tuple[int, int, str, str, Quantity | None]] = []
    counted = quantities(text)
    ends = 0
    for quantity in [*counted, None]:
        until = quantity.start if quantity else len(text)
        for match in _TOKEN.finditer(text, ends, until):
            written = match[0]
            if written.isalpha() and text[match.end() : match.end() + 1] not in _APOSTROPHES and written != "cannot":
                lower = written.casefold()
                found.append((*match.span(), fold(lower), lower, None))
                continue
            if _has_digit(written):
                lower = written.casefold()
                found.append((*match.span(), fold(lower), lower, None))
                continue
            found.extend(_parts(match))
        if quantity:
            found.append((quantity.start, quantity.end, "#", "#", quantity))
            ends = quantity.end
    return found


def _has_digit(word: str) -> bool:
    return not word.isalpha() and any(map(str.isdigit, word))


def _parts(match: re.Match[str]) -> list[tuple[int, int, str, str, Quantity | None]]:
    found: list[tuple[int, int, str, str, Quantity | None]] = []
    for part in _PART.finditer(match[0]):
        start, end = match.start() + part.start(), match.start() + part.end()
        lower = part[0].casefold()
        mark = match.string[end : end + 1]
        before = match[0][part.start() - 1 : part.start()]
        if lower == "n" and mark in _APOSTROPHES:
            found.append((start, end, "ne", "ne", None))
        elif lower == "t" and before in _APOSTROPHES and found and found[-1][2].endswith("n"):
            a, b, word, said, _ = found.pop()
            bare = _CONTRACTED.get(word, word.removesuffix("n"))
            found += [
                (a, b, bare, _CONTRACTED.get(word, said.removesuffix("n")), None),
                (start, end, "not", "not", None),
            ]
        elif lower == "cannot":
            found += [(start, start + 3, "can", "can", None), (start + 3, end, "not", "not", None)]
        elif not ((lower in _ELIDED and mark in _APOSTROPHES) or (lower == "s" and before in _APOSTROPHES)):
            found.append((start, end, fold(lower), lower, None))
    return found


def _clauses(plain: list[str], gaps: list[str]) -> tuple[list[int], list[int]]:
    """The number of the clause and of the sentence that each word stands in."""
    clause, sentence = 0, 0
    clauses, sentences = [], []
    for i, word in enumerate(plain):
        gap = gaps[i - 1] if i else ""
        if gap and _STOP.search(gap):
            sentence += 1
        if (gap and _PAUSE.search(gap)) or word in _JOINING:
            clause += 1
        clauses.append(clause)
        sentences.append(sentence)
    return clauses, sentences


def _weight(token: tuple[int, int, str, str, Quantity | None], small: frozenset[str]) -> float:
    start, end, word, _, quantity = token
    if quantity or _has_digit(word):
        return CODE
    if word in small or (end - start == 1 and word.isascii()):
        return 0.0
    if word in commonplace.LIGHT:
        return LIGHT
    return LONG if len(word) >= _LONG else PLAIN


@lru_cache(maxsize=1)
def _stemmers() -> tuple["Stem", "Stem"]:
    import Stemmer

    return Stemmer.Stemmer("english"), Stemmer.Stemmer("french")


class Stem:
    """What a Snowball stemmer offers."""

    def stemWord(self, word: str) -> str:  # noqa: N802
        raise NotImplementedError


def _stems(lower: str) -> tuple[str, str]:
    """An English and a French stem: which of the two a word is need not be known."""
    english, french = _stemmers()
    # Snowball leaves "ils baissent" alone, because of "souvent".
    plural = len(lower) > _VERB and lower.endswith("ent") and not lower.endswith("ment")
    return f"e:{fold(english.stemWord(lower))}", f"f:{fold(french.stemWord(lower[:-2] if plural else lower))}"


@lru_cache(maxsize=65536)
def _known(lower: str, plain: str) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    """A word's keys, and the rows of opposites it stands in. The cache holds words, never texts."""
    forms = (plain, *_stems(lower))
    synonyms, opposites = _lexicons()
    groups = next((synonyms[form] for form in forms if form in synonyms), ())
    sides = next((opposites[form] for form in forms if form in opposites), ())
    alike = tuple(f"s:{n}" for n in groups) + tuple(f"o:{row}:{side}" for row, side in sides if row not in LOOSE)
    return (*dict.fromkeys(forms), *alike), sides


@lru_cache(maxsize=1)
def _lexicons() -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[tuple[int, int], ...]]]:
    """Both lexicons by form and by stem."""
    return _by_form(GROUPS), _by_form(SIDES)


def _by_form(listed: dict[str, tuple[T, ...]]) -> dict[str, tuple[T, ...]]:
    found: dict[str, tuple[T, ...]] = {}
    for word, entries in listed.items():
        for form in (fold(word), *_stems(word)):
            found[form] = tuple(dict.fromkeys((*found.get(form, ()), *entries)))
    return found


def fold(word: str) -> str:
    """A word without its accents."""
    if word.isascii():
        return word
    spread = unicodedata.normalize("NFKD", word.replace("œ", "oe").replace("æ", "ae"))
    return "".join(c for c in spread if not unicodedata.combining(c))
