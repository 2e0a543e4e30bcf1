import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.index.terms import list_question_terms, list_terms
from pincite.text.folding import fold_accents
from tests.clock import cost


def _found(question: str, text: str, language: str) -> bool:
    """Whether every word of the question is among the terms of the text."""
    indexed = set(list_terms(text, language))
    return all(indexed & set(sought.variants) for sought in list_question_terms(question, [language]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023Q2", ["2023q2", "2023", "q2"]),
        ("10-K", ["10k", "10"]),
        ("FY2022", ["fy2022", "2022"]),
        ("COVID-19", ["covid19", "covid", "19"]),
        ("COVID19", ["covid19", "covid", "19"]),
        ("ISO-9001", ["iso9001", "iso", "9001"]),
        ("1,234.5", ["1234.5"]),
        ("1.234.567,89", ["1234567.89"]),
        ("1 234,5", ["1234.5", "234"]),
        ("1\u202f234,5", ["1234.5", "234"]),
        ("3.5%", ["3.5"]),
        ("3,5 %", ["3.5"]),
        ("$1,234,567", ["1234567"]),
        ("2019-2020", ["2019-2020", "2019", "2020"]),
        ("192.168.0.1", ["192.168.0.1", "192", "168", "0", "1"]),
        ("C++ and C#", ["c++", "c#"]),
        ("U.S.A.", ["usa"]),
        ("R&D", ["r&d"]),
        ("the company's", ["compani"]),
        ("don't", []),
        ("O'Brien", ["obrien", "brien"]),
        ("exam\u00ad\nple", ["exampl"]),
        ("ﬁnance", ["financ"]),
        ("snake_case", ["snake_case", "snake", "case"]),
        ("東京都", ["東京", "京都"]),
        ("1,234-5,678", ["1234", "5678"]),
    ],
)
def test_words_numbers_and_codes_are_kept_whole_and_in_useful_parts(text: str, expected: list[str]) -> None:
    assert list_terms(text, "en") == expected


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("entreprise", "L'ENTREPRISE"),
        ("impots", "les impôts"),
        ("employes", "employée"),
        ("journal", "journaux"),
        ("oeuvre", "des œuvres d’art"),
        ("jusqu'à la retraite", "retraites"),
        ("article L. 121-1", "art. L121-1 (article)"),
        ("vitamine C", "la vitamine C"),
        ("e-mails", "un email, des e-mails"),
    ],
)
def test_a_french_question_finds_other_spellings_of_its_words(question: str, text: str) -> None:
    assert _found(question, text, "fr")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What were the acquisitions in Q2 2023?", "Acquisition of a plant, 2023Q2"),
        ("10-K filings", "the 10K filing"),
        ("1 234,50", "1,234.50 euros"),
        ("CAFÉ", "cafe\u0301"),
        ("R & D and R&D", "R&D"),
        ("iso 9001", "certified ISO-9001"),
    ],
)
def test_an_english_question_finds_other_spellings_of_its_words(question: str, text: str) -> None:
    indexed = set(list_terms(text, "en"))
    assert any(indexed & set(sought.variants) for sought in list_question_terms(question, ["en"]))


def test_an_article_is_not_the_number_its_digits_make() -> None:
    assert "1211" not in list_terms("art. L. 121-1", "fr")


def test_a_word_is_left_out_only_where_it_says_nothing() -> None:
    french = list_question_terms("Comment déclarer les revenus de l'année ?", ["en", "fr"])
    english = list_question_terms("What does the comment about revenue say?", ["en", "fr"])
    assert not any("comment" in sought.variants for sought in french)
    assert any("comment" in sought.variants for sought in english)


def test_a_word_that_asks_is_in_the_index_and_not_searched_for() -> None:
    assert list_terms("Combien coûte le bail ?", "fr") == ["combien", "cout", "bail"]
    assert [each.variants for each in list_question_terms("Combien coûte le bail ?", ["fr"])] == [("cout",), ("bail",)]


@pytest.mark.parametrize("question", ["Que dit l'article 4 ?", "Que disent l’article 4 et son annexe ?"])
def test_an_elided_word_tells_the_language_of_a_short_question(question: str) -> None:
    found = [variants for each in list_question_terms(question, ["fr"]) for variants in each.variants]
    assert found[:2] == ["articl", "4"]


def test_a_stop_word_of_another_language_is_a_word() -> None:
    assert [sought.variants for sought in list_question_terms("whale sea", ["en"])] == [("whale",), ("sea",)]


def test_a_question_is_asked_in_the_stems_of_every_language_there_is() -> None:
    (sought,) = list_question_terms("industries", ["en", "fr", ""])
    assert set(sought.variants) == {list_terms("industries", "en")[0], list_terms("industries", "fr")[0], "industries"}


@pytest.mark.parametrize("question", ["", "   ", "?!", "what is the", "le la les"])
def test_a_question_that_asks_nothing_has_no_words(question: str) -> None:
    assert list_question_terms(question, ["en", "fr"]) == []


def test_a_pasted_page_does_not_become_an_endless_question() -> None:
    assert len(list_question_terms(" ".join(f"word{i}" for i in range(5000)), ["en"])) < 1000


@given(st.text(max_size=200), st.sampled_from(["en", "fr", "de", "th", "", "xx"]))
def test_any_text_becomes_terms_that_the_index_does_not_split_again(text: str, language: str) -> None:
    for term in list_terms(text, language):
        assert term
        assert all(not c.isascii() or c.isalnum() or c in ".+#&_-" for c in term)


@given(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=30))
def test_a_word_of_a_text_is_found_by_asking_for_it(word: str) -> None:
    assert _found(word, f"before {word} after", "en")


@given(st.text(max_size=50))
def test_folding_twice_is_folding_once(word: str) -> None:
    assert fold_accents(fold_accents(word)) == fold_accents(word)


def test_analysis_keeps_up_with_reading() -> None:
    page = "The committee approved 1,234 amendments to Regulation L-121 in fiscal 2022, which weren't final. " * 2000
    # Ten times what a loaded machine needs: this is to notice a rule that makes it crawl.
    assert len(page) / cost(lambda: list_terms(page, "en")) > 500_000
