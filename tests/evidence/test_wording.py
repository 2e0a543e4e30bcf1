from hypothesis import given
from hypothesis import strategies as st

from pincite.evidence.wording import prepare


def weights(text: str) -> dict[str, float]:
    return {word.plain: word.weight for word in prepare(text).words}


def keys(word: str) -> set[str]:
    return set(prepare(word).words[0].keys)


def test_small_words_weigh_nothing_and_names_most() -> None:
    found = weights("The inspector visited Marseille in spring.")
    assert found["the"] == found["in"] == 0
    assert found["marseille"] > found["visited"] > 0


def test_a_word_that_begins_a_sentence_is_no_name_for_that() -> None:
    words = {word.plain: word.name for word in prepare("Inspectors came. Yesterday Marseille slept.").words}
    assert not words["inspectors"]
    assert not words["yesterday"]
    assert words["marseille"]


def test_capitals_tell_no_names_in_a_heading() -> None:
    heading = prepare("Annual Report On The Financial Situation And Perspectives Of The Whole Company")
    assert not any(word.name for word in heading.words)


def test_forms_of_a_word_share_a_key() -> None:
    assert keys("increases") & keys("increasing")
    assert keys("conservation") & keys("conservations")
    assert keys("données") & keys("donnee")
    assert keys("bought") & keys("acquired")
    assert not keys("rose") & keys("fell")


def test_a_word_that_a_line_broke_is_whole_again() -> None:
    assert [word.plain for word in prepare("a conser\u00ad\nvation order").words] == ["a", "conservation", "order"]


@given(st.text(max_size=200))
def test_any_text_can_be_prepared(text: str) -> None:
    prepared = prepare(text)
    assert all(word.text in prepared.text for word in prepared.words)
    assert all(word.weight >= 0 for word in prepared.words)
