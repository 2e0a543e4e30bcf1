import pytest
from hypothesis import assume, given
from hypothesis import strategies as some

from pincite.locate.occurrences import find_occurrences


def found(text: str, words: str) -> list[str]:
    return [text[start:end] for start, end in find_occurrences(text, words, 100).spans]


@pytest.mark.parametrize(
    ("text", "words", "places"),
    [
        ("The Lake and the lake.", "LAKE", ["Lake", "lake"]),
        ("Été, ete, e\u0301te\u0301!", "été", ["Été", "ete", "e\u0301te\u0301"]),
        ("an oﬃce, the œuvre", "office, the oeuvre", ["oﬃce, the œuvre"]),
        ("the  deep\n\tlake", "deep lake", ["deep\n\tlake"]),
        ("the 2019–2020 season", "2019-2020", ["2019–2020"]),
        ("« l’eau » et “l'eau”", '"l\'eau"', ["« l’eau »", "“l'eau”"]),
        ("« l’eau »", "«l'eau»", ["« l’eau »"]),
        ("a com\u00ad\nmittee", "committee", ["com\u00ad\nmittee"]),
        ("a com-\n  mittee", "committee", ["com-\n  mittee"]),
        ("a well\u00ad\nknown", "well-known", ["well\u00ad\nknown"]),
        ("a well-\nknown infor-\nmation", "well-known information", ["well-\nknown infor-\nmation"]),
        ("a com\u00ad\nmittee", "com- mittee", ["com\u00ad\nmittee"]),
        ("a com\u00ad\nmittee met twice", "com-\nmittee met", ["com\u00ad\nmittee met"]),
        ("a well-\nknown man", "well- known", ["well-\nknown"]),
        ("a well-known man", "well- known", ["well-known"]),
        ("pre- and post-war", "pre- and post- war", ["pre- and post-war"]),
        ("the soft\u00adly said", "softly", ["soft\u00adly"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("a.b a+b", "a.b", ["a.b"]),
        ("cost: 3.5 not 35", "35", ["35"]),
        ("lakes", "lake", ["lake"]),
        ("Straße", "STRASSE", ["Straße"]),
    ],
)
def test_words_are_found_however_the_text_writes_them(text: str, words: str, places: list[str]) -> None:
    assert found(text, words) == places


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("therapist", "the rapist"),
        ("the rapist", "therapist"),
        ("the\nrapist", "therapist"),
        ("- one\n- two", "onetwo"),
        ("a b", ""),
        ("a b", " \n"),
        ("a b", "\u0301"),
        ("", "a"),
        ("lake", "lakes"),
        ("committee", "com- mittee"),
        ("one - two", "one- two"),
    ],
)
def test_other_words_are_not_found(text: str, words: str) -> None:
    assert find_occurrences(text, words, 9).total == 0


def test_all_are_counted_and_as_many_told_as_are_asked_for() -> None:
    for text in ("lake " * 50, "la\u00ad\nke " * 50):
        few = find_occurrences(text, "lake", 3)
        assert (few.total, len(few.spans)) == (50, 3)
        assert find_occurrences(text, "lake", 50).total == 50
        assert few.spans == find_occurrences(text, "lake", 99).spans[:3]


@given(some.text(max_size=60), some.text(min_size=1, max_size=10), some.text(max_size=60))
def test_words_of_a_text_are_found_and_places_are_in_order(before: str, words: str, after: str) -> None:
    assume(any(map(str.isalnum, words)))
    # Between full stops, so that it is neither part of a broken word nor of a letter with accents.
    spans = find_occurrences(f"{before}.{words}.{after}", words, 1000).spans
    start = len(before) + 1
    assert any(first <= start + len(words) and last >= start for first, last in spans)
    assert all(first < last for first, last in spans)
    assert list(spans) == sorted(spans)
