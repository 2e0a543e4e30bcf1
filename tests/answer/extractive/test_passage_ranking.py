"""In a passage the sentence that answers is lit, wherever it stands in a short one."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pincite.answer.extractive.passage_ranking import RatedSection, rank_sections, score_evidence
from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.tool_calls import SEARCH, Call, CallResult
from pincite.proof.tables import find_tables
from pincite.reading.document_draft import Draft
from pincite.types import Evidence, Span
from tests.answer.extractive.shelves import Knowing

SENTENCES = (
    "The bridge was opened by the mayor in spring.",
    "Its seventeen arches are made of brick.",
    "Trams have crossed it since 2003.",
    "An emperor ordered the work to begin.",
    "Divers look at the piers every autumn.",
)
OPENED = "When was the bridge opened by the mayor?"


def passage(sentences: Sequence[str], between: str = " ") -> Evidence:
    text = between.join(sentences)
    starts = [text.index(sentence) for sentence in sentences]
    spans = tuple((start, start + len(sentence)) for start, sentence in zip(starts, sentences, strict=True))
    return Evidence(1, Span("d", 0, len(text)), "", "text", text, sentences=spans, score=0.9, dense=0.86)


def lit(found: RatedSection) -> list[str]:
    return [found.section.units[place].text for place in found.lit]


@given(st.permutations(SENTENCES), st.integers(1, 5), st.data())
def test_of_a_short_passage_the_sentence_that_means_the_answer_is_lit(
    order: list[str], length: int, data: st.DataObject
) -> None:
    sentences = order[:length]
    answer = data.draw(st.sampled_from(sentences))
    (found,) = rank_sections(parse_question(OPENED), {passage(sentences): 1.0}, Knowing(answer))
    assert answer in lit(found)
    assert len(lit(found)) <= 2


@given(st.permutations(SENTENCES), st.integers(1, 5))
def test_of_a_short_passage_the_sentence_with_the_words_is_lit_without_an_embedder(
    order: list[str], length: int
) -> None:
    sentences = order[:length]
    (found,) = rank_sections(parse_question(OPENED), {passage(sentences): 1.0}, None)
    assert SENTENCES[0] not in sentences or lit(found)[0] == SENTENCES[0]


@given(st.permutations(SENTENCES), st.sampled_from([None, Knowing(SENTENCES[0])]))
def test_the_sentence_with_the_words_in_quotation_marks_is_lit(order: list[str], embedder: Knowing | None) -> None:
    for question in (
        "What does “The bridge opened by a mayor” say about “seventeen arches”?",
        "Que dit « Le pont » sur «\xa0Seventeen  ARCHES\xa0» ?",
        'What of the bridge opened by the mayor is meant by "seventeen arches"?',
    ):
        (found,) = rank_sections(parse_question(question), {passage(order): 1.0}, embedder)
        assert SENTENCES[1] in lit(found)


def test_a_sentence_need_not_repeat_the_words_of_the_title() -> None:
    sentences = ["Work on the dam at Corvel began in 1948.", "The wall is 33 m high.", "The dam is run by a company."]
    titled = replace(passage(sentences), title="The dam at Corvel")
    (found,) = rank_sections(parse_question("How high is the Corvel dam?"), {titled: 1.0}, Knowing("nothing of it"))
    assert lit(found)[0] == "The wall is 33 m high."


def test_a_line_with_words_of_the_question_alone_is_not_lit_as_its_answer() -> None:
    for line in ("Tarn Committee", "Committee of Tarn"):  # a title that nothing marks as one
        sentences = [line, "The members met in May.", "Olga Reyes was elected chair of the committee."]
        found = passage(sentences, "\n")
        (ranked,) = rank_sections(parse_question("Who chairs the Tarn Committee?"), {found: 1.0}, Knowing(line))
        assert line not in lit(ranked)
    whole = passage(["The bridge was opened by the mayor."])
    (ranked,) = rank_sections(parse_question(OPENED), {whole: 1.0}, None)
    assert lit(ranked) == ["The bridge was opened by the mayor."]  # a sentence may answer though it says no more
    (ranked,) = rank_sections(parse_question("Tarn Committee"), {passage(["Tarn Committee"]): 1.0}, None)
    assert lit(ranked) == ["Tarn Committee"]


def test_beside_the_sentence_that_answers_none_is_lit_that_only_repeats_the_title() -> None:
    answer, other = "The pool is drained twice a year.", "The pool opens at eight."
    titled = replace(passage([other, "Caps are worn.", answer, "Lockers are free."]), title="The pool of Valmer")
    asking = parse_question("How often is the pool drained?")
    for nearest in ("nothing of it", other):
        (found,) = rank_sections(asking, {titled: 1.0}, Knowing(nearest))
        assert lit(found) == [answer]


def test_of_two_alike_sentences_the_one_with_a_name_of_the_title_is_lit() -> None:
    sentences = ["The Anders dam is 20 m high.", "The Corvel dam is 33 m high.", "The Brun dam is 10 m high."]
    titled = replace(passage(sentences), title="The dams at Corvel and Anders")
    (found,) = rank_sections(parse_question("How high is the Corvel dam?"), {titled: 1.0}, Knowing("nothing of it"))
    assert lit(found)[0] == "The Corvel dam is 33 m high."


def test_a_command_is_lit_with_the_sentence_that_introduces_it_though_nothing_marks_it_as_code() -> None:
    lead, command = "To see which version of the system you have, run the command:", "lsb_release -a"
    asking = parse_question("command that shows the version of the system")
    (found,) = rank_sections(asking, {passage([lead, command, "Ask others too.", "Read on."], "\n\n"): 1.0}, None)
    assert lit(found) == [lead, command]
    dotted = "docker build ."
    (found,) = rank_sections(asking, {passage([lead, dotted, "Ask others too.", "Read on."], "\n\n"): 1.0}, None)
    assert lit(found) == [lead, dotted]
    (found,) = rank_sections(asking, {passage([lead, "It shows a name.", command, "Read on."], "\n\n"): 1.0}, None)
    assert lit(found) == [lead]


def test_the_passage_keeps_the_place_that_its_best_words_give_it() -> None:
    with_words, without = passage(SENTENCES), passage(SENTENCES[1:])
    order = rank_sections(parse_question(OPENED), {without: 1.0, with_words: 1.0}, Knowing(SENTENCES[3]))
    assert order[0].section.evidence is with_words


def test_a_passage_that_repeats_the_name_in_the_title_does_not_come_before_the_one_that_answers() -> None:
    question = parse_question("Who is the chief financial officer of Corvel Mills?")
    answer = passage(["Ann Bonsu, age 52, is Chief Financial Officer.", "She joined the company in 2014."])
    other = passage(["Mark Palmer of Corvel Mills is Chief Accounting Officer.", "He came to Corvel Mills in 2007."])
    answer, other = (replace(each, title="CORVEL MILLS, Form 10-K") for each in (answer, other))
    order = rank_sections(question, {answer: 1.0, other: 0.99}, None)
    assert order[0].section.evidence.text == answer.text


class Following(Knowing):
    """An embedder for which one sentence is nearest to a follow-up, and another to it with the last subject."""

    def __init__(self, own: str, with_subject: str) -> None:
        super().__init__(own)
        self._with_subject = with_subject

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[0.0, 1.0] if "(" in text else [1.0, 0.0] for text in texts], np.float32)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        beside = [0.90 if self._with_subject in text else 0.82 for text in texts]
        return np.column_stack([super().passages(texts)[:, 0], beside]).astype(np.float32)


@given(st.permutations(SENTENCES))
def test_the_subject_of_the_last_question_does_not_choose_the_sentence(order: list[str]) -> None:
    last, answer = SENTENCES[0], SENTENCES[1]
    asking = replace(
        parse_question("What are the arches made of? (opened mayor spring)"), own="What are the arches made of?"
    )
    (found,) = rank_sections(asking, {passage(order): 1.0}, Following(answer, last))
    assert lit(found)[0] == answer
    assert last not in lit(found)


def table(text: str, before: str = "", title: str = "") -> Evidence:
    """A passage with the rows of a table, and a sentence before them."""
    draft = Draft()
    if before:
        draft.add(before)
    draft.add(text, "table")
    made = draft.document("text")
    lines = [match.span() for match in re.finditer(r"[^\s][^\n]*", made.text)]
    rows = find_tables(made.text, made.blocks, 0, len(made.text))
    span = Span("d", 0, len(made.text))
    return Evidence(
        1, span, title, "text", made.text, blocks=made.blocks, tables=rows, sentences=tuple(lines), score=0.9
    )


def test_the_row_of_the_group_that_the_question_names_is_lit_alone() -> None:
    for name, other in (("Valley line", "Coast line"), ("Coast line", "Valley line")):
        evidence = table(
            "Line\t2022\t2023\nCoast line\n  Weekdays\t310\t335\n  Weekends\t90\t95\nValley line\n  Weekdays\t120\t127"
        )
        asking = parse_question(f"How many weekday passengers had the {name} in 2023?")
        (found,) = rank_sections(asking, {evidence: 1.0}, None)
        (place,) = found.lit
        assert found.section.units[place].cells[0] == f"{name} › Weekdays"
        assert other not in [unit.text for unit in found.section.units]


def test_the_row_of_the_year_is_lit_where_the_heads_have_all_years() -> None:
    evidence = table(
        "\tRates in Finland in 1995, 2000 and 2005\t\n\tWomen\tMen\n1995\t15.1\t15.7\n2000\t10.6\t9.1\n2005\t8.6\t8.2"
    )
    asking = parse_question("What is the rate in Finland in 2005?")
    for embedder in (None, Knowing("15.1")):
        (found,) = rank_sections(asking, {evidence: 1.0}, embedder)
        assert lit(found) == ["2005 | 8.6 | 8.2"]


def test_beside_a_row_with_all_words_no_sentence_with_the_name_in_the_title_is_lit() -> None:
    board = "\n".join(["The board of Kelvin Foods has nine members.", "It meets often.", *["Paul leads it."] * 4])
    evidence = table("\t2022\t2021\nRevenue\t412\t385\nOperating profit\t38\t44", board, "Kelvin Foods")
    asking = parse_question("What was Kelvin Foods' operating profit in 2021?")
    ranked = rank_sections(asking, {evidence: 1.0}, Knowing("nothing of it"))
    assert [text for each in ranked for text in lit(each)] == ["Operating profit | 38 | 44"]


def test_a_passage_that_the_search_finds_far_better_comes_before_one_that_repeats_the_question() -> None:
    answer = replace(passage(("It was inaugurated on 3 May 1894.",)), score=0.98)
    repeated = replace(passage(("The mayor opened the market.", "The bridge is old.")), number=2, score=0.5)
    returned = [CallResult(Call(SEARCH, ()), (answer, repeated))]
    best, *_ = rank_sections(parse_question(OPENED), score_evidence(returned), None)
    assert best.section.evidence is answer


def test_of_passages_that_the_search_finds_alike_the_one_with_the_words_comes_first() -> None:
    other = replace(passage(("It was inaugurated on 3 May 1894.",)), score=0.981)
    worded = replace(passage(("The mayor opened the bridge.",)), number=2, score=0.98)
    returned = [CallResult(Call(SEARCH, ()), (other, worded))]
    best, *_ = rank_sections(parse_question(OPENED), score_evidence(returned), None)
    assert best.section.evidence is worded


def test_a_passage_that_repeats_the_abbreviated_title_does_not_come_before_the_one_that_answers() -> None:
    question = parse_question("What is the block size in TSS?")
    answer = passage(["The block size is 32 MB.", "It was chosen for large files."])
    other = passage(["TSS writes each block to three servers of TSS.", "The servers of TSS are cheap."])
    answer, other = (replace(each, title="The Tarnwick Storage System") for each in (answer, other))
    order = rank_sections(question, {other: 1.0, answer: 0.9}, None)
    assert order[0].section.evidence.text == answer.text


class Naming(Knowing):
    """Meaning by hand: all texts with the company's name are alike, and so are those about its staff."""

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[1, 0] if "Tarnwick" in text else [0.8, 0.6] if "staff" in text else [0, 1] for text in texts])

    queries = passages


def test_a_sentence_that_repeats_the_name_in_the_title_is_not_highlighted_for_it() -> None:
    sentences = ("Tarnwick sold 900 boats.", "The yard was built on piles.", "At the end of May there were 41 staff.")
    source = replace(passage(sentences), title="Tarnwick Boats: annual report")
    (found,) = rank_sections(parse_question("How many staff does Tarnwick have?"), {source: 1.0}, Naming(""))
    assert lit(found) == [sentences[2]]


RULES = (
    "Article L. 12-1",
    "The captain decides in which order ships enter.",
    "Article L. 12-2",
    "Ships of more than 50 metres take a pilot.",
    "Article L. 12-3",
    "The fine is 1500 euros.",
)


@pytest.mark.parametrize("place", [0, 2, 4])
def test_of_numbered_articles_the_one_that_is_asked_for_is_lit(place: int) -> None:
    asking = parse_question(f"What does {RULES[place]} say?")
    (found,) = rank_sections(asking, {passage(RULES, "\n"): 1.0}, None)
    assert lit(found)[0] == RULES[place + 1]


def test_a_numbered_clause_comes_before_one_that_only_mentions_it() -> None:
    clauses = ("5.1 The liability under clause 3.1 of the agreement is final.", "3.1 All losses are paid.")
    (found,) = rank_sections(
        parse_question("What does clause 3.1 of the agreement say?"), {passage(clauses): 1.0}, None
    )
    assert lit(found)[0] == clauses[1]


def test_the_sentence_below_a_line_that_repeats_the_question_is_lit() -> None:
    lines = ("Rules of the harbour", "Opening hours of the north gate", "From six to nine.", "Hours are long.")
    asking = parse_question("What are the opening hours of the north gate?")
    (found,) = rank_sections(asking, {passage(lines, "\n"): 1.0}, Knowing(""))
    assert lit(found)[0] == lines[2]
