"""Any passage to its characters, or an honest "not found": rule by rule."""

import logging
from functools import partial

import pytest
from tests import leaves
from tests.clock import cost
from tests.leaves import Cell
from tests.thorough import keep_some

from pincite.locate.concordance import build_concordance
from pincite.locate.locate import locate
from pincite.types import Document

MINUTES = (
    "The committee met in the spring and agreed upon the annual budget.\n\n"
    "Fees: see the annual budget. Members (all of them) said “yes”, and so did he. "
    "Elle a dit «\u00a0oui\u00a0»."
)


def test_a_passage_as_it_is_is_exact_and_one_with_other_marks_is_normalised() -> None:
    concordance = leaves.plain(MINUTES)
    for said, how in (
        ("The committee met in the spring and agreed", "exact"),
        ("  agreed upon the annual budget.\n\nFees: see \n", "exact"),
        ("THE COMMITTEE met\nin the spring, and agreed", "normalised"),
        ("The comittee met in the spring and agreed upon", "approximate"),
    ):
        found = locate(concordance, said)
        assert (found.how, found.refusal, found.found) == (how, None, True)
        assert found.score == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("MEMBERS (ALL OF THEM)", "Members (all of them)"),
        ("(ALL OF THEM) said", "(all of them) said"),
        ("all of them! said “YES”", "all of them) said “yes”"),
        ("said “YES” ,", "said “yes”,"),
        ('"SAID “yes”', "said “yes”"),
        ("and SO did he.", "and so did he."),
        ("elle a DIT «oui».", "Elle a dit «\u00a0oui\u00a0»."),
    ],
)
def test_marks_at_its_ends_are_lit_when_the_document_has_them_too(asked: str, there: str) -> None:
    concordance = leaves.plain(MINUTES)
    assert leaves.lit(concordance, locate(concordance, asked)) == [there]


def test_a_short_passage_must_stand_once() -> None:
    concordance = leaves.plain(MINUTES)
    assert leaves.lit(concordance, locate(concordance, "met in the spring")) == ["met in the spring"]
    for twice in ("annual budget", "The Annual Budget", "the"):
        found = locate(concordance, twice)
        assert (found.spans, found.refusal) == ((), "repeated")
        assert [block.text for block in found.blocks] == [twice]


def test_a_longer_passage_that_stands_twice_is_found_where_it_stands_first() -> None:
    sentence = "The members of the board agreed."
    concordance = leaves.plain(f"A title\n\n{sentence} {sentence}")
    assert (
        locate(concordance, sentence).spans == locate(concordance, sentence.upper()).spans == ((9, 9 + len(sentence)),)
    )


@pytest.mark.parametrize("said", ["yes", "all", "he", "fees"])
def test_a_few_letters_are_whole_words(said: str) -> None:
    concordance = leaves.plain(MINUTES)
    (lit,) = leaves.lit(concordance, locate(concordance, said))
    assert lit.casefold() == said


@pytest.mark.parametrize("said", ["ommit", "sprin", "e met", "ring", "budge", "mbers"])
def test_a_few_letters_out_of_a_word_are_not_found(said: str) -> None:
    assert not locate(leaves.plain(MINUTES), said).found


def test_short_passages_are_not_found_by_likeness() -> None:
    concordance = leaves.plain(MINUTES)
    found = locate(concordance, "met in tha sprinq")
    assert (found.found, found.refusal) == (False, "short")
    assert locate(concordance, "met in tha spring and agreed upon").found


@pytest.mark.parametrize("nothing", ["", " ", "\n\t", "…", "!?", "🙂", "\0", "\ud800", "| - |", "***", "\u0301"])
def test_a_quote_without_letters_is_nowhere(nothing: str) -> None:
    for concordance in (leaves.plain(MINUTES), leaves.plain(""), leaves.plain("🙂\ud800")):
        found = locate(concordance, nothing)
        assert (found.spans, found.blocks, found.refusal) == ((), (), "empty")


PAGES = (
    "Fees by year\nThe board agreed upon the fees of the harbour.",
    "Other words altogether.",
    "Fees by year\nThe board agreed upon the fees of the harbour.",
)


@pytest.mark.parametrize(
    "said",
    [
        "Fees by year",
        "fees BY year",
        "The board agreed upon the fees of the harbour.",
        "the board agreed upon THE FEES",
    ],
)
def test_a_page_given_decides_between_twins(said: str) -> None:
    concordance = leaves.ready(*PAGES)
    for page in concordance.document.pages[::2]:
        ((start, end),) = locate(concordance, said, (page.number,)).spans
        assert page.start <= start < end <= page.end
    assert locate(concordance, said, (3, 1)).found == (len(said) > 20)


@pytest.mark.parametrize("pages", [(2,), (4,), (0,), (-1,), (2, 10**12)])
def test_a_wrong_page_costs_nothing(pages: tuple[int, ...]) -> None:
    concordance = leaves.ready("The board agreed upon the fees.", "Other words.", "Nothing of the harbour is said.")
    for said in (
        "board",
        "The board agreed",
        "the BOARD agreed upon the fees",
        "The board agrecd upon the fees",
        "no such words as these are here",
        "words other",
    ):
        assert locate(concordance, said, pages) == locate(concordance, said)


def test_a_page_given_goes_before_the_order_of_the_text() -> None:
    columns = [
        Cell("the harbour board of", 60, 0, 0),
        Cell("the town and the fees", 60, 1, 1),
        Cell("last year agreed upon", 340, 0, 2),
        Cell("for every single ship", 340, 1, 3),
    ]
    across = "the harbour board of last year agreed upon the town and the fees for every single ship"
    concordance = build_concordance(leaves.pdf(leaves.lines(across), columns))
    assert leaves.lit(concordance, locate(concordance, across.upper())) == [across]
    (start, _), *_ = locate(concordance, across.upper(), (2,)).spans
    assert start >= concordance.document.pages[1].start


LEFT = ("The committee met in", "the spring and agreed", "upon the budget of 12")
RIGHT = ("Revenue of the harbour", "increased by a tenth in", "the year of 1999 alone")


def test_a_page_of_two_columns_read_across_is_found_as_those_characters() -> None:
    cells = [Cell(text, 60, line, line) for line, text in enumerate(LEFT)]
    cells += [Cell(text, 340, line, 3 + line) for line, text in enumerate(RIGHT)]
    concordance = build_concordance(leaves.pdf(cells))
    across = " ".join(f"{left} {right}" for left, right in zip(LEFT[:2], RIGHT[:2], strict=True))
    assert leaves.lit(concordance, locate(concordance, across)) == ["\n".join(LEFT[:2]), "\n".join(RIGHT[:2])]
    assert not locate(
        concordance, " ".join(f"{a} {b}" for a, b in zip(LEFT, RIGHT, strict=True)).replace("1999", "1998")
    ).found


def test_a_table_dumped_column_by_column_is_found_as_those_cells() -> None:
    rows = (("Region", "Ships", "Fees"), ("North quay", "1,204", "318.5"), ("South quay", "77", "19.25"))
    concordance = build_concordance(leaves.pdf(leaves.table(*rows)))
    columns = "\n".join(rows[line][column] for column in (1, 2) for line in range(3))
    assert leaves.lit(concordance, locate(concordance, columns)) == ["Ships\tFees", "1,204\t318.5", "77\t19.25"]
    one = "\n".join(row[0] for row in rows)
    assert leaves.lit(concordance, locate(concordance, one)) == ["Region", "North quay", "South quay"]
    assert not locate(concordance, columns.replace("318.5", "318.6")).found


def test_a_page_drawn_in_another_order_than_it_is_read_is_found_in_both() -> None:
    texts = ("Revenue of the harbour increased", "The committee met in the spring", "and agreed upon the annual budget")
    concordance = build_concordance(
        leaves.pdf([Cell(text, 60, line, (2, 0, 1)[line]) for line, text in enumerate(texts)])
    )
    read, drawn = " ".join(texts), " ".join((*texts[1:], texts[0]))
    assert leaves.lit(concordance, locate(concordance, read)) == ["\n".join(texts)]
    assert leaves.lit(concordance, locate(concordance, drawn)) == ["\n".join(texts)]
    assert locate(concordance, f"{texts[2]} {texts[0]}").how == "normalised"


def test_pieces_between_dots_are_found_in_order() -> None:
    concordance = leaves.plain(
        "The fees were raised. Nobody objected to them at all. A proposal to widen the northern bridge, which was "
        "reported upon, was put off until the autumn. The members of it went home. The end."
    )
    found = locate(concordance, "Nobody objected to them … The members of it went home.")
    assert leaves.lit(concordance, found) == ["Nobody objected to them", "The members of it went home."]
    assert [block.spans for block in found.blocks] == [((span),) for span in found.spans]
    wrong = locate(concordance, "Nobody objected to thcm at all … The members of it wcnt home.")
    assert leaves.lit(concordance, wrong) == ["Nobody objected to them at all", "The members of it went home."]
    assert wrong.how == "approximate"
    assert not locate(concordance, "Nobody objected to them … The ministers went abroad").found


def test_of_twins_the_piece_that_follows_is_meant() -> None:
    twin = "It was agreed upon by all members."
    text = f"{twin} The harbour fees were raised by a tenth. {twin} The end."
    concordance = leaves.plain(text)
    lit = leaves.covered(concordance, locate(concordance, f"The harbour fees were raised … {twin}").spans)
    first, second = (leaves.covered(concordance, [(at, at + len(twin))]) for at in (0, text.rindex(twin)))
    assert second <= lit
    assert not first & lit


def test_a_short_piece_is_meant_where_the_long_one_stands() -> None:
    far = "Every member of the harbour board went home at once."
    concordance = leaves.ready("Fees by year", "Other words.", f"Fees by year\nwere told.\n{far}")
    found = locate(concordance, f"FEES by year … {far}")
    assert leaves.lit(concordance, found) == ["Fees by year", far]
    assert all(start >= concordance.document.pages[2].start for start, _ in found.spans)


def test_words_for_which_dots_stand_are_not_lit_though_letters_differ() -> None:
    left, right = (
        "Nobody of the harbour board objected to the annual budget",
        "every one of its members went home at once",
    )
    concordance = leaves.plain(f"{left} which had been read aloud to all and {right}.")
    found = locate(concordance, f"{left.replace('harbour', 'harbcur')} … {right.replace('members', 'membcrs')}")
    assert leaves.lit(concordance, found) == [left, right]


def test_pieces_far_from_each_other_are_not_one_passage() -> None:
    far = [
        "The harbour board raised its fees again.",
        *["Filler of no interest."] * 9,
        "Every member of it went home at once.",
    ]
    concordance = leaves.ready(*far)
    assert not locate(concordance, f"{far[0]} … {far[-1]}").found
    near = leaves.ready(far[0], *far[1:3], far[-1])
    assert locate(near, f"{far[0]} … {far[-1]}").found


def test_dots_of_the_document_are_no_ellipsis() -> None:
    concordance = leaves.plain("Chapter one ........ 5\nChapter two ........ 19\nWait... for it, said the old man.")
    assert locate(concordance, "Chapter one ..... 5 Chapter two ..... 19").how == "normalised"
    assert locate(concordance, "Wait… for it, said").found
    assert not locate(concordance, "Chapter one ..... 5 Chapter two ..... 20").found


def test_a_link_weighs_nothing_when_letters_differ_too() -> None:
    concordance = leaves.plain(MINUTES)
    found = locate(concordance, "The [comittee](https://example.org/of/another/place) met in the spring and agreed")
    assert leaves.lit(concordance, found) == ["The committee met in the spring and agreed"]
    assert found.score > 0.95


def test_each_block_of_a_passage_tells_what_stands_for_it() -> None:
    concordance = leaves.plain("# A title\n\nThe board agreed.\n\nThe members went home at once.")
    for said in (
        "The board agreed.\n\nThe members went home at once.",
        "THE BOARD agreed.\n\n- The members went home at once.",
        "The board agreed.\n\nTha members went homc at once.",
    ):
        found = locate(concordance, said)
        texts = [
            [concordance.document.text[slice(*span)].rstrip(".") for span in block.spans] for block in found.blocks
        ]
        assert texts == [["The board agreed"], ["The members went home at once"]]
        assert found.blocks[0].score == 1
        assert found.blocks[1].score > 0.9
    missing = locate(concordance, "The board agreed.\n\nNobody of the name of Smith was ever there, nor will be.")
    assert not missing.found
    assert len(missing.blocks) == 2


def test_every_step_is_told_under_a_logger_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "pincite.locate"):
        locate(leaves.ready(*PAGES), "The BOARD agreed upon the fees", (3,))
    told = [record.getMessage() for record in caplog.records]
    assert all(line.startswith("[PDF] ") for line in told)
    for part in ("pages [3]", "on the pages given", "block 'The BOARD agreed", "normalised, score 1.000"):
        assert any(part in line for line in told)


DOCUMENTS = {
    "words": " ".join(f"{word} {number}" for word in leaves.WORDS for number in leaves.NUMBERS) * 3,
    "one letter": "a" * 20_000,
    "one digit": "1" * 20_000,
    "points": "1." * 10_000,
    "dots": "." * 20_000,
    "nothing": "",
}
TRAPS = (
    "a", "1", "1.", "12 ", "a1", "l3 0o ", ".", "[", "[a](", "<b", "|-", " ", "\n- a", "\0", "\ud800", "🙂", "é",
    "committee … ", "committee 2023 and 7 … ", "the of committee revenue increased quarter ", "lorem ipsum dolor ",
)  # fmt: skip


@pytest.mark.parametrize("document", keep_some(DOCUMENTS, one_in=4))
def test_eight_times_the_passage_takes_about_eight_times_as_long_whatever_it_is(document: str) -> None:
    concordance = leaves.plain(DOCUMENTS[document])
    for trap in TRAPS:
        spent = []
        for size in (4_000, 32_000):
            said = trap * (size // len(trap))
            spent.append(cost(partial(locate, concordance, said, (1,))))
        # Looking at all of it again from each of its places would take 64 times as long.
        assert spent[1] < 30 * max(spent[0], 0.02), trap


def test_a_long_passage_of_a_long_document_is_found() -> None:
    text = " ".join(f"{word} {i}" for i in range(900) for word in ("committee", "revenue", "harbour"))
    concordance = build_concordance(Document("text", text))
    for said in (text, text[5_000:30_000].strip(), text[5_000:25_000].strip().upper()):
        found = locate(concordance, said)
        assert [each.casefold() for each in leaves.lit(concordance, found)] == [said.casefold()]
