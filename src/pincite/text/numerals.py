"""Read numbers written in digits or in words, in English and French."""

import re

# A space separates thousands only before three digits; a plain space may also separate two numbers.
DIGITS = r"\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)(?:[.,·]\d+)?|\d+(?:[.,·]\d+)*"
_GAP = re.compile("[ \u00a0\u202f'’]")

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITES = (
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit "
    "dix-neuf"
)
_DIZAINES = {"vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "septante": 70, "nonante": 90}
_SMALL = (
    {word: value for value, word in enumerate(_ONES.split())}
    | {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
    | {word: value for value, word in enumerate(_UNITES.split())}
    | _DIZAINES
    | {"une": 1, "huitante": 80, "vingts": 20, "dozen": 12, "douzaine": 12, "quinzaine": 15, "vingtaine": 20}
    | {"trentaine": 30, "cinquantaine": 50, "centaine": 100}
)
_LARGE = {
    **dict.fromkeys(("hundred", "cent", "cents"), 100.0),
    **dict.fromkeys(("thousand", "mille"), 1e3),
    **dict.fromkeys(("million", "millions", "mio"), 1e6),
    **dict.fromkeys(("billion", "billions", "bn", "milliard", "milliards", "md", "mds", "mrd"), 1e9),
    **dict.fromkeys(("trillion", "trillions"), 1e12),
    "lakh": 1e5,
    "crore": 1e7,
}
# Behind digits: "2.3 million"; in tables: "in thousands of euros".
SCALES = {word: value for word, value in _LARGE.items() if value >= 1e3} | {"thousands": 1e3, "milliers": 1e3}
SCALE_LETTERS = {"k": 1e3, "m": 1e6, "b": 1e9}
FRACTIONS = {
    **dict.fromkeys(("half", "moitié", "demi", "½"), 1 / 2),
    **dict.fromkeys(("one third", "un tiers", "one-third"), 1 / 3),
    **dict.fromkeys(("two thirds", "two-thirds", "deux tiers"), 2 / 3),
    **dict.fromkeys(("one quarter", "un quart", "one-quarter"), 1 / 4),
    **dict.fromkeys(("three quarters", "three-quarters", "trois quarts"), 3 / 4),
    **dict.fromkeys(("one fifth", "one-fifth", "a fifth", "un cinquième"), 1 / 5),
    **dict.fromkeys(("one tenth", "one-tenth", "a tenth", "un dixième"), 1 / 10),
    "a third": 1 / 3,
}
_ORDINALS = {
    **{
        word: n
        for n, word in enumerate(
            ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"], 2
        )
    },
    **{
        word: n
        for n, word in enumerate(["eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"], 11)
    },
    **{word: n for n, word in enumerate(["seventeenth", "eighteenth", "nineteenth", "twentieth"], 17)},
    **{
        w: n
        for n, w in enumerate(["deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième", "huitième"], 2)
    },
    **{
        w: n
        for n, w in enumerate(
            ["neuvième", "dixième", "onzième", "douzième", "treizième", "quatorzième", "quinzième"], 9
        )
    },
    **{w: n for n, w in enumerate(["seizième", "dix-septième", "dix-huitième", "dix-neuvième", "vingtième"], 16)},
    "seconde": 2,
}
ORDINALS = _ORDINALS | {"first": 1, "premier": 1, "première": 1}
SPELLED = (*_SMALL, *_LARGE)
_WORD = "|".join(sorted(SPELLED, key=len, reverse=True))
WORDS = rf"(?:{_WORD})(?:(?:[- ]|[- ](?:and|et)[- ]|[- ]a[- ])(?:{_WORD}))*"
# Words that are mostly something else: an article, or "new" in French. They count only beside a scale or a unit.
AMBIGUOUS = frozenset(("one", "un", "une", "neuf", "second", "seconde", "cent", "cents", "md", "mio", "six-sept"))


def read_digits(digits: str) -> tuple[float, ...]:
    """Return the values that a number in digits may have: two where a separator may mark thousands or decimals."""
    plain = _GAP.sub("", digits).replace("·", ".")
    marks = [c for c in plain if c in ".,"]
    if not marks:
        return (float(plain),)
    if len(set(marks)) == 2:
        last = marks[-1]
        whole = plain.replace("," if last == "." else ".", "")
        return (float(whole.replace(",", ".")),) if whole.count(last) == 1 else ()
    groups = re.split("[.,]", plain)
    if len(groups) > 2:
        return (float("".join(groups)),) if all(len(group) == 3 for group in groups[1:]) else ()
    decimal = float(plain.replace(",", "."))
    if len(groups[1]) == 3 and len(groups[0]) <= 3 and groups[0].strip("0") and not _GAP.search(digits):
        return float("".join(groups)), decimal
    return (decimal,)


def read_number_words(words: str) -> float | None:
    """Return the value of number words in a row; None if they are not one number."""
    parts = [part for part in re.split(r"[- ]+", words.casefold()) if part not in ("and", "et", "a")]
    total, current, largest = 0.0, 0.0, float("inf")
    for before, part in zip(["", *parts], parts, strict=False):
        if part in _LARGE and part not in _SMALL:
            scale = _LARGE[part]
            if scale == 100:
                current = max(current, 1) * 100
                continue
            if scale >= largest:
                return None
            total, current, largest = total + max(current, 1) * scale, 0.0, scale
            continue
        value = _SMALL.get(part)
        if value is None:
            return None
        if before == "quatre" and part in ("vingt", "vingts"):
            current += 76
        elif (current and value >= 20 and current % 100) or (
            current % 100 and value < 20 and (current % 10 or (value >= 10 and current % 100 not in (60, 80, 10)))
        ):
            return None
        else:
            current += value
    return total + current
