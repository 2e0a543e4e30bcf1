"""A turn as a person sees it at a terminal, event by event."""

import io
from collections.abc import Callable
from typing import Any

import pytest

from pincite import events
from pincite.cli import options
from pincite.cli.terminal_renderer import TerminalRenderer
from tests.cli.test_proof_output import answer
from tests.cli.test_subagent_output import called, started, succeeded, within
from tests.screens import seen, terminal

Seen = Callable[[], list[str]]


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """A terminal of a hundred columns; what stands there comes out."""
    console = terminal(width=100)
    monkeypatch.setattr(options, "make_console", lambda stderr=False: console)
    file = console.file
    assert isinstance(file, io.StringIO)
    return lambda: seen(file.getvalue())


def test_of_parts_one_row_tells_what_they_do_and_a_line_what_came_of_each(wide: Seen) -> None:
    teller = TerminalRenderer()
    teller.hear(started("a", task="What does the law say?"))
    teller.hear(started("b", "file_analyzer", "What does the lease say?"))
    teller.hear(within("a", called("web_search", query="law of leases")))
    teller.hear(within("b", called("file_search", query="lease")))
    teller.hear(within("a", succeeded(found="4")))
    teller.hear(events.SubagentError(subagentId="b", error="It took too long.", seconds=2))
    teller.hear(events.SubagentCompleted(subagentId="a", summary="Three years.", seconds=1.25))
    teller.pause()
    assert [row for row in wide() if row] == [
        "· file analyzer ✗ “What does the lease say?” · It took too long. · 2.0 s",
        "· deep research ✓ “What does the law say?” · 4 found · 1.2 s",
    ]


def test_a_report_says_first_what_will_stand_in_it(wide: Seen) -> None:
    teller = TerminalRenderer()
    sections = [events.Section(heading=each, question="?") for each in ("The lake", "The dam")]
    teller.hear(events.Outline(sections=sections))
    teller.pause()
    assert [row for row in wide() if row] == ["1. The lake", "2. The dam"]


def test_found_media_stand_under_the_answer_also_when_there_is_none(wide: Seen) -> None:
    teller = TerminalRenderer()
    media = [events.Medium(n=1, kind="image", url="https://example.org/", title="A lake")]
    teller.end(answer("", [], [], media=media, refused=True))
    assert "  1. A lake" in wide()


def test_running_work_stands_below_the_words_until_it_is_over(wide: Seen) -> None:
    teller = TerminalRenderer()
    teller.begin()
    for part in ("a", "b"):
        teller.hear(started(part, "section_writer", f"What of {part}?"))
    teller.hear(events.SubagentCompleted(subagentId="a", summary="", seconds=1))
    teller.hear(events.Text(delta="## The lake\n\nIt is deep.\n\n"))
    teller.hear(within("b", called("web_search", query="the dam")))
    assert wide()[-4:] == ["", "It is deep.", "", "section writer: Searching the web for “the dam”…"]
    teller.hear(within("b", succeeded(found="2")))
    assert wide()[-1] == "section writer: Thinking…"
    teller.hear(events.SubagentCompleted(subagentId="b", summary="", seconds=1))
    teller.hear(events.Text(delta="## The dam\n\nIt is high."))
    assert wide()[-5:] == ["It is deep.", "", "The dam", "", "It is high."]
    teller.hear(called("web_search", query="more"))
    assert wide()[-1] == "Searching the web for “more”…"
    teller.pause()
    assert [row for row in wide() if row][-4:] == ["The lake", "It is deep.", "The dam", "It is high."]


def test_words_that_go_again_take_what_is_below_with_them(wide: Seen) -> None:
    teller = TerminalRenderer()
    teller.begin()
    teller.hear(events.Text(delta="Let me see."))
    teller.hear(called("web_search", query="lakes"))
    assert [row for row in wide() if row] == ["Let me see.", "Searching the web for “lakes”…"]
    teller.hear(events.Thought(text="Let me see.", retracted=11))
    teller.pause()
    assert [row for row in wide() if row] == []


def settling(index: int, text: str, start: int, **given: Any) -> events.Cited:
    usual: dict[str, Any] = {"support": "unchecked", "checking": True}
    sentence = events.Sentence(text=text, citations=[], start=start, end=start + len(text), **usual | given)
    return events.Cited(index=index, sentence=sentence, citations=[])


def test_sentences_that_wait_for_a_judge_are_counted_below_until_their_signs_settle(wide: Seen) -> None:
    teller = TerminalRenderer()
    teller.begin()
    teller.hear(events.Text(delta="It is deep. It is blue."))
    teller.hear(settling(0, "It is deep.", 0))
    teller.hear(settling(1, "It is blue.", 12))
    assert [row for row in wide() if row] == ["It is deep. It is blue.", "checking 2 sentences…"]
    teller.hear(settling(1, "It is blue.", 12, support="contradicted", checking=False))
    assert [row for row in wide() if row] == ["It is deep. It is blue. ▲", "checking 1 sentence…"]
    teller.hear(settling(0, "It is deep.", 0, support="verified", basis="judge", checking=False))
    teller.pause()
    assert [row for row in wide() if row] == ["It is deep. It is blue. ▲"]


def test_an_answer_that_ends_while_it_is_checked_leaves_nothing_below(wide: Seen) -> None:
    teller = TerminalRenderer()
    teller.begin()
    teller.hear(events.Text(delta="It is deep."))
    teller.hear(settling(0, "It is deep.", 0))
    teller.pause()
    assert [row for row in wide() if row] == ["It is deep."]


def test_a_repaired_answer_takes_the_place_of_the_one_before(wide: Seen) -> None:
    teller = TerminalRenderer()
    teller.begin()
    teller.hear(events.Text(delta="It is 35 m high. It is blue."))
    teller.hear(settling(0, "It is 35 m high.", 0, support="contradicted", checking=False))
    teller.hear(settling(1, "It is blue.", 17, support="unsupported", checking=False))
    corrected = settling(0, "It is 33 m high.", 0, support="partial", checking=False).sentence
    teller.hear(events.Repaired(answer="It is 33 m high.", sentences=[corrected], citations=[], repairs=[]))
    teller.pause()
    assert [row for row in wide() if row] == ["It is 33 m high. ◐"]


def test_the_last_line_tells_the_tally_and_the_judge(wide: Seen) -> None:
    teller = TerminalRenderer()
    judge = events.Judge(model="openai:gpt-5", sentences=1, agreed=74, passed=2, total=80)
    deep = settling(0, "It is deep.", 0, support="verified", basis="judge", checking=False).sentence
    teller.end(answer("It is deep.", [deep], [], judge=judge))
    told = " ".join(wide())
    assert "● 1 verified · judged by openai:gpt-5 (agreed with readers on 74 of 80, let 2 false sentences pass)" in told


def test_lines_beside_a_french_answer_are_french(wide: Seen) -> None:
    teller = TerminalRenderer(more=True)
    question = "Quelle est la profondeur du lac ?"
    teller.hear(events.Question(question=question))
    left = [events.Sent(kind="page", value="https://example.org/lac")]
    corrected = [events.Correction(written="profondeurr", read="profondeur")]
    media = [events.Medium(n=1, kind="image", url="https://example.org/1", title="Le lac")]
    given = answer("Il est profond.", [], [], sent=left, corrected=corrected, media=media)
    teller.end(given.model_copy(update={"question": question}))
    told = "\n".join(wide())
    for words in (
        "Données envoyées hors de cette machine\u00a0: https://example.org/lac",
        "«\u00a0profondeurr\u00a0» a été lu comme «\u00a0profondeur\u00a0».",
        "Images",
    ):
        assert words in told
    for words in ("Left", "Read", "Pictures"):
        assert words not in told


def test_data_that_left_the_machine_are_told_on_demand(wide: Seen) -> None:
    left = [
        events.Sent(kind="search", value="lake of Corvel"),
        events.Sent(kind="page", value="https://example.org/\x1b[31mlake", origin="search"),
    ]
    TerminalRenderer().end(answer("It is deep.", [], [], sent=left))
    assert not any("Left this machine" in row for row in wide())
    TerminalRenderer(more=True).end(answer("It is deep.", [], [], sent=left))
    (row,) = [row for row in wide() if row.startswith("Left this machine")]
    assert row.startswith("Left this machine: search “lake of Corvel”; https://example.org/")
    assert "\x1b" not in row
