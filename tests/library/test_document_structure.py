from hypothesis import given
from hypothesis import strategies as some

from pincite.library.document_structure import LONGEST, find_page_number, shorten_heading, tile_blocks
from pincite.types import Block, Page


@some.composite
def _structured(draw: some.DrawFn) -> tuple[str, list[Block]]:
    text = draw(some.text(alphabet="ab \n\t\f.#", max_size=200))
    cuts = sorted(draw(some.lists(some.integers(0, len(text)), max_size=12, unique=True)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return text, [Block("code", start, end) for start, end in pairs if text[start:end].strip()]


@given(_structured())
def test_blocks_hold_every_letter_once_and_are_never_cut(given: tuple[str, list[Block]]) -> None:
    text, blocks = given
    found = list(tile_blocks(text, blocks))
    covered = [place for tile in found for place in range(tile.start, tile.end)]
    assert covered == sorted(set(covered))
    assert {place for place, character in enumerate(text) if character.isalnum()} <= set(covered)
    assert set(blocks) <= set(found)


def test_a_line_without_an_end_is_cut_all_the_same() -> None:
    found = list(tile_blocks("x" * (LONGEST * 2 + 5), []))
    assert [each.end - each.start for each in found] == [LONGEST, LONGEST, 5]


def test_a_heading_over_two_lines_is_one_title() -> None:
    assert shorten_heading("On the depth\n of  impor\u00ad\ntant lakes") == "On the depth of important lakes"


def test_a_character_stands_on_the_page_that_holds_it() -> None:
    pages = [Page(1, 0, 10), Page(2, 10, 10), Page(3, 10, 30)]
    assert [find_page_number(pages, place) for place in (0, 9, 10, 29, 99)] == [1, 1, 3, 3, 3]
    assert find_page_number([], 5) == 0
