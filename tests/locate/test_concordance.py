import time
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import leaves
from tests.leaves import Cell
from tests.thorough import scale_examples

from pincite.locate.concordance import VERSION, Concordance, build_concordance
from pincite.locate.locate import locate
from pincite.text.squeeze import squeeze
from pincite.types import Document, Page

COLUMNS = leaves.pdf(
    [
        Cell("The committee met in", 60, 0, 4),
        Cell("the spring and agreed", 60, 1, 5),
        Cell("Revenue of the region", 340, 0, 0),
        Cell("increased by 12 percent", 340, 1, 1),
    ],
    leaves.table(("Region", "Total"), ("North", "1234"), ("South", "789")),
)


def marked(concordance: Concordance, begins: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> list[str]:
    """The compared text cut where the marks say."""
    cuts = [*np.flatnonzero(begins).tolist(), len(concordance.own.letters)]
    return [concordance.own.letters[a:b] for a, b in pairwise(cuts)]


@settings(max_examples=scale_examples(40), deadline=None)
@given(leaves.documents, st.data())
def test_a_stored_concordance_gives_the_same_answers(document: Document, data: st.DataObject) -> None:
    made = build_concordance(document)
    loaded = Concordance.from_bytes(made.to_bytes(), document)
    assert loaded
    a, b = sorted(data.draw(st.tuples(*[st.integers(0, len(document.text))] * 2)))
    asked = document.text[a:b] + data.draw(st.sampled_from(("", " and so on", " 7")))
    assert locate(loaded, asked) == locate(made, asked)
    orders = [[(one.order, one.letters, one.source.tolist()) for one in each.readings()] for each in (made, loaded)]
    assert orders[0] == orders[1]
    assert loaded.to_bytes() == made.to_bytes()


def test_a_concordance_of_another_version_or_text_is_not_used() -> None:
    data = build_concordance(COLUMNS).to_bytes()
    assert Concordance.from_bytes(data, COLUMNS)
    assert Concordance.from_bytes(bytes([VERSION - 1]) + data[1:], COLUMNS) is None
    longer = Document("pdf", COLUMNS.text + "!", pages=COLUMNS.pages)
    assert Concordance.from_bytes(data, longer) is None
    other = Document("pdf", COLUMNS.text.replace("12", "13"), pages=COLUMNS.pages)
    assert Concordance.from_bytes(data, other) is None


def test_the_orders_are_stored_so_that_no_boxes_are_needed_to_find() -> None:
    bare = Document("pdf", COLUMNS.text, pages=tuple(Page(p.number, p.start, p.end, 600, 800) for p in COLUMNS.pages))
    loaded = Concordance.from_bytes(build_concordance(COLUMNS).to_bytes(), bare)
    assert loaded
    across = "The committee met in Revenue of the region the spring and agreed increased by 12 percent"
    assert locate(loaded, across).spans == locate(build_concordance(COLUMNS), across).spans != ()


def test_every_order_has_the_hidden_words_after_the_pages() -> None:
    document = Document("pdf", COLUMNS.text + "\n\nHidden words 12 and 789.", pages=COLUMNS.pages)
    orders = list(build_concordance(document).readings())
    assert len(orders) > 1
    for order in orders:
        assert order.letters.endswith("hiddenwords12and789")
        assert sorted(order.source.tolist()) == list(range(len(orders[0].letters)))


def test_an_order_that_is_no_other_is_not_kept() -> None:
    plain = leaves.ready("One line\nand another")
    assert [reading.order for reading in plain.readings()] == ["text"]
    assert [reading.order for reading in build_concordance(COLUMNS).readings()] == ["text", "drawn", "rows", "columns"]
    same = build_concordance(leaves.pdf(COLUMNS_DRAWN_ACROSS))
    assert [reading.order for reading in same.readings()] == ["text", "drawn"]


COLUMNS_DRAWN_ACROSS = [Cell("a", 60, 0, 0), Cell("b", 60, 1, 2), Cell("c", 340, 0, 1), Cell("d", 340, 1, 3)]


def test_words_lines_and_blocks_begin_where_they_do_in_the_text() -> None:
    concordance = leaves.plain("Two words, a com\u00ad\nmittee\n(North)\t12\n\nNext\u00a0block")
    assert marked(concordance, concordance.words) == ["two", "words", "a", "committee", "north", "12", "next", "block"]
    assert marked(concordance, concordance.lines) == ["twowordsacom", "mittee", "north", "12", "nextblock"]
    assert marked(concordance, concordance.blocks) == ["twowordsacommitteenorth", "12", "nextblock"]


def test_in_another_order_a_leap_begins_a_word() -> None:
    concordance = build_concordance(leaves.pdf([Cell("abc def", 60, 0, 1), Cell("ghi", 60, 1, 0)]))
    (drawn,) = [reading for reading in concordance.readings() if reading.order == "drawn"]
    assert drawn.letters == "ghiabcdef"
    assert [at for at in range(10) if concordance.is_word_start(drawn, at)] == [0, 3, 6, 9]
    words, lines, _ = concordance.find_starts(drawn, 1, 9)
    assert np.flatnonzero(words).tolist() == [0, 2, 5, 8]
    assert np.flatnonzero(lines).tolist() == [0, 2, 8]


def test_every_character_of_a_script_without_spaces_may_begin_a_word() -> None:
    concordance = leaves.plain("東京都の会議")
    assert all(concordance.is_word_start(concordance.own, at) for at in range(6))


@settings(max_examples=scale_examples(50))
@given(st.lists(st.sampled_from(("A page", "Another\nof two lines", "", "…")), min_size=1, max_size=5))
def test_a_page_has_its_own_letters_on_its_sheets_and_no_others(texts: list[str]) -> None:
    concordance = leaves.ready(*texts)
    for page in concordance.document.pages:
        for at, place in enumerate(concordance.squeezed.places.tolist()):
            here = page.start <= place < page.end
            assert (concordance.sheet_at(at) in concordance.sheets_of(page.number)) == here
    for unknown in (-1, 0, len(texts) + 1, 10**9):
        assert not concordance.sheets_of(unknown)


def test_a_long_document_without_pages_has_sheets_of_its_own() -> None:
    text = "word " * 5000
    for pages in ((), (Page(1, 0, len(text)),)):
        concordance = build_concordance(Document("text", text, pages=pages))
        assert 4 <= len(concordance.edges) - 1 <= 7
        assert all(concordance.words[concordance.edges[:-1]])
    assert concordance.sheets_of(1) == range(len(concordance.edges) - 1)
    assert len(leaves.plain("x" * 20_000).edges) - 1 >= 3


def test_the_sheet_that_shares_most_with_a_passage_has_most_votes() -> None:
    concordance = leaves.ready(
        "The committee met in the spring and agreed upon the annual budget.",
        "The committee met in the autumn and put off the question of fees.",
        "Nothing of the kind was said by anybody on this third page.",
    )
    votes = concordance.score_sheets(squeeze("the committee met in autumn and put off the question").codes)
    assert votes.argmax() == 1
    assert votes[0] > votes[2]
    assert 0 <= votes.min() <= votes.max() <= 1


def test_words_that_cannot_stand_anywhere_are_known_without_looking() -> None:
    concordance = build_concordance(COLUMNS)
    assert concordance.may_hold(squeeze("committee met in the spring").codes)
    assert concordance.may_hold(squeeze("in Revenue of the region the spring").codes)
    assert not concordance.may_hold(squeeze("a passage of some other document altogether").codes)
    assert concordance.may_hold(squeeze("short").codes)


@given(st.sampled_from(("", " ", "\n\n", "…", "a", "\0", "\ud800", "12", "a\tb")), st.booleans())
def test_documents_with_next_to_nothing_in_them_are_made_ready_too(text: str, paged: bool) -> None:
    document = leaves.pdf(leaves.lines(text), [], leaves.lines(text)) if paged else Document("text", text)
    made = build_concordance(document)
    loaded = Concordance.from_bytes(made.to_bytes(), document)
    assert loaded
    for asked in ("", "a", "12", "a b", "a longer passage that is not there at all"):
        assert locate(made, asked, (1, 2)) == locate(loaded, asked, (1, 2))


def test_twice_the_pages_are_about_twice_the_work() -> None:
    def cpu(pages: int) -> float:
        text = "word " * pages
        each = tuple(Page(i + 1, 5 * i, 5 * i + 5, 600, 800) for i in range(pages))
        begun = time.process_time()
        build_concordance(Document("text", text, pages=each))
        return time.process_time() - begun

    cpu(1000)
    assert min(cpu(40_000) / cpu(20_000) for _ in range(4)) < 3


def test_a_page_is_made_of_its_own_sheets_however_many_there_are() -> None:
    pages = tuple(Page(i + 1, 5 * i, 5 * i + 5, 600, 800) for i in range(500))
    made = build_concordance(Document("text", "word " * 500, pages=pages))
    assert [made.sheets_of(number) for number in (1, 250, 500)] == [range(1), range(249, 250), range(499, 500)]
