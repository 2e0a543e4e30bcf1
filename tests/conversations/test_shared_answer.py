from typing import Any

from pincite.conversations.shared_answer import strip_answers
from pincite.events import Answer, Citation, Sentence
from pincite.events.answer import (
    Boxes,
    ClientCall,
    Correction,
    Execution,
    Judge,
    Medium,
    Nearest,
    Progress,
    ProposedChanges,
    Repair,
    Sent,
    ShownPassage,
    UnreadPage,
    Usage,
)

PRIVATE = "private"  # in everything that must not get out


def _cite(n: int, document: str, **given: Any) -> Citation:
    facts: dict[str, Any] = {"title": "Lakes", "kind": "pdf", "url": None, "page": 3} | given
    return Citation(n=n, evidence=n, document=document, quote="230 metres", start=1, end=9, score=1, boxes=[], **facts)


def _answer(**given: Any) -> Answer:
    facts: dict[str, Any] = {"question": "", "model": "", "sentences": [], "citations": [], "usage": Usage()} | given
    return Answer(answer="It is deep. [1]", refused=False, **facts)


def _strip(answer: Answer) -> Answer:
    [stripped] = strip_answers([answer])
    assert stripped is not None
    return stripped


def test_sentences_verdicts_quotes_and_pages_stay() -> None:
    sentence = Sentence(
        text="It is deep.",
        citations=[1],
        support="contradicted",
        basis=None,
        reasons=["The source says 230."],
        start=0,
        end=11,
        unsupported=["deep"],
        source="230 metres",
    )
    stripped = _strip(_answer(sentences=[sentence], citations=[_cite(1, "d1", label="iii")], missing=["Ness"]))
    assert stripped.answer == "It is deep. [1]"
    assert stripped.sentences == [sentence]
    [cited] = stripped.citations
    assert (cited.title, cited.page, cited.label, cited.quote) == ("Lakes", 3, "iii", "230 metres")
    assert stripped.missing == ["Ness"]


def test_a_document_is_a_number_that_is_the_same_in_the_whole_conversation() -> None:
    first = _answer(citations=[_cite(1, "secret-a"), _cite(2, "secret-b"), _cite(3, "secret-a")])
    second = _answer(citations=[_cite(1, "secret-c"), _cite(2, "secret-b")])
    stripped = strip_answers([first, None, second])
    assert stripped[1] is None
    numbers = [[each.document for each in answer.citations] for answer in stripped if answer]
    assert numbers == [["source-1", "source-2", "source-1"], ["source-3", "source-2"]]


def test_settings_models_searches_and_passages_that_are_not_cited_are_left_out() -> None:
    answer = _answer(
        question=PRIVATE,
        model=PRIVATE,
        used_location=True,
        used_personalization=True,
        usage=Usage(input_tokens=5),
        sentences=[Sentence(text="Yes.", citations=[], support=None, judge=PRIVATE, suggested=[1])],
        unread=[UnreadPage(url=PRIVATE, reason="status", message=PRIVATE)],
        nearest=[Nearest(document=PRIVATE, title=PRIVATE, page=1, start=0, end=1, text=PRIVATE)],
        media=[Medium(n=1, kind="image", url=PRIVATE, title=PRIVATE)],
        subagents=[Execution(id=PRIVATE, name=PRIVATE, task=PRIVATE)],
        judge=Judge(model=PRIVATE),
        repairs=[Repair(before=PRIVATE, support="unsupported")],
        corrected=[Correction(written=PRIVATE, read=PRIVATE)],
        sent=[Sent(kind="search", value=PRIVATE)],
        changes=ProposedChanges(id=PRIVATE, project=PRIVATE, files=[], reply=PRIVATE),
        calls=[ClientCall(id=PRIVATE, tool="continue", arguments={PRIVATE: PRIVATE})],
        progress=Progress(state="stalled", reason=PRIVATE),
    )
    assert _strip(answer) == _answer(sentences=[Sentence(text="Yes.", citations=[], support=None)])


def test_files_are_named_without_their_folders_and_only_addresses_of_the_web_stay() -> None:
    boxes = [Boxes(page=1, width=1, height=1, rects=[])]
    cited = [
        _cite(1, "a", title="home/ada/plans/plan.py", path="home/ada/plans/plan.py", name="home/ada/plans/plan.py"),
        _cite(2, "b", url="https://example.org/lakes"),
        _cite(3, "c", url="file:///home/ada/lakes.html", heads=boxes),
    ]
    shown = ShownPassage(
        n=1, document="a", title="home/ada/plan.py", name="ada/plan.py", path="ada/plan.py", start=0, end=4, text="Deep"
    )
    stripped = _strip(_answer(citations=cited, passages=[shown]))
    assert [each.title for each in stripped.citations] == ["plan.py", "Lakes", "Lakes"]
    assert [each.url for each in stripped.citations] == [None, "https://example.org/lakes", None]
    assert (stripped.passages[0].title, stripped.passages[0].text) == ("plan.py", "Deep")
    assert stripped.passages[0].document == stripped.citations[0].document
    assert "ada" not in stripped.model_dump_json()
