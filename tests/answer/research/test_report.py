"""A report from its question to its last word: outline first, sections in order, nothing hidden and nothing padded."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo

from pincite import events
from pincite.answer.context import Context
from pincite.answer.pipeline import stream_answer
from pincite.answer.question import AskedQuestion
from pincite.answer.research import quoted_report
from pincite.answer.research.report_outline import PlannedSection, plan_by_rules
from pincite.answer.research.report_wording import Language
from pincite.answer.services import Services
from pincite.errors import WebError
from pincite.types import Hit
from pincite.web.search_engine import SearchResults
from tests.answer.extractive.shelves import BRIDGE, PONT, shelf
from tests.answer.split.acting import Role, call, cast, looking, staged, with_engine
from tests.turns import Piece, ask, final, of_type, open_test_services, saying, told

QUESTION = "What must a tenant of the flat in rue Haute know?"
NOTICE, RENT = "Which notice period does the lease name?", "How high is the rent in the lease?"
OUTLINE = json.dumps({"sections": [{"heading": "Notice", "question": NOTICE}, {"heading": "Rent", "question": RENT}]})
SHORT = "The rent is 812 euros a month [1.3]."
OLD = "# Bridges of the county\n\nThe Garrow Bridge is a steel arch bridge with a main span of 203 metres.\n"


def writing(**given: Role) -> dict[str, Role]:
    usual = {
        "short": looking("rent of the flat in rue Haute", SHORT),
        "notice": looking("notice period lease", "The notice period is three months [1.1]."),
        "rent": looking("rent lease", "It is due on the fifth day [1.4]."),
    }
    roles = usual | given
    return {QUESTION: roles["short"], NOTICE: roles["notice"], RENT: roles["rent"]}


def report(services: Services, question: str = QUESTION) -> list[events.Data]:
    return ask(services, question, focus="research")


def names(said: list[events.Data]) -> list[str]:
    quiet = (events.Text, events.EvidenceFound, events.SubagentData, events.Cited)
    return [events.find_event_type(data) for data in said if not isinstance(data, quiet)]


async def broken(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
    raise ModelHTTPError(503, "scripted")
    yield ""


async def endless(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
    await asyncio.sleep(60)
    yield ""


def test_the_outline_comes_first_and_the_sections_stand_in_its_order(tmp_path: Path) -> None:
    said = report(staged(tmp_path, OUTLINE, writing()))
    assert names(said)[:3] == ["message_started", "question", "outline"]
    outline = of_type(said, events.Outline)[0].sections
    assert [(each.heading, each.question) for each in outline] == [
        ("In short", QUESTION),
        ("Notice", NOTICE),
        ("Rent", RENT),
    ]
    whole = final(said)
    headings = [line for line in whole.answer.splitlines() if line.startswith("#")]
    assert headings == ["## In short", "## Notice", "## Rent"]
    assert whole.outline == outline
    assert [each.support for each in whole.sentences] == [None, "verified"] * 3
    assert {each.name for each in whole.subagents} == {"section_writer"}
    assert len(whole.subagents) == 3


def test_a_section_is_said_when_it_and_all_before_it_are_there(tmp_path: Path) -> None:
    waiting = asyncio.Event()

    async def late(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        await waiting.wait()
        async for piece in looking("rent", SHORT)(messages, info):
            yield piece

    services = staged(tmp_path, OUTLINE, writing(short=late))

    async def heard() -> list[str]:
        found = []
        async for data in stream_answer(services.open_context(AskedQuestion(question=QUESTION, focus="research"))):
            if isinstance(data, events.SubagentCompleted):
                found.append("over")
                if found.count("over") == 2:
                    waiting.set()
            elif isinstance(data, events.Text):
                found.append("words")
        return found

    found = asyncio.run(heard())
    assert found[:3] == ["over", "over", "over"]
    assert "words" in found


def test_rules_plan_the_report_when_a_model_gives_no_outline(tmp_path: Path) -> None:
    question = "Which notice period does the lease name? How high is the rent in the lease?"
    roles = {question: looking("lease", SHORT), NOTICE: writing()[NOTICE], RENT: writing()[RENT]}
    services = staged(tmp_path, "I would write about the rent.", roles)
    outline = of_type(report(services, question), events.Outline)[0].sections
    assert [each.question for each in outline][:3] == [question, NOTICE, RENT]


def test_without_a_model_the_outline_has_the_sections_that_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plan_twice(context: Context, hits: Sequence[Hit], language: Language) -> list[PlannedSection]:
        *others, last = plan_by_rules(context, hits, language)
        repeated = replace(last, section=last.section.model_copy(update={"heading": "The same again"}))
        return [*others, last, repeated]

    monkeypatch.setattr(quoted_report, "plan_by_rules", plan_twice)
    said = report(shelf(tmp_path, {"bridge.md": BRIDGE}), "What is known about the Garrow Bridge?")
    headings = [line.removeprefix("## ") for line in final(said).answer.splitlines() if line.startswith("## ")]
    assert [each.heading for each in of_type(said, events.Outline)[0].sections] == headings
    assert len(headings) > 1
    assert "The same again" not in headings


def test_a_section_that_fails_is_said_and_the_rest_stands(tmp_path: Path) -> None:
    said = report(staged(tmp_path, OUTLINE, writing(notice=broken)))
    whole = final(said)
    assert "812 euros" in whole.answer
    assert "## Notice\n\nThis part could not be researched" in whole.answer
    assert not of_type(said, events.Fault)
    assert [each.status for each in whole.subagents].count("error") == 1
    assert not any(each.support in ("contradicted", "unsupported") for each in whole.sentences)


def test_where_every_section_fails_the_fault_is_told_as_ever(tmp_path: Path) -> None:
    said = report(staged(tmp_path, OUTLINE, writing(short=broken, notice=broken, rent=broken)))
    assert of_type(said, events.Fault)
    assert final(said).outline == []


def test_a_section_that_found_nothing_is_listed_and_not_judged(tmp_path: Path) -> None:
    silent = looking("pets", "I found nothing in the sources that answers this [0].")
    whole = final(report(staged(tmp_path, OUTLINE, writing(notice=silent))))
    assert whole.answer.endswith(f"## Not found\n\n- The sources do not answer “{NOTICE}”.")
    assert not whole.refused
    assert whole.sentences[-1].support is None
    assert [each.heading for each in whole.outline] == ["In short", "Rent", "Not found"]


def test_where_nothing_at_all_was_found_it_is_an_ordinary_refusal(tmp_path: Path) -> None:
    silent = looking("pets", "I found nothing in the sources that answers this [0].")
    whole = final(report(staged(tmp_path, OUTLINE, writing(short=silent, notice=silent, rent=silent))))
    assert whole.refused
    assert whole.outline == []
    assert "##" not in whole.answer


def test_when_the_time_is_over_the_sections_that_are_there_stand(tmp_path: Path) -> None:
    async def late(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
        raise TimeoutError
        yield ""

    whole = final(report(staged(tmp_path, OUTLINE, writing(rent=late))))
    assert "three months" in whole.answer
    assert "## Rent\n\nThis part could not be researched: it took too long." in whole.answer
    nothing = final(report(staged(tmp_path / "nothing", OUTLINE, writing(short=late, notice=late, rent=late))))
    assert nothing.refused
    assert nothing.answer.startswith("This part could not be researched: it took too long.")


def test_a_stopped_report_keeps_its_text_and_nothing_runs_on(tmp_path: Path) -> None:
    services = staged(tmp_path, OUTLINE, writing(rent=endless))

    async def stopped() -> list[events.Data]:
        context = services.open_context(AskedQuestion(question=QUESTION, focus="research"))
        found, text = [], ""
        async for data in stream_answer(context):
            found.append(data)
            text += data.delta if isinstance(data, events.Text) else ""
            if "three months" in text:
                context.stop.stop_answer()
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert left == []
        return found

    whole = final(asyncio.run(stopped()))
    assert whole.stopped
    assert "812 euros" in whole.answer
    assert "## Rent" not in whole.answer


def test_a_sentence_of_two_section_writers_appears_once(tmp_path: Path) -> None:
    whole = final(report(staged(tmp_path, OUTLINE, writing(rent=looking("rent lease", SHORT)))))
    assert whole.answer.count("812 euros") == 1
    assert [each.heading for each in whole.outline] == ["In short", "Notice"]


def test_without_a_model_the_sources_own_headings_make_the_report(tmp_path: Path) -> None:
    services = shelf(tmp_path, {"bridge.md": BRIDGE, "pont.md": PONT, "old.md": OLD})
    said = report(services, "What is known about the Garrow Bridge?")
    whole = final(said)
    assert [each.heading for each in whole.outline] == [
        "In short",
        "History",
        "Structure",
        "Use",
        "Maintenance",
        "Where sources disagree",
    ]
    assert "Gravelle" not in whole.answer
    assert {each.support for each in whole.sentences} <= {None, "verified"}
    texts = [each.text for each in whole.sentences if each.support and "main span" not in each.text]
    assert len(texts) == len(set(texts))


def test_sources_that_disagree_are_quoted_side_by_side_with_both_marks(tmp_path: Path) -> None:
    whole = final(
        report(shelf(tmp_path, {"bridge.md": BRIDGE, "old.md": OLD}), "How wide is the main span of the Garrow Bridge?")
    )
    told = whole.answer.partition("## Where sources disagree")[2]
    assert "218 metres" in told
    assert "203 metres" in told
    marked = [
        each for each in whole.sentences if each.start > whole.answer.index("## Where sources") and each.citations
    ]
    documents = {each.n: each.document for each in whole.citations}
    assert len({documents[n] for each in marked for n in each.citations}) == 2


def test_in_french_its_own_words_are_french(tmp_path: Path) -> None:
    whole = final(report(shelf(tmp_path, {"pont.md": PONT}), "Que sait-on du pont de Gravelle ?"))
    assert [each.heading for each in whole.outline] == ["En bref", "Circulation", "Entretien"]


def test_each_part_of_a_question_has_its_section(tmp_path: Path) -> None:
    schools = {
        f"{name.lower()}.md": f"# Audit of the {name} school\n\n## Advice\n\nThe auditor recommends to insulate the "
        f"{part} first.\n\nThe cost of that is estimated at {cost} euros in all.\n"
        for name, part, cost in (("Alder", "roof", 40_000), ("Birch", "cellar", 55_000), ("Cedar", "doors", 70_000))
    }
    whole = final(report(shelf(tmp_path, schools), "What do the audits recommend and what is the cost estimated at?"))
    headings = [each.heading for each in whole.outline]
    assert headings[:2] == ["What do the audits recommend", "What is the cost estimated at"]
    for words in ("40000", "55000", "70000"):
        assert words in whole.answer


def test_a_part_that_the_sources_lack_is_named_and_the_other_answered(tmp_path: Path) -> None:
    services = shelf(tmp_path, {"bridge.md": BRIDGE})
    whole = final(report(services, "Who designed the Garrow Bridge, and how fast do penguins swim?"))
    assert "Eleanor Whitfield" in whole.answer
    assert "The sources do not answer “How fast do penguins swim?”." in whole.answer.replace("“how", "“How")


CONTRACT = """# Halvorsen agreement

## 1. Term and termination

The agreement lasts two years. Either party may terminate it by a letter.

## 2. Fees

Storage costs 4.80 euros per pallet. Invoices are due within a month.

## 3. Liability

The liability of the provider is capped at 750,000 euros.
"""


def test_each_aspect_that_a_question_lists_is_looked_up_and_one_that_is_missing_is_said(tmp_path: Path) -> None:
    asked = "What does the Halvorsen agreement say about fees, liability, snow and termination?"
    whole = final(report(shelf(tmp_path, {"contract.md": CONTRACT}), asked))
    assert [each.heading for each in whole.outline] == ["Fees", "Liability", "Termination", "Not found"]
    for words in ("Storage costs 4.80 euros", "is capped at 750,000 euros", "may terminate it by a letter"):
        assert words in whole.answer
    assert "do not answer “What does the Halvorsen agreement say about snow?”" in whole.answer


def test_each_of_two_subjects_has_its_section_from_its_own_document(tmp_path: Path) -> None:
    risks = {"Corvane": "Gas is a fifth of the costs of sales.", "Kestrel": "The charger depends on a single chip."}
    texts = {
        f"{name}.md": f"# {name}\n\nThe year of {name} was calm.\n\n## Risks\n\n{risk}\n"
        for name, risk in risks.items()
    }
    whole = final(report(shelf(tmp_path, texts), "What are the risks of Corvane and of project Kestrel?"))
    assert [each.heading for each in whole.outline] == ["Corvane", "Project Kestrel"]
    first, second = whole.answer.split("## Project Kestrel")
    assert risks["Corvane"] in first
    assert risks["Kestrel"] in second


def test_a_model_that_cannot_call_tools_writes_from_what_is_looked_up_for_it(tmp_path: Path) -> None:
    seen: list[str] = []

    async def script(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Piece]:
        assert not info.function_tools
        seen.append(str(info.instructions))
        yield "The dam was built in 1950 [1.2]."

    services = open_test_services(tmp_path, script=script, tools=False)
    whole = final(ask(services, "What is known about the dam?", focus="research", profile="I am Ada Lovelace."))
    assert [each.support for each in whole.sentences if each.support] == ["verified"]
    assert seen
    assert not any("Lovelace" in each for each in seen)


def test_an_engine_that_fails_is_told_and_the_documents_still_make_a_report(tmp_path: Path) -> None:
    class Silent:
        async def search(self, query: str, **_: object) -> SearchResults:
            raise WebError("The engine does not answer.", "Check web.search_url.")

    said = report(
        with_engine(shelf(tmp_path, {"bridge.md": BRIDGE}), Silent()), "What is known about the Garrow Bridge?"
    )
    assert [each.error for each in of_type(said, events.ToolCallError)] == [
        "The engine does not answer. Check web.search_url."
    ]
    assert "## Structure" in final(said).answer


def test_a_writer_that_comes_to_no_end_is_said_to_have_failed(tmp_path: Path) -> None:
    async def runaway(_: list[ModelMessage], __: AgentInfo) -> AsyncIterator[Piece]:
        yield call("file_search", query="notice")

    whole = final(report(staged(tmp_path, OUTLINE, writing(notice=runaway))))
    assert "## Notice\n\nThis part could not be researched: its writer came to no end." in whole.answer


def test_a_greeting_is_no_report(tmp_path: Path) -> None:
    services = staged(tmp_path, OUTLINE, {"Hello!": saying("Good day.")})
    assert final(report(services, "Hello!")).answer == "Good day."
    assert cast(services).asked == ["Hello!"]


def test_a_library_without_documents_is_refused_at_once(tmp_path: Path) -> None:
    context = shelf(tmp_path, {"empty.md": "\n"}).open_context(AskedQuestion(question=QUESTION, focus="research"))
    assert final(asyncio.run(told(context))).refused


def test_a_side_of_a_comparison_that_the_sources_lack_is_named_as_it_was(tmp_path: Path) -> None:
    services = shelf(tmp_path, {"bridge.md": BRIDGE})
    whole = final(report(services, "Compare the Garrow Bridge and the Eiffel Tower"))
    assert "## The Garrow Bridge" in whole.answer
    assert "- No document mentions Eiffel Tower." in whole.answer


def test_without_a_model_no_writer_is_run_and_documents_that_lack_the_subject_are_left_out(tmp_path: Path) -> None:
    other = (
        "# The Merrow Bridge\n\n## Structure\n\nThe Merrow Bridge is a steel arch bridge with a span of 90 metres.\n"
    )
    said = report(shelf(tmp_path, {"bridge.md": BRIDGE, "other.md": other}), "What is known about the Garrow Bridge?")
    whole = final(said)
    assert not of_type(said, events.SubagentStarted)
    assert whole.subagents == []
    assert {each.title for each in whole.citations} == {"The Garrow Bridge"}
    assert "Merrow" not in whole.answer


def test_a_named_subject_that_no_document_has_is_said_and_nothing_else_is_quoted(tmp_path: Path) -> None:
    services = shelf(tmp_path, {"bridge.md": BRIDGE, "pont.md": PONT})
    whole = final(report(services, "What is known about the structure of the Severn Crossing?"))
    assert whole.answer == "No document mentions Severn Crossing."
    assert whole.refused
    assert whole.citations == []
    first = final(report(services, "Kubernetes security practices"))
    assert first.answer == "No document mentions Kubernetes."
    french = final(report(services, "Que sait-on de la structure de Viaduc Millau ?"))
    assert french.answer == "Aucun document ne mentionne Viaduc Millau."


def test_of_two_names_the_one_that_is_missing_is_said_beside_the_report(tmp_path: Path) -> None:
    whole = final(report(shelf(tmp_path, {"bridge.md": BRIDGE}), "What links Eleanor Whitfield with Isambard Brunel?"))
    assert "Eleanor Whitfield" in whole.answer
    assert whole.answer.endswith("## Not found\n\n- No document mentions Isambard Brunel.")
    assert not whole.refused


STORE = """# The Granite store

## Replicas

GFS keeps three replicas of each chunk. What a replica does on a lost rack is copied to another one.

## Snapshots

GFS does snapshots with copy on write. A snapshot does nothing else than to copy what is written.
"""


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("How does GFS keep replicas of chunks, and what does Kubernetes do?", "Kubernetes"),
        ("What does Kubernetes do, and how does GFS keep replicas of chunks?", "Kubernetes"),
        ("Compare Kubernetes and GFS", "Kubernetes"),
        ("Que fait Kubernetes, et que fait GFS ?", "Kubernetes"),
    ],
)
def test_a_part_about_a_name_that_no_document_has_gets_no_text_of_others(
    question: str, absent: str, tmp_path: Path
) -> None:
    whole = final(report(shelf(tmp_path, {"store.md": STORE}), question))
    assert not any(absent in each.heading for each in whole.outline)
    *_, missing = whole.answer.split("## ")
    assert [line for line in missing.splitlines() if line.startswith("- ")] in (
        [f"- No document mentions {absent}."],
        [f"- Aucun document ne mentionne {absent}."],
    )
    assert "three replicas" in whole.answer


def test_a_part_quotes_only_passages_about_its_own_names(tmp_path: Path) -> None:
    lake = "# Lake Orvel\n\nIn 2021 the level of the lake fell by 12 centimetres.\n"
    services = shelf(tmp_path, {"store.md": STORE, "lake.md": lake})
    question = "What does GFS do for snapshots, and what happened to Lake Orvel in 2021?"
    whole = final(report(services, question))
    _, snapshots, level = whole.answer.split("## ")
    assert "copy on write" in snapshots
    assert "centimetres" not in snapshots
    assert "12 centimetres" in level
    assert "GFS" not in level


def test_the_sentence_that_answers_is_quoted_and_not_one_that_repeats_the_title(tmp_path: Path) -> None:
    review = (
        "# Kelvin Foods annual review 2022\n\n## Governance\n\nThe board of Kelvin Foods has nine members.\n\n"
        "## Results\n\nRevenue rose by 7 %. Operating profit fell. The dividend is 1.20 euros a share.\n"
    )
    whole = final(
        report(shelf(tmp_path, {"review.md": review}), "How do Kelvin Foods and Nestlé compare on dividends?")
    )
    assert "1.20 euros" in whole.answer
    assert "nine members" not in whole.answer


def test_a_section_quotes_whole_sentences_and_the_list_below_them(tmp_path: Path) -> None:
    whole = final(report(shelf(tmp_path, {"bridge.md": BRIDGE}), "What is known about the Garrow Bridge?"))
    use = whole.answer.partition("## Use\n\n")[2].partition("\n\n##")[0]
    assert use.startswith("Lorries over 18 tonnes are not allowed on the bridge. [")
    assert "- a route plan signed by the haulier [" in use


PUMP = """# The Merrow pump

## Start

The Merrow pump is started with this command:

```
pump --start --litres 40
```

## Faults

A fault of the pump is shown as a number.

| number | cause |
|---|---|
| 3 | the filter is full |
| 5 | the pump runs dry |
"""


def test_a_section_quotes_a_table_with_its_heads_and_a_command_as_code(tmp_path: Path) -> None:
    whole = final(report(shelf(tmp_path, {"pump.md": PUMP}), "What is known about the Merrow pump?"))
    assert "| number | cause |" in whole.answer
    assert re.search(r"\| 5 \| the pump runs dry \[\d\] \|", whole.answer)
    assert "```\npump --start --litres 40\n```" in whole.answer
    assert {each.support for each in whole.sentences} == {None, "verified"}
    assert {each.basis for each in whole.sentences if each.support} == {"quote"}
    assert not whole.passages


def test_a_row_is_quoted_for_its_own_words_and_not_for_those_of_the_heads(tmp_path: Path) -> None:
    services = shelf(tmp_path, {"pump.md": PUMP})
    whole = final(report(services, "What starts the Merrow pump, and which cause has a filter that is full?"))
    *_, part = whole.answer.partition("## Which cause")
    assert "the filter is full" in part
    assert "runs dry" not in part.partition("\n## ")[0]
