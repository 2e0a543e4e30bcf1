import pytest

from pincite.reading.line_end_hyphens import resolve_hyphens

SOFT = "\u00ad"


def test_a_compound_of_two_words_of_the_document_keeps_its_hyphen() -> None:
    text = "A lump-\nsum is one sum. The lump is paid."
    assert resolve_hyphens(text) == text


def test_halves_at_line_ends_are_no_words_of_their_own() -> None:
    text = "Der Begleit-\nbrief. Der Begleit-\nbrief. Die Verzweigun-\ngen. Die Verzweigungen."
    assert resolve_hyphens(text) == text.replace("-", SOFT)


@pytest.mark.parametrize("word", ["long-\nterm", "shell-\ncommand", "point-\nvirgule", "ci-\ndessus"])
def test_two_words_of_the_dictionary_keep_their_hyphen_where_the_joined_one_is_none(word: str) -> None:
    text = f"The distri-\nbution of distribution, {word} and so on"
    assert resolve_hyphens(text) == text.replace("distri-", f"distri{SOFT}")


@pytest.mark.parametrize("word", ["frame-\nwork", "con-\ntent", "récem-\nment", "as-\nsigns"])
def test_a_word_of_the_dictionary_is_joined_though_its_halves_are_words(word: str) -> None:
    assert resolve_hyphens(f"It is {word}, as I said. Con and tent, frame and work.").count(SOFT) == 1


def test_a_word_that_the_document_writes_in_both_ways_is_joined() -> None:
    text = "The web-\nsite, a website, a web-site."
    assert resolve_hyphens(text).count(SOFT) == 1


def test_an_unknown_word_follows_the_other_hyphens_of_the_document() -> None:
    compounds = "A well-\nknown fact is well-known. The Sámi-\nblorking towns."
    assert resolve_hyphens(compounds) == compounds
    divided = "The distri-\nbution is a distribution. The Hutchi-\nson papers."
    assert resolve_hyphens(divided) == divided.replace("-", SOFT)


def test_a_hyphen_before_another_page_or_a_capital_stays() -> None:
    text = "The distri-\n\nbution of Saint-\nDenis"
    assert resolve_hyphens(text, {len("The distri-\n\n")}) == text
    assert resolve_hyphens(text) == text.replace("distri-", f"distri{SOFT}")


def test_the_length_stays_and_control_characters_go() -> None:
    text = "a\x02b distri\x02\nbution"
    found = resolve_hyphens(text)
    assert len(found) == len(text)
    assert "\x02" not in found
