from pathlib import Path

import pytest

from pincite.answer.extractive import ExtractiveAnswerer
from pincite.answer.extractive.absent_names import CorpusStatistics
from pincite.answer.extractive.question_kind import parse_question
from pincite.answer.extractive.search_plan import extract_key_words, find_summary_subject, plan_next_calls
from pincite.answer.extractive.tool_calls import LIST, OUTLINE, SEARCH, Call, CallResult
from pincite.store.documents import StoredDocument
from pincite.types import Evidence, Span
from tests.answer.extractive.shelves import shelf
from tests.work import all_of

TOOLS = frozenset({SEARCH, OUTLINE, LIST})


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[StoredDocument]:
    folder: Path = tmp_path_factory.mktemp("shelf")
    services = shelf(folder)
    found = all_of(services.library)
    services.close()
    return found


def tools(calls: list[Call]) -> list[str]:
    return [call.tool for call in calls]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Peut-on changer le nom d'un enfant ?", "changer nom enfant"),
        ("What was Costco's revenue in FY2021?", "Costco revenue FY2021"),
    ],
)
def test_a_question_is_searched_for_as_it_is_and_its_words_that_matter_are_known(question: str, words: str) -> None:
    assert extract_key_words(question) == words
    queries = [dict(call.given)["query"] for call in plan_next_calls(parse_question(question), TOOLS, [])]
    assert queries == [question]


def test_a_plain_question_is_searched_once() -> None:
    asking = parse_question("Who signed the lease?")
    returned = [CallResult(call) for call in plan_next_calls(asking, TOOLS, [])]
    assert plan_next_calls(asking, TOOLS, returned) == []


@pytest.mark.parametrize(
    ("question", "elsewhere", "searched"),
    [
        ("What does E07 on the screen mean?", {"e07"}, ["E07"]),
        ("What does E07 on the screen mean?", set[str](), []),  # no document has it
        ("What does E04 on the screen mean?", {"e04"}, []),  # a passage found has it
        ("What was the rent in 1999?", {"1999"}, []),  # a year stands in many documents
        ("What does Kubernetes cost?", {"kubernetes"}, []),
        ("When was the Severn Crossing opened?", {"severn", "crossing"}, []),
        ("What do A10, B20, C30 and D40 mean?", {"a10", "b20", "c30", "d40"}, ["A10", "B20", "C30"]),
    ],
)
def test_a_code_that_only_other_passages_have_is_searched_for_once(
    question: str, elsewhere: set[str], searched: list[str]
) -> None:
    text = "The screen shows E04 for a lost radio link."
    first = CallResult(Call(SEARCH, (("query", question),)), (Evidence(1, Span("d", 0, len(text)), "", "text", text),))
    known = CorpusStatistics(lambda word, document="": int(word.casefold() in elsewhere))
    calls, _ = ExtractiveAnswerer().respond(question, TOOLS, [first], known)
    assert [dict(call.given)["query"] for call in calls] == searched
    second = [CallResult(call) for call in calls]
    assert ExtractiveAnswerer().respond(question, TOOLS, [first, *second], known)[0] == []


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Summarise this document", ""),
        ("Résume ce texte", ""),
        ("Summarise the Netflix report", "Netflix"),
        ("Résume le rapport sur les ponts", "les ponts"),
    ],
)
def test_the_document_to_summarise_is_known_by_its_name(question: str, name: str) -> None:
    assert find_summary_subject(parse_question(question)) == name


def test_a_document_is_looked_for_by_its_name_and_then_read_from_end_to_end(documents: list[StoredDocument]) -> None:
    asking = parse_question("Summarise the Garrow Bridge")
    (listing,) = plan_next_calls(asking, TOOLS, [])
    assert listing.tool == LIST
    (outline,) = plan_next_calls(asking, TOOLS, [CallResult(listing, documents=tuple(documents[:1]))])
    assert outline == Call(OUTLINE, (("document", documents[0].id),))
    assert (
        plan_next_calls(asking, TOOLS, [CallResult(listing, documents=tuple(documents[:1])), CallResult(outline)]) == []
    )


def test_a_name_that_no_document_has_is_searched_for_once() -> None:
    asking = parse_question("Summarise the Treaty of Lund")
    (listing,) = plan_next_calls(asking, TOOLS, [])
    (search,) = plan_next_calls(asking, TOOLS, [CallResult(listing)])
    assert search == Call(SEARCH, (("query", "Treaty of Lund"),))
    assert plan_next_calls(asking, TOOLS, [CallResult(listing), CallResult(search)]) == []


@pytest.mark.parametrize(
    ("question", "then"),
    [
        ("Compare the Garrow Bridge and the pont de Gravelle", OUTLINE),
        ("Compare the tolls of the Garrow Bridge and the pont de Gravelle", SEARCH),
    ],
)
def test_two_documents_are_read_whole_or_searched_for_what_is_compared(
    documents: list[StoredDocument], question: str, then: str
) -> None:
    asking = parse_question(question)
    first = plan_next_calls(asking, TOOLS, [])
    assert tools(first) == [SEARCH, SEARCH, SEARCH, LIST, LIST]
    lists = iter(documents)
    returned = [CallResult(call, documents=(next(lists),) if call.tool == LIST else ()) for call in first]
    second = plan_next_calls(asking, TOOLS, returned)
    assert tools(second) == [then, then]
    assert [dict(call.given)["document"] for call in second] == [document.id for document in documents]


def test_without_a_list_of_documents_a_summary_is_searched_for() -> None:
    assert tools(plan_next_calls(parse_question("Summarise the lease"), frozenset({SEARCH}), [])) == [SEARCH]


def test_the_documents_are_listed_and_nothing_is_searched_for() -> None:
    asking = parse_question("Which documents do I have?")
    (listing,) = plan_next_calls(asking, TOOLS, [])
    assert listing == Call(LIST, ())
    assert plan_next_calls(asking, TOOLS | {"web_search"}, [CallResult(listing)]) == []
