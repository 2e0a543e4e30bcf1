"""Split a chunk of lower-case text into the pieces it is found by: words, and numbers and codes whole and in parts.

The pieces are stored as terms of the index: change this module only together with `index.terms.ANALYSIS`.
"""

import re

from pincite.text.words import LETTERS_OR_DIGITS

_ELIDED = re.compile("[ldjmtsnc]|(?:jus|lors|puis|quoi|quel|pres)?qu|dell|all|nell|sull|dall|un|quest|quell|dov|com")
_CONTRACTED = re.compile("[stdm]|re|ve|ll")
_APOSTROPHES = re.compile("['’ʼ]")
_HYPHENS = re.compile("[-‐‑]")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d{1,3}(?:\.\d{3})+,\d+")
_DECIMAL_COMMA = re.compile(r"\d+,\d+")
_CODE_PARTS = re.compile(r"(?<![^\W\d_])[^\W\d_]+\d+|\d+")
_GROUPS = re.compile(r"(?<![.,\d])\d+")
# Scripts written without spaces: Han, Kana, Hangul, Thai, Lao, Khmer, Burmese.
_UNSPACED = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+"
)
_LONGEST = 64
_MANY = 6


def split_chunk(chunk: str) -> list[str]:
    """Return the pieces of a chunk, each once and none empty."""
    if chunk.isalpha() and not _UNSPACED.search(chunk):
        return [chunk[:_LONGEST]]
    return list(dict.fromkeys(part[:_LONGEST] for part in _list_pieces(chunk) if part and "," not in part))


def _list_pieces(chunk: str) -> list[str]:
    if _UNSPACED.search(chunk):
        return [
            piece
            for run in _split_by_script(chunk)
            for piece in (make_bigrams(run) if _UNSPACED.match(run) else split_chunk(run))
        ]
    if chunk[0].isdigit() and " " in chunk:
        # Grouped thousands, or neighbouring numbers in a row: indexed as both.
        return [normalise_number(chunk.replace(" ", "")), *(part for part in _GROUPS.findall(chunk) if len(part) > 1)]
    if _APOSTROPHES.search(chunk):
        return _drop_elisions(_APOSTROPHES.split(chunk))
    if chunk.endswith(("++", "#")):
        # C++ and C# are names; after a longer word the sign marks a heading or a footnote.
        bare = chunk.rstrip("+#")
        return [chunk] if len(bare) == 1 and bare.isalpha() else split_chunk(bare)
    if chunk[0].isdigit() and chunk[-1].isdigit() and not re.search(r"[^\d.,]", chunk):
        return [
            normalise_number(chunk),
            *(re.split(r"\.", chunk) if chunk.count(".") > 1 and not _is_grouped(chunk) else []),
        ]
    if _HYPHENS.search(chunk):
        return _split_compound(_HYPHENS.split(chunk))
    return _split_code(chunk)


def normalise_number(digits: str) -> str:
    """Return a number in one spelling whatever its separators: 1,234.5 and 1.234,5 give 1234.5.

    Ambiguous numbers are read in one way for all languages: 1,234 has thousands, 1.234 has decimals.
    """
    if _GROUPED.fullmatch(digits):
        last = max(digits.rfind(","), digits.rfind("."))
        if len(set(digits) & {",", "."}) == 2:
            return re.sub("[.,]", "", digits[:last]) + "." + digits[last + 1 :]
        return re.sub("[.,]", "", digits)
    if _DECIMAL_COMMA.fullmatch(digits):
        return digits.replace(",", ".")
    return digits.replace(",", "")


def make_bigrams(run: str) -> list[str]:
    """Return every two neighbouring characters of text in a script without spaces between words."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _is_grouped(digits: str) -> bool:
    return _GROUPED.fullmatch(digits) is not None


def _split_by_script(chunk: str) -> list[str]:
    return [run.strip("'’ʼ&.-‐‑,") for run in re.split(f"({_UNSPACED.pattern})", chunk) if run.strip("'’ʼ&.-‐‑,")]


def _drop_elisions(parts: list[str]) -> list[str]:
    """Return the words between apostrophes, without l', d', qu' before and 's, 't, 're after them."""
    while len(parts) > 1 and _ELIDED.fullmatch(parts[0]):
        parts = parts[1:]
    while len(parts) > 1 and _CONTRACTED.fullmatch(parts[-1]):
        parts = parts[:-1]
    if len(parts) == 1:
        return split_chunk(parts[0])
    return ["".join(parts), *(piece for part in parts if len(part) > 2 for piece in split_chunk(part))]


def _split_compound(parts: list[str]) -> list[str]:
    """Return the parts of a hyphenated word, and the whole if it may be one word: e-mail, COVID-19, 10-K, L121-1."""
    inner = [piece for part in parts if part for piece in split_chunk(part)]
    if any("." in part or "," in part for part in parts):
        return inner
    if all(part.isdigit() for part in parts[1:]) and parts[0][-1:].isdigit():
        # 121-1 is an article and 2019-2020 a range: the hyphen distinguishes them from the number 1211.
        stem = re.search(r"(?<!\d)\d+$", parts[0])
        whole = "-".join(parts)
        return [whole, *([whole[stem.start() :]] if stem else []), *(p for p in inner if len(p) > 1)]
    if any(part[:1].isdigit() for part in parts) or (len(parts) == 2 and len(parts[0]) <= 4):
        return ["".join(parts), *(p for p in inner if len(p) > 1)]
    return inner


def _split_code(chunk: str) -> list[str]:
    """Return the pieces of a chunk with digits, points or signs inside: U.S.A., 2023Q2, R&D, file.txt, a_name."""
    if "." in chunk:
        parts = re.split("[.,]", chunk)
        if all(len(part) == 1 for part in parts):
            return ["".join(parts)]
        inner = [piece for part in parts for piece in split_chunk(part)]
        return [chunk, *inner] if any(c.isdigit() for c in chunk) or len(parts) > 2 else inner
    if "&" in chunk or "_" in chunk:
        return [
            chunk.strip("_"),
            *(piece for part in re.split("[&_,]", chunk) if len(part) > 1 for piece in split_chunk(part)),
        ]
    if "," in chunk:
        return [piece for part in chunk.split(",") for piece in split_chunk(part)]
    if not any(c.isdigit() for c in chunk):
        return [chunk]
    runs = LETTERS_OR_DIGITS.findall(chunk)
    if len(runs) > _MANY:
        return [chunk]
    # The parts of 2023q2 are 2023 and q2, those of covid19 are covid and 19, that of fy2022 is the year.
    single = [run for run in runs if len(run) > (1 if run.isdigit() else 2)]
    return [chunk, *(part for part in _CODE_PARTS.findall(chunk) if len(part) > 1), *single]
