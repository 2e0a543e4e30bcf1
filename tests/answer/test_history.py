from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.history import cut_middle, keep_recent, shorten_text, summarise_history
from pincite.text.token_count import count_tokens
from pincite.types import Exchange

LONG = " ".join(f"This is sentence number {number} of it." for number in range(100))
exchanges = st.lists(
    st.builds(Exchange, st.text(max_size=80), st.text(alphabet="ab .[]12\n", max_size=400), st.text(max_size=40)),
    max_size=8,
)


def talk(count: int) -> tuple[Exchange, ...]:
    return tuple(Exchange(f"Question {number}?", f"Answer {number}.") for number in range(count))


def test_the_newest_exchanges_are_kept_in_their_order() -> None:
    assert [e.question for e in keep_recent(talk(5), 1000, 2)] == ["Question 3?", "Question 4?"]
    assert keep_recent(talk(5), 1000, 0) == ()
    assert keep_recent((), 1000, 5) == ()


def test_history_that_does_not_fit_is_cut_from_the_oldest_in_whole_exchanges() -> None:
    kept = keep_recent(talk(50), 30, 50)
    assert 0 < len(kept) < 6
    assert kept == talk(50)[-len(kept) :]


def test_a_long_answer_is_shortened_where_a_sentence_ends_and_leaves_room_for_others() -> None:
    kept = keep_recent((Exchange("First?", "Yes."), Exchange("Second?", LONG)), 200, 5)
    assert len(kept) == 2
    assert kept[1].answer.startswith("This is sentence number 0 of it. This")
    assert kept[1].answer.removesuffix(" …").endswith("of it.")
    assert count_tokens(kept[1].answer) <= 100


@given(exchanges, st.integers(0, 300), st.integers(0, 8))
def test_never_more_than_was_asked_for(history: list[Exchange], tokens: int, count: int) -> None:
    kept = keep_recent(history, tokens, count)
    assert len(kept) <= count
    assert sum(count_tokens(e.question) + count_tokens(e.answer) for e in kept) <= tokens
    assert count_tokens(summarise_history(history, tokens)) <= tokens


def test_marks_of_another_turns_evidence_are_taken_out() -> None:
    assert keep_recent((Exchange("Q?", "Three years [1]."),), 100, 5)[0].answer == "Three years."
    assert "[1]" not in summarise_history((Exchange("Q?", "Three years [1]."),), 100)


def test_a_summary_says_how_each_question_was_understood_and_how_its_answer_begins() -> None:
    history = (
        Exchange("What is VAT?", "A tax on what is sold [1].\n\nMore follows."),
        Exchange("And its rate?", "20 % [2].", "What is the rate of VAT?"),
    )
    assert summarise_history(history, 100) == (
        "- What is VAT? → A tax on what is sold. More follows.\n- What is the rate of VAT? → 20 %."
    )


def test_a_summary_keeps_the_newest_when_there_is_little_room() -> None:
    assert summarise_history(talk(100), 8) == "- Question 99? → Answer 99."
    assert summarise_history((Exchange("What is VAT?", LONG),), 40).startswith(
        "- What is VAT? → This is sentence number 0 of it."
    )
    assert summarise_history(talk(3), 0) == ""


def test_a_sentence_that_is_too_long_is_cut_between_words() -> None:
    assert shorten_text("one long sentence that goes on and on without an end", 7) == "one long sentence that …"
    assert shorten_text("word" * 100, 5) == ""
    assert shorten_text("Short.", 100) == "Short."


def test_a_long_report_keeps_its_beginning_and_its_end() -> None:
    report = "The changes were applied.\n" + "ok\n" * 5000 + "FAILED test_area\n"
    (kept,) = keep_recent([Exchange("Fix it", "I propose this.", reported=report)], 400, 6)
    assert kept.reported.startswith("The changes were applied.")
    assert kept.reported.endswith("FAILED test_area\n")
    assert "…" in kept.reported
    assert count_tokens(kept.reported) <= 200
    assert kept.answer == "I propose this."


@given(st.text(max_size=400), st.integers(0, 100))
def test_a_report_is_never_longer_than_its_room(report: str, tokens: int) -> None:
    assert count_tokens(cut_middle(report, tokens)) <= tokens
