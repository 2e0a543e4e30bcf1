import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.squeeze import squeeze


@pytest.mark.parametrize(
    ("text", "compared"),
    [
        ("The  Annual\tBudget,\n(2023)!", "theannualbudget2023"),
        ("Élysée naïveté À", "elyseenaivetea"),
        ("ﬁnal oﬃce ﬂow ĳ", "finalofficeflowij"),
        ("Œuvre Ærø Łódź ðþ ı", "oeuvreaerolodzdthi"),
        ("Straße ΣΟΦΟΣ σοφος", "strasseσοφοσσοφοσ"),
        ("com\u00ad\nmittee well-known re\u2011read", "committeewellknownreread"),
        ("H₂O x² Ⅻ ½", "h2ox2xii12"),
        ("“«„‘’`*_#>|–—…☃\u200b", ""),
        ("東京都 مدينة שלום", "東京都مدينةשלום"),
    ],
)
def test_letters_and_digits_alone_are_compared_in_one_form(text: str, compared: str) -> None:
    assert squeeze(text).text == compared


def test_signs_that_spell_vowels_are_compared_and_accents_are_not() -> None:
    assert squeeze("की").text != squeeze("का").text
    assert squeeze("e\u0301").text == "e"


def test_each_compared_letter_knows_the_character_it_comes_from() -> None:
    text = "A ﬁ-\n½É"
    made = squeeze(text)
    assert [(chr(code), text[place]) for code, place in zip(made.codes, made.places, strict=True)] == [
        ("a", "A"), ("f", "ﬁ"), ("i", "ﬁ"), ("1", "½"), ("2", "½"), ("e", "É"),
    ]  # fmt: skip


@given(st.text(st.characters()), st.text(st.characters()))
def test_a_text_is_compared_character_by_character_whatever_it_is(left: str, right: str) -> None:
    whole, parts = squeeze(left + right), (squeeze(left), squeeze(right))
    assert whole.codes.tolist() == [*parts[0].codes.tolist(), *parts[1].codes.tolist()]
    assert whole.places.tolist() == [*parts[0].places.tolist(), *(parts[1].places + len(left)).tolist()]


@given(st.text(), st.sampled_from(("NFC", "NFD", "NFKC", "NFKD")))
def test_no_form_of_unicode_makes_a_difference(text: str, form: "unicodedata._NormalizationForm") -> None:
    assert squeeze(unicodedata.normalize(form, text)).text == squeeze(text).text


@given(st.text(st.characters(max_codepoint=0x24F)))
def test_upper_and_lower_case_make_no_difference(text: str) -> None:
    assert squeeze(text.upper()).text == squeeze(text.lower()).text == squeeze(text).text


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "\udfff\ud800a", "🙂", "\U0010ffff"])
def test_odd_characters_are_passed_over(text: str) -> None:
    assert squeeze(text).text == text.replace("\ud800", "").replace("\udfff", "").strip("\0🙂\U0010ffff")
