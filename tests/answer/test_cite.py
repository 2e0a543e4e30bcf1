"""An answer is shown at once; its marks settle later, in place; strict mode waits; a repair is told."""

import asyncio
import json
import re
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo

from pincite import events
from pincite.answer.pipeline import stream_answer as answering
from pincite.answer.question import AskedQuestion
from pincite.types import Exchange, Span
from tests.clock import PATIENCE
from tests.turns import Piece, Script, ask, final, of_type, open_test_services, searching

QUESTION = "When was the dam at Vassivière built?"


def judging(**opinions: str) -> Callable[[str], str]:
    """A system model that judges sentences by a word in them, and supports the rest."""

    def reply(prompt: str) -> str:
        if "You check the sentences" not in prompt:
            return "{}"
        said = re.findall(r"^SENTENCE: (.*)$", prompt, re.M)
        found = [
            next((opinion for word, opinion in opinions.items() if word in sentence), "supported") for sentence in said
        ]
        quote = "It is 33 m high and holds 110 million cubic metres of water."
        return json.dumps(
            {
                "verdicts": [
                    {"n": n, "verdict": opinion, "words": ["vast"], "quote": quote if opinion == "contradicted" else ""}
                    for n, opinion in enumerate(found, 1)
                ]
            }
        )

    return reply


def told(tmp_path: Path, text: str, judge: Callable[[str], str] | None = None, **given: Any) -> list[events.Data]:
    services = open_test_services(tmp_path, script=searching("dam", text), system=judge, **given)
    try:
        return ask(services, QUESTION)
    finally:
        services.close()


def supports(answer: events.Answer) -> list[tuple[str | None, str | None]]:
    return [(sentence.support, sentence.basis) for sentence in answer.sentences]


def test_a_mark_settles_under_the_same_index_and_the_text_does_not_move(tmp_path: Path) -> None:
    said = told(tmp_path, "The dam stands 33 m high [1.3]. The lake is vast [1.4].", judging(vast="unsupported"))
    cited = of_type(said, events.Cited)
    first = [(each.index, each.sentence.support, each.sentence.checking) for each in cited]
    assert first == [
        (0, "unchecked", True),
        (1, "unchecked", True),
        (0, "verified", False),
        (1, "unsupported", False),
    ]
    assert cited[0].sentence.start == cited[2].sentence.start
    answer = final(said)
    assert supports(answer) == [("verified", "judge"), ("unsupported", None)]
    assert answer.answer == "".join(each.delta for each in of_type(said, events.Text))
    assert answer.sentences[1].unsupported == ["vast"]
    assert answer.judge is not None
    assert (answer.judge.model, answer.judge.sentences) == ("test:system", 2)


def test_a_contradicted_sentence_says_what_the_source_says(tmp_path: Path) -> None:
    answer = final(told(tmp_path, "The dam is not that vast [1.3].", judging(vast="contradicted")))
    [sentence] = answer.sentences
    assert sentence.support == "contradicted"
    assert sentence.source == "It is 33 m high and holds 110 million cubic metres of water."
    assert sentence.citations  # the model's citation stays, as one that does not support


def test_numbers_run_through_a_conversation_and_a_source_cited_again_keeps_its_number(tmp_path: Path) -> None:
    text = "The dam was built in 1950 [1.2]. It is 33 m high and holds 110 million cubic metres of water [1.3]."
    services = open_test_services(tmp_path, script=searching("dam", text))
    try:
        first = final(ask(services, QUESTION)).citations
        assert [each.n for each in first] == [1, 2]
        again, other = (Span(each.document, each.start, each.end) for each in first)
        elsewhere = Span("another", 0, 9)
        past = Exchange("Where?", "There.", cited=((again, 4), (elsewhere, 7)))
        second = final(ask(services, QUESTION, history=(past,)))
        assert [(each.start, each.n) for each in second.citations] == [(again.start, 4), (other.start, 8)]
        assert " [4]" in second.answer
        assert " [8]" in second.answer
        # Where an older conversation has one number twice, the answer has it once.
        twice = Exchange("Where?", "There.", cited=((again, 4), (other, 4)))
        assert [each.n for each in final(ask(services, QUESTION, history=(twice,))).citations] == [4, 5]
    finally:
        services.close()


def test_without_a_judge_a_paraphrase_is_unchecked_and_a_quote_is_quoted(tmp_path: Path) -> None:
    text = "The dam was built in 1950 [1.2]. It stands 33 m tall [1.3]. It was built in 1963 [1.2]."
    answer = final(told(tmp_path, text, judging(), answers={"judge": "off"}))
    assert [support for support, _ in supports(answer)][:2] == ["verified", "unchecked"]
    assert answer.sentences[2].support in ("contradicted", "unsupported")
    assert answer.judge is None


def test_a_first_row_that_cites_is_a_row_and_not_a_head(tmp_path: Path) -> None:
    answer = final(told(tmp_path, "| height | 95 m [1.3] |\n\nThat is all [1.2].", judging()))
    assert answer.sentences[0].support in ("contradicted", "unsupported")
    assert answer.sentences[0].citations


def test_without_a_judge_silence_that_names_somebody_is_a_claim(tmp_path: Path) -> None:
    answer = final(told(tmp_path, "It was surely built by Napoleon himself [0]."))
    assert [each.support for each in answer.sentences] == ["unsupported"]


def test_headings_lead_ins_bold_lines_and_code_are_no_claims(tmp_path: Path) -> None:
    text = "## The dam\n\n**Height**\n\nIn short:\n\n```sh\ndig --all. Now\n```\n\nIt is 33 m tall [1.3]."
    answer = final(told(tmp_path, text, judging()))
    assert [sentence.support for sentence in answer.sentences] == [None, None, None, None, "verified"]


def test_rows_of_a_table_are_judged_one_by_one_and_marked_inside_the_row(tmp_path: Path) -> None:
    text = "| what | value |\n|---|---|\n| height | 33 m [1.3] |\n| lake | vast [1.4] |\n\nThat is all [1.2]."
    said = told(tmp_path, text, judging(vast="unsupported"))
    answer = final(said)
    assert "| height | 33 m [1] |\n| lake | vast [2] |" in answer.answer
    assert [sentence.support for sentence in answer.sentences][:3] == [None, "verified", "unsupported"]
    assert answer.answer == "".join(each.delta for each in of_type(said, events.Text))
    for sentence in answer.sentences:
        assert answer.answer[sentence.start : sentence.end] == sentence.text


def test_a_sentence_that_says_the_sources_are_silent_is_no_claim_and_alone_it_is_a_refusal(tmp_path: Path) -> None:
    for judge in (None, judging(says="silent")):
        answer = final(told(tmp_path / str(judge), "Nothing says who built it [0].", judge))
        assert [(each.support, each.silent) for each in answer.sentences] == [(None, True)]
        assert answer.refused
        assert "Looked for" in answer.answer
    answer = final(
        told(tmp_path / "more", "It was built in 1950 [1.2]. Nothing says by whom [0].", judging(says="silent"))
    )
    assert not answer.refused
    assert [each.silent for each in answer.sentences] == [False, True]


def test_silence_that_states_a_figure_is_a_claim(tmp_path: Path) -> None:
    answer = final(told(tmp_path, "The sources do not say it, but it cost 4 million francs [0]."))
    assert [each.support for each in answer.sentences] == ["unsupported"]


def test_a_judge_may_say_that_a_marked_sentence_claims_something(tmp_path: Path) -> None:
    answer = final(told(tmp_path, "The mayor paid for all of it [0].", judging(mayor="unsupported")))
    assert [(each.support, each.silent) for each in answer.sentences] == [("unsupported", False)]


LEASES = {
    "paris.md": "# Lease in Paris\n\nThe rent is 1,200 euros a month.",
    "lyon.md": "# Lease in Lyon\n\nThe rent is 900 euros a month.",
}


def told_of(folder: Path, texts: dict[str, str], words: str, text: str, **given: Any) -> events.Answer:
    """The answer of a model that searches for some words among texts, and says a text."""
    services = open_test_services(folder, texts, script=searching(words, text), **given)
    try:
        return final(ask(services, QUESTION))
    finally:
        services.close()


def quotes(answer: events.Answer) -> list[list[str]]:
    """The cited words of each sentence."""
    cited = {each.n: each.quote for each in answer.citations}
    return [[cited[n] for n in sentence.citations] for sentence in answer.sentences]


def test_a_judge_reads_the_source_that_is_found_for_an_uncited_sentence(tmp_path: Path) -> None:
    read: list[str] = []

    def judge(prompt: str) -> str:
        read.append(prompt)
        return judging(reservoir="unsupported")(prompt)

    answer = final(told(tmp_path, "In 1950 the dam was built. The reservoir belongs to the state.", judge))
    assert supports(answer) == [("verified", "judge"), ("unsupported", None)]
    assert quotes(answer)[0] == ["The dam was built in 1950."]
    assert read[0].count("(nothing is cited)") == 1  # no source has the words of the second


@pytest.mark.parametrize("strict", [True, False])
def test_without_a_judge_only_the_very_words_are_a_source_of_an_uncited_sentence(tmp_path: Path, strict: bool) -> None:
    rules = {"bath.md": "Swimming in the lake is allowed, except near the dam. Boats are not allowed."}
    said = "Swimming in the lake is not allowed. Boats are not allowed."
    answer = told_of(tmp_path, rules, "swimming lake dam", said, answers={"strict": strict})
    found = [("verified", "quote")] if strict else [("unsupported", None), ("verified", "quote")]
    assert supports(answer) == found
    if not strict:
        assert quotes(answer) == [[], ["Boats are not allowed."]]
        assert len(answer.sentences[0].suggested) == 1


def test_a_sentence_that_its_source_contradicts_stays_so_though_another_source_has_its_words(tmp_path: Path) -> None:
    for number, said in enumerate(("The rent is 900 euros a month", "A rent of 900 euros is due each month")):
        texts = LEASES | {"paris.md": LEASES["paris.md"] + " The rent of Paris is high."}
        answer = told_of(tmp_path / str(number), texts, "rent month Paris", f"{said} [1].", system=judging())
        assert "1,200 euros" in quotes(answer)[0][0]
        assert [each.support for each in answer.sentences] == ["contradicted"]


def test_a_sentence_that_names_the_wrong_source_cites_the_one_with_its_words_too(tmp_path: Path) -> None:
    texts = {"dam.md": "The dam was built in 1950. The dam is of stone.", "lake.md": "Anglers see the dam from a boat."}
    answer = told_of(tmp_path, texts, "dam", "The dam was built in 1950 [2]. The dam was built in 1960 [2].")
    assert supports(answer) == [("verified", "quote"), ("unsupported", None)]
    assert [set(each) for each in quotes(answer)] == [
        {"The dam was built in 1950.", "Anglers see the dam from a boat."},
        {"Anglers see the dam from a boat."},
    ]


@pytest.mark.parametrize("opinion", ["silent", "no_claim"])
def test_a_sentence_that_claims_nothing_is_no_claim_though_a_source_has_its_words(tmp_path: Path, opinion: str) -> None:
    texts = {"dam.md": "The owner of the dam repairs the gates."}
    said = "The documents do not say who repairs the gates of the dam."
    answer = told_of(tmp_path, texts, "repairs gates dam", said, system=judging(gates=opinion))
    assert [(each.support, each.silent) for each in answer.sentences] == [(None, opinion == "silent")]
    assert answer.refused == (opinion == "silent")


def test_shared_words_support_nothing_where_the_judge_fails(tmp_path: Path) -> None:
    answer = final(told(tmp_path, "In 1950 the dam was built. The dam was built in 1950.", lambda _: "no verdict"))
    assert supports(answer) == [("unsupported", None), ("verified", "quote")]
    assert answer.sentences[0].reasons == ["the judge gave no verdict"]


def test_a_row_has_no_source_where_its_cells_stand_apart_from_its_heads(tmp_path: Path) -> None:
    texts = {"firms.md": "Borel sued a supplier in Lyon. Carat owns two shops in Nantes."}
    said = "| Firm | Headquarters |\n|---|---|\n| Borel | Lyon |\n"
    answer = told_of(tmp_path, texts, "Borel Lyon", said)
    assert [each.support for each in answer.sentences if each.support] == ["unsupported"]


def test_a_source_that_may_support_a_sentence_is_suggested_where_the_judge_refuses_its_own(tmp_path: Path) -> None:
    texts = {"dam.md": "The dam is of grey stone, and high.", "lake.md": "Grey is the lake."}
    answer = told_of(
        tmp_path, texts, "dam grey", "The high dam is of grey stone [2].", system=judging(stone="unsupported")
    )
    assert (supports(answer)[0][0], quotes(answer)) == ("unsupported", [["Grey is the lake."]])
    cited = {each.n: each.quote for each in answer.citations}
    assert [cited[n] for n in answer.sentences[0].suggested] == ["The dam is of grey stone, and high."]


def test_strict_mode_waits_for_the_verdict_and_leaves_out_the_refused(tmp_path: Path) -> None:
    text = "It stands 33 m tall [1.3]. The lake is vast [1.4]. It was built in 1950 [1.2]."
    said = told(tmp_path, text, judging(vast="unsupported"), answers={"strict": True, "repair": False})
    answer = final(said)
    assert "vast" not in answer.answer
    assert "vast" not in "".join(each.delta for each in of_type(said, events.Text))
    assert [sentence.support for sentence in answer.sentences] == ["verified", "verified"]
    assert not any(each.sentence.checking for each in of_type(said, events.Cited))


def test_a_stopped_answer_leaves_no_sentence_without_its_mark(tmp_path: Path) -> None:
    judged = threading.Event()

    def slow(prompt: str) -> str:
        judged.wait(PATIENCE)
        return judging()(prompt)

    script = searching("dam", "It stands 33 m tall [1.3]. The landlord owns it all.")
    services = open_test_services(tmp_path, script=script, system=slow)

    async def run() -> list[events.Data]:
        context = services.open_context(AskedQuestion(question=QUESTION))
        found = []
        async for data in answering(context):
            found.append(data)
            if isinstance(data, events.Cited) and data.index == 1:
                context.stop.stop_answer()
        judged.set()
        return found

    answer = final(asyncio.run(run()))
    services.close()
    assert answer.stopped
    marks = [(each.support, each.checking) for each in answer.sentences]
    assert marks == [("unchecked", False), ("unsupported", False)]


def test_a_paragraph_stays_one_when_a_list_item_before_it_is_left_out(tmp_path: Path) -> None:
    text = "- It is 33 m tall [1.3].\n- The lake is vast [1.4].\n\nIt was built in 1950 [1.2]."
    said = told(tmp_path, text, judging(vast="unsupported"), answers={"strict": True, "repair": False})
    assert final(said).answer == "- It is 33 m tall. [1]\n\nIt was built in 1950. [2]"


REPAIRED = "The lake covers 9.76 km² [1.4]."


TWO = "It stands 33 m tall [1.3]. The lake is vast [1.4]."


def repairing(reply: str, text: str = TWO) -> Script:
    """A writer that searches, says this, and replies so when it is asked to correct it."""
    first = searching("dam", text)

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        prompt = str(getattr(messages[-1].parts[-1], "content", ""))
        if "not supported by what they cite" in prompt:
            yield reply
            return
        async for piece in first(messages, info):
            yield piece

    return script


@pytest.mark.parametrize(
    ("reply", "after"),
    [
        (json.dumps({"corrections": [{"n": 1, "sentence": REPAIRED}]}), "The lake covers 9.76 km²."),
        (json.dumps({"corrections": [{"n": 1, "sentence": ""}]}), ""),
    ],
)
@pytest.mark.parametrize("strict", [True, False])
def test_a_repair_corrects_or_withdraws_and_says_so(tmp_path: Path, reply: str, after: str, strict: bool) -> None:
    services = open_test_services(
        tmp_path,
        script=repairing(reply),
        system=judging(vast="unsupported"),
        answers={"strict": strict, "repair": True},
    )
    said = ask(services, QUESTION)
    services.close()
    answer = final(said)
    assert [(each.before, each.after, each.support) for each in answer.repairs] == [
        ("The lake is vast.", after, "unsupported")
    ]
    assert "vast" not in answer.answer
    assert after in answer.answer
    [repaired] = of_type(said, events.Repaired)
    assert repaired.answer == answer.answer
    for sentence in answer.sentences:
        assert answer.answer[sentence.start : sentence.end] == sentence.text
        assert sentence.support == "verified"


@pytest.mark.parametrize(
    "reply", ["no JSON", json.dumps({"corrections": [{"n": 1, "sentence": "The lake is vast and blue [1.4]."}]})]
)
def test_a_repair_that_is_no_better_changes_nothing(tmp_path: Path, reply: str) -> None:
    services = open_test_services(
        tmp_path,
        script=repairing(reply),
        system=judging(vast="unsupported"),
        answers={"repair": True},
    )
    answer = final(ask(services, QUESTION))
    services.close()
    assert answer.repairs == []
    assert [sentence.support for sentence in answer.sentences] == ["verified", "unsupported"]


@pytest.mark.parametrize(
    ("text", "number", "correction", "expected"),
    [
        (
            "- It is 33 m tall [1.3].\n- The lake is vast [1.4].\n- It is from 1950 [1.2].",
            1,
            "The lake covers 9.76 km² [1.4].",
            "- It is 33 m tall. [1]\n- The lake covers 9.76 km². [2]\n- It is from 1950. [3]",
        ),
        (
            "| what | value |\n|---|---|\n| height | 33 m [1.3] |\n| lake | vast [1.4] |",
            2,
            "| lake | 9.76 km² [1.4] |",
            "| what | value |\n|---|---|\n| height | 33 m [1] |\n| lake | 9.76 km² [2] |",
        ),
    ],
)
def test_a_corrected_item_stays_an_item_and_a_corrected_row_a_judged_row(
    tmp_path: Path, text: str, number: int, correction: str, expected: str
) -> None:
    reply = json.dumps({"corrections": [{"n": number, "sentence": correction}]})
    script = repairing(reply, text)
    services = open_test_services(tmp_path, script=script, system=judging(vast="unsupported"), answers={"repair": True})
    answer = final(ask(services, QUESTION))
    services.close()
    assert answer.answer == expected
    assert {sentence.support for sentence in answer.sentences if sentence.citations} == {"verified"}


def test_a_correction_of_another_form_is_not_taken(tmp_path: Path) -> None:
    for correction in ("| a | b [1.4] |", "## The lake", "One [1.2]. Two [1.3]."):
        reply = json.dumps({"corrections": [{"n": 1, "sentence": correction}]})
        services = open_test_services(
            tmp_path / str(len(correction)),
            script=repairing(reply),
            system=judging(vast="unsupported"),
            answers={"repair": True},
        )
        assert final(ask(services, QUESTION)).repairs == []
        services.close()


def test_a_sentence_withheld_for_the_persons_sake_is_not_told_by_a_repair(tmp_path: Path) -> None:
    text = "It stands 33 m tall [1.3]. As a diabetic beekeeper from Zwolle you will find it vast [1.4]."
    reply = json.dumps({"corrections": [{"n": 1, "sentence": ""}]})
    services = open_test_services(
        tmp_path, script=repairing(reply, text), system=judging(vast="unsupported"), answers={"repair": True}
    )
    said = ask(services, QUESTION, profile="I am a diabetic beekeeper from Zwolle.")
    services.close()
    assert final(said).repairs == []
    assert "Zwolle" not in final(said).model_dump_json()
