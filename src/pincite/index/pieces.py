"""A chunk of lower-case text to the pieces it is found by: words as they are, numbers and codes whole and in parts."""

import re

_ELIDED = re.compile("[ldjmtsnc]|(?:jus|lors|puis|quoi|quel|pres)?qu|dell|all|nell|sull|dall|un|quest|quell|dov|com")
_CONTRACTED = re.compile("[stdm]|re|ve|ll")
_APOSTROPHES = re.compile("['’ʼ]")
_HYPHENS = re.compile("[-‐‑]")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d{1,3}(?:\.\d{3})+,\d+")
_DECIMAL_COMMA = re.compile(r"\d+,\d+")
_RUNS = re.compile(r"\d+|[^\W\d_]+")
_CODE_PARTS = re.compile(r"(?<![^\W\d_])[^\W\d_]+\d+|\d+")
_GROUPS = re.compile(r"(?<![.,\d])\d+")
# Scripts written without spaces: Han, Kana, Hangul, Thai, Lao, Khmer, Burmese.
_UNSPACED = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+"
)
_LONGEST = 64
_MANY = 6


def pieces(chunk: str) -> list[str]:
    """The pieces of a chunk, each once and none empty."""
    if chunk.isalpha() and not _UNSPACED.search(chunk):
        return [chunk[:_LONGEST]]
    return list(dict.fromkeys(part[:_LONGEST] for part in _pieces(chunk) if part and "," not in part))


def _pieces(chunk: str) -> list[str]:
    if _UNSPACED.search(chunk):
        return [piece for run in _by_script(chunk) for piece in (bigrams(run) if _UNSPACED.match(run) else pieces(run))]
    if chunk[0].isdigit() and " " in chunk:
        # Grouped thousands, or neighbours in a row of numbers: found as the one and as the others.
        return [number(chunk.replace(" ", "")), *(part for part in _GROUPS.findall(chunk) if len(part) > 1)]
    if _APOSTROPHES.search(chunk):
        return _unelided(_APOSTROPHES.split(chunk))
    if chunk.endswith(("++", "#")):
        # C++ and C# are names; a mark after anything longer is a heading's or a footnote's.
        bare = chunk.rstrip("+#")
        return [chunk] if len(bare) == 1 and bare.isalpha() else pieces(bare)
    if chunk[0].isdigit() and chunk[-1].isdigit() and not re.search(r"[^\d.,]", chunk):
        return [number(chunk), *(re.split(r"\.", chunk) if chunk.count(".") > 1 and not _grouped(chunk) else [])]
    if _HYPHENS.search(chunk):
        return _compound(_HYPHENS.split(chunk))
    return _coded(chunk)


def number(digits: str) -> str:
    """A number in one spelling whichever way its thousands and decimals are set: 1,234.5 and 1.234,5 are 1234.5.

    What cannot be told apart is decided one way for all languages: 1,234 is grouped, 1.234 is a decimal."""
    if _GROUPED.fullmatch(digits):
        last = max(digits.rfind(","), digits.rfind("."))
        if len(set(digits) & {",", "."}) == 2:
            return re.sub("[.,]", "", digits[:last]) + "." + digits[last + 1 :]
        return re.sub("[.,]", "", digits)
    if _DECIMAL_COMMA.fullmatch(digits):
        return digits.replace(",", ".")
    return digits.replace(",", "")


def bigrams(run: str) -> list[str]:
    """Every two neighbouring characters of a script that does not part its words."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def _grouped(digits: str) -> bool:
    return _GROUPED.fullmatch(digits) is not None


def _by_script(chunk: str) -> list[str]:
    return [run.strip("'’ʼ&.-‐‑,") for run in re.split(f"({_UNSPACED.pattern})", chunk) if run.strip("'’ʼ&.-‐‑,")]


def _unelided(parts: list[str]) -> list[str]:
    """The words between apostrophes, without l', d', qu' before and 's, 't, 're after them."""
    while len(parts) > 1 and _ELIDED.fullmatch(parts[0]):
        parts = parts[1:]
    while len(parts) > 1 and _CONTRACTED.fullmatch(parts[-1]):
        parts = parts[:-1]
    if len(parts) == 1:
        return pieces(parts[0])
    return ["".join(parts), *(piece for part in parts if len(part) > 2 for piece in pieces(part))]


def _compound(parts: list[str]) -> list[str]:
    """A hyphenated word's parts, and the whole where it may be written in one: e-mail, COVID-19, 10-K, L121-1."""
    inner = [piece for part in parts if part for piece in pieces(part)]
    if any("." in part or "," in part for part in parts):
        return inner
    if all(part.isdigit() for part in parts[1:]) and parts[0][-1:].isdigit():
        # 121-1 is an article and 2019-2020 a range: the hyphen tells them from the number 1211.
        stem = re.search(r"(?<!\d)\d+$", parts[0])
        whole = "-".join(parts)
        return [whole, *([whole[stem.start() :]] if stem else []), *(p for p in inner if len(p) > 1)]
    if any(part[:1].isdigit() for part in parts) or (len(parts) == 2 and len(parts[0]) <= 4):
        return ["".join(parts), *(p for p in inner if len(p) > 1)]
    return inner


def _coded(chunk: str) -> list[str]:
    """What has digits, points or marks inside: U.S.A., 2023Q2, R&D, file.txt, a_name."""
    if "." in chunk:
        parts = re.split("[.,]", chunk)
        if all(len(part) == 1 for part in parts):
            return ["".join(parts)]
        inner = [piece for part in parts for piece in pieces(part)]
        return [chunk, *inner] if any(c.isdigit() for c in chunk) or len(parts) > 2 else inner
    if "&" in chunk or "_" in chunk:
        return [
            chunk.strip("_"),
            *(piece for part in re.split("[&_,]", chunk) if len(part) > 1 for piece in pieces(part)),
        ]
    if "," in chunk:
        return [piece for part in chunk.split(",") for piece in pieces(part)]
    if not any(c.isdigit() for c in chunk):
        return [chunk]
    runs = _RUNS.findall(chunk)
    if len(runs) > _MANY:
        return [chunk]
    # Of 2023q2 the parts are 2023 and q2, of covid19 covid and 19, of fy2022 the year.
    single = [run for run in runs if len(run) > (1 if run.isdigit() else 2)]
    return [chunk, *(part for part in _CODE_PARTS.findall(chunk) if len(part) > 1), *single]
