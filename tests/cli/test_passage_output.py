"""Passages are drawn in a terminal: where each stands, its words with what answers lit, tables, and what is left."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from pincite.cli.passage_output import arrange_parts, draw_answer, draw_more
from pincite.events import Answer, Sentence, ShownPassage, Usage
from tests.answer.extractive.shelves import answered, shelf


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    services = shelf(tmp_path_factory.mktemp("shelf"))
    asked = {
        "who": "Who designed the Garrow Bridge?",
        "table": "What was the toll income in 2019?",
        "none": "Who won the chess championship in Reykjavik?",
        "missing": "How long is the main span of the Tacoma bridge?",
        "both": "Compare the Garrow Bridge and the pont de Gravelle",
    }
    found = {name: answered(services, question) for name, question in asked.items()}
    services.close()
    pumps = {f"pump-{n}.md": f"# Pump {n}\n\nThe blue pump number {n} was mended in {1990 + n}.\n" for n in range(6)}
    services = shelf(tmp_path_factory.mktemp("pumps"), pumps)
    found["many"] = answered(services, "When was the blue pump mended?")
    services.close()
    return found


def drawn(answer: Answer, more: bool = False, width: int = 100) -> str:
    out = io.StringIO()
    draw_answer(answer, Console(file=out, width=width, force_terminal=True, color_system=None), more)
    return out.getvalue()


def test_a_passage_has_its_number_its_title_and_headings_above_its_words(answers: dict[str, Answer]) -> None:
    lines = drawn(answers["who"]).split("\n")
    assert lines[0] == "Found in your documents:"
    assert lines[2] == "[1] The Garrow Bridge · History · bridge.md"
    assert lines[3].startswith("    The Garrow Bridge was designed by Eleanor Whitfield")
    assert all(len(line.rstrip()) < 100 for line in lines)


def make_answer(*passages: ShownPassage, refused: bool = False) -> Answer:
    sentences = [
        Sentence(text=each.text, start=0, end=1, support="verified", basis="quote", citations=[each.n])
        for each in passages
        if not each.more
    ]
    return Answer(
        answer="",
        refused=refused,
        question="what",
        model="extractive",
        sentences=sentences,
        citations=[],
        usage=Usage(),
    ).model_copy(update={"passages": list(passages)})


def draw_styled(passage: ShownPassage) -> str:
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, color_system="standard")
    draw_answer(make_answer(passage.model_copy(update={"more": True})), console, more=True)
    return out.getvalue()


def test_the_answering_sentence_is_lit() -> None:
    passage = ShownPassage(n=1, document="d", title="T", start=0, end=20, text="Not this. But this.", lit=[(10, 19)])
    assert "\x1b[1;4mBut this.\x1b[0m" in draw_styled(passage)


def test_a_passage_names_all_its_pages_and_its_headings_are_bold() -> None:
    passage = ShownPassage(
        n=1,
        document="d",
        title="Lease",
        page=1,
        last_page=2,
        start=0,
        end=9,
        text="Term\nTwo.",
        inner_headings=[(0, 4)],
    )
    shown = draw_styled(passage)
    assert "· p. 1–2" in shown
    assert "\x1b[1mTerm\x1b[0m" in shown


@pytest.mark.parametrize(
    ("question", "label", "place"),
    [
        ("How much does it cost?", "slide 2", "**Plan** · slide 2 · Costs"),
        ("Combien cela coûte-t-il ?", "slide 2", "**Plan** · diapositive 2 · Costs"),
        ("How much does it cost?", "iv", "**Plan** · p. iv (page 2) · Costs"),
    ],
)
def test_the_place_of_a_passage_is_drawn_once_whatever_its_pages_are_called(
    question: str, label: str, place: str
) -> None:
    cost = ShownPassage(
        n=1, document="d", title="Plan", page=2, label=label, headings=["Costs"], start=0, end=6, text="Five."
    )
    written = [place, "Five."]
    sentences = [
        Sentence(text=text, citations=[1] if text == "Five." else [], support="verified", start=0, end=len(text))
        for text in written
    ]
    told = Answer(
        answer="\n".join(written),
        refused=False,
        question=question,
        model="extractive",
        sentences=sentences,
        citations=[],
        usage=Usage(),
        passages=[cost],
    )
    assert arrange_parts(told) == [cost]


def plain(answer: Answer) -> list[str]:
    out = io.StringIO()
    draw_answer(answer, Console(file=out, width=10_000))
    return [line.rstrip() for line in out.getvalue().split("\n")]


def test_plain_text_has_one_mark_for_a_passage_and_what_answers_on_a_line_of_its_own(
    answers: dict[str, Answer],
) -> None:
    lines = plain(answers["who"])
    assert sum("[1]" in line for line in lines) == 1
    lit = [line for line in lines if line.startswith("  > ")]
    assert len(lit) == sum(not passage.more and bool(passage.lit) for passage in answers["who"].passages)
    assert "Eleanor Whitfield" in lit[0]
    shown = answers["who"].passages[0]
    words = " ".join(line.removeprefix("  > ") for line in lines[lines.index(lit[0]) :])
    assert " ".join(shown.text[shown.lit[0][0] :].split()) in " ".join(words.split())


def test_plain_text_marks_the_row_of_a_table_and_the_line_of_a_code_that_answers(answers: dict[str, Answer]) -> None:
    (row,) = (line for line in plain(answers["table"]) if "2019" in line and "3,100,000" in line)
    assert row.startswith("  > 2019")
    assert row == row.rstrip()
    code = ShownPassage(
        n=1,
        document="d",
        title="T",
        start=0,
        end=20,
        text="cd dam\n  make\n  ls",
        lit=[(7, 13)],
        form="code",
        more=True,
    )
    answer = answers["none"].model_copy(update={"passages": [code], "refused": True})
    assert plain(answer)[-4:] == ["    cd dam", "  >   make", "      ls", ""]


def test_a_table_is_drawn_as_one_with_its_heads(answers: dict[str, Answer]) -> None:
    said = drawn(answers["table"])
    head = next(line for line in said.split("\n") if "Toll income" in line)
    row = next(line for line in said.split("\n") if "3,100,000" in line)
    assert head.index("Toll income") + len("Toll income") == row.index("3,100,000") + len("3,100,000")
    assert "|" not in said


def make_wide_table() -> ShownPassage:
    heads = ["(in %)", *(f"Unemployment {place} {who}" for place in ("Finland", "Sweden") for who in range(6))]
    rows = [[year, *(f"{year[-1]}{cell}.5" for cell in range(12))] for year in ("1995", "2000", "2005")]
    return ShownPassage(
        n=1, document="d", title="T", start=0, end=20, text="t", form="table", heads=[heads], rows=rows, lit_rows=[1]
    )


def test_the_row_that_answers_is_a_list_of_heads_and_values_where_the_table_does_not_fit() -> None:
    answer = make_answer(make_wide_table())
    lines = [line.rstrip() for line in drawn(answer, width=90).split("\n")]
    assert lines[2:6] == [
        "    …",
        "    2000 (in %)",
        "      Unemployment Finland 0: 00.5",
        "      Unemployment Finland 1: 01.5",
    ]
    assert lines[15:17] == ["      Unemployment Sweden 5: 011.5", "    …"]
    assert "--more" in lines[18]
    out = io.StringIO()
    assert draw_more(answer, Console(file=out, width=90, force_terminal=True, color_system=None))
    assert "1995" in out.getvalue()


def test_of_a_long_table_the_rows_around_the_answer_are_drawn_under_its_heads() -> None:
    rows = [[f"Plot {number}", str(number * 7)] for number in range(1, 31)]
    table = make_wide_table().model_copy(update={"heads": [["Plot", "Trees"]], "rows": rows, "lit_rows": [11]})
    lines = [" ".join(line.split()) for line in drawn(make_answer(table)).split("\n")]
    first = lines.index("Plot Trees")
    assert lines[first + 1 : first + 3] == ["…", "Plot 9 63"]
    assert lines[first + 9 : first + 11] == ["Plot 16 112", "…"]
    assert "Plot 30" in drawn(make_answer(table), more=True)


def test_a_wide_table_is_whole_with_more_in_a_pipe_and_in_a_terminal_where_it_fits() -> None:
    answer = make_answer(make_wide_table())
    for said in (drawn(answer, more=True, width=90), "\n".join(plain(answer)), drawn(answer, width=400)):
        assert all(year in said for year in ("1995", "2000", "2005"))
        assert "…" not in said


def test_further_passages_are_counted_and_shown_on_demand(answers: dict[str, Answer]) -> None:
    answer = answers["many"]
    left = [passage for passage in answer.passages if passage.more]
    assert left
    assert f"{len(left)} more passage" in drawn(answer)
    assert all(f"[{passage.n}] " in drawn(answer, more=True) for passage in left)


def test_a_refusal_offers_the_nearest(answers: dict[str, Answer]) -> None:
    said = drawn(answers["missing"])
    assert said.startswith("No document mentions Tacoma.")
    assert "What comes nearest:" in said
    assert "218 metres" in said


def test_the_sides_of_a_comparison_keep_their_names_above_their_passages(answers: dict[str, Answer]) -> None:
    parts = arrange_parts(answers["both"])
    names = [part for part in parts if isinstance(part, str)]
    assert names == ["Found in your documents:", "**Garrow Bridge**", "**Pont de Gravelle**"]
    assert isinstance(parts[2], ShownPassage)


def test_nothing_in_a_passage_steers_the_terminal(tmp_path: Path) -> None:
    services = shelf(tmp_path, {"a.md": "# Valve\n\nThe valve opens at 40 \u202ebar\u202c when it is hot.\n"})
    said = drawn(answered(services, "When does the valve open?"))
    assert "bar" in said
    assert "\u202e" not in said
    services.close()


LINES = [f"Line {number} of the long passage tells of the river and its banks in spring." for number in range(20)]
LONG = ShownPassage(
    n=1,
    document="d",
    title="T",
    start=0,
    end=2000,
    text="\n".join(LINES),
    lit=[("\n".join(LINES).index(LINES[9]), "\n".join(LINES).index(LINES[9]) + len(LINES[9]))],
)


def test_a_terminal_shows_the_lines_around_the_answer_and_more_shows_the_whole_passage() -> None:
    shown = drawn(make_answer(LONG))
    assert [line for line in LINES if line in shown] == LINES[8:16]
    assert shown.count("    …\n") == 2
    assert "--more (in a chat /more) shows the whole passages." in shown
    whole = drawn(make_answer(LONG), more=True)
    assert all(line in whole for line in LINES)
    assert "…" not in whole
    assert "--more" not in whole


def test_plain_text_keeps_the_indentation_of_an_inner_list() -> None:
    lines = ["1. Fill the circuit.", "  - Bleed each radiator.", "  - Check the pressure.", "2. Press Start."]
    text = "\n".join(lines)
    lit = [(text.index("- Bleed"), text.index("- Bleed") + len("- Bleed each radiator."))]
    answer = make_answer(ShownPassage(n=1, document="d", title="T", start=0, end=9, text=text, lit=lit))
    assert [line for line in plain(answer) if line[4:] in lines] == [
        "    1. Fill the circuit.",
        "  >   - Bleed each radiator.",
        "      - Check the pressure.",
        "    2. Press Start.",
    ]


def test_text_for_a_pipe_is_whole_unless_it_is_only_the_nearest() -> None:
    def pipe(answer: Answer) -> str:
        out = io.StringIO()
        draw_answer(answer, Console(file=out, width=100))
        return out.getvalue()

    assert all(line in pipe(make_answer(LONG)) for line in LINES)
    nearest = pipe(make_answer(LONG.model_copy(update={"more": True}), refused=True))
    assert [line for line in LINES if line in nearest] == LINES[8:10]
    assert f"  > {LINES[9]}" in nearest


def test_on_demand_only_shortened_passages_are_drawn_again() -> None:
    def draw(answer: Answer, is_terminal: bool, is_shortened: bool = True) -> str:
        out = io.StringIO()
        console = Console(file=out, width=100, force_terminal=is_terminal, color_system=None)
        assert draw_more(answer, console, is_shortened) == bool(out.getvalue())
        return out.getvalue()

    assert LINES[0] in draw(make_answer(LONG), is_terminal=True)
    assert draw(make_answer(LONG), is_terminal=False) == ""
    assert draw(make_answer(LONG), is_terminal=True, is_shortened=False) == ""


def test_the_parts_of_a_passage_are_drawn_under_one_number() -> None:
    part = ShownPassage(n=1, document="d", title="The dam", start=0, end=9, text="It leaks.", part_of=3)
    table = part.model_copy(update={"form": "table", "text": "", "start": 20, "rows": [["Height", "41 m"]]})
    code = part.model_copy(update={"form": "code", "text": "dam --fill", "start": 40, "headings": ["Filling"]})
    answer = make_answer(part, table, code)
    lines = [line.rstrip() for line in drawn(answer).split("\n")]
    assert [line for line in lines if line.startswith("[")] == ["[1] The dam"]
    assert lines.index("    It leaks.") < lines.index("    Height  41 m") < lines.index("    Filling")
    assert lines[lines.index("    Filling") + 1] == "    dam --fill"


def test_a_part_does_not_repeat_the_heading_that_the_part_before_ends_under() -> None:
    part = ShownPassage(n=1, document="d", title="Contract", start=0, end=9, text="It ends.\n\nFees\n\nFees are due.")
    part = part.model_copy(update={"inner_headings": [(10, 14)]})
    rows = {"form": "table", "text": "", "inner_headings": [], "rows": [["Storage", "4.80"]]}
    table = part.model_copy(update={"start": 20, "headings": ["Fees"], **rows})
    own = "Invoices are sent.\n\nLiability\n\nIt is capped."
    last = part.model_copy(
        update={"start": 40, "headings": ["Liability"], "text": own, "inner_headings": [(20, 29)], "lit": [(31, 44)]}
    )
    lines = [line.strip() for line in drawn(make_answer(part, table, last)).split("\n")]
    assert [line for line in lines if line in ("Fees", "Liability")] == ["Fees", "Liability"]


def test_of_a_long_passage_only_the_table_that_answers_is_drawn_and_more_draws_all() -> None:
    rows = [["Oats", "4"], ["Barley", "7"], ["Rye", "5"], ["Wheat", "9"], ["Spelt", "1"], ["Maize", "3"]]
    table = ShownPassage(n=1, document="d", title="Harvest", start=0, end=9, text="", form="table", rows=rows)
    costs = table.model_copy(update={"start": 20, "rows": [[f"Cost {n}", str(n)] for n in range(6)]})
    answer = make_answer(table.model_copy(update={"lit_rows": [2]}), costs)
    assert "Rye" in drawn(answer)
    assert "Cost 3" not in drawn(answer)
    assert "--more" in drawn(answer)
    assert "Cost 3" in drawn(answer, more=True)
    out = io.StringIO()
    draw_more(answer, Console(file=out, width=80, force_terminal=True, color_system=None))
    assert "Rye" in out.getvalue()
    assert "Cost 3" in out.getvalue()


def test_a_comparison_begins_with_where_it_was_found_and_not_with_a_blank_line(answers: dict[str, Answer]) -> None:
    assert drawn(answers["both"]).startswith("Found in your documents:\n\nGarrow Bridge\n")
