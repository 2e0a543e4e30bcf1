"""A section as it stands in a report: its own words, said once."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.refusal import SILENCE
from pincite.answer.research.report_wording import clean_heading, write_failed_section, write_unanswered
from pincite.answer.research.section_text import drop_repeated_sentences
from pincite.text.citation_marks import list_cited


def test_a_sentence_that_was_said_is_not_said_again_and_the_rest_stays() -> None:
    known: set[str] = set()
    first = "The dam is high. [1.2] It is old [2.1].\n\n- wide [1.3]\n- deep [1.4]"
    assert drop_repeated_sentences(first, "In short", known) == first
    again = "The dam is high. [3.1] It is new. [1.5]\n\n- wide [1.3]\n- green [1.6]\n\nIt is old [2.1]."
    assert drop_repeated_sentences(again, "Colour", known) == "It is new. [1.5]\n\n- green [1.6]"
    assert drop_repeated_sentences(first, "Again", known) == ""


def test_a_section_says_its_heading_once_and_its_own_headings_stand_below() -> None:
    said = "## Colour\n\nIt is green. [1.6]\n\n# Shades\n\nDark. [1.7]"
    assert drop_repeated_sentences(said, "Colour", set()) == "It is green. [1.6]\n\n### Shades\n\nDark. [1.7]"


def test_text_that_cites_nothing_is_kept_as_it_is() -> None:
    said = "It is green.\nIt is green.\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    assert drop_repeated_sentences(said, "Colour", set()) == said


@given(st.text(alphabet="ab .-\n[1.2]#", max_size=80))
def test_said_for_the_first_time_no_word_is_lost(said: str) -> None:
    bare = "".join(character for character in said if character in "ab")
    kept = "".join(character for character in drop_repeated_sentences(said, "?", set()) if character in "ab")
    assert set(kept) <= set(bare)
    assert len(kept) <= len(bare)
    assert bool(kept) == bool(bare)


def test_a_writer_that_comes_to_no_end_is_not_read_for_hours() -> None:
    said = "on and on " * 40_000 + "[1, " * 40_000 + "and on"
    assert (
        drop_repeated_sentences(said, "?", set()) == said
    )  # looked through once: from each of its letters anew it would take a day


def test_marks_before_the_first_word_stay_with_it() -> None:
    assert (
        drop_repeated_sentences("[1] It is old. [2] [3] It is new. [4]", "?", set())
        == "[1] It is old. [2] [3] It is new. [4]"
    )


def test_marks_are_read_with_and_without_their_sentence() -> None:
    assert list_cited("A [1.2]. B [3][1.2] C [4, 5.6] d[7]") == [(1, 2), (3, None), (4, None), (5, 6), (7, None)]


@given(st.text(max_size=400), st.sampled_from(["en", "fr"]))
def test_a_section_that_is_missing_is_marked_as_silence(words: str, language: str) -> None:
    assert write_failed_section(words, "fr" if language == "fr" else "en").endswith(SILENCE)


def test_a_question_with_figures_and_a_failure_with_a_reason_are_named() -> None:
    told = write_unanswered("What did it cost in 2020, but not in 2021?", "en")
    assert told == "The sources do not answer “What did it cost in 2020, but not in 2021?”. [0]"
    assert write_unanswered("Combien en 2020 ?", "fr").endswith(SILENCE)
    assert (
        write_failed_section("It took too long. Try again.", "en")
        == "This part could not be researched: it took too long. [0]"
    )
    assert (
        write_failed_section("Status 503.", "en")
        == write_failed_section("", "en")
        == "This part could not be researched. [0]"
    )


def test_a_heading_of_a_source_is_words_and_nothing_else() -> None:
    assert clean_heading("## `rm` **[1.2]**\n NAVIGATE: 4") == "rm (1.2) NAVIGATE : 4"
